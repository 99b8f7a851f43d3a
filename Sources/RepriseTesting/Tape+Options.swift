public import RepriseTransport

extension Tape {
    /// How a test uses its tape.
    public struct Options: Sendable {
        /// How fast a tape is replayed.
        public var pace: Pace
        /// Where what is replayed is cut.
        public var cuts: Cuts
        /// What becomes of the app's tools in a replay.
        public var tools: ReplayTools
        /// What is masked in a recording from the start, beside what clients declare.
        public var secrets: [String]

        // What the trait has parameters of its own for.
        package var mode = Mode.once
        package var playback = Playback.strict
        package var matching = RequestMatching.exact

        /// Options; by default a test replays on virtual time, with the recorded cuts, and tools
        /// are answered from the tape.
        public init(
            pace: Pace = .virtual, cuts: Cuts = .asRecorded, tools: ReplayTools = .recorded,
            secrets: [String] = []
        ) {
            self.pace = pace
            self.cuts = cuts
            self.tools = tools
            self.secrets = secrets
        }

        /// The options with what the trait says beside them.
        package func with(
            _ mode: Mode, _ playback: Playback, _ matching: RequestMatching
        ) -> Options {
            var options = self
            options.mode = mode
            options.playback = playback
            options.matching = matching
            return options
        }
    }

    /// Makes the transport to the service, for tests that record or ask it.
    public typealias Live = @Sendable () throws -> any Transport
}
