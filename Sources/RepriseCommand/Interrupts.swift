internal import CSystem

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What Ctrl-C does to a command that has something to bring to an end.
enum Interrupts {
    /// Runs `body`; the first SIGINT or SIGTERM cancels its task, the second ends the process.
    static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var ends: [Int32] = [-1, -1]
        guard unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) == 0
        else {
            return try await body()
        }
        let task = Task { try await body() }
        reprise_forward_interrupts(ends[1])
        watch(ends[0]) { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Calls `action` on a thread of its own once a byte comes; the thread lasts as long as the
    /// process, for a blocked read may not hold one of the few threads of the task pool.
    private static func watch(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
        let context = unsafe Unmanaged.passRetained(Watch(descriptor, action)).toOpaque()
        #if canImport(Darwin)
        var thread: pthread_t?
        unsafe pthread_create(&thread, nil, { Watch.run($0) }, context)
        #else
        var thread = pthread_t()
        unsafe pthread_create(&thread, nil, { unsafe Watch.run($0) }, context)
        #endif
    }

    private final class Watch: Sendable {
        private let descriptor: Int32
        private let action: @Sendable () -> Void

        init(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
            self.descriptor = descriptor
            self.action = action
        }

        static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
            guard let context = unsafe context else { return nil }
            let watch = unsafe Unmanaged<Watch>.fromOpaque(context).takeRetainedValue()
            var byte: UInt8 = 0
            var count = -1
            repeat {
                count = unsafe read(watch.descriptor, &byte, 1)
            } while count < 0 && errno == EINTR
            if count == 1 { watch.action() }
            return nil
        }
    }
}
