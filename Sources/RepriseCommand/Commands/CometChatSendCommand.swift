internal import CometChatKit

/// `reprise cometchat send`
struct CometChatSendCommand: Command {
    static let help = CommandHelp(
        name: "cometchat send",
        abstract: "Send a message to a CometChat agent, show its run as it comes, and record both",
        discussion: [
            "The text goes to standard output as it streams, what tools and cards do to standard "
                + "error. It ends when the run and the messages that the service keeps of it are "
                + "in, or says that they did not come. Ctrl-C stops it; the tape is sealed all "
                + "the same."
        ],
        positionals: [MessageArgument.positional],
        options: CometChatLive.options + [
            .value("--agent", "UID", required: true, "The agent."),
            CometChatLive.messagesTimeout,
        ],
        examples: [
            (
                "reprise cometchat send --base-url https://app1.apiclient-us.cometchat.io/v3.0 "
                    + "--socket-url wss://app1.websocket-us.cometchat.io --app-id app1 "
                    + "--auth-token-env COMETCHAT_TOKEN --agent helper How do I reset it?",
                "Asks the agent helper as the user whose token is in COMETCHAT_TOKEN."
            )
        ])

    private let live: CometChatLive
    private let agent: String
    private let text: String

    init(_ arguments: ParsedArguments) throws {
        live = try CometChatLive(arguments)
        agent = try arguments.required("--agent", "the agent's id")
        text = try MessageArgument.text(arguments.positionals)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let (agent, text) = (agent, text)
        try await live.record(terminal) { session in
            let screen = CometChatRunScreen(terminal)
            defer { screen.endLine() }
            screen.finish(try await session.send(text, to: agent, onUpdate: screen.show))
        }
        return .success
    }
}
