internal import CometChatKit

/// A command for a user's copilot: asks about a conversation and prints the lines of the answer.
protocol CopilotCommand: Command {
    init(live: CometChatLive, uid: String)

    var live: CometChatLive { get }
    /// Who the conversation is with.
    var uid: String { get }

    /// The lines of the answer.
    static func lines(_ session: CometChatSession, _ uid: String) async throws -> [String]
}

extension CopilotCommand {
    init(_ arguments: ParsedArguments) throws {
        self.init(live: try CometChatLive(arguments), uid: arguments.positionals[0])
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let uid = uid
        for line in try await live.record(terminal, { try await Self.lines($0, uid) }) {
            terminal.print(OutputStream.printable(line))
        }
        return .success
    }

    fileprivate static func page(
        _ verb: String, _ abstract: String, _ discussion: String
    ) -> CommandHelp {
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
struct CometChatSmartRepliesCommand: CopilotCommand {
    static let help = page(
        "smart-replies", "Ask CometChat for answers that a user may want to give, and record it",
        "One line an answer, behind its mood.")

    let live: CometChatLive
    let uid: String

    static func lines(_ session: CometChatSession, _ uid: String) async throws -> [String] {
        try await session.smartReplies(receiverId: uid)
            .sorted { $0.key < $1.key }
            .map { OneLine.text("\($0.key): \($0.value)") }
    }
}

/// `reprise cometchat conversation-starter`
struct CometChatConversationStarterCommand: CopilotCommand {
    static let help = page(
        "conversation-starter", "Ask CometChat how to begin a conversation, and record it",
        "One line a text.")

    let live: CometChatLive
    let uid: String

    static func lines(_ session: CometChatSession, _ uid: String) async throws -> [String] {
        try await session.conversationStarter(receiverId: uid).map(OneLine.text)
    }
}

/// `reprise cometchat conversation-summary`
struct CometChatConversationSummaryCommand: CopilotCommand {
    static let help = page(
        "conversation-summary", "Ask CometChat what a conversation is about, and record it",
        "The summary goes to standard output.")

    let live: CometChatLive
    let uid: String

    static func lines(_ session: CometChatSession, _ uid: String) async throws -> [String] {
        [try await session.conversationSummary(receiverId: uid)]
    }
}
