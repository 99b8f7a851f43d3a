#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Runs work that blocks on a thread of its own, since the threads of Swift's tasks are few.
package func blocking<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let job = Job { continuation.resume(with: Result(catching: work)) }
        let context = unsafe Unmanaged.passRetained(job).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        #else
        var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(&thread, nil, runJob, context)
        if code != 0 {
            unsafe Unmanaged<Job>.fromOpaque(context).release()
            continuation.resume(throwing: TestSupportError("no thread", errno: code))
        } else {
            #if canImport(Darwin)
            if let thread { unsafe pthread_detach(thread) }
            #else
            pthread_detach(thread)
            #endif
        }
    }
}

private final class Job: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
        self.body = body
    }
}

#if canImport(Darwin)
private func runJob(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
    return nil
}
#else
private func runJob(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    if let context = unsafe context {
        unsafe Unmanaged<Job>.fromOpaque(context).takeRetainedValue().body()
    }
    return nil
}
#endif
