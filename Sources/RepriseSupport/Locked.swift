#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A value behind a `pthread_mutex_t`.
///
/// `Synchronization.Mutex` would be the first choice, but the thread sanitizer of this toolchain
/// does not see its hand-over on Linux and reports races that are none.
///
/// Invariant of the unchecked conformance: `value` is reached only with `mutex` held, and the
/// closure's result is the only thing that leaves.
@safe package final class Locked<Value>: @unchecked Sendable {
    private let mutex: UnsafeMutablePointer<pthread_mutex_t>
    private var value: Value

    package init(_ value: sending Value) {
        self.value = value
        unsafe mutex = .allocate(capacity: 1)
        unsafe mutex.initialize(to: pthread_mutex_t())
        unsafe pthread_mutex_init(mutex, nil)
    }

    deinit {
        unsafe pthread_mutex_destroy(mutex)
        unsafe mutex.deinitialize(count: 1)
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
}
