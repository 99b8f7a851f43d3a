public import RepriseTape

/// What one vendor's protocol means.
///
/// A dialect is a value without state; what it learns in a session is in the reader it makes.
public protocol Dialect: Sendable {
    /// Its name: what `--dialect` takes, and what the `client` frame of a tape says.
    var name: String { get }
    /// The rules of its own that it may raise.
    var rules: [Rule] { get }
    /// Whether its vendor reports token usage, so that its absence tells something.
    var reportsUsage: Bool { get }
    /// Whether its streams end with an event that says so.
    var hasTerminalEvent: Bool { get }
    /// Operations of its client that are turns.
    var turnOperations: Set<String> { get }
    /// The rule that an app breaks by holding a stream for longer than a stall; nil where the
    /// vendor's client does not wait for the app while it reads.
    var holdRule: Rule? { get }

    /// Whether a request is one of this protocol.
    func claims(_ exchange: ExchangeHead) -> Bool
    /// Whether the first event or message of an exchange is one of this protocol.
    func claims(firstEvent data: String, of exchange: ExchangeHead) -> Bool
    /// What the answer to a request should be; asked when all of the request is known.
    func expectation(for exchange: ExchangeHead) -> Expectation
    /// A reader for one session.
    func makeReader() -> any DialectReader
}

extension Dialect {
    /// False.
    public var reportsUsage: Bool { false }
    /// True.
    public var hasTerminalEvent: Bool { true }
    /// None.
    public var turnOperations: Set<String> { [] }
    /// None.
    public var holdRule: Rule? { nil }
    /// False.
    public func claims(firstEvent data: String, of exchange: ExchangeHead) -> Bool { false }
    /// Nothing in particular.
    public func expectation(for exchange: ExchangeHead) -> Expectation { Expectation() }
}

/// What the answer to a request should be.
public struct Expectation: Sendable, Hashable {
    /// Statuses of 300 and above that are part of the protocol.
    public var statuses: Set<Int>
    /// What the body of a good answer is.
    public var body: Body

    /// An expectation.
    public init(statuses: Set<Int> = [], body: Body = .any) {
        self.statuses = statuses
        self.body = body
    }

    /// What a body is.
    public enum Body: Sendable, Hashable {
        /// As its content type says.
        case any
        /// An event stream.
        case eventStream
        /// One JSON text.
        case json
        /// One JSON text that is an answer which could have been streamed.
        case reply
    }
}

/// Reads the units of one session's exchanges in the order of the tape; exchanges interleave.
public protocol DialectReader: Sendable {
    /// Says what a unit means, and what is wrong with it.
    mutating func read(_ unit: ExchangeUnit, into output: inout DialectOutput)
    /// The tape says that this dialect's client follows, and how it is set up.
    mutating func read(_ client: ClientRecord, into output: inout DialectOutput)
    /// A client operation began or ended.
    mutating func read(_ call: CallRecord, at place: Place, into output: inout DialectOutput)
    /// A note that a client left on the tape.
    mutating func read(note: String, at place: Place, into output: inout DialectOutput)
    /// The tape ends here.
    mutating func finish(into output: inout DialectOutput)
}

extension DialectReader {
    /// Of no matter.
    public mutating func read(_ client: ClientRecord, into output: inout DialectOutput) {}
    /// Of no matter.
    public mutating func read(
        _ call: CallRecord, at place: Place, into output: inout DialectOutput
    ) {}
    /// Of no matter.
    public mutating func read(note: String, at place: Place, into output: inout DialectOutput) {}
    /// Of no matter.
    public mutating func finish(into output: inout DialectOutput) {}
}
