/// The text of an answer as it comes, with an indicator as long as none has.
struct AnswerScreen {
    let terminal: Terminal
    private var written = ""
    /// Whether the terminal's line is the indicator's; once it is the answer's, clearing it would
    /// take the answer away.
    private var isIndicating = false

    init(_ terminal: Terminal) { self.terminal = terminal }

    /// Shows that something is being waited for.
    mutating func wait() { indicate("waiting for the answer") }

    /// Shows what is being done, as long as no text has come.
    mutating func indicate(_ text: String?) {
        guard written.isEmpty, let text else { return clear() }
        terminal.progress("… " + OneLine.text(text))
        isIndicating = true
    }

    /// Goes on with the text.
    mutating func write(_ text: String) {
        clear()
        terminal.output.write(shown(text))
        written += text
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

    /// A line of what happens beside the answer, at most 200 characters of it, to standard error.
    mutating func aside(_ text: String) {
        endLine()
        let text = OneLine.text(text)
        let shown = text.count <= 200 ? text : text.prefix(199) + "…"
        terminal.errors.write(terminal.errors.styled(shown, .faint) + "\n")
    }

    /// A list of what goes with the answer; nothing where there is nothing in it.
    func list(_ title: String, _ rows: [String]) {
        if rows.isEmpty { return }
        line("\(title):")
        for row in rows { line("  - \(row)") }
    }

    /// A line of what goes with the answer.
    func line(_ text: String) {
        terminal.output.write(
            terminal.output.styled(shown(text.replacing("\n", with: " ")), .faint) + "\n")
    }

    /// As it is into a file or a pipe; harmless on a terminal.
    private func shown(_ text: String) -> String {
        terminal.output.isTerminal ? OutputStream.printable(text) : text
    }
}

/// A text of the service within one line.
enum OneLine {
    static func text(_ text: String) -> String {
        OutputStream.line(text.replacing("\n", with: " "))
    }
}
