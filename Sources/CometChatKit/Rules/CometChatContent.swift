import RepriseSession
import RepriseWire

/// What a run says and shows, in order: rules C13 and P3.
struct CometChatContent: Sendable {
    /// A block of an answer.
    enum Block: Sendable {
        case text(String)
        case card(String)
    }

    /// The blocks; neighbouring texts are one.
    private(set) var blocks: [Block] = []
    /// Whether a text was begun.
    private(set) var hasText = false
    /// The texts, by what their events have in common.
    private var texts: [String: String] = [:]
    private var joiners: [String: SurrogateJoiner] = [:]
    /// Keys of the texts that are open.
    private(set) var open: Set<String> = []
    private var cards: Set<String> = []
    /// Cards that ended without a payload, in order.
    private var empty: [(card: String, place: Place)] = []

    /// Cards that ended and never had a payload, with where they ended.
    var emptyCards: [(card: String, place: Place)] { empty.filter { !cards.contains($0.card) } }

    mutating func begin(text key: String) {
        hasText = true
        open.insert(key)
    }

    /// A piece of a text.
    ///
    /// - Returns: What it adds.
    mutating func add(
        _ delta: String, _ surrogates: [JSON.LoneSurrogate], to key: String
    ) -> String {
        hasText = true
        let text = joiners[key, default: SurrogateJoiner()].push(delta, surrogates).text
        append(text, to: key)
        return text
    }

    /// A text ends.
    ///
    /// - Returns: What was held back until its end.
    mutating func end(text key: String) -> String {
        open.remove(key)
        let text = joiners[key]?.finish().text ?? ""
        append(text, to: key)
        return text
    }

    /// The run ends.
    ///
    /// - Returns: What was held back in texts that are open still.
    mutating func end() -> String {
        let keys = joiners.keys.sorted()
        return keys.map { end(text: $0) }.joined()
    }

    mutating func add(card id: String) {
        if cards.insert(id).inserted { blocks.append(.card(id)) }
    }

    mutating func end(card id: String, at place: Place) {
        if !cards.contains(id) { empty.append((id, place)) }
    }

    private mutating func append(_ text: String, to key: String) {
        guard !text.isEmpty else { return }
        texts[key, default: ""] += text
        blocks.append(text: text)
    }
}

extension CometChatContent {
    /// Holds the reply that the service persisted against what was streamed.
    func compare(
        _ message: ChatMessage, at place: Place, into output: inout DialectOutput
    ) {
        let hasText = checkText(message.plainText, at: place, into: &output)
        let strange = (message.elements ?? []).compactMap(\.cardId).filter { !cards.contains($0) }
        for card in strange {
            output.raise(
                CometChatRules.c13b, at: place, expected: "a card that was streamed",
                seen: SeenText.quoted(card))
        }
        if hasText, strange.isEmpty { checkOrder(of: message, at: place, into: &output) }
    }

    /// Rule `cometchat.C13a`: the text is that of the whole run, or of one of its texts.
    private func checkText(
        _ text: String, at place: Place, into output: inout DialectOutput
    ) -> Bool {
        let streamed = blocks.map(\.text).joined()
        let isSame = { (other: String) in other.utf8.elementsEqual(text.utf8) }
        if isSame(streamed) || texts.values.contains(where: isSame) { return true }
        let offset = zip(streamed.utf8, text.utf8).prefix { $0 == $1 }.count
        output.raise(
            CometChatRules.c13a, at: place,
            expected: CometChatContent.told(streamed, from: offset),
            seen: CometChatContent.told(text, from: offset))
        return false
    }

    private static func told(_ text: String, from offset: Int) -> String {
        let rest = text.utf8.dropFirst(offset).prefix(120)
        if rest.isEmpty { return "an end at byte \(offset)" }
        return "from byte \(offset) on \(SeenText.quoted(String(decoding: rest, as: UTF8.self)))"
    }

    /// Rule `cometchat.P3`.
    private func checkOrder(
        of message: ChatMessage, at place: Place, into output: inout DialectOutput
    ) {
        guard let elements = message.elements, !elements.isEmpty else { return }
        var persisted: [Block] = []
        for element in elements {
            if let card = element.cardId { persisted.append(.card(card)) }
            persisted.append(text: element.text ?? "")
        }
        let isSame =
            persisted.count == blocks.count
            && zip(persisted, blocks).allSatisfy { $0.isSame(as: $1) }
        guard !isSame else { return }
        output.raise(
            CometChatRules.p3, at: place, expected: CometChatContent.told(blocks),
            seen: CometChatContent.told(persisted))
    }

    private static func told(_ blocks: [Block]) -> String {
        blocks.map { block in
            switch block {
            case .text(let text): "text of \(text.utf8.count) bytes"
            case .card(let id): "card \(SeenText.quoted(id))"
            }
        }.joined(separator: ", ")
    }
}

extension CometChatContent.Block {
    fileprivate var text: String { if case .text(let text) = self { text } else { "" } }

    fileprivate func isSame(as other: Self) -> Bool {
        switch (self, other) {
        case (.text(let one), .text(let two)): one.utf8.elementsEqual(two.utf8)
        case (.card(let one), .card(let two)): one == two
        default: false
        }
    }
}

extension [CometChatContent.Block] {
    /// Neighbouring texts are one.
    fileprivate mutating func append(text: String) {
        guard !text.isEmpty else { return }
        guard case .text(var last)? = last else { return append(.text(text)) }
        // Out and in again, so that the text is not copied.
        removeLast()
        last += text
        append(.text(last))
    }
}
