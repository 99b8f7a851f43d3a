public import RepriseTransport

/// How a client behaves.
public struct AgoOptions: Sendable, Hashable {
    /// Whether an answer ends with its first status that ends it, as in the samples of the
    /// service's mobile kits. By default a stream is read to its close, since the title and the
    /// follow-up replies come after `DONE`.
    public var stopsAtDone: Bool
    /// When a request is sent again.
    public var retry: AgoRetryPolicy
    /// How long to wait for the service.
    public var timeouts: Timeouts

    /// Creates options.
    public init(
        stopsAtDone: Bool = false, retry: AgoRetryPolicy = AgoRetryPolicy(),
        timeouts: Timeouts = Timeouts()
    ) {
        self.stopsAtDone = stopsAtDone
        self.retry = retry
        self.timeouts = timeouts
    }
}

/// When a request is sent again: see `RetryPolicy`.
public typealias AgoRetryPolicy = RetryPolicy
