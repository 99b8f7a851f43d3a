public import RepriseWire

/// Something that happened in a session, whatever the protocol that said so.
public struct SessionEvent: Sendable, Hashable {
    /// Where and when.
    public var place: Place
    /// Which run it belongs to, where one connection carries several; nil where it carries one.
    public var run: String?
    /// What happened.
    public var kind: Kind

    /// An event.
    public init(_ kind: Kind, at place: Place, run: String? = nil) {
        self.place = place
        self.run = run
        self.kind = kind
    }
}

extension SessionEvent {
    /// What happened.
    public enum Kind: Sendable, Hashable {
        /// The exchange (or the run) is what the user asks: a turn begins with it.
        case opensTurn
        /// The exchange (or the run) goes on with the turn that has this name.
        case continuesTurn(String)
        /// The turn can be named so from here on, e.g. by its message id. Vendors with several
        /// kinds of names put the kind in front.
        case namesTurn(String)
        /// The turn that has this name gets no answer, for a reason in a few words of the report.
        case refusesTurn(String, reason: String)
        /// New text of the answer; never empty.
        case text(String)
        /// New text of what the agent thinks; never empty.
        case reasoning(String)
        /// An output to be shown that is no text.
        case card(id: String)
        /// A call of a tool begins.
        case toolCall(ToolCall)
        /// A piece of a call's arguments; never empty.
        case toolArguments(id: String, String)
        /// A call's arguments are complete; with their whole JSON text where the event carries it,
        /// else the pieces so far are it.
        case toolReady(id: String, arguments: String?)
        /// The app submits a result; whether it is taken, a ``toolResult(_:)`` tells.
        case toolSubmitted(id: String)
        /// A call has a result.
        case toolResult(ToolResult)
        /// The server says that it is still there.
        case heartbeat
        /// Counts as the server reports them, cumulative within a stream.
        case usage(Usage)
        /// The answer's terminal event.
        case ended(Ending)
        /// Anything else that the protocol knows, by its name there.
        case other(String)
    }

    /// How an answer ended, as its terminal event says.
    public enum Ending: String, Sendable, Hashable {
        /// It is complete.
        case finished
        /// The server failed to make it.
        case failed
        /// It was stopped.
        case cancelled
        /// It waits for results of tools that the app runs.
        case paused
        /// Its end never came, although the app waited for it.
        case missed
    }
}

/// A call of a tool.
public struct ToolCall: Sendable, Hashable {
    /// Its id.
    public var id: String
    /// The tool's name; nil where the stream does not say it.
    public var name: String?
    /// Who runs it.
    public var side: Side
    /// Whether the protocol has a result for such a call, so that its absence tells something.
    public var expectsResult: Bool

    /// A call.
    public init(id: String, name: String?, side: Side, expectsResult: Bool = true) {
        self.id = id
        self.name = name
        self.side = side
        self.expectsResult = expectsResult
    }

    /// Who runs a tool.
    public enum Side: String, Sendable, Hashable {
        /// The app.
        case client
        /// The server.
        case server
    }
}

/// A result of a tool call.
public struct ToolResult: Sendable, Hashable {
    /// The call's id.
    public var id: String
    /// Whether it is a failure.
    public var isFailure: Bool
    /// Whether the app submitted it; else the server's stream brought it.
    public var isSubmission: Bool
    /// Size of the output as JSON, in bytes, where known.
    public var size: Int?

    /// A result.
    public init(id: String, isFailure: Bool, isSubmission: Bool, size: Int? = nil) {
        self.id = id
        self.isFailure = isFailure
        self.isSubmission = isSubmission
        self.size = size
    }

    /// Whether `output` is a failure by the convention of this field: an object with the key
    /// `error` that is not null.
    public static func isFailure(_ output: JSON) -> Bool {
        output["error"].map { !$0.isNull } ?? false
    }
}

/// Token counts and credits of a turn; nil where not reported.
public struct Usage: Sendable, Hashable {
    /// Tokens read.
    public var input: Int64?
    /// Tokens written.
    public var output: Int64?
    /// Of the input, tokens taken from a cache.
    public var cached: Int64?
    /// Of the output, tokens of reasoning.
    public var reasoning: Int64?
    /// The total that the server gives.
    public var total: Int64?
    /// Credits, in millionths: what all streams together cost.
    public var credits: Int64?
    /// Credits, in millionths, as the vendor's own client reports them: those of the last stream.
    public var clientCredits: Int64?

    /// Counts.
    public init(
        input: Int64? = nil, output: Int64? = nil, cached: Int64? = nil, reasoning: Int64? = nil,
        total: Int64? = nil, credits: Int64? = nil, clientCredits: Int64? = nil
    ) {
        self.input = input
        self.output = output
        self.cached = cached
        self.reasoning = reasoning
        self.total = total
        self.credits = credits
        self.clientCredits = clientCredits
    }
}
