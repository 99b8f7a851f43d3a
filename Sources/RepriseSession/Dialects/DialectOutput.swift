public import RepriseWire

/// What a reader has to say about the units that it was given.
public struct DialectOutput: Sendable {
    /// What happened, in order.
    public var events: [SessionEvent] = []
    /// What is wrong, in order.
    public var violations: [Violation] = []

    /// Nothing to say.
    public init() {}

    /// Something happened.
    public mutating func emit(
        _ kind: SessionEvent.Kind, at place: Place, run: String? = nil
    ) {
        events.append(SessionEvent(kind, at: place, run: run))
    }

    /// Something is wrong.
    ///
    /// - Parameters:
    ///   - seen: What was seen; it is masked and cut.
    ///   - subject: What it is about, so that a general rule that tells the same is left out.
    public mutating func raise(
        _ rule: Rule, at place: Place, expected: String, seen: String, subject: String? = nil
    ) {
        violations.append(
            Violation(rule, at: place, expected: expected, seen: seen, subject: subject))
    }

    /// Parses JSON and raises what is odd about it (`json.J4`, `json.J5`).
    ///
    /// - Parameter place: Where the text begins; its offset is that of the first byte.
    /// - Throws: `JSON.ParseError`, which raises nothing: whether that is wrong, the caller knows.
    public mutating func parse(
        _ text: [UInt8], at place: Place
    ) throws(JSON.ParseError) -> JSON {
        try document(text, at: place).value
    }

    /// As ``parse(_:at:)``, with what is odd about the text.
    public mutating func document(
        _ text: [UInt8], at place: Place
    ) throws(JSON.ParseError) -> JSON.Document {
        let document = try JSON.parse(text)
        for remark in document.remarks {
            let place = place.at(offset: place.offset.map { $0 + UInt64(remark.offset) })
            switch remark.kind {
            case .duplicateKey(let key):
                raise(.jsonJ4, at: place, expected: "each key once", seen: "\"\(key)\" again")
            case .loneSurrogate:
                raise(
                    .jsonJ5, at: place, expected: "surrogate escapes in pairs",
                    seen: "one without its partner")
            }
        }
        return document
    }
}
