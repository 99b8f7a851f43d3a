internal import CCurl

/// A libcurl transfer with the memory that it refers to.
///
/// Used on the reactor's thread alone; it must have left its multi handle when it is released.
@safe final class EasyHandle {
    let pointer: OpaquePointer
    private let errorText: UnsafeMutablePointer<CChar>
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
    /// The first option that libcurl refused.
    private(set) var failure: CURLcode?

    /// A transfer without options; nil where memory is out.
    init?() {
        guard let pointer = unsafe curl_easy_init() else { return nil }
        unsafe self.pointer = pointer
        unsafe errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        unsafe note(reprise_curl_set_pointer(pointer, CURLOPT_ERRORBUFFER, errorText))
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        while let list = unsafe lists.popLast() { unsafe curl_slist_free_all(list) }
        unsafe errorText.deallocate()
    }

    /// The handle as a key.
    var key: Int { unsafe Int(bitPattern: pointer) }

    /// What libcurl says of a failure; never empty.
    func message(for code: CURLcode) -> String {
        let text = unsafe String(cString: errorText)
        guard text.isEmpty || text.contains("@") || text.contains("://") else { return text }
        // Without the addresses, proxies included, that may hold credentials.
        guard let general = unsafe curl_easy_strerror(code) else { return "libcurl error" }
        return unsafe String(cString: general)
    }

    func set(_ option: CURLoption, _ value: Int) {
        note(unsafe reprise_curl_set_long(pointer, option, value))
    }

    func set(_ option: CURLoption, offset: Int64) {
        note(unsafe reprise_curl_set_offset(pointer, option, curl_off_t(offset)))
    }

    func set(_ option: CURLoption, _ value: String?) {
        note(unsafe reprise_curl_set_string(pointer, option, value))
    }

    func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer) {
        note(unsafe reprise_curl_set_pointer(self.pointer, option, pointer))
    }

    /// The request's body, which libcurl copies.
    func setBody(_ body: [UInt8]) {
        set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(body.count))
        if body.isEmpty { return set(CURLOPT_POSTFIELDS, "") }
        unsafe body.withUnsafeBytes { bytes in
            let start = bytes.baseAddress
            note(unsafe reprise_curl_set_pointer(pointer, CURLOPT_COPYPOSTFIELDS, start))
        }
    }

    /// A list of header lines, without line ends and NULs.
    func set(_ option: CURLoption, lines: [[UInt8]]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            let text = (line + [0]).map { CChar(bitPattern: $0) }
            guard let longer = unsafe curl_slist_append(list, text) else {
                note(CURLE_OUT_OF_MEMORY)
                break
            }
            unsafe list = longer
        }
        guard let list = unsafe list else { return }
        unsafe lists.append(list)
        note(unsafe reprise_curl_set_list(pointer, option, list))
    }

    func long(_ info: CURLINFO) -> Int {
        var value = 0
        return unsafe reprise_curl_get_long(pointer, info, &value) == CURLE_OK ? value : 0
    }

    func string(_ info: CURLINFO) -> String? {
        var value: UnsafeMutablePointer<CChar>?
        guard unsafe reprise_curl_get_string(pointer, info, &value) == CURLE_OK,
            let value = unsafe value
        else { return nil }
        return unsafe String(cString: value)
    }

    /// A time of the transfer in nanoseconds since its start; nil where it is zero.
    func time(_ info: CURLINFO) -> Int64? {
        var value: curl_off_t = 0
        guard unsafe reprise_curl_get_offset(pointer, info, &value) == CURLE_OK, value > 0
        else { return nil }
        return Int64(value) * 1_000
    }

    func note(_ code: CURLcode) {
        if code != CURLE_OK, failure == nil { failure = code }
    }
}
