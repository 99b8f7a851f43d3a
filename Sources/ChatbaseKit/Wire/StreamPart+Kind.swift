extension StreamPart {
    /// A kind of part, by its text on the wire.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The text on the wire.
        public var rawValue: String

        /// The kind that `rawValue` names, known or not; `message-start` is another name of
        /// `start`.
        public init(rawValue: String) {
            self.rawValue = rawValue == "message-start" ? "start" : rawValue
        }

        /// The agent's message begins.
        public static let start = Kind(rawValue: "start")
        /// A text begins.
        public static let textStart = Kind(rawValue: "text-start")
        /// A text goes on.
        public static let textDelta = Kind(rawValue: "text-delta")
        /// A text ends.
        public static let textEnd = Kind(rawValue: "text-end")
        /// What the agent thinks begins.
        public static let reasoningStart = Kind(rawValue: "reasoning-start")
        /// What the agent thinks goes on.
        public static let reasoningDelta = Kind(rawValue: "reasoning-delta")
        /// What the agent thinks ends.
        public static let reasoningEnd = Kind(rawValue: "reasoning-end")
        /// A tool's input begins.
        public static let toolInputStart = Kind(rawValue: "tool-input-start")
        /// A tool's input goes on, as pieces of a JSON text.
        public static let toolInputDelta = Kind(rawValue: "tool-input-delta")
        /// A tool's input is complete.
        public static let toolInputAvailable = Kind(rawValue: "tool-input-available")
        /// The service finished a tool.
        public static let toolOutputAvailable = Kind(rawValue: "tool-output-available")
        /// The service failed at a tool.
        public static let toolOutputError = Kind(rawValue: "tool-output-error")
        /// A step begins.
        public static let startStep = Kind(rawValue: "start-step")
        /// A step ends.
        public static let finishStep = Kind(rawValue: "finish-step")
        /// Details of the message.
        public static let messageMetadata = Kind(rawValue: "message-metadata")
        /// The reply is done.
        public static let finish = Kind(rawValue: "finish")
        /// Something failed; the stream goes on.
        public static let error = Kind(rawValue: "error")

        /// Whether this version knows it.
        public var isKnown: Bool { Kind.known.contains(self) }

        private static let known: Set<Kind> = [
            .start, .textStart, .textDelta, .textEnd, .reasoningStart, .reasoningDelta,
            .reasoningEnd, .toolInputStart, .toolInputDelta, .toolInputAvailable,
            .toolOutputAvailable, .toolOutputError, .startStep, .finishStep, .messageMetadata,
            .finish, .error,
        ]
    }
}
