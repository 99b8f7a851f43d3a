internal import ChatbaseKit

/// `reprise chatbase send`
struct ChatbaseSendCommand: Command {
    static let help = CommandHelp(
        name: "chatbase send",
        abstract: "Send a message to a Chatbase agent, run its tools, and record all of it",
        discussion: [
            "The reply goes to standard output as it streams, and after it the message's and the "
                + "conversation's id; what tools are asked and answer goes to standard error. "
                + "Ctrl-C stops it; the tape is sealed all the same."
        ],
        positionals: [MessageArgument.positional],
        options: ChatbaseSession.options + [
            .value("--conversation", "ID", "The conversation to go on with; else one begins.")
        ] + ChatbaseSession.toolOptions,
        examples: [
            (
                "reprise chatbase send --base-url https://www.chatbase.co/api/sdk --agent a1 "
                    + "--tool 'get_weather=./weather.sh' How is it in Bern?",
                "Asks as this installation; ./weather.sh gets the input and prints the output."
            )
        ])

    private let session: ChatbaseSession
    private let message: MessageToSend

    init(_ arguments: ParsedArguments) throws {
        session = try ChatbaseSession(arguments)
        message = try MessageToSend(arguments, goingOnWith: "--conversation")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let message = message
        try await session.record(terminal) { client in
            let screen = ChatbaseAnswerScreen(terminal)
            defer { screen.endLine() }
            screen.finish(
                try await client.send(
                    message.text, conversationId: message.conversation,
                    configure: screen.show))
        }
        return .success
    }
}
