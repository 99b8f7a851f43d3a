internal import AgoKit

/// Shows an answer as it comes, and what goes with it once it is complete.
struct AgoAnswerScreen {
    private let terminal: Terminal
    private var written = ""
    /// Whether the terminal's line is the indicator's; once it is the answer's, clearing it would
    /// take the answer away.
    private var isIndicating = false
    private var last: AgoUpdate?

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// Shows that something is being waited for.
    mutating func wait() { indicate("… waiting for the answer") }

    mutating func show(_ update: AgoUpdate) {
        last = update
        switch update.textChange {
        case .none: indicate(update)
        case .appended(let text): write(text)
        case .replaced(let text):
            // What is on the screen cannot be taken back: a text that does not go on from it is
            // shown anew.
            if text == update.text { endLine() }
            write(text)
        }
    }

    private mutating func write(_ text: String) {
        clear()
        terminal.output.write(shown(text))
        written += text
    }

    /// A typing indicator, as long as no text has come.
    private mutating func indicate(_ update: AgoUpdate) {
        guard written.isEmpty, update.isProcessing else { return clear() }
        let name = update.agent.map { $0.displayName ?? $0.name }
        let doing = update.tool?.message ?? "\(name ?? "the agent") is answering"
        indicate("… " + OneLine.text(doing))
    }

    private mutating func indicate(_ text: String) {
        terminal.progress(text)
        isIndicating = true
    }

    private mutating func clear() {
        if isIndicating { terminal.progress("") }
        isIndicating = false
    }

    /// Ends the line that the text so far has left open.
    mutating func endLine() {
        clear()
        if !written.isEmpty, !written.hasSuffix("\n") { terminal.output.write("\n") }
        written = ""
    }

    /// Shows what goes with the answer.
    mutating func finish() {
        endLine()
        guard let last else { return }
        list(
            "Sources",
            last.knowledgeSources.map { source in
                let document = source.knowledgeDocument
                return document.title + (document.url.map { " <\($0)>" } ?? "")
            })
        list("You may ask", last.followUpReplies)
        if last.status == .waitingClient {
            let names = last.tools.filter { $0.type == .clientFunction }.compactMap(\.name)
            list("The answer waits for functions of the app", names)
        }
        if last.status == .canceled { line("The answer was stopped.") }
        if let title = last.title { line("Title: \(title)") }
        if let thread = last.threadId {
            line("Conversation: \(thread) (to go on: --thread \(thread))")
        }
    }

    private func list(_ title: String, _ rows: [String]) {
        if rows.isEmpty { return }
        line("\(title):")
        for row in rows { line("  - \(row)") }
    }

    private func line(_ text: String) {
        terminal.output.write(
            terminal.output.styled(shown(text.replacing("\n", with: " ")), .faint) + "\n")
    }

    /// As it is into a file or a pipe; harmless on a terminal.
    private func shown(_ text: String) -> String {
        terminal.output.isTerminal ? OutputStream.printable(text) : text
    }
}
