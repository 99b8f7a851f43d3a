#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A value behind a lock, whose changes a thread can wait for.
///
/// Invariant of the unchecked conformance: `value` is reached only with `mutex` held, and the
/// closure's result is the only thing that leaves.
@safe package final class Monitor<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private let condition: UnsafeMutablePointer<pthread_cond_t>
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe condition = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe condition.initialize(to: pthread_cond_t())
        unsafe pthread_mutex_init(mutex, nil)
        unsafe pthread_cond_init(condition, nil)
    }

    deinit {
        unsafe pthread_cond_destroy(condition)
        unsafe pthread_mutex_destroy(mutex)
        unsafe condition.deallocate()
        unsafe mutex.deallocate()
    }

    /// Runs `body` with the value. Not reentrant.
    package func withLock<Result, Failure: Error>(
        _ body: (inout Value) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        return try body(&value)
    }

    /// As ``withLock(_:)``, and has who waits look at the value again.
    package func change<Result>(_ body: (inout Value) -> Result) -> Result {
        let result = withLock(body)
        unsafe pthread_cond_broadcast(condition)
        return result
    }

    /// Waits until `take` finds what it looks for, but no longer than about `nanoseconds` where
    /// that is given.
    ///
    /// - Returns: What `take` found; nil when that time was over.
    package func wait<Result>(
        atMost nanoseconds: Int64? = nil, _ take: (inout Value) -> Result?
    ) -> Result? {
        unsafe pthread_mutex_lock(mutex)
        defer { unsafe pthread_mutex_unlock(mutex) }
        var deadline = nanoseconds.map(Self.deadline)
        while true {
            if let result = take(&value) { return result }
            if var limit = deadline {
                let code = unsafe pthread_cond_timedwait(condition, mutex, &limit)
                if code != 0 { return take(&value) }
                deadline = limit
            } else {
                unsafe pthread_cond_wait(condition, mutex)
            }
        }
    }

    /// A condition variable counts in the system's time unless told otherwise, which Darwin cannot
    /// be.
    private static func deadline(in nanoseconds: Int64) -> timespec {
        var deadline = timespec()
        _ = unsafe clock_gettime(CLOCK_REALTIME, &deadline)
        let total = Int64(deadline.tv_nsec) + max(0, nanoseconds) % 1_000_000_000
        deadline.tv_sec += Int(max(0, nanoseconds) / 1_000_000_000 + total / 1_000_000_000)
        deadline.tv_nsec = Int(total % 1_000_000_000)
        return deadline
    }
}
