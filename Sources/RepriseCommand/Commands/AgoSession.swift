internal import AgoKit
internal import RepriseTransport

/// What the commands of `reprise ago` share: who asks, beside what every live session has.
struct AgoSession: Sendable {
    private let live: LiveSession
    private let origin: String
    private let who: Who
    private let widgetId: String?
    private let stopsAtDone: Bool

    private enum Who: Sendable {
        case jwt(String)
        case widget(email: String?)
    }

    static let options: [CommandHelp.Option] =
        LiveSession.options + [
            .value(
                "--origin", "ORIGIN", required: true,
                "The app's origin, which the service must allow."),
            .value(
                "--jwt-env", "VAR",
                "Sign in with the token in that environment variable. A token is not taken from "
                    + "the command line, where others can see it. This or --widget is needed."),
            .flag("--widget", "Ask as an anonymous user of the widget."),
            .value("--email", "E-MAIL", "The anonymous user's address, with --widget."),
            .value(
                "--widget-id", "ID",
                "The anonymous id; by default the one of this installation, made at first use."),
        ] + LiveTape.options

    static let stopAtDone = CommandHelp.Option.flag(
        "--stop-at-done", "Leave the stream at DONE, before a title or follow-ups can come.")

    init(_ arguments: ParsedArguments) throws(UsageError) {
        live = try LiveSession(arguments)
        origin = try arguments.required("--origin", "the app's origin")
        let email = arguments.value("--email")
        switch (try Credential.value(of: "--jwt-env", arguments), arguments.has("--widget")) {
        case (let token?, false):
            if email != nil { throw UsageError("--email goes with --widget") }
            who = .jwt(token)
        case (nil, true): who = .widget(email: email)
        case (nil, false): throw UsageError("who asks? give --jwt-env VAR or --widget")
        case (_?, true): throw UsageError("--jwt-env and --widget exclude each other")
        }
        widgetId = arguments.value("--widget-id")
        stopsAtDone = arguments.has("--stop-at-done")
    }
}

extension AgoSession {
    /// Runs `body` with a client whose session is recorded, and seals the tape whatever happens.
    func record<Value: Sendable>(
        _ terminal: Terminal, _ body: @escaping @Sendable (any AgoChat) async throws -> Value
    ) async throws -> Value {
        try await live.record(terminal, text: Self.text) { try await body(try client($0)) }
    }

    private func client(_ connection: LiveSession.Connection) throws -> any AgoChat {
        let options = AgoOptions(stopsAtDone: stopsAtDone, timeouts: connection.timeouts)
        switch who {
        case .jwt(let token):
            return AgoChatSDK(
                authToken: token, widgetId: try widgetId ?? WidgetIdFile.standard.read(),
                origin: origin, baseURL: connection.baseURL, transport: connection.transport,
                options: options)
        case .widget(let email):
            if let widgetId {
                return AgoChatWidgetSDK(
                    widgetId: widgetId, origin: origin, userEmail: email,
                    baseURL: connection.baseURL, transport: connection.transport, options: options)
            }
            return AgoChatWidgetSDK(
                origin: origin, userEmail: email, baseURL: connection.baseURL,
                transport: connection.transport, options: options)
        }
    }

    private static func text(_ error: any Error) -> String? {
        guard let error = error as? AgoError else { return nil }
        return LiveSession.text(
            error.message, words: error.serverMessage ?? error.serverCode,
            retryAfter: error.retryAfter)
    }
}
