package import RepriseTape
package import RepriseWire

/// Reads a response's body from a connection (RFC 9112 section 6.3).
package struct AnswerBody {
    private enum State {
        case length(Int)
        case chunked(ChunkedBody)
        case close
    }

    /// What delimits it.
    package let framing: EndRecord.Framing
    private var state: State

    /// The body behind a head; nil where the head's lengths are no number, or not one number.
    package init?(of head: ResponseRecord, to method: String) {
        framing = ResponseHead.framing(of: head, to: method)
        switch framing {
        case .chunked: state = .chunked(ChunkedBody())
        case .close, .http2: state = .close
        case .length:
            let hasBody = method != "HEAD" && head.status != 204 && head.status != 304
            guard let length = hasBody ? Self.length(in: head.headers) : 0 else { return nil }
            state = .length(length)
        }
    }

    private static func length(in headers: Headers) -> Int? {
        let lengths = Set(
            headers.all("Content-Length").flatMap {
                $0.split(separator: ",", omittingEmptySubsequences: false)
            }
            .map { Headers.trimmed($0) })
        guard lengths.count == 1, let text = lengths.first,
            text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return Int(text)
    }

    /// Takes the bytes of one read and gives the pieces of the body in them: the data of each
    /// chunk, or all of it.
    package mutating func push(_ bytes: [UInt8]) -> [[UInt8]] {
        switch state {
        case .close: return bytes.isEmpty ? [] : [bytes]
        case .length(let left):
            let piece = Array(bytes.prefix(left))
            state = .length(left - piece.count)
            return piece.isEmpty ? [] : [piece]
        case .chunked(var body):
            let pieces = body.push(bytes)
            state = .chunked(body)
            return pieces
        }
    }

    /// Whether it came to its end; a body that the closing of the connection ends never says so.
    package var isFinished: Bool {
        switch state {
        case .close: false
        case .length(let left): left == 0
        case .chunked(let body): body.isFinished
        }
    }

    /// Whether what came is not the coding that the head says.
    package var hasFailed: Bool {
        if case .chunked(let body) = state { body.hasFailed } else { false }
    }

    /// Fields after the body; nil for none.
    package var trailers: Headers? {
        if case .chunked(let body) = state { body.trailers } else { nil }
    }
}
