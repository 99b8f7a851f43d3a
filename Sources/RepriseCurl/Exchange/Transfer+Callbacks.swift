internal import CCurl

extension Transfer {
    /// Makes libcurl call this transfer, which must outlive the handle's use.
    func setCallbacks() {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let options = [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_DEBUGDATA, CURLOPT_PREREQDATA,
        ]
        for option in options { unsafe easy.set(option, context) }
        unsafe easy.note(reprise_curl_set_open(easy.pointer))
        unsafe easy.note(reprise_curl_set_write(easy.pointer, onBody))
        unsafe easy.note(reprise_curl_set_header(easy.pointer, onLine))
        unsafe easy.note(reprise_curl_set_debug(easy.pointer, onDebug))
        unsafe easy.note(reprise_curl_set_prerequest(easy.pointer, onPrerequest))
    }
}

private func transfer(_ context: UnsafeMutableRawPointer?) -> Transfer? {
    guard let context = unsafe context else { return nil }
    return unsafe Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
}

private func bytes(_ start: UnsafeMutablePointer<CChar>?, _ count: Int) -> [UInt8] {
    unsafe Array(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : count))
}

private func onBody(
    _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context) else { return 0 }
    // libcurl writes nothing where it writes no bytes (an empty last piece).
    if size * count > 0 { unsafe transfer.didReceive(body: bytes(start, size * count)) }
    return size * count
}

private func onLine(
    _ start: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int,
    _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let transfer = unsafe transfer(context) else { return 0 }
    return unsafe transfer.didReceive(line: bytes(start, size * count)) ? size * count : 0
}

private func onDebug(
    _ handle: OpaquePointer?, _ kind: curl_infotype, _ start: UnsafeMutablePointer<CChar>?,
    _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int32 {
    guard let transfer = unsafe transfer(context) else { return 0 }
    switch kind {
    case CURLINFO_HEADER_OUT, CURLINFO_DATA_OUT: unsafe transfer.didSend(bytes(start, count))
    case CURLINFO_DATA_IN: unsafe transfer.didRead(bytes(start, count))
    // An alert is two bytes, level and description (RFC 8446 section 6); 1, 0 is close_notify.
    case CURLINFO_SSL_DATA_IN where count == 2:
        if unsafe bytes(start, count) == [1, 0] { transfer.didCloseTLS() }
    default: break
    }
    return 0
}

private func onPrerequest(
    _ context: UnsafeMutableRawPointer?, _ peer: UnsafeMutablePointer<CChar>?,
    _ local: UnsafeMutablePointer<CChar>?, _ peerPort: Int32, _ localPort: Int32
) -> Int32 {
    let mayRequest = unsafe transfer(context)?.mayRequest() ?? false
    return mayRequest ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
}
