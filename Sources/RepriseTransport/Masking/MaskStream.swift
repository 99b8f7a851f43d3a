/// Tells what each byte of a body is to a mask: JSON, an event stream, or other text.
struct MaskStream: Sendable {
    private enum Form {
        /// No byte came that tells.
        case unknown
        case json
        case lines
    }

    private let isEventStream: Bool
    private let isJSON: Bool
    private var form = Form.unknown
    private var lines: MaskLines

    /// A body of that media type, which is taken as a hint: what begins like JSON is JSON.
    init(mediaType: String?, paths: PathSet) {
        isEventStream = mediaType == "text/event-stream"
        isJSON = mediaType.map { $0.hasSuffix("/json") || $0.hasSuffix("+json") } ?? false
        lines = MaskLines(paths: paths)
    }

    /// The rule of the secret that is open.
    var openRule: String? { lines.lexer.openRule }

    /// Whether a secret ended with the last byte.
    var hasFinished: Bool { lines.lexer.finished != nil }

    /// The secret that ended with the last byte, once.
    mutating func takeFinished() -> SecretLeaf? { lines.lexer.finished.take() }

    /// Takes the next byte.
    mutating func step(_ byte: UInt8) -> LexedByte {
        switch form {
        case .json: return lines.lexer.step(byte)
        case .lines: return lines.step(byte)
        case .unknown:
            form = choose(byte)
            if case .unknown = form { return .text(byte) }
            return step(byte)
        }
    }

    /// Says that no byte follows; a secret may thereby end.
    mutating func finish() { lines.lexer.end() }

    /// The form by the first byte that is neither blank nor part of a byte order mark.
    private func choose(_ byte: UInt8) -> Form {
        switch byte {
        case _ where isEventStream: .lines
        case UInt8(ascii: " "), UInt8(ascii: "\t"), 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: .unknown
        case UInt8(ascii: "{"), UInt8(ascii: "["): .json
        case UInt8(ascii: "\"") where isJSON, UInt8(ascii: "-") where isJSON,
            UInt8(ascii: "0")...UInt8(ascii: "9") where isJSON:
            .json
        default: .lines
        }
    }
}
