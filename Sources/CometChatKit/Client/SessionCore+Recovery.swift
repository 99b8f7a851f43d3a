import RepriseTransport
import RepriseWire

extension SessionCore {
    /// How many messages a page of a history has.
    private static let pageSize = 100

    /// Fetches what was missed while the socket was lost.
    ///
    /// - Parameter cursors: The last message with each user that was known then.
    func recover(from cursors: [String: Int64]) async {
        var recovered: [Int64] = []
        do {
            for (uid, cursor) in cursors.sorted(by: { $0.key < $1.key }) {
                recovered += try await recover(with: uid, after: cursor)
            }
        } catch {
            let failure = CometChatException.wrapping(error)
            // A loss of the new socket tells itself.
            guard let failure = failure as? CometChatException else { return }
            note("recovery.failed", ["code": .string(failure.errorCode)])
            updates.send(.recoveryFailed(failure))
            return
        }
        note("recovered", ["messages": .array(recovered.map { .integer($0) })])
        updates.send(.recovered(messages: recovered))
    }

    private func recover(with uid: String, after cursor: Int64) async throws -> [Int64] {
        let operation = CometChatOperation(core: self, identity: identity(), call: nil)
        var recovered: [Int64] = []
        var cursor = cursor
        while true {
            let query = "?per_page=\(Self.pageSize)&affix=append&id=\(cursor)"
            let request = try operation.request("GET", ["users", uid, "messages"], query: query)
            let page = try await operation.data(request).array ?? []
            let messages = page.compactMap { $0.object.map { ChatMessage($0) } }
            for message in messages where take(message, isRecovered: true, at: context.clock.now())
            {
                recovered += [message.id].compactMap { $0 }
            }
            let last = messages.compactMap(\.id).max() ?? cursor
            // A page without anything new would be followed by another one for ever.
            guard page.count >= Self.pageSize, last > cursor else { return recovered }
            cursor = last
        }
    }
}
