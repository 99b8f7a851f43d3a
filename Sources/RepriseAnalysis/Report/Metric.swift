/// A measured quantity with its definition.
public struct Metric: Sendable, Hashable {
    /// Its name, e.g. `ttft`.
    public var name: String
    /// What exactly is measured.
    public var definition: String
    /// What its values are.
    public var unit: Unit
    /// What it is measured on.
    public var scope: Scope
    /// How its values look; nil where there is none.
    public var distribution: Distribution?
    /// The percentiles with failures counted; nil where failures have no place in it.
    public var adjusted: AdjustedPercentiles?

    /// What the values of a metric are.
    public enum Unit: String, Sendable, Hashable {
        /// Nanoseconds, shown as milliseconds.
        case milliseconds = "ms"
        /// Thousandths of tokens per second, shown as tokens per second.
        case tokensPerSecond = "tokens/s"
    }

    /// What is measured.
    public enum Scope: String, Sendable, Hashable {
        /// Each request.
        case exchange
        /// Each reply stream that came to its end as the protocol has it.
        case stream
        /// Each turn that came to its end as the protocol has it.
        case turn
    }

    /// A value of a metric as the reports show it: exact, without noughts at the end.
    public func text(_ value: Int64) -> String {
        switch unit {
        case .milliseconds: Milliseconds.text(value)
        // Thousandths: three more digits make them what milliseconds are to nanoseconds.
        case .tokensPerSecond:
            Milliseconds.text(value.multipliedReportingOverflow(by: 1_000).partialValue)
        }
    }
}
