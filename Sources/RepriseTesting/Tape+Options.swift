public import RepriseTransport

extension Tape {
    /// How a test uses its tape.
    public struct Options: Sendable {
        /// When to record; nil for `once`. `REPRISE_RECORD_MODE` in the environment comes before
        /// it, and where `CI` is set nothing else makes a test record.
        public var mode: Mode?
        /// Where answers come from; nil for `strict`. `REPRISE_PLAYBACK` comes before it.
        public var playback: Playback?
        /// How fast a tape is replayed.
        public var pace: Pace
        /// Where what is replayed is cut.
        public var cuts: Cuts
        /// What becomes of the app's tools in a replay.
        public var tools: ReplayTools
        /// When a request is a recorded one. With playback `passthrough` the order is free anyhow.
        public var matching: RequestMatching
        /// What is masked in a recording from the start, beside what clients declare.
        public var secrets: [String]

        /// Options; by default a test records once, replays strictly and on virtual time, with the
        /// recorded cuts, tools are answered from the tape, and requests have to be the recorded
        /// ones in their order.
        public init(
            mode: Mode? = nil, playback: Playback? = nil, pace: Pace = .virtual,
            cuts: Cuts = .asRecorded, tools: ReplayTools = .recorded,
            matching: RequestMatching = .exact, secrets: [String] = []
        ) {
            self.mode = mode
            self.playback = playback
            self.pace = pace
            self.cuts = cuts
            self.tools = tools
            self.matching = matching
            self.secrets = secrets
        }
    }

    /// Makes the transport to the service, for tests that record or ask it.
    public typealias Live = @Sendable () throws -> any Transport
}
