public import RepriseTransport

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A failure that the client finds by itself.
public enum ChatError: CodedError, LocalizedError, Sendable, Hashable {
    /// The reply has nothing in it, or asks for tools and names no conversation.
    case noContent
    /// The reply cannot be read; what is wrong with it, without any of its content.
    case decodingFailed(String)
    /// No request can be made of the client's settings and the operation's arguments; why.
    case invalidURL(String)
    /// The agent went on asking for tools.
    case toolLoopLimitExceeded(limit: Int)
    /// The installation's device id cannot be read or kept; why and what to do.
    case deviceIdUnavailable(String)

    /// A stable dotted name.
    public var errorCode: String {
        switch self {
        case .noContent: "chatbase.noContent"
        case .decodingFailed: "chatbase.decodingFailed"
        case .invalidURL: "chatbase.invalidURL"
        case .toolLoopLimitExceeded: "chatbase.toolLoopLimitExceeded"
        case .deviceIdUnavailable: "chatbase.deviceIdUnavailable"
        }
    }

    /// What happened and what to do.
    public var message: String {
        switch self {
        case .noContent: "the service answered with nothing that can be used"
        case .decodingFailed(let why): "the service's reply cannot be read: \(why)"
        case .invalidURL(let why): "no request can be made: \(why)"
        case .toolLoopLimitExceeded(let limit):
            "the agent still asks for tools after \(limit) streams; raise maxToolLoopSteps if it "
                + "is meant to"
        case .deviceIdUnavailable(let why): why
        }
    }

    /// The message.
    public var errorDescription: String? { message }
}
