/// One thing in which a request, or a message of a WebSocket, is not the recorded one.
public struct RequestDifference: Sendable, Hashable, CustomStringConvertible {
    /// Which thing.
    public enum Part: Sendable, Hashable {
        /// The method.
        case method
        /// A part of the URL: `scheme`, `host`, `path` or `query NAME`.
        case url(String)
        /// The header fields of that name.
        case header(String)
        /// The order of the header fields.
        case headerOrder
        /// A JSON body, or message, at that path, e.g. `$.messages[0].content`.
        case json(path: String)
        /// A part of a multipart body, by its name.
        case part(String)
        /// A body, or message, from that byte on.
        case body(offset: Int)
        /// A message of a WebSocket, of another kind or in another's place.
        case message
        /// A close frame's code or reason.
        case close
    }

    /// Which thing.
    public var part: Part
    /// What was recorded and what there is now, secrets masked, long values cut.
    public var description: String

    /// Where it is, to be declared where it may differ; nil for what cannot be declared.
    public var place: RequestPlace?

    /// Whether two ids seem to stand where it is.
    var looksLikeIdentifier = false

    /// Whether to declare its place would be sound: a path with other words is another path.
    var isDeclarable: Bool { place != nil && (part != .url("path") || looksLikeIdentifier) }

    init(
        _ part: Part, _ description: String, at place: RequestPlace? = nil,
        ids: (recorded: String, now: String)? = nil
    ) {
        self.place = place
        looksLikeIdentifier =
            ids.map { $0.recorded.looksLikeIdentifier && $0.now.looksLikeIdentifier } ?? false
        self.part = part
        self.description = description
    }
}

extension String {
    /// Whether it seems to be an id: one word with a digit in it.
    fileprivate var looksLikeIdentifier: Bool {
        !isEmpty && utf8.contains { (0x30...0x39).contains($0) }
            && utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
                    || (0x61...0x7A).contains(byte) || "-_.:".utf8.contains(byte)
            }
    }
}
