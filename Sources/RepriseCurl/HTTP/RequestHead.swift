internal import RepriseWire

/// A request's head as it left, taken apart.
struct RequestHead {
    /// The method on the request line.
    var method: String
    /// The fields in order and case, `Host` included.
    var headers: Headers

    /// Takes apart a head up to its blank line; nil where it has no request line.
    init?(_ bytes: [UInt8]) {
        var lines: [ArraySlice<UInt8>] = []
        for line in bytes.split(separator: 10, omittingEmptySubsequences: false) {
            lines.append(line.last == 13 ? line.dropLast() : line)
        }
        guard let first = lines.first, let space = first.firstIndex(of: 32) else { return nil }
        method = String(decoding: first[..<space], as: UTF8.self)
        headers = Headers(lines.dropFirst().filter { !$0.isEmpty }.map(FieldLine.field))
    }
}
