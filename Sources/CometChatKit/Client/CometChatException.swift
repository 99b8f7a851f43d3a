package import RepriseTape
public import RepriseTransport
import RepriseWire

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A failure of an operation: of the service, of the network, of a run, or of the call itself.
public struct CometChatException: CodedError, LocalizedError, Sendable, Hashable {
    /// What to switch on: the service's own code, e.g. `ERR_UID_NOT_FOUND`, where it answered with
    /// one; `cometchat.http.` and the status where it answered without; the name of the network's
    /// failure, e.g. `transport.reset`; or one of ``Code``.
    public var errorCode: String
    /// What happened and what to do.
    public var message: String
    /// What the service says about it, at most 200 characters, credentials masked.
    public var serverMessage: String?
    /// Which fields were wrong and why, as the service says it.
    public var details: [String: String]
    /// How many seconds the service asks to wait before the next request.
    public var retryAfter: Int?
    /// What came of the run, where the failure is a run's.
    public var run: AgentRun?

    /// The message, and what the service says.
    public var errorDescription: String? {
        guard let serverMessage, !serverMessage.isEmpty else { return message }
        return "\(message): \(serverMessage)"
    }

    /// The client's own codes.
    public enum Code: String, Sendable, CaseIterable {
        /// An operation that needs a user, before a login or behind a logout.
        case notLoggedIn = "cometchat.notLoggedIn"
        /// A login while a user is logged in.
        case loggedIn = "cometchat.loggedIn"
        /// A setting or an argument that no request can be made of.
        case badArgument = "cometchat.badArgument"
        /// An answer that cannot be read.
        case badReply = "cometchat.badReply"
        /// The service did not let the client's socket in.
        case authRefused = "cometchat.authRefused"
        /// The service did not answer within the limit who the client's socket is.
        case authTimeout = "cometchat.authTimeout"
        /// A ping was not answered within the limit.
        case pongMissing = "cometchat.pongMissing"
        /// The service closed the socket.
        case socketClosed = "cometchat.socketClosed"
        /// The socket was lost while the run went on: events of it are missing.
        case runCut = "cometchat.runCut"
        /// Nothing more came of a run that had not finished.
        case runTimeout = "cometchat.runTimeout"
        /// The run finished, and its persisted messages did not come.
        case messagesMissing = "cometchat.messagesMissing"
        /// Moderation holds the message back, so that no run follows.
        case disapproved = "cometchat.disapproved"
        /// `CometChat.init` was not called.
        case notInitialized = "cometchat.notInitialized"
    }

    /// A failure of the client's own.
    public init(_ code: Code, _ message: String, run: AgentRun? = nil) {
        self.init(errorCode: code.rawValue, message: message, run: run)
    }

    init(errorCode: String, message: String, run: AgentRun? = nil) {
        self.errorCode = errorCode
        self.message = message
        self.run = run
        details = [:]
    }
}

extension CometChatException {
    /// The failure that a response stands for; nil for a success.
    package init?(_ head: ResponseRecord, body: [UInt8], secrets: [String]) {
        guard !(200..<300).contains(head.status) else { return nil }
        let error = (try? JSON.parse(body))?.value["error"]
        let bounded = { (text: String) in ServiceText.bounded(text, without: secrets) }
        let code = error?["code"]?.string.flatMap(Self.name)
        self.init(
            errorCode: code ?? "cometchat.http.\(head.status)",
            message: "the service answered \(head.status)\(code.map { ": \($0)" } ?? "")")
        serverMessage = error?["message"]?.string.map(bounded)
        let members = error?["details"]?.object?.members ?? []
        details = Dictionary(
            members.map { (bounded($0.key), bounded(Self.words($0.value))) },
            uniquingKeysWith: { $1 })
        retryAfter = head.retryAfter
    }

    /// A service's code, which names something and is no text; nil for anything else.
    private static func name(_ text: String) -> String? {
        let isName = text.utf8.allSatisfy {
            (65...90).contains($0) || (97...122).contains($0) || (48...57).contains($0)
                || [45, 46, 95].contains($0)
        }
        return isName && (1...64).contains(text.utf8.count) ? text : nil
    }

    private static func words(_ value: JSON) -> String {
        value.string ?? value.array?.compactMap(\.string).joined(separator: " ") ?? ""
    }

    /// Any failure as one of the client, but for a cancellation, which stays one.
    static func wrapping(_ error: any Error) -> any Error {
        if error is CometChatException || error is CancellationError { return error }
        if case .transport(let inner)? = error as? WebSocketError { return wrapping(inner) }
        if (error as? TransportError)?.how == .cancelled { return CancellationError() }
        let failure = CallFailure(error)
        return CometChatException(errorCode: failure.code, message: failure.message)
    }
}
