internal import RepriseSupport
internal import RepriseTape

/// A place of a replay that waits for what only the app can do, and can say what.
///
/// Where that will never come, waiting ends with `replay.stalled`: on virtual time as soon as
/// nothing is left that could bring it about, in real time after a limit.
public final class AppWait: Sendable {
    /// What is waited for, as in "it waits for …".
    public let description: String
    /// Of several that wait when nothing is left to do the deepest are given up first.
    let depth: Int
    let suspension = Suspension()
    /// Whether it is nothing to tell of that it is given up.
    let isExpected: Bool
    private let clock: ReplayClock
    private let limit: Int64?

    /// - Parameter limit: How long it waits in real time; nil for as long as it takes.
    init(
        _ description: String, on clock: ReplayClock, depth: Int, limit: Int64? = nil,
        isExpected: Bool = false
    ) {
        self.description = description
        self.depth = depth
        self.isExpected = isExpected
        self.clock = clock
        self.limit = limit
    }

    /// It has come. From any task; more than once is as good as once.
    public func fulfill() { suspension.end(.success(())) }

    /// Waits, not at all where it has come already. At most one task waits.
    ///
    /// - Throws: ``TransportError`` with code `replay.stalled`, or as `cancelled`.
    public func wait() async throws(TransportError) {
        do {
            guard let time = clock.time else { return try await waitInRealTime() }
            let number = time.state.withLock { $0.add(self) }
            defer { time.state.withLock { $0.removeWait(number) } }
            try await suspension.wait()
        } catch let error as TransportError {
            throw error
        } catch {
            throw TransportError(how: .cancelled, .cancelled, "the app stopped the exchange")
        }
    }

    private func waitInRealTime() async throws {
        guard let limit else { return try await suspension.wait() }
        let timer = Task { [suspension, description] in
            try await LiveClock().sleep(for: limit)
            let seconds = limit / 1_000_000_000
            suspension.end(
                .failure(
                    TransportError.stalled("for \(seconds) s now it waits for \(description)")))
        }
        defer { timer.cancel() }
        try await suspension.wait()
    }
}

extension ReplayClock {
    /// A place that waits for what only the app can do.
    ///
    /// - Parameters:
    ///   - description: What, as in "it waits for …", e.g. "the client's message 2 on exchange 1".
    ///   - limit: How long it is waited for where time is real, in real nanoseconds.
    public func waiting(for description: String, atMost limit: Int64 = 10_000_000_000) -> AppWait {
        AppWait(description, on: self, depth: 1, limit: limit)
    }
}
