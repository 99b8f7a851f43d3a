/// Something that goes wrong in an exchange, at a place, the same each time.
///
/// In words, as on a command line, e.g. `cut@event:3`; see ``init(_:)``.
public struct Fault: Sendable, Hashable {
    /// How a connection ends.
    public enum Ending: String, Sendable, Hashable, CaseIterable {
        /// By a RST: what follows is lost.
        case reset
        /// By a FIN, so that a body which only the connection's end delimits looks whole.
        case fin
    }

    /// What goes wrong.
    public enum Kind: Sendable, Hashable {
        /// The connection ends behind the place.
        case cut(Ending)
        /// Nothing comes behind the place for that many nanoseconds; nil for ever, which is until
        /// the request's limit of silence, or a day where it has none.
        case stall(Int64?)
        /// What is at the place comes twice.
        case duplicate
        /// What is at the place comes behind what follows it.
        case reorder
        /// A byte at the place is another: all of its bits are the opposite.
        case corrupt
        /// The request is not passed on, and answered with that status and a body of text; so the
        /// next one that it does not answer gets what this one would have. Without a number in its
        /// target it answers every one.
        case status(Int, body: String)
        /// Everything behind the place comes that many nanoseconds later than what is before it
        /// made it, delivery by delivery.
        case delay(Int64)
        /// From the place on, everything takes that many times as long.
        case slow(Double)
    }

    /// Where in an exchange.
    public enum Place: Sendable, Hashable {
        /// At the beginning of the body, or of the frames.
        case start
        /// The nth server-sent event, or message of the server on a WebSocket, from 1. What comes
        /// behind a place comes behind the whole event; behind 0 is the start.
        case event(Int)
        /// That many bytes into the body as it is on the wire, still coded, or into the frames of
        /// a server with their heads. Inside a frame, a cut lets its first bytes through, which no
        /// reader gets; anything else is before the frame.
        case byte(Int)
        /// That many nanoseconds after the request.
        case time(Int64)
    }

    /// In which exchanges.
    public struct Target: Sendable, Hashable {
        /// Only in the nth of those that fit the rest, from 1; nil for each.
        public var exchange: Int?
        /// Only for that method.
        public var method: String?
        /// Only for that path of a URL; `*` stands for any characters.
        public var path: String?

        /// A target; by default every exchange.
        public init(exchange: Int? = nil, method: String? = nil, path: String? = nil) {
            self.exchange = exchange
            self.method = method
            self.path = path
        }
    }

    /// What goes wrong.
    public var kind: Kind
    /// Where; without meaning for a status.
    public var place: Place
    /// In which exchanges.
    public var target: Target

    /// A fault; by default at the start of every exchange.
    public init(_ kind: Kind, at place: Place = .start, in target: Target = Target()) {
        self.kind = kind
        self.place = place
        self.target = target
    }
}

extension Fault.Target {
    /// Whether it may be the target, whichever number it has.
    package func fits(method: String, path: String) -> Bool {
        if let wanted = self.method, wanted != method { return false }
        guard let pattern = self.path else { return true }
        return Fault.Target.matches(Array(path.utf8)[...], Array(pattern.utf8)[...])
    }

    private static func matches(_ text: ArraySlice<UInt8>, _ pattern: ArraySlice<UInt8>) -> Bool {
        // Greedy with one way back: a later star makes the ones before it irrelevant.
        var (text, pattern) = (text, pattern)
        var back: (text: ArraySlice<UInt8>, pattern: ArraySlice<UInt8>)?
        while true {
            if pattern.first == UInt8(ascii: "*") {
                pattern = pattern.dropFirst()
                back = (text, pattern)
            } else if let byte = text.first, byte == pattern.first {
                text = text.dropFirst()
                pattern = pattern.dropFirst()
            } else if text.isEmpty && pattern.isEmpty {
                return true
            } else if let (rest, star) = back, !rest.isEmpty {
                (text, pattern) = (rest.dropFirst(), star)
                back = (text, pattern)
            } else {
                return false
            }
        }
    }
}
