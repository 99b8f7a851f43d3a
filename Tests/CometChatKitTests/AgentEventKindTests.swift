import CometChatKit
import Testing

@Suite struct AgentEventKindTests {
    @Test func knowsTwelveKinds() {
        #expect(AgentEventKind.known.count == 12)
        #expect(Set(AgentEventKind.known).count == 12)
    }

    @Test(arguments: [
        ("tool_call_started", AgentEventKind.toolCallStart, true),
        ("tool_call_ended", .toolCallEnd, true), ("card", .card, true),
        ("run_error", AgentEventKind(rawValue: "run_error"), false),
    ])
    func readsNames(name: String, kind: AgentEventKind, isKnown: Bool) {
        #expect(AgentEventKind(rawValue: name) == kind)
        #expect(AgentEventKind(rawValue: name).isKnown == isKnown)
    }
}
