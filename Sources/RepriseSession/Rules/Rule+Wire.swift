extension Rule {
    /// A status that says failure.
    public static let httpH1 = Rule(
        "http.H1", .error, "the server answered with a failure or a redirect",
        "A status of 300 or above that the protocol does not declare for this request: what was "
            + "asked for did not come. Redirects are not followed; a credential would go with them.",
        source: "RFC 9110 sections 15.4 to 15.6")
    /// A body that is not whole.
    public static let httpH2 = Rule(
        "http.H2", .error, "the body is not whole",
        "It is shorter than its Content-Length, or its chunked coding does not end: what is "
            + "missing is unknown, and a client must not take it for complete.",
        source: "RFC 9112 section 8")
    /// Another content type than a stream's.
    public static let httpH3 = Rule(
        "http.H3", .error, "a stream was expected and something else came",
        "The request asks for an event stream; an answer of another content type cannot be read "
            + "as one.",
        source: "WHATWG HTML section 9.2.3")
    /// A content coding that does not decode.
    public static let httpH4 = Rule(
        "http.H4", .error, "the compressed body is damaged",
        "It does not decode, ends before its coding does, or has bytes after its end.",
        source: "RFC 9110 section 8.4.1, RFC 1950, RFC 1952")
    /// A content coding that is not known.
    public static let httpH5 = Rule(
        "http.H5", .error, "the content coding is not supported",
        "The server chose a coding that was not asked for; what the body says is unknown here.",
        source: "RFC 9110 section 8.4")
    /// Events kept together that were sent apart.
    public static let httpH6 = Rule(
        "http.H6", .warning, "the stream is held back",
        "Events come in a few large reads with long waits before them. Something between the "
            + "server and the app (a proxy, a compressor without flushes) collects them, so that "
            + "the user waits for nothing. Reported for 16 events or more, on average at least "
            + "eight in a read and half a second before each.",
        source: "RFC 9112 section 7.1; the report's definitions")
}

extension Rule {
    /// A stream that ends inside an event.
    public static let sseS1 = Rule(
        "sse.S1", .warning, "the last event is not ended by a blank line",
        "The standard discards such an event; clients that do not will see another stream.",
        source: "WHATWG HTML section 9.2.6")
    /// Bytes that are not UTF-8.
    public static let sseS2 = Rule(
        "sse.S2", .error, "the stream is not UTF-8",
        "An event stream is UTF-8 whatever its content type says; other bytes read as U+FFFD.",
        source: "WHATWG HTML section 9.2.6")
    /// A byte order mark inside the stream.
    public static let sseS3 = Rule(
        "sse.S3", .warning, "a byte order mark stands inside the stream",
        "Only one at the very start is dropped. Any other becomes a part of the field's name, and "
            + "the line is ignored.",
        source: "WHATWG HTML section 9.2.5")
    /// A field value that is ignored.
    public static let sseS4 = Rule(
        "sse.S4", .warning, "an id with a NUL, or a retry that is not digits",
        "The standard ignores such a field.",
        source: "WHATWG HTML section 9.2.6")
    /// An event that says nothing.
    public static let sseS5 = Rule(
        "sse.S5", .info, "a comment sent as data, or an event without data",
        "A comment begins with a colon at the start of the line; behind `data:` it reaches the "
            + "app. An event without data is not dispatched.",
        source: "WHATWG HTML section 9.2.6")
    /// Line ends of several kinds.
    public static let sseS6 = Rule(
        "sse.S6", .info, "lines are ended in more than one way",
        "The standard allows CR, LF and CRLF, also mixed; simple clients look for one of them.",
        source: "WHATWG HTML section 9.2.5")
}

extension Rule {
    /// Text that is not JSON.
    public static let jsonJ1 = Rule(
        "json.J1", .error, "not JSON where JSON is expected",
        "The data cannot be read; most clients skip it or fail.",
        source: "RFC 8259")
    /// A field that cannot be read.
    public static let jsonJ2 = Rule(
        "json.J2", .error, "a field is missing, null or of the wrong type",
        "The vendor's documentation declares another type, and typed clients fail on it.",
        source: "the vendor's documentation of the event")
    /// An event that is not known.
    public static let jsonJ3 = Rule(
        "json.J3", .info, "an unknown type of event",
        "Nothing in the vendor's documentation names it; clients pass over it.",
        source: "the vendor's documentation of the stream")
    /// A key that comes twice.
    public static let jsonJ4 = Rule(
        "json.J4", .warning, "an object has the same key twice",
        "Readers differ on which value holds; here the last one does.",
        source: "RFC 8259 section 4")
    /// Half a character.
    public static let jsonJ5 = Rule(
        "json.J5", .warning, "a surrogate escape without its partner",
        "It is no character: readers put U+FFFD in its place or fail. Servers cause it by cutting "
            + "text between two UTF-16 units.",
        source: "RFC 8259 section 8.2")
}
