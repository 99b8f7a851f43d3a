/// Which messages a session knows, so that it can ask for those that it missed and tell none twice.
package struct History: Sendable {
    /// How many of the last messages are remembered by id.
    package static let limit = 4096

    private var known: Set<Int64> = []
    private var order: [Int64] = []
    /// The highest id of a message with each user.
    package private(set) var cursors: [String: Int64] = [:]

    package init() {}

    /// Takes a message in.
    ///
    /// - Parameter other: Who the user speaks with.
    /// - Returns: Whether it is new; one without an id always is.
    package mutating func take(_ message: ChatMessage, with other: String) -> Bool {
        guard let id = message.id else { return true }
        if !other.isEmpty { cursors[other] = max(cursors[other] ?? id, id) }
        guard known.insert(id).inserted else { return false }
        order.append(id)
        if order.count > 2 * History.limit {
            known.subtract(order.prefix(History.limit))
            order.removeFirst(History.limit)
        }
        return true
    }
}
