import RepriseWire

/// The messages that wait for a run, first in, first out.
struct CometChatQueue: Sendable {
    /// A message that waits.
    struct Entry: Sendable {
        let exchange: UInt64
        let call: UInt64?
        let outgoing: CometChatEndpoint.Outgoing
        /// What the service made of it, once it answered.
        var message: ChatMessage?
    }

    private var entries: [Entry] = []

    /// The exchanges of those that wait, in order.
    var waiting: [UInt64] { entries.map(\.exchange) }

    /// A message is sent; one that is sent again takes the place of its first try.
    mutating func open(_ exchange: UInt64, call: UInt64?, _ outgoing: CometChatEndpoint.Outgoing) {
        let entry = Entry(exchange: exchange, call: call, outgoing: outgoing)
        let before = entries.firstIndex { other in
            (call != nil && other.call == call)
                || (!outgoing.muid.isEmpty && other.outgoing.muid == outgoing.muid)
        }
        if let before { entries[before] = entry } else { entries.append(entry) }
    }

    /// The service took it.
    mutating func answer(_ exchange: UInt64, _ message: ChatMessage) {
        guard let index = entries.firstIndex(where: { $0.exchange == exchange }) else { return }
        entries[index].message = message
    }

    /// No run will come of it.
    mutating func drop(_ exchange: UInt64) { entries.removeAll { $0.exchange == exchange } }

    /// No run will come of the message with that id.
    ///
    /// - Returns: Its exchange.
    mutating func refuse(_ id: Int64) -> UInt64? {
        guard let index = entries.firstIndex(where: { $0.message?.id == id }) else { return nil }
        return entries.remove(at: index).exchange
    }

    /// A run begins.
    ///
    /// - Parameters:
    ///   - conversation: Its conversation; empty where it does not say so.
    ///   - sender: The agent; empty where nothing says so.
    /// - Returns: The message that it answers.
    mutating func take(conversation: String, sender: String) -> Entry? {
        let index = entries.firstIndex { entry in
            if let known = entry.message?.conversationId, !known.isEmpty, !conversation.isEmpty {
                return known == conversation
            }
            // The run may begin before the answer to its message is here.
            let receiver = entry.outgoing.receiver
            if !sender.isEmpty { return receiver == sender }
            return conversation.isEmpty
                || conversation.split(separator: "_").contains { $0 == receiver }
        }
        return index.map { entries.remove(at: $0) }
    }
}
