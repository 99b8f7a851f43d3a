internal import CSystem

/// Waits for sockets on one thread and is woken from any other.
///
/// Invariant of the unchecked conformance: only one thread calls `watch` and `wait`; `wake` is safe
/// from any.
@safe final class SocketPoller: @unchecked Sendable {
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

    /// Watches a socket, or no longer where nothing is of interest.
    func watch(_ socket: Int32, for interest: ServerLoop.Readiness) {
        _ = unsafe reprise_poller_set(handle, socket, interest.rawValue)
    }

    /// Ends the wait under way, or the next one.
    func wake() { unsafe reprise_poller_wake(handle) }

    /// Waits until a socket is ready, somebody wakes it, or the time is up (nil: no limit).
    func wait(nanoseconds: Int64?) -> [(socket: Int32, readiness: ServerLoop.Readiness)] {
        let count = unsafe reprise_poller_wait_exactly(
            handle, found, Int32(Self.capacity), nanoseconds ?? -1)
        return (0..<max(0, Int(count))).map { index in
            let entry = unsafe found[index]
            return (entry.fd, ServerLoop.Readiness(rawValue: entry.ready))
        }
    }
}
