internal import RepriseSupport

/// What a test may do that would fail it otherwise.
public struct TapeAllowance: Sendable, Hashable {
    enum Kind: Sendable { case unconsumed, unread, unsent, foreignWakes, damaged }

    let kind: Kind
    /// The URL's path, a `*` at its end for any that begin so; nil for every one.
    let path: String?

    /// It need not ask for recorded exchanges.
    ///
    /// - Parameter path: The URL's path, e.g. `/api/sdk/chat`, or what it begins with and a `*`;
    ///   nil for every one.
    public static func unconsumed(path: String? = nil) -> TapeAllowance {
        TapeAllowance(kind: .unconsumed, path: path)
    }

    /// It need not read bodies, or what a WebSocket's server sent, to the end.
    public static func unread(path: String? = nil) -> TapeAllowance {
        TapeAllowance(kind: .unread, path: path)
    }

    /// It need not send everything that was sent on a WebSocket.
    public static func unsent(path: String? = nil) -> TapeAllowance {
        TapeAllowance(kind: .unsent, path: path)
    }

    /// Something beside the replay's time may take part, such as the main actor: the test may go
    /// otherwise the next time.
    public static let foreignWakes = TapeAllowance(kind: .foreignWakes, path: nil)

    /// The tape may be damaged, or have no end: what can be read of it is replayed.
    public static let damaged = TapeAllowance(kind: .damaged, path: nil)

    func covers(_ other: String) -> Bool {
        guard let path else { return true }
        if path.hasSuffix("*") { return other.hasPrefix(path.dropLast()) }
        return path == other
    }
}

extension [TapeAllowance] {
    func cover(_ kind: TapeAllowance.Kind, path: String = "") -> Bool {
        contains { $0.kind == kind && $0.covers(path) }
    }
}
