internal import ChatbaseKit
internal import RepriseTransport
internal import RepriseWire

/// What the commands of `reprise chatbase` share: who asks whom, beside what every live session has.
struct ChatbaseSession: Sendable {
    private let live: LiveSession
    private let agent: String
    private let token: String?
    private let chatbase: ChatbaseOptions
    private let steps: Int
    private let tools: [ToolCommand]

    static let options: [CommandHelp.Option] =
        LiveSession.options + [
            .value("--agent", "ID", required: true, "The agent."),
            .value(
                "--user-token-env", "VAR",
                "Sign in with the token in that environment variable. A token is not taken from "
                    + "the command line, where others can see it."),
            .value(
                "--device-id", "ID",
                "The device id; by default the one of this installation, made at first use."),
            .flag(
                "--strict",
                "Read replies as the service's iOS kit does, which gives up on more."),
        ] + LiveTape.options

    /// What the commands that make the agent answer have beside them.
    static let toolOptions: [CommandHelp.Option] = [
        ToolCommand.option,
        .value("--max-steps", "N", "How many streams an answer may take; by default 10."),
    ]

    init(_ arguments: ParsedArguments) throws {
        live = try LiveSession(arguments)
        agent = try arguments.required("--agent", "the agent's id")
        token = try Credential.value(of: "--user-token-env", arguments)
        var options = ChatbaseOptions(mode: arguments.has("--strict") ? .strict : .lenient)
        if let id = arguments.value("--device-id") { options.deviceId = .fixed(id) }
        chatbase = options
        tools = try ToolCommand.all(
            arguments, hiding: arguments.value("--user-token-env"))
        steps =
            try arguments.value("--max-steps", "a number from 1") { text in
                Int(text).flatMap { $0 > 0 ? $0 : nil }
            } ?? 10
    }

    /// Runs `body` with a client whose session is recorded, and seals the tape whatever happens.
    func record<Value: Sendable>(
        _ terminal: Terminal, _ body: @escaping @Sendable (ChatbaseClient) async throws -> Value
    ) async throws -> Value {
        try await live.record(terminal, text: Self.text) { connection in
            var options = chatbase
            options.timeouts = connection.timeouts
            let client = ChatbaseClient(
                agentId: agent, baseURL: connection.baseURL, transport: connection.transport,
                options: options, maxToolLoopSteps: steps)
            for tool in tools { client.tool(tool.name, handler: tool.handler) }
            if let token { try await client.identify(token: token) }
            return try await body(client)
        }
    }

    private static func text(_ error: any Error) -> String? {
        if error is CancellationError { return "the operation was cancelled" }
        guard let coded = error as? any CodedError else { return nil }
        guard case .httpError(_, let detail)? = error as? APIError else { return coded.message }
        return LiveSession.text(
            coded.message, words: detail.message, retryAfter: detail.retryAfter)
    }
}

extension ToolCommand {
    /// The command as a handler of the client.
    fileprivate var handler: ToolHandler {
        { input in JSONValue(try await run(JSON(input))) }
    }
}
