internal import CSystem
internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What Ctrl-C, or a terminal that closes, does to a command that has something to bring to an end.
enum Interrupts {
    /// Runs `body`; the first SIGINT, SIGTERM or SIGHUP cancels its task, another SIGINT or SIGTERM
    /// ends the process. SIGHUP is let alone where it is ignored, as by `nohup`.
    static func cancelling<Result: Sendable>(
        _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        var ends: [Int32] = [-1, -1]
        guard unsafe ends.withUnsafeMutableBufferPointer({ unsafe pipe($0.baseAddress) }) == 0
        else {
            return try await body()
        }
        // Before `body` tells anybody that it runs.
        reprise_forward_interrupts(ends[1])
        let task = Task { try await body() }
        watch(ends[0]) { task.cancel() }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            task.cancel()
        }
    }

    /// Calls `action` once a byte comes. On a thread of its own, which lasts as long as the process:
    /// a blocked read may not hold one of the few threads of the task pool.
    private static func watch(_ descriptor: Int32, _ action: @escaping @Sendable () -> Void) {
        _ = OwnThread.start {
            var byte: UInt8 = 0
            var count = -1
            repeat {
                count = unsafe read(descriptor, &byte, 1)
            } while count < 0 && errno == EINTR
            if count == 1 { action() }
        }
    }
}
