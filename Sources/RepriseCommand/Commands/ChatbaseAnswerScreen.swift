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
            self.aside("→ \(info.toolName) \(JSON(info.input).serialized)")
        }
        callbacks.onToolResult = { info in
            let sign = info.output["error"] == nil ? "←" : "✗"
            self.aside("\(sign) \(info.toolName) \(JSON(info.output).serialized)")
        }
    }

    private func aside(_ text: String) { screen.withLock { $0.aside(text) } }

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
