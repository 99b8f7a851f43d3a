public import RepriseTape
public import RepriseWire

/// A tool of the app that an agent has asked for.
public struct ToolRun: Sendable, Hashable {
    /// The client operation that it belongs to.
    public var call: UInt64
    /// The id of the tool call.
    public var id: String
    /// The name of the tool.
    public var name: String
    /// What the agent passed to it.
    public var input: JSON

    /// A tool that is to be run.
    public init(call: UInt64, id: String, name: String, input: JSON) {
        self.call = call
        self.id = id
        self.name = name
        self.input = input
    }
}

/// What came of a tool.
public struct ToolAnswer: Sendable, Hashable {
    /// How its run ended.
    public var outcome: ToolRecord.Outcome
    /// What the agent is to be told; an object with the key `error` where the tool failed; nil
    /// where it was cancelled.
    public var output: JSON?

    /// An answer.
    public init(_ outcome: ToolRecord.Outcome, output: JSON? = nil) {
        self.outcome = outcome
        self.output = output
    }

    /// The tool failed, in its own words.
    public static func failure(_ outcome: ToolRecord.Outcome, _ words: String) -> ToolAnswer {
        ToolAnswer(outcome, output: ["error": .string(words)])
    }
}

/// A tool of the app: its input in, its output out; what it throws is told to the agent.
public typealias ToolBody = @Sendable (JSON) async throws -> JSON

/// How tools of the app are run: as they are, or answered from a tape.
public protocol ToolRunner: Sendable {
    /// What comes of a tool.
    ///
    /// - Parameter body: The tool as the app has registered it; nil where it has none of that name.
    /// - Throws: ``TransportError`` where a tape was to answer and does not.
    func run(_ run: ToolRun, _ body: ToolBody?) async throws(TransportError) -> ToolAnswer
}
