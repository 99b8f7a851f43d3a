internal import CCurl

extension SocketLink {
    /// Makes libcurl call this link, which must outlive the handle's use.
    func setCallbacks() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe easy.set(CURLOPT_DEBUGDATA, context)
        unsafe easy.note(reprise_curl_set_open(easy.pointer))
        unsafe easy.note(reprise_curl_set_debug(easy.pointer, onDebug))
        // Whatever a proxy says is for nobody; unset, it would go to standard output.
        unsafe easy.note(reprise_curl_set_write(easy.pointer, onBytes))
        unsafe easy.note(reprise_curl_set_header(easy.pointer, onBytes))
    }
}

private func onBytes(
    _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int { size * count }

private func onDebug(
    _ handle: OpaquePointer?, _ kind: curl_infotype, _ start: UnsafeMutablePointer<CChar>?,
    _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard kind == CURLINFO_SSL_DATA_IN, count == 2, let start = unsafe start,
        let context = unsafe context
    else { return 0 }
    // An alert is two bytes, level and description (RFC 8446 section 6); 1, 0 is close_notify.
    if unsafe start[0] == 1, unsafe start[1] == 0 {
        unsafe Unmanaged<SocketLink>.fromOpaque(context).takeUnretainedValue().didCloseTLS()
    }
    return 0
}
