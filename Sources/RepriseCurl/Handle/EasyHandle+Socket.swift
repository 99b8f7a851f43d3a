internal import CCurl

/// Room for one read, kept for all.
@safe final class ReadBuffer {
    /// More than a record of TLS and than what the system gives at once for a message.
    static let capacity = 64 << 10
    fileprivate let start: UnsafeMutableRawPointer

    init() { unsafe start = .allocate(byteCount: Self.capacity, alignment: 16) }

    deinit { unsafe start.deallocate() }
}

/// Bytes on the connection of a transfer that libcurl only connected.
extension EasyHandle {
    enum Reading {
        case bytes([UInt8])
        /// Nothing now.
        case later
        /// The peer sends no more.
        case end
        case failure(CURLcode)
    }

    enum Writing {
        case bytes(Int)
        /// No room now; the same bytes must be tried again.
        case later
        case failure(CURLcode)
    }

    /// The connection's socket; nil where there is none.
    var socket: Int32? {
        var socket = CURL_SOCKET_BAD
        guard unsafe reprise_curl_get_socket(pointer, &socket) == CURLE_OK,
            socket != CURL_SOCKET_BAD
        else { return nil }
        return socket
    }

    func read(into buffer: ReadBuffer) -> Reading {
        var count = 0
        let code = unsafe curl_easy_recv(pointer, buffer.start, ReadBuffer.capacity, &count)
        switch code {
        case CURLE_OK where count == 0: return .end
        case CURLE_OK:
            return .bytes(
                unsafe Array(UnsafeRawBufferPointer(start: buffer.start, count: count)))
        case CURLE_AGAIN: return .later
        default: return .failure(code)
        }
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Writing {
        var count = 0
        switch unsafe curl_easy_send(pointer, bytes.baseAddress, bytes.count, &count) {
        case CURLE_OK: return .bytes(count)
        case CURLE_AGAIN: return .later
        case let code: return .failure(code)
        }
    }
}
