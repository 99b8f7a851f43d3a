internal import RepriseWire

/// A place in a request, or in a message of a WebSocket, whose value a test expects to change.
///
/// As a text: `json:$.messages[*].id`, `query:nonce`, `header:X-Request-Id`,
/// `path:/conversations/*/messages`, `part:file`.
public struct RequestPlace: Sendable, Hashable, CustomStringConvertible {
    enum Kind: Sendable, Hashable {
        case json(JSONPathPattern)
        case query(String)
        /// In lower case.
        case header(String)
        /// The pattern's segments.
        case path([String])
        case part(String)
        /// No place: why.
        case invalid(String)
    }

    let kind: Kind
    /// The place as a text.
    public let description: String

    private init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// The value at a path of a JSON body or message, with all that is in it.
    ///
    /// - Parameter path: As JSONPath writes it (RFC 9535): `$.messages[*].id`, `$..id`. What is not
    ///   written so is no place, which whoever matches tells: see ``problem``.
    public static func json(_ path: String) -> RequestPlace {
        let kind =
            JSONPathPattern(expression: path).map(Kind.json)
            ?? .invalid(
                "\"\(path)\" is no path into JSON: it begins with $, as in $.messages[*].id")
        return RequestPlace(kind, "json:\(path)")
    }

    /// The values of a parameter of the URL's query.
    public static func query(_ name: String) -> RequestPlace {
        RequestPlace(.query(name), "query:\(name)")
    }

    /// The values of a header field, in any case.
    public static func header(_ name: String) -> RequestPlace {
        RequestPlace(.header(name.lowercased()), "header:\(name)")
    }

    /// Segments of the URL's path.
    ///
    /// - Parameter pattern: A whole path, in which `*` stands for each segment that changes:
    ///   `/conversations/*/messages`.
    public static func path(_ pattern: String) -> RequestPlace {
        RequestPlace(.path(pattern.split(separator: "/").map(String.init)), "path:\(pattern)")
    }

    /// The content of a part of a multipart body, by its name (RFC 7578 section 4.2).
    public static func part(_ name: String) -> RequestPlace {
        RequestPlace(.part(name), "part:\(name)")
    }

    /// A place as a text, for command lines and settings.
    ///
    /// - Throws: ``RequestPlaceError`` for what is none.
    public init(_ text: String) throws(RequestPlaceError) {
        let kinds = "json:PATH, query:NAME, header:NAME, path:PATTERN or part:NAME"
        guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex else {
            throw RequestPlaceError("\"\(text)\" is no place in a request: it is \(kinds)")
        }
        let rest = String(text[text.index(after: colon)...])
        switch text[..<colon] {
        case "json": self = .json(rest)
        case "query": self = .query(rest)
        case "header": self = .header(rest)
        case "path": self = .path(rest)
        case "part": self = .part(rest)
        default: throw RequestPlaceError("\"\(text)\" is no place in a request: it is \(kinds)")
        }
        if let problem { throw RequestPlaceError(problem) }
    }

    /// The place as Swift code.
    var code: String {
        guard let colon = description.firstIndex(of: ":") else { return description }
        let text = String(description[description.index(after: colon)...])
        return ".\(description[..<colon])(\(JSON.string(text).serialized))"
    }

    /// Why it is no place; nil where it is one.
    public var problem: String? { if case .invalid(let why) = kind { why } else { nil } }
}

/// Why a text is no place in a request.
public struct RequestPlaceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong and what would be right.
    public let description: String

    init(_ description: String) { self.description = description }
}
