internal import CometChatKit

/// What the commands for a user's copilot have in common: who asks, and whom it is about.
private struct Copilot: Sendable {
    let live: CometChatLive
    let uid: String

    init(_ arguments: ParsedArguments) throws {
        live = try CometChatLive(arguments)
        uid = arguments.positionals[0]
    }

    /// Asks, and prints the lines of the answer.
    func print(
        _ terminal: Terminal,
        _ ask: @escaping @Sendable (CometChatSession, String) async throws -> [String]
    ) async throws -> ExitStatus {
        let uid = uid
        for line in try await live.record(terminal, { try await ask($0, uid) }) {
            terminal.print(OutputStream.printable(line))
        }
        return .success
    }

    static func help(_ verb: String, _ abstract: String, _ discussion: String) -> CommandHelp {
        CommandHelp(
            name: "cometchat \(verb)", abstract: abstract, discussion: [discussion],
            positionals: [.init(name: "UID", text: "Who the conversation is with.")],
            options: CometChatLive.options,
            examples: [
                (
                    "reprise cometchat \(verb) "
                        + "--base-url https://app1.apiclient-us.cometchat.io/v3.0 "
                        + "--socket-url wss://app1.websocket-us.cometchat.io --app-id app1 "
                        + "--auth-token-env COMETCHAT_TOKEN u-bo",
                    "Asks as the user whose token is in COMETCHAT_TOKEN."
                )
            ])
    }
}

/// `reprise cometchat smart-replies`
struct CometChatSmartRepliesCommand: Command {
    static let help = Copilot.help(
        "smart-replies", "Ask CometChat for answers that a user may want to give, and record it",
        "One line an answer, behind its mood.")

    private let copilot: Copilot

    init(_ arguments: ParsedArguments) throws { copilot = try Copilot(arguments) }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        try await copilot.print(terminal) { session, uid in
            try await session.smartReplies(receiverId: uid)
                .sorted { $0.key < $1.key }
                .map { OneLine.text("\($0.key): \($0.value)") }
        }
    }
}

/// `reprise cometchat conversation-starter`
struct CometChatConversationStarterCommand: Command {
    static let help = Copilot.help(
        "conversation-starter", "Ask CometChat how to begin a conversation, and record it",
        "One line a text.")

    private let copilot: Copilot

    init(_ arguments: ParsedArguments) throws { copilot = try Copilot(arguments) }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        try await copilot.print(terminal) { session, uid in
            try await session.conversationStarter(receiverId: uid).map(OneLine.text)
        }
    }
}

/// `reprise cometchat conversation-summary`
struct CometChatConversationSummaryCommand: Command {
    static let help = Copilot.help(
        "conversation-summary", "Ask CometChat what a conversation is about, and record it",
        "The summary goes to standard output.")

    private let copilot: Copilot

    init(_ arguments: ParsedArguments) throws { copilot = try Copilot(arguments) }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        try await copilot.print(terminal) { session, uid in
            [try await session.conversationSummary(receiverId: uid)]
        }
    }
}
