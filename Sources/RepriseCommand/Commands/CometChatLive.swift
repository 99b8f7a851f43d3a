internal import CometChatKit
internal import RepriseTransport

/// What the commands of `reprise cometchat` share: who asks, beside what every live session has.
struct CometChatLive: Sendable {
    private let live: LiveSession
    private let appId: String
    private let socketURL: String
    private let token: String
    private let messagesLimit: Int64?

    static let options: [CommandHelp.Option] =
        LiveSession.options + [
            .value("--socket-url", "URL", required: true, "Where the service's WebSocket is."),
            .value("--app-id", "ID", required: true, "The app."),
            .value(
                "--auth-token-env", "VAR", required: true,
                "Log in with the token in that environment variable. A token is not taken from "
                    + "the command line, where others can see it."),
        ] + LiveTape.options

    /// What the command that waits for a run has beside them.
    static let messagesTimeout = CommandHelp.Option.value(
        "--messages-timeout", "SECONDS",
        "How long the persisted messages of a run that finished may take; 10 by default.")

    init(_ arguments: ParsedArguments) throws(UsageError) {
        live = try LiveSession(arguments)
        socketURL = try arguments.required("--socket-url", "where the service's WebSocket is")
        if let fault = BaseURL.fault(in: socketURL, schemes: ["ws://", "wss://"]) {
            throw UsageError("--socket-url \(fault)")
        }
        appId = try arguments.required("--app-id", "the app")
        guard let token = try Credential.value(of: "--auth-token-env", arguments) else {
            throw UsageError("who asks? give --auth-token-env VAR")
        }
        self.token = token
        messagesLimit = try arguments.value(
            "--messages-timeout", "a number of seconds", LiveSession.seconds)
    }

    /// Runs `body` with a session that is logged in and recorded, logs out, and seals the tape
    /// whatever happens.
    func record<Value: Sendable>(
        _ terminal: Terminal, _ body: @escaping @Sendable (CometChatSession) async throws -> Value
    ) async throws -> Value {
        try await live.record(terminal, text: Self.text) { connection in
            let session = session(connection)
            try await session.login(authToken: token)
            do {
                let value = try await body(session)
                try await session.logout()
                return value
            } catch {
                // The tape of a run that went wrong is to end in order, too.
                if !Task.isCancelled { try? await session.logout() }
                throw error
            }
        }
    }

    private func session(_ connection: LiveSession.Connection) -> CometChatSession {
        var options = CometChatOptions(timeouts: connection.timeouts)
        options.runSilence = connection.timeouts.idle ?? options.runSilence
        options.messagesLimit = messagesLimit ?? options.messagesLimit
        return CometChatSession(
            appId: appId,
            settings: AppSettings(baseURL: connection.baseURL, socketURL: socketURL),
            transport: connection.transport, options: options)
    }

    private static func text(_ error: any Error) -> String? {
        if error is CancellationError { return "the operation was cancelled" }
        guard let error = error as? CometChatException else { return nil }
        return LiveSession.text(
            error.message, words: error.serverMessage, retryAfter: error.retryAfter)
    }
}
