internal import RepriseTape

/// When a request is sent again after a failure of the network, and how long is waited before it.
///
/// Only what is safe to repeat is: a GET whatever part of the exchange failed, anything else only
/// where the request certainly never reached the service. A status is an answer, not a failure of
/// the network, and is never repeated. The wait is drawn evenly from zero to a limit that doubles
/// with each attempt ("full jitter"), so that many clients do not come back at once.
public struct RetryPolicy: Sendable, Hashable {
    /// How often a request is sent at most; 1 for no repetition.
    public var maximumAttempts: Int
    /// The limit of the first wait, nanoseconds.
    public var baseDelay: Int64
    /// The limit of every wait, nanoseconds.
    public var maximumDelay: Int64

    /// Creates a policy; by default 3 attempts, with waits of up to 0.5 s and 1 s.
    public init(
        maximumAttempts: Int = 3, baseDelay: Int64 = 500_000_000,
        maximumDelay: Int64 = 8_000_000_000
    ) {
        self.maximumAttempts = maximumAttempts
        self.baseDelay = baseDelay
        self.maximumDelay = maximumDelay
    }

    /// Sends every request once.
    public static let never = RetryPolicy(maximumAttempts: 1)

    /// Whether to send again.
    ///
    /// - Parameters:
    ///   - request: What was sent.
    ///   - error: Why its exchange failed.
    ///   - attempt: Which attempt that was, from 1.
    public func repeats(_ request: Request, after error: TransportError, attempt: Int) -> Bool {
        guard attempt < maximumAttempts, error.how != .cancelled else { return false }
        if RetryPolicy.isFinal(error) { return false }
        return error.isBeforeRequest || request.isIdempotent
    }

    /// Whether it is no failure of a network, so that the same would happen again.
    package static func isFinal(_ error: TransportError) -> Bool {
        final.contains(error.code) || error.code.isMiss
    }

    private static let final: Set<TransportError.Code> = [
        .badRequest, .contentCoding, .tooLarge, .recorderDied, .noSuchTool, .stalled,
    ]

    /// The longest wait after the attempt, nanoseconds.
    public func delayLimit(after attempt: Int) -> Int64 {
        let base = max(0, baseDelay)
        let cap = max(0, maximumDelay)
        let shift = max(0, attempt - 1)
        guard shift < 62, base <= cap >> shift else { return min(cap, base == 0 ? 0 : cap) }
        return base << shift
    }
}
