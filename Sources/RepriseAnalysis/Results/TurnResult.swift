public import RepriseSession

/// How a turn or a stream came out.
public enum Outcome: Sendable, Hashable {
    /// The answer is complete.
    case finished
    /// It waits for results of tools that the app runs.
    case paused
    /// The app or the service stopped it.
    case cancelled
    /// It failed, for the reason given.
    case failed(String)
    /// It failed and was tried again within its turn.
    case retried

    /// Its name.
    public var name: String {
        switch self {
        case .finished: "finished"
        case .paused: "paused"
        case .cancelled: "cancelled"
        case .failed: "failed"
        case .retried: "retried"
        }
    }

    /// Why it failed.
    public var reason: String? { if case .failed(let reason) = self { reason } else { nil } }

    /// Whether it failed for good.
    public var isFailure: Bool { reason != nil }

    /// Whether its times count: it came to an end as the protocol has it.
    public var isGood: Bool { self == .finished || self == .paused }
}

/// What the user asked once.
public struct TurnResult: Sendable, Hashable {
    /// Its number in the session, from 1.
    public var number: Int
    /// The client operation, where the tape has it.
    public var call: UInt64?
    /// Its name.
    public var operation: String?
    /// How it came out.
    public var outcome: Outcome
    /// When it began: its first request, else its operation; nanoseconds since the session's start.
    public var start: Int64
    /// The exchanges that belong to it.
    public var exchanges: [UInt64]
    /// From its first request to its terminal event.
    public var latency: Int64?
    /// From its first request to the first text or card behind its last tool result.
    public var ttft: Int64?
    /// UTF-8 bytes of its text.
    public var textBytes: Int
    /// How many tools were called.
    public var toolCalls: Int
    /// What the server reported.
    public var usage: Usage?
}

/// One reply stream: an HTTP response, or one run on a connection that carries several.
public struct StreamResult: Sendable, Hashable {
    /// The exchange that carries it.
    public var exchange: UInt64
    /// The run, where the exchange carries several.
    public var run: String?
    /// The turn that it belongs to, from 1.
    public var turn: Int?
    /// How it came out.
    public var outcome: Outcome
    /// Its t0: its request, or the first of its tries, or the run's first event where the recording
    /// has no request of it; nanoseconds since the session's start.
    public var start: Int64
    /// Whether the recording has the request that it answers.
    public var hasRequest = true
    /// From t0 to the first byte of the body.
    public var firstByte: Int64?
    /// From t0 to the first whole event.
    public var firstEvent: Int64?
    /// From t0 to the first content.
    public var ttft: Int64?
    /// From t0 to the first content that is no reasoning.
    public var ttfo: Int64?
    /// From t0 to the last content.
    public var latency: Int64?
    /// From t0 to the terminal event.
    public var terminal: Int64?
    /// From t0 to the end of the stream.
    public var streamEnd: Int64?
    /// The content over time; at most ``ContentSpan/limit``.
    public var spans: [ContentSpan]
    /// How many spans there are beyond those.
    public var omittedSpans: Int
    /// Gaps between consecutive pieces of content.
    public var contentGaps: [Int64]
    /// Mean time between tokens; nil where fewer than two are reported.
    public var itl: Int64?
    /// Output tokens per second, in thousandths, at the pace of ``itl``.
    public var outputRate: Int64?
    /// Output tokens per second, in thousandths, over the whole ``latency``.
    public var endToEndRate: Int64?
    /// Reads that brought more than one piece of content.
    public var bursts: Int
    /// Events, heartbeats left out.
    public var events: Int
    /// Pieces of content.
    public var pieces: Int
    /// What the server reported.
    public var usage: Usage?
    /// Its stalls, in the order of their beginnings.
    public var stalls: [StallResult]

    /// How long the stalls were in which nothing arrived.
    public var byteStalls: [Int64] { stalls.filter { !$0.hasHeartbeats }.map(\.length) }
    /// How long the stalls were in which only heartbeats arrived.
    public var eventStalls: [Int64] { stalls.filter(\.hasHeartbeats).map(\.length) }
}

/// One tool call.
public struct ToolResultRow: Sendable, Hashable {
    /// Its id.
    public var id: String
    /// The tool's name; nil where nothing says it.
    public var name: String?
    /// Who runs it.
    public var side: ToolCall.Side
    /// The turn that it belongs to, from 1.
    public var turn: Int?
    /// How it came out.
    public var outcome: ToolOutcome
    /// The exchange that brought the call; 0 where only its handler is on the tape.
    public var exchange: UInt64
    /// When it began, nanoseconds since the session's start.
    public var start: Int64?
    /// When the app's handler began, nanoseconds since the session's start.
    public var handlerStart: Int64?
    /// Whether its arguments are JSON; nil where they never were complete.
    public var hasValidArguments: Bool?
    /// Bytes of its arguments.
    public var argumentBytes: Int
    /// Bytes of its output, where known.
    public var outputBytes: Int?
    /// How often a result was submitted.
    public var submissions: Int
    /// From its start to its complete arguments.
    public var argumentTime: Int64?
    /// From its complete arguments to its result.
    public var executionTime: Int64?
    /// How long the app's handler ran, where the tape has it.
    public var handlerTime: Int64?
}

/// How a tool call came out.
public enum ToolOutcome: String, Sendable, Hashable, CaseIterable {
    /// It has a result that is no failure.
    case succeeded
    /// Its result says that it failed.
    case failed
    /// Its handler threw.
    case threw
    /// There was no handler for it.
    case missing
    /// It was stopped.
    case cancelled
    /// Time ran out.
    case timedOut
    /// A result was due and none came.
    case unanswered
    /// The protocol has no result for it.
    case unknown
}
