public import RepriseWire

/// What the data of one event of a reply's stream is.
public enum StreamItem: Sendable, Hashable {
    /// A part of the reply, of a known kind or not.
    case part(StreamPart)
    /// The word `[DONE]`, which ends the stream.
    case done
    /// JSON, but not an object with a type.
    case untyped
    /// Not JSON.
    case notJSON(JSON.ParseError)

    /// Reads the data of an event.
    ///
    /// - Parameters:
    ///   - data: The data.
    ///   - event: The event's name, which counts where the data has no type; nil for none.
    public init(data: String, event: String? = nil) {
        if data == "[DONE]" {
            self = .done
            return
        }
        do {
            let document = try JSON.parse(Array(data.utf8))
            self = StreamPart(document, event: event).map { .part($0) } ?? .untyped
        } catch {
            self = .notJSON(error)
        }
    }

    /// Reads an event of a stream.
    public init(_ event: SSEDecoder.Event) {
        // An event without a name has this one (WHATWG HTML section 9.2.6).
        self.init(data: event.data, event: event.type == "message" ? nil : event.type)
    }
}
