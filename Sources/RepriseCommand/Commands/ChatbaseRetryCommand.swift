internal import ChatbaseKit

/// `reprise chatbase retry`
struct ChatbaseRetryCommand: Command {
    static let help = CommandHelp(
        name: "chatbase retry",
        abstract: "Have a Chatbase agent answer again, run its tools, and record all of it",
        discussion: ["The new answer takes the place of the old one and of all that follows it."],
        positionals: [
            .init(name: "CONVERSATION", text: "The conversation's id."),
            .init(name: "MESSAGE", text: "The id of the agent's message."),
        ],
        options: ChatbaseSession.options + ChatbaseSession.toolOptions,
        examples: [
            (
                "reprise chatbase retry --base-url https://www.chatbase.co/api/sdk --agent a1 "
                    + "cv-9 m-41",
                "Has the message m-41 of the conversation cv-9 made again."
            )
        ])

    private let session: ChatbaseSession
    private let conversation: String
    private let message: String

    init(_ arguments: ParsedArguments) throws {
        session = try ChatbaseSession(arguments)
        conversation = arguments.positionals[0]
        message = arguments.positionals[1]
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let (conversation, message) = (conversation, message)
        try await session.record(terminal) { client in
            let screen = ChatbaseAnswerScreen(terminal)
            defer { screen.endLine() }
            screen.finish(
                try await client.retry(
                    conversationId: conversation, messageId: message, configure: screen.show))
        }
        return .success
    }
}
