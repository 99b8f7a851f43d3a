public import RepriseWire

/// What the data of one stream event is.
public enum AgoStreamItem: Sendable, Hashable {
    /// The word `heartbeat`; the service's other heartbeat is a comment of the stream.
    case heartbeat
    /// A chunk.
    case chunk(AgoChunk)
    /// Not JSON; the samples of the service's own kits pass over it.
    case notJSON(JSON.ParseError)
    /// JSON, but not an object.
    case notObject

    /// Reads the data of an event.
    public init(data: String) {
        if data == "heartbeat" {
            self = .heartbeat
            return
        }
        do {
            let document = try JSON.parse(Array(data.utf8))
            self = AgoChunk(document).map { .chunk($0) } ?? .notObject
        } catch {
            self = .notJSON(error)
        }
    }
}
