/// A piece of an exchange around a place: credentials masked, control characters escaped, cut.
public struct Excerpt: Sendable, Hashable {
    /// Byte offset in the decoded stream at which the event, or the document, begins.
    public var offset: UInt64
    /// Whether the place is in it; else it is the last event before the place.
    public var isAround: Bool
    /// What stands before the place, at most 120 characters.
    public var before: String
    /// What stands from the place on, at most 280 characters.
    public var after: String

    /// The most bytes of an event that are looked at; a place behind them is not shown.
    private static let limit = 16 << 10

    /// The part of `text` around the byte at `index`.
    ///
    /// - Parameters:
    ///   - text: The data of the event, or the document.
    ///   - index: 0 for a place that is the event as a whole.
    package init(of text: [UInt8], around index: Int, offset: UInt64, isAround: Bool) {
        var head = Array(text.prefix(Excerpt.limit))
        // A word that the limit splits may be a credential that is no longer known for one.
        while text.count > head.count, let last = head.last, SeenText.isWordByte(last) {
            head.removeLast()
        }
        var split = head.indices.contains(index) ? index : 0
        // At a word's start: one that is masked must not be shown in part.
        while split > 0, SeenText.isWordByte(head[split]), SeenText.isWordByte(head[split - 1]) {
            split -= 1
        }
        let whole = SeenText.masked(head)
        let start = SeenText.masked(Array(head[..<split]))
        self.offset = offset
        self.isAround = isAround
        before = Excerpt.last(120, of: Excerpt.text(start))
        after = Excerpt.first(
            280, of: Excerpt.text(whole.dropFirst(start.count)), isCut: text.count > head.count)
    }

    private static func text(_ bytes: some Collection<UInt8>) -> String {
        SeenText.visible(String(decoding: bytes, as: UTF8.self))
    }

    private static func first(_ count: Int, of text: String, isCut: Bool) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > count else { return isCut ? text + "…" : text }
        return String(String.UnicodeScalarView(scalars.prefix(count - 1))) + "…"
    }

    private static func last(_ count: Int, of text: String) -> String {
        let scalars = text.unicodeScalars
        guard scalars.count > count else { return text }
        return "…" + String(String.UnicodeScalarView(scalars.suffix(count - 1)))
    }
}
