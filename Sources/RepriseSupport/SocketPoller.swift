internal import CSystem

/// Waits for sockets on one thread and is woken from any other.
///
/// Invariant of the unchecked conformance: only one thread calls `watch` and `wait`; `wake` is safe
/// from any.
@safe package final class SocketPoller: @unchecked Sendable {
    /// What is waited for on a socket, and what it is found to be.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt32

        package init(rawValue: UInt32) { self.rawValue = rawValue }

        package static let readable = Readiness(rawValue: UInt32(REPRISE_READABLE))
        package static let writable = Readiness(rawValue: UInt32(REPRISE_WRITABLE))
        /// Comes without being asked for.
        package static let failed = Readiness(rawValue: UInt32(REPRISE_FAILED))
        /// The peer sends no more.
        package static let left = Readiness(rawValue: UInt32(REPRISE_LEFT))
    }

    private static let capacity = 256
    private let handle: OpaquePointer
    private let found: UnsafeMutablePointer<reprise_ready>

    /// A poller; nil where the system has no descriptor left.
    package init?() {
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
    package func watch(_ socket: Int32, for interest: Readiness) {
        _ = unsafe reprise_poller_set(handle, socket, interest.rawValue)
    }

    /// Ends the wait under way, or the next one.
    package func wake() { unsafe reprise_poller_wake(handle) }

    /// Waits until a socket is ready, somebody wakes it, or the time is up (nil: no limit). It may
    /// end early with nothing.
    package func wait(nanoseconds: Int64?) -> [(socket: Int32, readiness: Readiness)] {
        let count = unsafe reprise_poller_wait(
            handle, found, Int32(Self.capacity), nanoseconds.map { max(0, $0) } ?? -1)
        return (0..<max(0, Int(count))).map { index in
            let entry = unsafe found[index]
            return (entry.fd, Readiness(rawValue: entry.ready))
        }
    }
}
