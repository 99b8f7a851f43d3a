internal import CSystem

/// Waits for sockets on the reactor's thread and is woken from any other.
///
/// Invariant of the unchecked conformance: only the reactor's thread calls `watch` and `wait`;
/// `wake` is safe from any thread.
@safe final class Poller: @unchecked Sendable {
    /// What a socket is ready for.
    struct Ready {
        var socket: Int32
        var isReadable: Bool
        var isWritable: Bool
        var hasFailed: Bool
    }

    private static let capacity = 256
    private let handle: OpaquePointer
    private let found: UnsafeMutablePointer<reprise_ready>

    /// A poller; nil where the system has no descriptor left.
    init?() {
        guard let handle = unsafe reprise_poller_create() else { return nil }
        unsafe self.handle = handle
        unsafe found = .allocate(capacity: Self.capacity)
        unsafe found.initialize(repeating: reprise_ready(), count: Self.capacity)
    }

    deinit {
        unsafe found.deallocate()
        unsafe reprise_poller_destroy(handle)
    }

    /// Watches a socket for reading and writing, or no longer where neither is wanted.
    func watch(_ socket: Int32, reading: Bool, writing: Bool) {
        let interest = (reading ? REPRISE_READABLE : 0) | (writing ? REPRISE_WRITABLE : 0)
        _ = unsafe reprise_poller_set(handle, socket, UInt32(interest))
    }

    /// Ends the wait under way, or the next one.
    func wake() { unsafe reprise_poller_wake(handle) }

    /// Waits until a socket is ready, somebody wakes it, or that many milliseconds have passed
    /// (nil: no limit).
    func wait(milliseconds: Int32?) -> [Ready] {
        let count = unsafe reprise_poller_wait(
            handle, found, Int32(Self.capacity), milliseconds ?? -1)
        return (0..<max(0, Int(count))).map { index in
            let entry = unsafe found[index]
            let bits = entry.ready
            return Ready(
                socket: entry.fd, isReadable: bits & UInt32(REPRISE_READABLE) != 0,
                isWritable: bits & UInt32(REPRISE_WRITABLE) != 0,
                hasFailed: bits & UInt32(REPRISE_FAILED) != 0)
        }
    }
}
