internal import CMicrohttpd
internal import RepriseWire

/// A response that libmicrohttpd writes, asking the visit for each piece.
@safe struct DaemonResponse: ~Copyable {
    private let handle: OpaquePointer
    private let status: UInt32

    /// A response with the given head; nil where libmicrohttpd refuses a field of it.
    init?(_ response: ServedResponse, reader: Visit) {
        guard let head = response.head else { return nil }
        var size = reprise_mhd_size_unknown()
        if case .length(let count) = response.framing { size = UInt64(count) }
        let block = response.pieces.reduce(1024) { max($0, $1.bytes.count) }
        let context = unsafe Unmanaged.passRetained(reader).toOpaque()
        guard
            let handle = unsafe MHD_create_response_from_callback(
                size, min(block, 16 << 20), readBody, context, releaseReader)
        else {
            unsafe Unmanaged<Visit>.fromOpaque(context).release()
            return nil
        }
        var flags: MHD_ResponseFlags = []
        if response.framing == .close { flags.formUnion(.RF_HTTP_1_0_COMPATIBLE_STRICT) }
        if head.isHTTP10 {
            flags.formUnion([.RF_HTTP_1_0_COMPATIBLE_STRICT, .RF_HTTP_1_0_SERVER])
        }
        _ = unsafe reprise_mhd_set_flags(handle, flags)
        guard unsafe Self.add(head.headers, to: handle, framing: response.framing),
            unsafe Self.add(response.trailers, to: handle)
        else {
            unsafe MHD_destroy_response(handle)
            return nil
        }
        unsafe self.handle = handle
        status = UInt32(clamping: head.status)
    }

    deinit { unsafe MHD_destroy_response(handle) }

    func queue(on connection: OpaquePointer) -> MHD_Result {
        unsafe MHD_queue_response(connection, status, handle)
    }

    /// The fields in order. `Connection`, but for a `close`, and `Content-Length` are
    /// libmicrohttpd's.
    private static func add(
        _ headers: Headers, to handle: OpaquePointer, framing: ServedResponse.Framing
    ) -> Bool {
        for field in headers.fields {
            var value = field.value
            switch field.name.description.lowercased() {
            case "connection":
                guard value.description.lowercased().contains("close") else { continue }
                value = "close"
            case "transfer-encoding" where framing != .chunked: continue
            // Written behind the other fields.
            case "content-length": continue
            default: break
            }
            guard unsafe call(MHD_add_response_header, handle, field.name, value) else {
                return false
            }
        }
        return true
    }

    private static func add(_ trailers: Headers, to handle: OpaquePointer) -> Bool {
        trailers.fields.allSatisfy { field in
            unsafe call(MHD_add_response_footer, handle, field.name, field.value)
        }
    }

    private typealias Add = (OpaquePointer?, UnsafePointer<CChar>?, UnsafePointer<CChar>?) ->
        MHD_Result

    private static func call(
        _ add: Add, _ handle: OpaquePointer, _ name: WireText, _ value: WireText
    ) -> Bool {
        // A zero ends a text of C.
        if name.bytes.contains(0) || value.bytes.contains(0) { return false }
        let name = name.bytes.map { CChar(bitPattern: $0) } + [0]
        let value = value.bytes.map { CChar(bitPattern: $0) } + [0]
        return unsafe add(handle, name, value) == .YES
    }
}

private func readBody(
    _ context: UnsafeMutableRawPointer?, _ position: UInt64, _ buffer: UnsafeMutablePointer<CChar>?,
    _ limit: Int
) -> Int {
    guard let context = unsafe context else { return reprise_mhd_end_with_error() }
    let visit = unsafe Unmanaged<Visit>.fromOpaque(context).takeUnretainedValue()
    return unsafe visit.read(
        into: UnsafeMutableRawBufferPointer(start: buffer, count: max(0, limit)))
}

private func releaseReader(_ context: UnsafeMutableRawPointer?) {
    guard let context = unsafe context else { return }
    unsafe Unmanaged<Visit>.fromOpaque(context).release()
}
