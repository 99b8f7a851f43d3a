internal import CCurl

/// A URL as libcurl reads it, in parts.
@safe final class CurlURL {
    private let handle: OpaquePointer

    /// nil where libcurl does not take it for a URL.
    init?(_ url: String, flags: Int32 = 0) {
        guard let handle = unsafe curl_url() else { return nil }
        unsafe self.handle = handle
        guard unsafe curl_url_set(handle, CURLUPART_URL, url, UInt32(flags)) == CURLUE_OK
        else { return nil }
    }

    deinit { unsafe curl_url_cleanup(handle) }

    /// A part as it is written in the URL; nil where there is none.
    func part(_ part: CURLUPart, flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, part, &text, UInt32(flags)) == CURLUE_OK,
            let text = unsafe text
        else { return nil }
        defer { unsafe curl_free(text) }
        return unsafe String(cString: text)
    }
}
