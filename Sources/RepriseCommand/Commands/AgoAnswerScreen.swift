internal import AgoKit

/// Shows an answer as it comes, and what goes with it once it is complete.
struct AgoAnswerScreen {
    private var screen: AnswerScreen
    private var last: AgoUpdate?

    init(_ terminal: Terminal) { screen = AnswerScreen(terminal) }

    /// Shows that something is being waited for.
    mutating func wait() { screen.wait() }

    mutating func show(_ update: AgoUpdate) {
        last = update
        switch update.textChange {
        case .none: indicate(update)
        case .appended(let text): screen.write(text)
        case .replaced(let text):
            // What is on the screen cannot be taken back: a text that does not go on from it is
            // shown anew.
            if text == update.text { screen.endLine() }
            screen.write(text)
        }
    }

    /// A typing indicator, as long as no text has come.
    private mutating func indicate(_ update: AgoUpdate) {
        let name = update.agent.map { $0.displayName ?? $0.name }
        let doing = update.tool?.message ?? "\(name ?? "the agent") is answering"
        screen.indicate(update.isProcessing ? doing : nil)
    }

    /// Ends the line that the text so far has left open.
    mutating func endLine() { screen.endLine() }

    /// Shows what goes with the answer.
    mutating func finish() {
        endLine()
        guard let last else { return }
        screen.list(
            "Sources",
            last.knowledgeSources.map { source in
                let document = source.knowledgeDocument
                return document.title + (document.url.map { " <\($0)>" } ?? "")
            })
        screen.list("You may ask", last.followUpReplies)
        if last.status == .waitingClient {
            let names = last.tools.filter { $0.type == .clientFunction }.compactMap(\.name)
            screen.list("The answer waits for functions of the app", names)
        }
        if last.status == .canceled { screen.line("The answer was stopped.") }
        if let title = last.title { screen.line("Title: \(title)") }
        if let thread = last.threadId {
            screen.line("Conversation: \(thread) (to go on: --thread \(thread))")
        }
    }
}
