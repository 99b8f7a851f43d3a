internal import RepriseSupport
internal import RepriseTape
internal import RepriseWire

/// What is left of a recorded response's body that the app did not read to its end.
public struct UnreadBody: Sendable, Hashable, CustomStringConvertible {
    /// The recorded exchange.
    public var exchange: UInt64
    /// How many bytes were recorded and not read.
    public var unread: Int
    /// Whether the recorded app read that far: not where the recorder died, nor where the app
    /// stopped.
    public var wasNeeded: Bool
    /// The method of the request.
    public var method: String
    /// The path of the request's URL.
    public var path: String

    /// What is left, in words.
    public var description: String {
        "\(method) \(Shown.cut(path)): left over of the recorded exchange \(exchange): "
            + "\(Counted.text(unread, "byte")) of the body not read"
    }
}

/// How far a replayed body is read; it outlives the body.
final class BodyProgress: Sendable, CustomStringConvertible {
    private let unread: Locked<Int>
    private let recorded: Recording.Exchange

    init(_ events: [Recording.Event], of recorded: Recording.Exchange) {
        self.recorded = recorded
        unread = Locked(events.reduce(0) { $0 + $1.content.bodyCount })
    }

    func take(_ content: FrameContent) {
        let count = content.bodyCount
        if count > 0 { unread.withLock { $0 -= count } }
    }

    /// The exchange, in words.
    var description: String {
        "exchange \(recorded.id), \(recorded.request.method) \(Shown.cut(recorded.path))"
    }

    /// What is left; nil for nothing.
    var rest: UnreadBody? {
        let count = unread.withLock { $0 }
        if count <= 0 { return nil }
        let how = recorded.end?.how
        return UnreadBody(
            exchange: recorded.id, unread: count, wasNeeded: how != nil && how != .cancelled,
            method: recorded.request.method, path: recorded.path)
    }
}

extension Recording.Exchange {
    /// The path of the request's URL.
    package var path: String { URLForm(request.url.description).path }
}

extension FrameContent {
    fileprivate var bodyCount: Int {
        switch self {
        case .responseBody(let bytes), .decodedBody(let bytes): bytes.count
        default: 0
        }
    }
}
