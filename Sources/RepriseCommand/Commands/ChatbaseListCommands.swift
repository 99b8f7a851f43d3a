internal import ChatbaseKit

/// Where a list is to begin, and what is said where it goes on.
private struct ListPlace: Sendable {
    static let options: [CommandHelp.Option] = [
        .value("--cursor", "TEXT", "Begin there, as the page before says."),
        .value("--limit", "N", "Show at most so many; by default as many as the service gives."),
    ]

    let cursor: String?
    let limit: Int?

    init(_ arguments: ParsedArguments) throws(UsageError) {
        cursor = arguments.value("--cursor")
        limit = try arguments.value("--limit", "a number from 1") { text in
            Int(text).flatMap { $0 > 0 ? $0 : nil }
        }
    }

    static func tell(_ place: Pagination, _ terminal: Terminal) {
        guard place.hasMore, let cursor = place.cursor else { return }
        terminal.errors.write("There are more: --cursor \(OneLine.text(cursor))\n")
    }
}

/// `reprise chatbase conversations`
struct ChatbaseConversationsCommand: Command {
    static let help = CommandHelp(
        name: "chatbase conversations",
        abstract: "List a user's conversations with a Chatbase agent, and record it",
        discussion: ["One line a conversation: its id, its status, its title."],
        options: ChatbaseSession.options + ListPlace.options,
        examples: [
            (
                "reprise chatbase conversations --base-url https://www.chatbase.co/api/sdk "
                    + "--agent a1 --user-token-env CHATBASE_TOKEN",
                "Lists the conversations of the user whose token is in CHATBASE_TOKEN."
            )
        ])

    private let session: ChatbaseSession
    private let place: ListPlace

    init(_ arguments: ParsedArguments) throws {
        session = try ChatbaseSession(arguments)
        place = try ListPlace(arguments)
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let place = place
        let page = try await session.record(terminal) { client in
            try await client.listConversations(cursor: place.cursor, limit: place.limit)
        }
        for conversation in page.data {
            let fields = [conversation.id, conversation.status.rawValue, conversation.title ?? "-"]
            terminal.print(fields.map(OneLine.text).joined(separator: "  "))
        }
        ListPlace.tell(page.pagination, terminal)
        return .success
    }
}

/// `reprise chatbase messages`
struct ChatbaseMessagesCommand: Command {
    static let help = CommandHelp(
        name: "chatbase messages",
        abstract: "Show the messages of a conversation with a Chatbase agent, and record it",
        positionals: [.init(name: "CONVERSATION", text: "The conversation's id.")],
        options: ChatbaseSession.options + ListPlace.options,
        examples: [
            (
                "reprise chatbase messages --base-url https://www.chatbase.co/api/sdk --agent a1 "
                    + "cv-9",
                "Shows the conversation cv-9."
            )
        ])

    private let session: ChatbaseSession
    private let conversation: String
    private let place: ListPlace

    init(_ arguments: ParsedArguments) throws {
        session = try ChatbaseSession(arguments)
        place = try ListPlace(arguments)
        conversation = arguments.positionals[0]
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let (place, conversation) = (place, conversation)
        let page = try await session.record(terminal) { client in
            try await client.listMessages(
                conversationId: conversation, cursor: place.cursor, limit: place.limit)
        }
        for message in page.data {
            let who = "\(message.sender) \(OneLine.text(message.id)):"
            terminal.print(
                "\(terminal.output.styled(who, .faint)) "
                    + OutputStream.printable(message.text))
        }
        ListPlace.tell(page.pagination, terminal)
        return .success
    }
}
