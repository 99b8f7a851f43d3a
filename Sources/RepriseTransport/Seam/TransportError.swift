public import RepriseTape

/// Why an exchange did not complete.
public struct TransportError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A stable dotted name for programs to switch on.
    public struct Code: RawRepresentable, Sendable, Hashable {
        /// The name.
        public var rawValue: String

        /// A code by its name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The URL or a setting cannot be used.
        public static let badRequest = Code(rawValue: "transport.badRequest")
        /// The host name could not be resolved.
        public static let resolve = Code(rawValue: "transport.resolve")
        /// No connection could be made.
        public static let connect = Code(rawValue: "transport.connect")
        /// The proxy refused.
        public static let proxy = Code(rawValue: "transport.proxy")
        /// The TLS handshake or the certificate failed.
        public static let tls = Code(rawValue: "transport.tls")
        /// The peer broke the connection (TCP RST), or it broke.
        public static let reset = Code(rawValue: "transport.reset")
        /// The peer closed the connection in order (TCP FIN) before the exchange was complete.
        public static let closed = Code(rawValue: "transport.closed")
        /// What came is not HTTP.
        public static let malformed = Code(rawValue: "transport.malformed")
        /// No connection within the limit.
        public static let connectTimeout = Code(rawValue: "transport.connectTimeout")
        /// Silence beyond the limit.
        public static let idleTimeout = Code(rawValue: "transport.idleTimeout")
        /// The exchange took longer than the limit.
        public static let totalTimeout = Code(rawValue: "transport.totalTimeout")
        /// The app stopped.
        public static let cancelled = Code(rawValue: "transport.cancelled")
        /// Anything else.
        public static let failed = Code(rawValue: "transport.failed")
        /// The recording ends here because its recorder died.
        public static let recorderDied = Code(rawValue: "replay.recorderDied")
        /// Nothing like the request was recorded.
        public static let noSuchRequest = Code(rawValue: "replay.noSuchRequest")
        /// The request was recorded, and all of it has been asked for before.
        public static let consumed = Code(rawValue: "replay.consumed")
        /// The request was recorded, and something else is due before it.
        public static let outOfOrder = Code(rawValue: "replay.outOfOrder")
        /// There is no tape.
        public static let noTape = Code(rawValue: "replay.noTape")
        /// A tool of the app runs once more than it was recorded.
        public static let noSuchTool = Code(rawValue: "replay.noSuchTool")
        /// Nothing is left that could bring about what the replay waits for.
        public static let stalled = Code(rawValue: "replay.stalled")
    }

    /// How the exchange ended; what a tape's `end` frame says.
    public var how: EndRecord.How
    /// What kind of failure.
    public var code: Code
    /// What happened and what to do, without bodies, header values or credentials.
    public var message: String

    /// A failure.
    public init(how: EndRecord.How, _ code: Code, _ message: String) {
        self.how = how
        self.code = code
        self.message = message
    }

    /// The failure that a recorded end stands for; nil where it ended complete.
    public init?(_ end: EndRecord) {
        if end.how == .complete { return nil }
        self.init(
            how: end.how, Code(rawValue: end.code ?? "transport.\(end.how.rawValue)"),
            end.message ?? "the exchange ended: \(end.how.rawValue)")
    }

    /// Whether the request certainly never reached the peer, so that sending it again is safe
    /// whatever it asks for.
    public var isBeforeRequest: Bool {
        [.badRequest, .resolve, .connect, .proxy, .tls, .connectTimeout].contains(code)
    }

    /// The message.
    public var description: String { message }
}
