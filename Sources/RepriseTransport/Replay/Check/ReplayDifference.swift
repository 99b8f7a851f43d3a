/// One thing in which a replay is not what was recorded.
public struct ReplayDifference: Sendable, Hashable, CustomStringConvertible {
    /// What kind of thing.
    public enum Kind: String, Sendable, CaseIterable {
        /// The tape has nothing that could be run again.
        case nothingToRun
        /// The client is not known or could not be built.
        case client
        /// An operation was not run, or another one was.
        case operation
        /// A request is not the recorded one, or was not recorded.
        case request
        /// An operation gave another result or failed otherwise.
        case outcome
        /// A recorded exchange that no request asked for.
        case unconsumed
        /// A tool of the app is asked for something else, or was or is not asked for.
        case tool
        /// A fault that never struck, so that nothing is known of how the client takes it.
        case fault
        /// A random value that was not recorded.
        case entropy
        /// The replay could not go on: what it waited for did not come.
        case stalled
        /// Something beside the replay's time took part, so that the next run may differ.
        case nondeterministic
    }

    /// What kind of thing.
    public var kind: Kind
    /// The operation, where it belongs to one.
    public var call: UInt64?
    /// The recorded exchange, where it belongs to one.
    public var exchange: UInt64?
    /// What was recorded and what there is now, secrets masked, long values cut.
    public var message: String
    /// The message with the operation before it.
    public var description: String { call.map { "call \($0): \(message)" } ?? message }

    init(_ kind: Kind, call: UInt64? = nil, exchange: UInt64? = nil, _ message: String) {
        self.kind = kind
        self.call = call
        self.exchange = exchange
        self.message = message
    }
}
