public import RepriseAnalysis

extension Tape {
    /// What the user asked once, with its times as durations.
    public struct Turn: Sendable, Hashable {
        /// The turn as the report has it.
        public let result: TurnResult

        /// Its number in the session, from 1.
        public var number: Int { result.number }
        /// The client operation, e.g. `send`, where the tape has it.
        public var operation: String? { result.operation }
        /// How it came out.
        public var outcome: Outcome { result.outcome }
        /// When it began, since the session's start.
        public var start: Duration { .nanoseconds(result.start) }
        /// From its first request to its terminal event.
        public var latency: Duration? { result.latency.map { .nanoseconds($0) } }
        /// From its first request to the first text or card behind its last tool result.
        public var ttft: Duration? { result.ttft.map { .nanoseconds($0) } }
        /// UTF-8 bytes of its text.
        public var textBytes: Int { result.textBytes }
        /// How many tools were called.
        public var toolCalls: Int { result.toolCalls }
    }
}
