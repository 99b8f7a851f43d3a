public import RepriseSession

/// What holds where no vendor's dialect does: transport and wire, no meaning.
public struct GenericDialect: Dialect {
    /// The dialect.
    public init() {}

    /// `generic`
    public var name: String { "generic" }
    /// False: nothing is known of how a stream should end.
    public var hasTerminalEvent: Bool { false }
    /// None of its own.
    public var rules: [Rule] { [] }
    /// True: it is what is left.
    public func claims(_ exchange: ExchangeHead) -> Bool { true }
    /// A reader that knows nothing.
    public func makeReader() -> any DialectReader { Reader() }

    private struct Reader: DialectReader {
        mutating func read(_ unit: ExchangeUnit, into output: inout DialectOutput) {
            if case .comment = unit.content { output.emit(.heartbeat, at: unit.place) }
        }
    }
}
