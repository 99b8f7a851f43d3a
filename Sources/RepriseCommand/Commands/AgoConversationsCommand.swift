internal import AgoKit

/// `reprise ago conversations`
struct AgoConversationsCommand: Command {
    static let help = CommandHelp(
        name: "ago conversations",
        abstract: "List a user's conversations with an AGO service, and record it",
        discussion: ["One line a conversation: its id, its last message's time, its title."],
        options: AgoSession.options,
        examples: [
            (
                "reprise ago conversations --base-url https://chat.example.com/api/sdk/v1 "
                    + "--origin https://app.example.com --widget",
                "Lists the conversations of this installation's anonymous user."
            )
        ])

    private let session: AgoSession

    init(_ arguments: ParsedArguments) throws { session = try AgoSession(arguments) }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        for thread in try await session.record(terminal, { try await $0.getConversations() }) {
            let fields = [thread.id, thread.lastMessageDate ?? "-", thread.title ?? "-"]
            terminal.print(fields.map(OneLine.text).joined(separator: "  "))
        }
        return .success
    }
}
