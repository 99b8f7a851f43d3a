/// Tells what each byte of an event stream is to a mask (WHATWG HTML section 9.2); other text by
/// lines passes as well. The data of an event may be JSON.
struct MaskLines: Sendable {
    private enum State {
        /// In a field's name.
        case name
        /// Behind the colon of `data`, where one blank is dropped.
        case blank
        case data
        case other
    }

    private enum Form {
        case unknown
        case json
        case text
    }

    var lexer: MaskLexer
    private var state = State.name
    private var form = Form.unknown
    private var name: [UInt8] = []
    private var isLineEmpty = true
    private var isBehindCR = false

    init(paths: PathSet) { lexer = MaskLexer(paths: paths) }

    /// Takes the next byte.
    mutating func step(_ byte: UInt8) -> LexedByte {
        switch byte {
        case 0x0A where isBehindCR: isBehindCR = false
        case 0x0A, 0x0D:
            isBehindCR = byte == 0x0D
            endLine()
        default:
            isBehindCR = false
            isLineEmpty = false
            return field(byte)
        }
        return .kept(byte)
    }

    private mutating func field(_ byte: UInt8) -> LexedByte {
        switch state {
        case .name:
            if byte != UInt8(ascii: ":") {
                // A byte order mark may stand before the first name.
                if name.count < 8, byte < 0x80 { name.append(byte) }
                return .text(byte)
            }
            state = name.elementsEqual("data".utf8) ? .blank : .other
            return .kept(byte)
        case .blank:
            state = .data
            return byte == UInt8(ascii: " ") ? .kept(byte) : data(byte)
        case .data: return data(byte)
        case .other: return .text(byte)
        }
    }

    private mutating func data(_ byte: UInt8) -> LexedByte {
        if case .unknown = form {
            switch byte {
            case UInt8(ascii: " "), UInt8(ascii: "\t"): break
            case UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: "\""), UInt8(ascii: "-"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                form = .json
            default: form = .text
            }
        }
        if case .json = form { return lexer.step(byte) }
        return .text(byte)
    }

    private mutating func endLine() {
        if isLineEmpty {
            lexer.end()
            form = .unknown
        } else if case .json = form {
            // The lines of an event's data are joined by line ends.
            if case .name = state {} else { _ = lexer.step(0x0A) }
        }
        state = .name
        name.removeAll(keepingCapacity: true)
        isLineEmpty = true
    }
}
