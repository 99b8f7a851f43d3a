/// Where the bytes of a peer are cut into deliveries.
///
/// A network may cut anywhere, and a client must read the same. Cutting anew changes neither bytes
/// nor end. A piece has the time at which its last byte arrived.
public enum Cuts: Sendable, Hashable {
    /// As they came.
    case asRecorded
    /// Everything at once: a body when it ends, of a WebSocket all that comes before the client
    /// has to say something.
    case oneBlob
    /// Each byte by itself.
    case everyByte
    /// Besides those that were there, inside each character of several bytes (UTF-8).
    case insideCharacters
    /// Besides those that were there, before each CR and LF, so also between the two.
    case beforeLineEnds
    /// Besides those that were there, at each byte of the header and the trailer of a coding: gzip
    /// (RFC 1952 section 2.3) or zlib (RFC 1950 section 2.2).
    case insideCodingHeads
    /// Besides those that were there, at each byte of a WebSocket frame's head (RFC 6455
    /// section 5.2).
    case insideFrameHeads
    /// Anywhere, the same on each run and machine.
    case random(seed: UInt64)

    /// One of each kind.
    public static let all: [Cuts] = [
        .asRecorded, .oneBlob, .everyByte, .insideCharacters, .beforeLineEnds, .insideCodingHeads,
        .insideFrameHeads, .random(seed: 1),
    ]

    private static let names: [(name: String, cuts: Cuts)] = [
        ("recorded", .asRecorded), ("blob", .oneBlob), ("bytes", .everyByte),
        ("utf8", .insideCharacters), ("lines", .beforeLineEnds), ("gzip", .insideCodingHeads),
        ("websocket", .insideFrameHeads),
    ]
}

extension Cuts: LosslessStringConvertible {
    /// Cuts by their name on a command line: `recorded`, `blob`, `bytes`, `utf8`, `lines`, `gzip`,
    /// `websocket`, or `random:` and a number; nil for anything else.
    public init?(_ description: String) {
        if let found = Cuts.names.first(where: { $0.name == description }) {
            self = found.cuts
        } else if description.hasPrefix("random:"),
            let seed = UInt64(description.dropFirst("random:".count))
        {
            self = .random(seed: seed)
        } else {
            return nil
        }
    }

    /// The name.
    public var description: String {
        if case .random(let seed) = self { return "random:\(seed)" }
        return Cuts.names.first { $0.cuts == self }?.name ?? ""
    }
}
