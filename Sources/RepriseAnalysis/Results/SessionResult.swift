public import RepriseSession
public import RepriseTape

/// What one tape says.
public struct SessionResult: Sendable, Hashable {
    /// The tape's first frame; nil where it has none.
    public var session: SessionRecord?
    /// How far the tape could be read.
    public var tape = TapeSummary()
    /// Which dialects read its exchanges, and why.
    public var dialects: [DialectUse] = []
    /// Its exchanges, by number.
    public var exchanges: [ExchangeResult] = []
    /// Its turns, in the order of their beginnings.
    public var turns: [TurnResult] = []
    /// Its streams, in the order of their beginnings.
    public var streams: [StreamResult] = []
    /// Its tool calls, in the order of their beginnings.
    public var tools: [ToolResultRow] = []
    /// What is wrong, in the order of the tape.
    public var violations: [Violation] = []
    /// How many violations of a rule there are beyond those that are listed.
    public var omitted: [String: Int] = [:]
    /// When its last frame was, nanoseconds since its start.
    public var duration: Int64 = 0

    /// An empty result.
    public init() {}
}

/// A dialect that read exchanges of a tape.
public struct DialectUse: Sendable, Hashable {
    /// Its name.
    public var name: String
    /// Why it was taken.
    public var reason: Reason
    /// How many exchanges it read for that reason.
    public var exchanges: Int

    /// A dialect that read exchanges.
    public init(name: String, reason: Reason, exchanges: Int) {
        self.name = name
        self.reason = reason
        self.exchanges = exchanges
    }

    /// Why a dialect was taken.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
        /// It was asked for.
        case forced
        /// The tape says which client made the requests.
        case client
        /// It knows the request.
        case request
        /// It knows the first event.
        case event
        /// No other knows the exchange.
        case none
    }
}

/// One HTTP request, or one WebSocket connection.
public struct ExchangeResult: Sendable, Hashable {
    /// Its number on the tape.
    public var number: UInt64
    /// The method.
    public var method: String
    /// The path of the URL without its query.
    public var path: String
    /// The dialect that read it.
    public var dialect: String
    /// The client operation that it belongs to.
    public var call: UInt64?
    /// The turn that it belongs to, from 1.
    public var turn: Int?
    /// The status; nil where no response came.
    public var status: Int?
    /// How it ended; nil where its recorder died.
    public var end: EndRecord.How?
    /// The code of its failure.
    public var code: String?
    /// When it began, nanoseconds since the session's start.
    public var start: Int64
    /// From its request to the head of its response; nil where none came.
    public var response: Int64?
    /// From its request to its end; nil where its recorder died.
    public var duration: Int64?
    /// Bytes of the body, or of the server's frames, as they came.
    public var wireBytes: Int
    /// Bytes of the body, or of the server's messages, after their coding was undone.
    public var bytes: Int
    /// Where the time before the response went.
    public var phases: PhasesRecord?
    /// What went over it, where it is a WebSocket that was opened.
    public var socket: SocketResult?
}
