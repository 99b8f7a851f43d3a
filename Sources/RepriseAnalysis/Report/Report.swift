public import RepriseSession

/// What happened in one or more sessions. The JSON form is the source of every other one.
public struct Report: Sendable {
    /// Name and version of the JSON form.
    public static let schema = "reprise.report/1"

    /// Whether all is well.
    public var verdict: Verdict
    /// How much there is of what.
    public var summary: Summary
    /// Durations and rates, each with its definition.
    public var metrics: [Metric]
    /// What the servers reported; nil where none did.
    public var usage: Usage?
    /// The tools by name.
    public var tools: [ToolSummary]
    /// The rules that are broken, most severe first.
    public var findings: [Finding]
    /// Rules that the configuration switched off or graded otherwise, by id.
    public var configured: [(rule: String, entry: RuleConfiguration.Entry)]
    /// The recordings, by name.
    public var tapes: [AnalyzedTape]
    /// Files in the folders that are no recordings.
    public var skipped: [String]
    /// Files that should be recordings and cannot be read, by name.
    public var unreadable: [UnreadableFile]
    /// What a stall is.
    public var stallRule: String
}

extension Report {
    /// Whether all is well.
    public struct Verdict: Sendable, Hashable {
        /// No violation is an error, no turn failed, and every file could be read.
        public var isPassed: Bool { errors == 0 && failedTurns == 0 && unreadable == 0 }
        /// Violations that are errors.
        public var errors = 0
        /// Violations that are warnings.
        public var warnings = 0
        /// Violations that are worth knowing.
        public var infos = 0
        /// Turns that failed.
        public var failedTurns = 0
        /// All turns.
        public var turns = 0
        /// Files that cannot be read.
        public var unreadable = 0
    }

    /// How much there is of what.
    public struct Summary: Sendable, Hashable {
        /// Recordings.
        public var tapes = 0
        /// HTTP requests and WebSocket connections.
        public var exchanges = 0
        /// Of these, over connections that were open before; where the recording says it.
        public var reusedConnections = 0
        /// Turns by outcome, in the order finished, paused, cancelled, failed.
        public var turns: [Count] = []
        /// Streams by outcome, in the order finished, paused, cancelled, failed, retried.
        public var streams: [Count] = []
        /// Events of all streams, heartbeats left out.
        public var events = 0
        /// Pieces of content.
        public var pieces = 0
        /// Reads that brought more than one piece of content.
        public var bursts = 0
        /// UTF-8 bytes of text.
        public var textBytes = 0
        /// Response bytes as they came.
        public var wireBytes = 0
        /// Response bytes after their coding was undone.
        public var bytes = 0
        /// Stalls in which nothing arrived.
        public var byteStalls = 0
        /// Stalls in which only heartbeats arrived.
        public var eventStalls = 0
        /// How long the recordings are together, in nanoseconds.
        public var duration: Int64 = 0

        /// How many there are of a kind.
        public struct Count: Sendable, Hashable {
            /// The kind.
            public var name: String
            /// How many.
            public var count: Int
        }
    }

    /// A broken rule.
    public struct Finding: Sendable, Hashable {
        /// The rule.
        public var rule: Rule
        /// How bad it is, as configured.
        public var severity: Severity
        /// How often it is broken.
        public var count: Int
        /// Where, in the order of the tapes; at most 1,000 a tape.
        public var violations: [Located]
    }

    /// A violation with its tape.
    public struct Located: Sendable, Hashable {
        /// The tape's name.
        public var tape: String
        /// The violation.
        public var violation: Violation
    }

    /// A tool over all its calls.
    public struct ToolSummary: Sendable, Hashable {
        /// Its name; nil for calls without one.
        public var name: String?
        /// Who runs it.
        public var side: ToolCall.Side
        /// How many calls.
        public var calls: Int
        /// Calls by outcome, those that there are, in the order of ``ToolOutcome``.
        public var outcomes: [Summary.Count]
        /// Calls of which the outcome is known to be good or bad.
        public var judged: Int
        /// Calls that succeeded.
        public var succeeded: Int
        /// How often a result was submitted again.
        public var retries: Int
        /// From start to complete arguments.
        public var argumentTime: Distribution?
        /// From complete arguments to the result.
        public var executionTime: Distribution?
    }
}
