internal import CMicrohttpd

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// System calls on a connection's socket.
enum Socket {
    /// Resets the connection: what ``hasUnsent(_:)`` tells of is dropped, and the peer gets a RST.
    /// Lingering for no time does not do it, since libmicrohttpd shuts the connection down before
    /// it closes it.
    static func reset(_ socket: Int32) {
        var address = sockaddr()
        address.sa_family = sa_family_t(AF_UNSPEC)
        _ = unsafe connect(socket, &address, socklen_t(MemoryLayout<sockaddr>.size))
    }

    /// Whether the system has bytes that the peer has not acknowledged: many small writes wait for
    /// that, even on the loopback interface.
    static func hasUnsent(_ socket: Int32) -> Bool {
        var count: Int32 = 0
        #if canImport(Darwin)
        var size = socklen_t(MemoryLayout<Int32>.size)
        let status = unsafe getsockopt(socket, SOL_SOCKET, SO_NWRITE, &count, &size)
        #else
        let status = unsafe ioctl(socket, UInt(TIOCOUTQ), &count)
        #endif
        return status == 0 && count > 0
    }

    /// Tells the peer that nothing more comes.
    static func finish(_ socket: Int32) { _ = shutdown(socket, Int32(SHUT_WR)) }

    /// Has small writes go out at once.
    static func sendAtOnce(_ socket: Int32) {
        var one: Int32 = 1
        _ = unsafe setsockopt(
            socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// What there is to read.
    enum Reading {
        case bytes([UInt8])
        /// Nothing yet.
        case nothing
        /// The peer sends no more, or the connection is broken.
        case end
    }

    /// Reads what has come, without waiting.
    static func read(from socket: Int32) -> Reading {
        while true {
            var count = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 16 << 10) { buffer, filled in
                count = unsafe recv(socket, buffer.baseAddress, buffer.count, 0)
                filled = max(0, count)
            }
            if count > 0 { return .bytes(bytes) }
            if count == 0 { return .end }
            if errno == EAGAIN || errno == EWOULDBLOCK { return .nothing }
            if errno != EINTR { return .end }
        }
    }

    /// Writes what the socket takes without waiting; nil where the connection is broken.
    static func write(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Int? {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        while true {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe send(socket, $0.baseAddress, $0.count, flags)
            }
            if count >= 0 { return count }
            if errno == EAGAIN || errno == EWOULDBLOCK { return 0 }
            if errno != EINTR { return nil }
        }
    }
}
