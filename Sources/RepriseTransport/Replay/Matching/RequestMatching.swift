/// When a request is the recorded one, and which recorded exchange may answer it.
///
/// By default, ``exact``, an app has to do just what it did. For code that has changed, that draws
/// ids of its own, or that knows nothing of the recording, there is ``flexible``, and what may
/// change can be declared:
///
/// ```swift
/// RequestMatching.exact.ignoring(.json("$.sentAt"), .query("nonce"))
/// RequestMatching.flexible.mapping(.json("$.message.id"), .path("/conversations/*"))
/// ```
///
/// Masked values are as good as any other, whatever the matching.
public struct RequestMatching: Sendable, Hashable {
    /// Which recorded exchange may answer.
    public enum Order: String, Sendable, Hashable, CaseIterable {
        /// The next one of the operation that makes the request, of the whole session where no
        /// operations were recorded.
        case recorded
        /// The first one that is left whose request it is: different requests may come in any
        /// order, of equal ones the first recorded answers first.
        case free
    }

    /// How bodies, queries and messages are compared.
    public enum Values: String, Sendable, Hashable, CaseIterable {
        /// As they were written.
        case written
        /// By what they mean: the members of a JSON object and the parameters of a query in any
        /// order, numbers by their values, multipart bodies part by part.
        case meant
    }

    /// Which header fields are compared.
    public enum Fields: Sendable, Hashable {
        /// All that the client set: names in their case and order, and values.
        case all
        /// `Content-Type` and `Accept` by their media types, where the recording has them, and the
        /// values of these.
        case only([String])
    }

    /// Which recorded exchange may answer.
    public var order: Order
    /// How bodies, queries and messages are compared.
    public var values: Values
    /// Which header fields are compared.
    public var fields: Fields
    /// Whether the scheme, host and port are compared.
    public var comparesOrigin: Bool
    /// Where anything, or nothing, may stand.
    public private(set) var volatile: [RequestPlace] = []
    /// Where an id stands that the app makes anew.
    public private(set) var identifiers: [RequestPlace] = []
    /// Whether what the recorded client drew at random is an identifier wherever it stands.
    var mapsDrawn: Bool

    private init(
        _ order: Order, _ values: Values, _ fields: Fields, comparesOrigin: Bool, mapsDrawn: Bool
    ) {
        self.order = order
        self.values = values
        self.fields = fields
        self.comparesOrigin = comparesOrigin
        self.mapsDrawn = mapsDrawn
    }

    /// All as it was, in the order in which it was.
    public static let exact = RequestMatching(
        .recorded, .written, .all, comparesOrigin: true, mapsDrawn: false)

    /// The same requests by what they mean, to any host, in any order, with any header fields
    /// beside `Content-Type` and `Accept`. Ids that the recorded client is known to have drawn at
    /// random may be others, as at places of ``mapping(_:)-(RequestPlace...)``.
    public static let flexible = RequestMatching(
        .free, .meant, .only([]), comparesOrigin: false, mapsDrawn: true)

    /// The same matching, but that anything, or nothing, may stand at these places too.
    public func ignoring(_ places: RequestPlace...) -> RequestMatching { ignoring(places) }

    /// As ``ignoring(_:)-(RequestPlace...)``.
    public func ignoring(_ places: [RequestPlace]) -> RequestMatching {
        var matching = self
        matching.volatile += places
        return matching
    }

    /// The same matching, but that ids may stand at these places that the app makes anew.
    ///
    /// An id of now stands for the recorded one from then on: it is the recorded one wherever it
    /// comes in later requests, no other id may stand for that, and in responses it comes in the
    /// recorded one's place. Ids that the service made come from the recording, and are sent back
    /// as they were.
    public func mapping(_ places: RequestPlace...) -> RequestMatching { mapping(places) }

    /// As ``mapping(_:)-(RequestPlace...)``.
    public func mapping(_ places: [RequestPlace]) -> RequestMatching {
        var matching = self
        matching.identifiers += places
        return matching
    }

    /// The same matching with another order.
    public func ordered(_ order: Order) -> RequestMatching {
        var matching = self
        matching.order = order
        return matching
    }

    /// The same matching, but that of the header fields only these are compared, beside
    /// `Content-Type` and `Accept`.
    public func comparing(fields names: String...) -> RequestMatching {
        var matching = self
        matching.fields = .only(names)
        return matching
    }

    /// What is wrong with the declared places, in words.
    public var problems: [String] { (volatile + identifiers).compactMap(\.problem) }
}
