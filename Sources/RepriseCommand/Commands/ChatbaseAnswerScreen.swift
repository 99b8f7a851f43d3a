internal import ChatbaseKit
internal import RepriseSupport
internal import RepriseWire

/// Shows a reply as it comes, and what goes with it once it is complete. The text goes to standard
/// output, what tools do to standard error.
final class ChatbaseAnswerScreen: Sendable {
    private let screen: Locked<AnswerScreen>

    init(_ terminal: Terminal) {
        screen = Locked(AnswerScreen(terminal))
        screen.withLock { $0.wait() }
    }

    func show(_ callbacks: inout StreamCallbacks) {
        callbacks.onTextDelta = { text in self.screen.withLock { $0.write(text) } }
        callbacks.onToolCall = { info in
            self.tell("→ \(info.toolName) \(JSON(info.input).serialized)")
        }
        callbacks.onToolResult = { info in
            let sign = info.output["error"] == nil ? "←" : "✗"
            self.tell("\(sign) \(info.toolName) \(JSON(info.output).serialized)")
        }
    }

    private func tell(_ text: String) {
        screen.withLock { screen in
            screen.endLine()
            let errors = screen.terminal.errors
            let text = OneLine.text(text)
            let shown = text.count <= 200 ? text : text.prefix(199) + "…"
            errors.write(errors.styled(shown, .faint) + "\n")
        }
    }

    /// Ends the line that the text so far has left open.
    func endLine() { screen.withLock { $0.endLine() } }

    /// Shows what goes with the reply.
    func finish(_ response: ChatResponse) {
        screen.withLock { screen in
            screen.endLine()
            switch response.finishReason {
            case .stop: break
            case .error: screen.line("The agent failed to answer.")
            case .toolCalls: screen.line("The agent waits for tools.")
            }
            screen.line("Message: \(response.message.id)")
            let id = response.conversationId
            screen.line("Conversation: \(id) (to go on: --conversation \(id))")
        }
    }
}
