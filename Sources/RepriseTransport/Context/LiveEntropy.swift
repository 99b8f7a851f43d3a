/// Random values as they are drawn: every draw makes a new one.
public struct LiveEntropy: EntropySource {
    /// A source that records and answers nothing.
    public init() {}

    /// The value that `make` makes.
    public func draw(_ purpose: String, call: UInt64, _ make: @Sendable () -> String) -> String {
        make()
    }
}
