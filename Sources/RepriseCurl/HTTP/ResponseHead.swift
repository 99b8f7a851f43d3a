package import RepriseTape
package import RepriseWire

/// Reads the lines of response heads, and of trailers after the last of them.
///
/// States: before a status line; in a head; after a final head, where every line is a trailer.
/// Heads of interim responses (1xx, RFC 9110 section 15.2) are passed over.
package struct ResponseHead {
    /// What a line brought.
    package enum Event: Equatable {
        /// Nothing to tell.
        case none
        /// A status line: the first bytes of an answer, interim or final.
        case began
        /// The blank line of a final head.
        case final(ResponseRecord)
    }

    /// The most that a head, or the trailers, may take: 1 MiB.
    static let limit = 1 << 20

    private var status: (version: String, code: Int, reason: String)?
    private var fields: [Headers.Field] = []
    private var size = 0

    /// The final head, once its blank line was seen.
    package private(set) var record: ResponseRecord?

    /// Whether the limit is passed.
    package var isTooLarge: Bool { size > Self.limit }

    /// Fields after the body; nil for none.
    package var trailers: Headers? { record == nil || fields.isEmpty ? nil : Headers(fields) }

    package init() {}

    /// Takes one line with its end.
    package mutating func push(_ line: [UInt8]) -> Event {
        size += line.count
        if isTooLarge { return .none }
        let text = FieldLine.withoutEnd(line)
        if record == nil, let status = Self.statusLine(text) {
            self.status = status
            fields = []
            return .began
        }
        if text.isEmpty { return endBlock() }
        if FieldLine.isFolded(text) {
            FieldLine.unfold(text, into: &fields)
        } else {
            fields.append(FieldLine.field(text))
        }
        return .none
    }

    private mutating func endBlock() -> Event {
        guard record == nil, let status else { return .none }
        let headers = Headers(fields)
        self.status = nil
        fields = []
        size = 0
        // 101 ends HTTP on the connection and is final, though nobody here asks for it.
        if (100..<200).contains(status.code), status.code != 101 { return .none }
        let final = ResponseRecord(
            status: status.code, version: status.version,
            reason: status.reason.isEmpty ? nil : status.reason, headers: headers)
        record = final
        return .final(final)
    }

    /// The parts of `HTTP/1.1 200 OK`; nil where the line is none.
    private static func statusLine(
        _ line: ArraySlice<UInt8>
    ) -> (version: String, code: Int, reason: String)? {
        guard line.starts(with: Array("HTTP/".utf8)) else { return nil }
        let parts = line.dropFirst(5)
            .split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count >= 2, let code = Int(String(decoding: parts[1], as: UTF8.self)),
            (0...999).contains(code)
        else { return nil }
        let reason = parts.count == 3 ? String(decoding: parts[2], as: UTF8.self) : ""
        return (String(decoding: parts[0], as: UTF8.self), code, reason)
    }
}

extension ResponseHead {
    /// What delimits the body of a response to `method` (RFC 9112 section 6.3).
    package static func framing(of head: ResponseRecord, to method: String) -> EndRecord.Framing {
        if method == "HEAD" || head.status == 204 || head.status == 304 { return .length }
        let codings = head.headers.all("Transfer-Encoding")
            .flatMap { $0.split(separator: ",") }
            .map { String(decoding: FieldLine.trimmed(Array($0.utf8)[...]), as: UTF8.self) }
            .map { $0.lowercased() }
            .filter { $0 != "identity" }
        if let last = codings.last { return last == "chunked" ? .chunked : .close }
        return head.headers.first("Content-Length") == nil ? .close : .length
    }
}
