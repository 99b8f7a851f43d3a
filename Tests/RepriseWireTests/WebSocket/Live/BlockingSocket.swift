import RepriseWire
import TestSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A TCP socket on 127.0.0.1 that blocks the thread that uses it.
final class BlockingSocket: Sendable {
    private let fd: Int32

    private init(fd: Int32) throws {
        guard fd >= 0 else { throw TestSupportError("no socket", errno: errno) }
        self.fd = fd
        var on: Int32 = 1
        unsafe setsockopt(
            fd, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
        unsafe setsockopt(
            fd, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close(fd) }

    #if canImport(Darwin)
    private static let sendFlags: Int32 = 0
    #else
    private static let sendFlags = Int32(MSG_NOSIGNAL)
    #endif

    private convenience init() throws {
        #if canImport(Darwin)
        try self.init(fd: socket(AF_INET, SOCK_STREAM, 0))
        #else
        try self.init(fd: socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
        #endif
    }

    /// A connection to a port.
    static func connected(to port: UInt16) throws -> BlockingSocket {
        let socket = try BlockingSocket()
        let code = unsafe withAddress(port) { unsafe connect(socket.fd, $0, $1) }
        guard code == 0 else { throw TestSupportError("no connection", errno: errno) }
        return socket
    }

    /// A socket that listens, and where.
    static func listening() throws -> (socket: BlockingSocket, port: UInt16) {
        let socket = try BlockingSocket()
        let code = unsafe withAddress(0) { unsafe bind(socket.fd, $0, $1) }
        guard code == 0, listen(socket.fd, 64) == 0 else {
            throw TestSupportError("no port", errno: errno)
        }
        var address = sockaddr_in()
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) {
            unsafe UnsafeMutableRawPointer($0).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(socket.fd, $0, &size)
            }
        }
        return (socket, UInt16(bigEndian: address.sin_port))
    }

    /// The next connection.
    func accepted() throws -> BlockingSocket {
        try BlockingSocket(fd: accept(fd, nil, nil))
    }

    /// What comes next; nothing at the end or after a reset.
    func read() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = unsafe recv(fd, &bytes, bytes.count, 0)
        return Array(bytes.prefix(max(0, count)))
    }

    /// Writes all of it; false where the peer is gone.
    @discardableResult
    func write(_ bytes: [UInt8]) -> Bool {
        var start = 0
        while start < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe send(
                    fd, $0.baseAddress.map { unsafe $0 + start }, $0.count - start,
                    Self.sendFlags)
            }
            if count <= 0 { return false }
            start += count
        }
        return true
    }

    /// Says that nothing more is written.
    func shutWriting() { _ = shutdown(fd, Int32(SHUT_WR)) }

    /// Ends every wait on it.
    func stop() { _ = shutdown(fd, Int32(SHUT_RDWR)) }

    private static func withAddress(
        _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return unsafe withUnsafePointer(to: &address) {
            unsafe UnsafeRawPointer($0).withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe body($0, size)
            }
        }
    }
}
