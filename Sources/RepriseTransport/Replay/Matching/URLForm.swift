internal import RepriseTape
internal import RepriseWire

/// A URL in the parts that are compared (RFC 3986 section 3), nothing decoded or normalized. The
/// fragment never leaves a client and is dropped.
struct URLForm {
    private(set) var scheme = ""
    /// User information, host and port.
    private(set) var authority = ""
    private(set) var path = ""
    /// The query's pieces between `&`, as name and value; a piece without `=` has no value.
    private(set) var query: [(name: String, value: String?)]?

    /// A URL by its JSON text.
    ///
    /// - Parameter isMasked: Whether a run of stars is as long as any other.
    init(_ text: MaskedText, isMasked: Bool) {
        let url = (try? JSON.parse(text.bytes).value).flatMap { WireText(json: $0) } ?? ""
        self.init(isMasked ? URLForm.withShortStars(url.description) : url.description)
    }

    /// A URL.
    init(_ url: String) {
        var rest = Substring(url)
        if let fragment = rest.firstIndex(of: "#") { rest = rest[..<fragment] }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
                .split(separator: "&", omittingEmptySubsequences: false)
                .map(URLForm.piece)
            rest = rest[..<mark]
        }
        if let colon = rest.firstIndex(of: ":"), rest[colon...].hasPrefix("://") {
            scheme = String(rest[..<colon])
            rest = rest[colon...].dropFirst(3)
            let slash = rest.firstIndex(of: "/") ?? rest.endIndex
            authority = String(rest[..<slash])
            rest = rest[slash...]
        }
        // An empty path is sent as "/" (RFC 9112 section 3.2.1).
        path = rest.isEmpty ? "/" : String(rest)
    }

    private static func withShortStars(_ text: String) -> String {
        var short = ""
        for character in text where character != "*" || short.last != "*" {
            short.append(character)
        }
        return short
    }

    private static func piece(_ text: Substring) -> (name: String, value: String?) {
        guard let mark = text.firstIndex(of: "=") else { return (String(text), nil) }
        return (String(text[..<mark]), String(text[text.index(after: mark)...]))
    }
}
