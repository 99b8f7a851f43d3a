package import RepriseWire

extension RetryPolicy {
    /// The policy in a client's configuration.
    package var json: JSON {
        [
            "maximumAttempts": .integer(maximumAttempts), "baseDelay": .integer(baseDelay),
            "maximumDelay": .integer(maximumDelay),
        ]
    }

    /// The policy in a recorded configuration; what it lacks is as by default.
    package init(_ recorded: JSON?) {
        self.init()
        let attempts = recorded?["maximumAttempts"]?.integer.flatMap { Int(exactly: $0) }
        maximumAttempts = attempts ?? maximumAttempts
        baseDelay = recorded?["baseDelay"]?.integer ?? baseDelay
        maximumDelay = recorded?["maximumDelay"]?.integer ?? maximumDelay
    }
}
