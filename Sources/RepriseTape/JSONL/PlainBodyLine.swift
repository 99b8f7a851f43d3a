internal import RepriseWire

/// Reads the line of a body's piece as it is written here, which most lines of a long recording are:
/// `{"kind":"responseBody","x":1,"t":2,"text":"…"}`, without another member or blank.
enum PlainBodyLine {
    private static let heads: [(kind: Frame.Kind, bytes: [UInt8])] = [
        Frame.Kind.responseBody, .requestBody, .decodedBody,
    ].map { ($0, Array("{\"kind\":\"\($0.lineName)\",\"x\":".utf8)) }
    private static let time = Array(",\"t\":".utf8)
    private static let text = Array(",\"text\":".utf8)

    /// The frame; nil for any other line, and for one with something odd.
    static func frame(_ line: [UInt8]) -> Frame? {
        guard let (kind, head) = heads.first(where: { line.starts(with: $0.bytes) }) else {
            return nil
        }
        let bytes = line.span
        var index = head.count
        guard let exchange = number(bytes, &index), takes(time, bytes, &index),
            let moment = number(bytes, &index), takes(text, bytes, &index),
            let payload = JSON.plainString(bytes, from: index, until: UInt8(ascii: "}"))
        else { return nil }
        return Frame(exchange: exchange, time: Int64(moment), kind: kind, payload: payload)
    }

    private static func takes(
        _ expected: [UInt8], _ bytes: Span<UInt8>, _ index: inout Int
    ) -> Bool {
        guard bytes.count - index >= expected.count else { return false }
        for place in expected.indices where bytes[index + place] != expected[place] { return false }
        index += expected.count
        return true
    }

    /// At most 18 digits, which fit any number.
    private static func number(_ bytes: Span<UInt8>, _ index: inout Int) -> UInt64? {
        let start = index
        var value: UInt64 = 0
        while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 {
            guard index - start < 18 else { return nil }
            value = value * 10 + UInt64(bytes[index] - UInt8(ascii: "0"))
            index += 1
        }
        let hasLeadingZero = index - start > 1 && bytes[start] == UInt8(ascii: "0")
        return index > start && !hasLeadingZero ? value : nil
    }
}
