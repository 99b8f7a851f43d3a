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

    init(_ part: Part, _ description: String, at place: RequestPlace? = nil) {
        self.place = place
        self.part = part
        self.description = description
    }
}
