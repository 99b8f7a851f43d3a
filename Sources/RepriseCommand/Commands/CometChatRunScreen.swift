internal import CometChatKit
internal import RepriseSupport
internal import RepriseWire

/// Shows an agent's run as it comes, and what goes with it once it is complete. The text goes to
/// standard output, what tools and cards do to standard error.
final class CometChatRunScreen: Sendable {
    fileprivate struct State {
        var screen: AnswerScreen
        var tools: [String: String] = [:]
        var arguments: [String: String] = [:]
    }

    private let state: Locked<State>

    init(_ terminal: Terminal) {
        state = Locked(State(screen: AnswerScreen(terminal)))
        state.withLock { $0.screen.wait() }
    }

    @Sendable func show(_ update: AgentRunUpdate) {
        state.withLock { state in
            switch update {
            case .sent(let message) where message.moderation == .pending:
                state.screen.indicate("waiting for moderation")
            case .sent, .moderated: state.screen.wait()
            case .event(let received): state.show(received.event)
            case .message(let received) where received.isRecovered:
                state.showRecovered(received.message)
            case .message: break
            case .cut: state.screen.aside("✗ the socket was lost; waiting for what is kept")
            }
        }
    }

    /// Ends the line that the text so far has left open.
    func endLine() { state.withLock { $0.screen.endLine() } }

    /// Shows what goes with the run.
    func finish(_ run: AgentRun) {
        state.withLock { state in
            state.screen.endLine()
            if let reply = run.reply, reply.plainText != run.text {
                state.screen.line("The service keeps another text than it streamed.")
            }
            let kept = run.messages.map { "\($0.message.type) \($0.message.id ?? 0)" }
            state.screen.line("Kept: \(kept.joined(separator: ", "))")
            state.screen.line("Run: \(run.key ?? 0), thread \(run.threadId)")
        }
    }
}

extension CometChatRunScreen.State {
    fileprivate mutating func show(_ event: AgentEvent) {
        switch event.kind {
        case .textMessageContent: screen.write(event.delta ?? "")
        case .toolCallStart, .toolCallArgs, .toolCallEnd, .toolCallResult: showTool(event)
        case .cardStart: screen.indicate(event.executionText.isEmpty ? nil : event.executionText)
        case .card:
            let card = event.card.map { JSON.object($0).serialized } ?? "without content"
            screen.aside("▣ card \(event.cardId) \(card)")
        default: break
        }
    }

    private mutating func showTool(_ event: AgentEvent) {
        let id = event.toolCallId
        if !event.toolCallName.isEmpty { tools[id] = event.toolCallName }
        switch event.kind {
        case .toolCallStart:
            if !event.executionText.isEmpty { screen.indicate(event.executionText) }
        case .toolCallArgs: arguments[id, default: ""] += event.delta ?? ""
        case .toolCallEnd:
            let text = event.arguments.isEmpty ? arguments[id] ?? "" : event.arguments
            screen.aside("→ \(tools[id] ?? id) \(text)")
        default: screen.aside("← \(tools[id] ?? id) \(event.content)")
        }
    }

    /// A reply that was fetched stands for the text that was missed.
    fileprivate mutating func showRecovered(_ message: ChatMessage) {
        guard message.agenticKind == .assistant else { return }
        screen.aside("Recovered, as the service keeps it:")
        screen.write(message.plainText)
        screen.endLine()
    }
}
