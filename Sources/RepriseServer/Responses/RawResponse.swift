internal import RepriseTape
internal import RepriseTransport
internal import RepriseWire

/// A response as its bytes on the wire, for what libmicrohttpd cannot say: informational responses,
/// reason phrases of its own, a head that was cut, a chunk that is none.
struct RawResponse: Sendable {
    private var heads: [ServedResponse.Head]
    private let framing: ServedResponse.Framing
    private let ending: ServedResponse.Ending
    private let trailers: Headers
    private let origin: Int64
    /// What is to be written now.
    private(set) var pending: ArraySlice<UInt8> = []
    /// Whether the end was taken.
    private(set) var hasEnded = false

    /// - Parameters:
    ///   - origin: When the request came.
    ///   - isHTTP10: Whether the client knows no chunks.
    init(_ response: ServedResponse, origin: Int64, isHTTP10: Bool) {
        heads = response.interim + (response.head.map { [$0] } ?? [])
        framing = isHTTP10 && response.framing == .chunked ? .close : response.framing
        ending = response.ending
        trailers = response.trailers
        self.origin = origin
    }

    /// When the next head is due; nil where all are out.
    var nextTime: Int64? { heads.first.map { origin.saturatingAdd($0.offset) } }

    /// Takes what is due at `time` and stands before the body; whether that was anything.
    mutating func takeHead(until time: Int64) -> Bool {
        guard let due = nextTime, due <= time else { return false }
        pending += bytes(of: heads.removeFirst())
        return true
    }

    /// Takes a piece of the body.
    mutating func take(_ piece: ArraySlice<UInt8>) {
        guard framing == .chunked else {
            pending += piece
            return
        }
        pending += Array("\(String(piece.count, radix: 16))\r\n".utf8) + piece + [13, 10]
    }

    /// Takes what ends the body.
    mutating func takeEnd() {
        hasEnded = true
        guard framing == .chunked else { return }
        switch ending {
        case .complete: pending += Array("0\r\n".utf8) + Self.lines(trailers) + [13, 10]
        case .malformed: pending += Array("?\r\n".utf8)
        case .cut, .reset, .hold: break
        }
    }

    /// So many bytes were written.
    mutating func wrote(_ count: Int) { pending = pending.dropFirst(count) }

    private func bytes(of head: ServedResponse.Head) -> [UInt8] {
        let version = head.isHTTP10 ? "1.0" : "1.1"
        var headers = head.headers
        let isFinal = head.status >= 200
        if isFinal { complete(&headers) }
        let reason = head.reason ?? ReasonPhrase.usual(head.status)
        return Array("HTTP/\(version) \(head.status) \(reason)\r\n".utf8) + Self.lines(headers)
            + [13, 10]
    }

    /// The fields that say how the body is delimited, and that the connection ends with it.
    private func complete(_ headers: inout Headers) {
        if framing != .chunked { headers.remove("Transfer-Encoding") }
        switch framing {
        case .chunked where headers.first("Transfer-Encoding") == nil:
            headers.append("Transfer-Encoding", "chunked")
        case .length(let count):
            for index in headers.fields.indices
            where headers.fields[index].name.description.lowercased() == "content-length" {
                headers.fields[index].value = WireText(String(count))
            }
            if headers.first("Content-Length") == nil {
                headers.append("Content-Length", String(count))
            }
        case .chunked, .close: headers.remove("Content-Length")
        }
        headers.remove("Connection")
        headers.append("Connection", "close")
    }

    /// The bytes of a head that is as it was recorded.
    static func bytes(of head: ResponseRecord) -> [UInt8] {
        let reason = head.reason ?? ReasonPhrase.usual(head.status)
        return Array("HTTP/1.1 \(head.status) \(reason)\r\n".utf8) + lines(head.headers)
            + [13, 10]
    }

    private static func lines(_ headers: Headers) -> [UInt8] {
        headers.fields.flatMap { field -> [UInt8] in
            field.name.bytes + [58, 32] + field.value.bytes + [13, 10]
        }
    }
}

extension ServedResponse {
    /// Whether libmicrohttpd has no way to say it.
    var needsRawBytes: Bool {
        guard let head else { return true }
        if !interim.isEmpty || head.status < 200 || head.status > 999 { return true }
        if ending == .malformed && framing == .chunked { return true }
        return head.reason.map { $0 != ReasonPhrase.usual(head.status) } ?? false
    }
}
