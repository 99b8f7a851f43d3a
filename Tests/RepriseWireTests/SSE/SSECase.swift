import RepriseWire
import Testing

/// A stream and what must be read from it, one item a line: `type|data|id` for an event, `:text`
/// for a comment, `retry N`, `?name` for an unknown field, `!kind start end` for a remark.
struct SSECase: Sendable, CustomTestStringConvertible {
    let stream: [UInt8]
    let expected: [String]

    init(_ stream: String, _ expected: String...) {
        self.stream = Array(stream.utf8)
        self.expected = expected
    }

    init(bytes: [UInt8], _ expected: String...) {
        stream = bytes
        self.expected = expected
    }

    var testDescription: String { String(decoding: stream.prefix(60), as: UTF8.self) }

    static func read(_ pieces: [[UInt8]]) -> [String] { texts(items(pieces)) }

    static func items(_ pieces: [[UInt8]]) -> [SSEDecoder.Item] {
        var decoder = SSEDecoder()
        var items: [SSEDecoder.Item] = []
        for piece in pieces { items += decoder.push(piece) }
        return items + decoder.finish()
    }

    static func texts(_ items: [SSEDecoder.Item]) -> [String] {
        items.map { item in
            switch item {
            case .event(let event): "\(event.type)|\(event.data)|\(event.lastEventID)"
            case .comment(let comment): ":\(comment.text)"
            case .retry(let retry): "retry \(retry.milliseconds)"
            case .unknownField(let field): "?\(field.name)"
            case .remark(let remark): "!\(remark.kind.rawValue) \(remark.start) \(remark.end)"
            }
        }
    }
}
