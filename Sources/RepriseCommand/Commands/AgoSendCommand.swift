internal import AgoKit

/// `reprise ago send`
struct AgoSendCommand: Command {
    static let help = CommandHelp(
        name: "ago send",
        abstract: "Send a message to an AGO service, show the answer as it comes, and record both",
        discussion: [
            "The answer goes to standard output as it streams, and after it its sources, the "
                + "follow-up questions and the conversation's title and id. Ctrl-C stops it; the "
                + "tape is sealed all the same."
        ],
        positionals: [MessageArgument.positional],
        options: AgoSession.options + [
            .value("--thread", "ID", "The conversation to go on with; without it one begins."),
            AgoSession.stopAtDone,
        ],
        examples: [
            (
                "reprise ago send --base-url https://chat.example.com/api/sdk/v1 "
                    + "--origin https://app.example.com --jwt-env AGO_JWT How do I reset it?",
                "Asks as the user whose token is in AGO_JWT."
            )
        ])

    private let session: AgoSession
    private let message: MessageToSend

    init(_ arguments: ParsedArguments) throws {
        session = try AgoSession(arguments)
        message = try MessageToSend(arguments, goingOnWith: "--thread")
    }

    func run(_ terminal: Terminal) async throws -> ExitStatus {
        let message = message
        try await session.record(terminal) { sdk in
            var screen = AgoAnswerScreen(terminal)
            screen.wait()
            defer { screen.endLine() }
            let updates = sdk.streamMessage(
                content: message.text, threadId: message.conversation)
            for try await update in updates { screen.show(update) }
            // A stream may end without a word when its task is cancelled.
            if Task.isCancelled { throw CommandFailure("the operation was cancelled") }
            screen.finish()
        }
        return .success
    }
}
