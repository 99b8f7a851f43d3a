#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Time as it passes: nanoseconds of the system's `CLOCK_MONOTONIC`.
///
/// Every live transport stamps with this clock, so that its times and a client's agree.
public struct LiveClock: SessionClock {
    /// The clock of this machine.
    public init() {}

    /// Nanoseconds since the clock's origin, which is the machine's start or another past moment.
    public func now() -> Int64 {
        var time = timespec()
        // Cannot fail: the clock exists and the address is good.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// Waits for that many nanoseconds; not at all for zero or fewer.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for nanoseconds: Int64) async throws {
        try Task.checkCancellation()
        guard nanoseconds > 0 else { return }
        try await Task.sleep(nanoseconds: UInt64(nanoseconds))
    }
}
