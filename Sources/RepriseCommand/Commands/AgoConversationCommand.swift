internal import AgoKit

/// `reprise ago conversation`
struct AgoConversationCommand: Command {
    static let help = CommandHelp(
        name: "ago conversation",
        abstract: "Show a conversation with an AGO service, and record it",
        positionals: [.init(name: "ID", text: "The conversation's id.")],
        options: AgoSession.options,
        examples: [
            (
                "reprise ago conversation --base-url https://chat.example.com/api/sdk/v1 "
                    + "--origin https://app.example.com --jwt-env AGO_JWT th-1",
                "Shows the conversation th-1 of the user whose token is in AGO_JWT."
            )
        ])

    private let session: AgoSession
    private let id: String

    init(_ arguments: ParsedArguments) throws {
        session = try AgoSession(arguments)
        id = arguments.positionals[0]
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let id = id
        let response = try await session.record(terminal) {
            try await $0.getConversation(conversationId: id)
        }
        let output = terminal.output
        if let title = response.thread.title {
            terminal.print(output.styled(OneLine.text(title), .bold))
        }
        for message in response.messages {
            let who = OneLine.text(message.agent?.name ?? message.role)
            terminal.print(
                "\(output.styled(who + ":", .faint)) "
                    + OutputStream.printable(message.content))
        }
        return .success
    }
}
