internal import RepriseWire

/// Tells what each byte of a JSON text is to a mask, and which belong to declared secrets.
///
/// Unlike ``JSONTokenizer``, which stops at the first error, it goes on through whatever is wrong
/// with the text: a secret behind an error is a secret too. Several texts may follow one another.
struct MaskLexer: Sendable {
    enum State {
        /// Between tokens.
        case between
        /// In a key or string.
        case text
        /// Behind a backslash.
        case escape
        /// In the digits of `\u`, with so many to come.
        case unicode(Int)
        case number
        /// In `true`, `false`, `null` or something that is no JSON.
        case word
    }

    struct Level {
        var isObject: Bool
        var expectsKey: Bool
        var index = 0
        var key = ""
        var place: PathSet.Place
    }

    /// How deep paths are followed.
    private static let depthLimit = 1024
    /// How much of a key or secret is kept.
    private static let collectLimit = 65_536

    let paths: PathSet
    var state = State.between
    var levels: [Level] = []
    /// Open brackets beyond the limit.
    var deeper = 0
    var isKey = false
    var number = NumberMask()
    /// The place of the value that is open.
    var place: PathSet.Place
    /// The bytes of the key or secret that is open, escapes as they are.
    private var collected: [UInt8] = []
    /// The bytes of a word while it may still be `true`, `false` or `null`.
    private var literal: [UInt8]? = []
    /// A secret that ended with the last byte.
    var finished: SecretLeaf?

    init(paths: PathSet) {
        self.paths = paths
        place = paths.root
    }

    /// The rule of the secret that is open.
    var openRule: String? { isKey ? nil : place.rule }

    /// Takes the next byte.
    mutating func step(_ byte: UInt8) -> LexedByte {
        switch state {
        case .between: return structure(byte)
        case .text: return text(byte)
        case .escape:
            state = byte == UInt8(ascii: "u") ? .unicode(4) : .text
            return content(byte, isRest: true)
        case .unicode(let left):
            guard byte.hexValue != nil else {
                state = .text
                return text(byte)
            }
            state = left > 1 ? .unicode(left - 1) : .text
            return content(byte, isRest: true)
        case .number, .word: return scalar(byte)
        }
    }

    /// Says that the text is over; what follows is another one.
    mutating func end() {
        switch state {
        case .number, .word: endScalar()
        case .text, .escape, .unicode:
            if let rule = openRule { finished = SecretLeaf(rule: rule) }
        case .between: break
        }
        state = .between
        levels = []
        deeper = 0
        isKey = false
        collected = []
        place = paths.root
    }

    private mutating func text(_ byte: UInt8) -> LexedByte {
        switch byte {
        case UInt8(ascii: "\""):
            endString()
            return .kept(byte)
        case UInt8(ascii: "\\"):
            state = .escape
            return content(byte, isRest: false)
        case 0..<0x20:
            // Not allowed here; if it is a line end, it stays one.
            return .kept(byte)
        default: return content(byte, isRest: byte & 0xC0 == 0x80)
        }
    }

    /// A byte of a key or string.
    private mutating func content(_ byte: UInt8, isRest: Bool) -> LexedByte {
        let isSecret = openRule != nil
        if isSecret || isKey, collected.count < MaskLexer.collectLimit { collected.append(byte) }
        return LexedByte(mask: UInt8(ascii: "*"), isRest: isRest, isSecret: isSecret)
    }

    mutating func beginString() {
        isKey = levels.last.map { $0.isObject && $0.expectsKey } ?? false
        collected.removeAll(keepingCapacity: true)
        if !isKey { beginValue() }
        state = .text
    }

    private mutating func endString() {
        state = .between
        if isKey {
            if levels.last?.place.isOpen == true {
                levels[levels.count - 1].key = String(decoding: unescaped, as: UTF8.self)
            }
        } else if let rule = place.rule, !collected.isEmpty {
            finished = SecretLeaf(rule: rule, value: unescaped)
        }
        isKey = false
    }

    private var unescaped: [UInt8] {
        let quoted = [UInt8(ascii: "\"")] + collected + [UInt8(ascii: "\"")]
        guard let text = try? JSON.parse(quoted).value.string else { return collected }
        return Array(text.utf8)
    }

    /// Finds the place of the value that begins.
    mutating func beginValue() {
        guard let level = levels.last else {
            place = paths.root
            return
        }
        let name = level.isObject ? level.key : level.place.isOpen ? String(level.index) : ""
        place = paths.step(from: level.place, depth: levels.count, to: name)
    }

    mutating func beginScalar(_ byte: UInt8) -> LexedByte {
        beginValue()
        collected.removeAll(keepingCapacity: true)
        literal = []
        number = NumberMask()
        state = byte == UInt8(ascii: "-") || byte.isASCIIDigit ? .number : .word
        return scalar(byte)
    }

    private mutating func scalar(_ byte: UInt8) -> LexedByte {
        if MaskLexer.isStructure(byte) {
            endScalar()
            return structure(byte)
        }
        if case .word = state { return word(byte) }
        if place.rule != nil, collected.count < MaskLexer.collectLimit { collected.append(byte) }
        let isNumeric = byte.isASCIIDigit || "+-.eE".utf8.contains(byte)
        var lexed = isNumeric ? LexedByte(mask: number.mask(of: byte)) : .text(byte)
        lexed.isSecret = place.rule != nil
        return lexed
    }

    private mutating func word(_ byte: UInt8) -> LexedByte {
        if let known = literal {
            let longer = known + [byte]
            let words = ["true", "false", "null"]
            literal = words.contains { $0.utf8.starts(with: longer) } ? longer : nil
        }
        var lexed = LexedByte.text(byte)
        lexed.isSecret = place.rule != nil && literal == nil
        if lexed.isSecret, collected.count < MaskLexer.collectLimit { collected.append(byte) }
        return lexed
    }

    private mutating func endScalar() {
        state = .between
        guard let rule = place.rule, !collected.isEmpty else { return }
        finished = SecretLeaf(rule: rule, value: collected)
    }

    private static func isStructure(_ byte: UInt8) -> Bool {
        "{}[],:\" \t\r\n".utf8.contains(byte)
    }

    private mutating func structure(_ byte: UInt8) -> LexedByte {
        switch byte {
        case UInt8(ascii: "\""): beginString()
        case UInt8(ascii: "{"), UInt8(ascii: "["): open(isObject: byte == UInt8(ascii: "{"))
        case UInt8(ascii: "}"), UInt8(ascii: "]"):
            if deeper > 0 { deeper -= 1 } else { _ = levels.popLast() }
        case UInt8(ascii: ","):
            guard let level = levels.last else { break }
            levels[levels.count - 1].expectsKey = level.isObject
            levels[levels.count - 1].index &+= 1
        case UInt8(ascii: ":"):
            if !levels.isEmpty { levels[levels.count - 1].expectsKey = false }
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"): break
        default: return beginScalar(byte)
        }
        return .kept(byte)
    }

    private mutating func open(isObject: Bool) {
        beginValue()
        guard levels.count < MaskLexer.depthLimit else {
            deeper += 1
            return
        }
        levels.append(Level(isObject: isObject, expectsKey: isObject, place: place))
    }
}
