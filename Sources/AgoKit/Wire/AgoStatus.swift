/// Where a message is, as the stream's `status` says.
public enum AgoStatus: Sendable, Hashable {
    /// The answer is being made.
    case inProgress
    /// The answer's text is complete; a title and follow-up replies may still come.
    case done
    /// The service failed to make the answer.
    case error
    /// Declared by the service, of no public meaning.
    case todo
    /// The answer was stopped; what came of it stays.
    case canceled
    /// The turn is paused until the app submits the results of client functions.
    case waitingClient
    /// A status that this version does not know, as it was written.
    case unknown(String)

    /// The status that `text` names.
    public init(_ text: String) {
        self =
            switch text {
            case "IN_PROGRESS": .inProgress
            case "DONE": .done
            case "ERROR": .error
            case "TODO": .todo
            case "CANCELED": .canceled
            case "WAITING_CLIENT": .waitingClient
            default: .unknown(text)
            }
    }

    /// The text on the wire.
    public var text: String {
        switch self {
        case .inProgress: "IN_PROGRESS"
        case .done: "DONE"
        case .error: "ERROR"
        case .todo: "TODO"
        case .canceled: "CANCELED"
        case .waitingClient: "WAITING_CLIENT"
        case .unknown(let text): text
        }
    }

    /// Whether a stream may close after it: done, failed, canceled, or paused on the client.
    public var isTerminal: Bool {
        switch self {
        case .done, .error, .canceled, .waitingClient: true
        case .inProgress, .todo, .unknown: false
        }
    }
}

extension AgoStatus: Codable {
    /// Reads the text on the wire.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(String.self))
    }

    /// Writes the text on the wire.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}
