/// An incremental reader of one JSON text (RFC 8259): bytes in, in any pieces, tokens with their
/// offsets out.
///
/// Strict, with two exceptions that the tokens show: surrogate escapes without partner, and (left
/// to whoever keeps the keys) duplicate keys. Numbers are text and may have any size.
/// It holds no content, only its place in the grammar.
package struct JSONTokenizer: Sendable {
    /// How deep arrays and objects may nest.
    package static let depthLimit = 1024

    enum State: UInt8 {
        /// A value must come.
        case value
        /// Behind `[`: a value or `]`.
        case firstElement
        /// Behind `{`: a key or `}`.
        case firstKey
        /// Behind a comma in an object: a key.
        case key
        /// Behind a key.
        case colon
        /// Behind a value in an array or object.
        case afterValue
        /// Behind the outermost value: blanks only.
        case done
        /// Inside a key or string.
        case text
        /// Behind a backslash.
        case escape
        /// Inside the four digits of `\u`.
        case unicode
        /// Inside a number; ``JSONTokenizer/number`` says where.
        case number
        /// Inside `true`, `false` or `null`.
        case literal
    }

    var state = State.value
    /// For each open bracket, outermost first: whether it is an object.
    var containers: [Bool] = []
    /// Bytes of all pushes before this one.
    var base = 0

    /// Where the string, number or literal that is open began.
    var tokenStart = 0
    var isKey = false
    var character = UTF8Sequence()
    var escape = EscapeState()
    var number = NumberState.sign
    var literal = Literal.null
    var literalLength = 0
    private var failure: JSON.ParseError?

    package init() {}

    /// How many bytes were taken.
    package var count: Int { base }

    /// How many arrays and objects are open.
    package var depth: Int { containers.count }

    /// Whether the outermost value is complete (a number is so only after ``finish(into:)``).
    package var isDone: Bool { state == .done }

    /// Whether the last byte was inside a string, key or number.
    package var isInsideToken: Bool {
        switch state {
        case .text, .escape, .unicode, .number, .literal: true
        case .value, .firstElement, .firstKey, .key, .colon, .afterValue, .done: false
        }
    }

    /// Takes the next bytes and appends the tokens that they hold or complete.
    ///
    /// - Throws: The first error, with all tokens before it appended; again at every later call.
    package mutating func push(
        _ bytes: Span<UInt8>, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        if let failure { throw failure }
        do {
            try scan(bytes, into: &tokens)
        } catch {
            failure = error
            throw error
        }
        base += bytes.count
    }

    /// Takes the next bytes; see ``push(_:into:)-(Span<UInt8>,_)``.
    package mutating func push(
        _ bytes: [UInt8], into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        try push(bytes.span, into: &tokens)
    }

    /// Says that no byte follows.
    ///
    /// - Throws: An error at the end of the text where it is not complete.
    package mutating func finish(into tokens: inout [JSONToken]) throws(JSON.ParseError) {
        if let failure { throw failure }
        if state == .number, number.isComplete { endNumber(at: base, into: &tokens) }
        guard state == .done else {
            let error = JSON.ParseError(offset: base, message: "the text ends too early")
            failure = error
            throw error
        }
    }

    private mutating func scan(
        _ bytes: Span<UInt8>, into tokens: inout [JSONToken]
    ) throws(JSON.ParseError) {
        var index = 0
        while index < bytes.count {
            switch state {
            case .text: try scanText(bytes, &index, into: &tokens)
            case .escape: try scanEscape(bytes, &index, into: &tokens)
            case .unicode: try scanUnicode(bytes, &index, into: &tokens)
            case .number: try scanNumber(bytes, &index, into: &tokens)
            case .literal: try scanLiteral(bytes, &index, into: &tokens)
            case .value, .firstElement, .firstKey, .key, .colon, .afterValue, .done:
                try scanStructure(bytes, &index, into: &tokens)
            }
        }
    }

    /// What follows a complete value.
    mutating func endValue() { state = containers.isEmpty ? .done : .afterValue }
}
