internal import CMicrohttpd
internal import RepriseSupport

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Where a server listens.
package struct ListenAddress: Sendable, Hashable {
    /// The host name or address, without brackets.
    package let host: String
    /// The port; 0 for any that is free.
    package let port: UInt16

    /// An address such as `127.0.0.1:8080`, `[::1]:0`, `localhost:8080`, or only a port, which is
    /// one of this machine; nil for anything else.
    package init?(_ text: String) {
        var host = Substring("127.0.0.1")
        var rest = Substring(text)
        if let colon = text.lastIndex(of: ":") {
            host = text[..<colon]
            rest = text[text.index(after: colon)...]
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = host.dropFirst().dropLast()
            } else if host.contains(":") {
                return nil
            }
        }
        guard !host.isEmpty, !rest.isEmpty, rest.utf8.allSatisfy({ (48...57).contains($0) }),
            let port = UInt16(rest)
        else { return nil }
        self.host = String(host)
        self.port = port
    }

    /// As it stands in a URL.
    var inURL: String { host.contains(":") ? "[\(host)]" : host }

    /// A socket that listens here.
    ///
    /// - Returns: The socket and its port.
    func listen() throws(ServerError) -> (socket: Int32, port: UInt16) {
        var hints = unsafe addrinfo()
        #if canImport(Darwin)
        unsafe hints.ai_socktype = SOCK_STREAM
        #else
        unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        unsafe hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = unsafe getaddrinfo(host, String(port), &hints, &found)
        guard code == 0, let first = unsafe found else {
            throw ServerError("\(host) is no address of this machine")
        }
        defer { unsafe freeaddrinfo(first) }
        let socket = unsafe socket(
            first.pointee.ai_family, first.pointee.ai_socktype, first.pointee.ai_protocol)
        var one: Int32 = 1
        _ = unsafe setsockopt(
            socket, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
        _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
        guard socket >= 0,
            unsafe bind(socket, first.pointee.ai_addr, first.pointee.ai_addrlen) == 0,
            Self.listen(socket) == 0
        else {
            let reason = SystemText.message(errno)
            if socket >= 0 { close(socket) }
            throw ServerError("cannot listen at \(inURL):\(port): \(reason)")
        }
        return (socket, Self.port(of: socket))
    }

    private static func listen(_ socket: Int32) -> Int32 {
        #if canImport(Darwin)
        Darwin.listen(socket, 1024)
        #else
        Glibc.listen(socket, 1024)
        #endif
    }

    private static func port(of socket: Int32) -> UInt16 {
        var storage = sockaddr_storage()
        var count = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = unsafe getsockname(socket, $0, &count)
            }
            // IPv4 and IPv6 have the port in the same place.
            return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                UInt16(bigEndian: unsafe $0.pointee.sin_port)
            }
        }
    }
}

/// Why a server does not run.
package struct ServerError: Error, CustomStringConvertible {
    /// What is wrong.
    package let description: String

    init(_ description: String) { self.description = description }
}
