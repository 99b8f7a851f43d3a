internal import CMicrohttpd

/// Reason phrases.
enum ReasonPhrase {
    /// The one that libmicrohttpd gives a status.
    static func usual(_ status: Int) -> String {
        guard let text = unsafe MHD_get_reason_phrase_for(UInt32(clamping: status)) else {
            return ""
        }
        return unsafe String(cString: text)
    }
}
