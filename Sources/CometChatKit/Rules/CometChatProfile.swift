import RepriseSession

/// What opens, continues and closes in a run of CometChat.
enum CometChatProfile {
    static let run = BracketProfile(
        rows: [
            .init(
                "run", open: ["run_started"], close: ["run_finished"], isKeyed: false,
                allowances: [.enclosesAll]),
            .init(
                "text", open: ["text_message_start"], continue: ["text_message_content"],
                close: ["text_message_end"], mustCloseBefore: ["run_finished"]),
            .init(
                "tool", open: ["tool_call_start"], continue: ["tool_call_args"],
                close: ["tool_call_end"], mustCloseBefore: ["run_finished"]),
            .init(
                "card", open: ["card_start"], continue: ["card"], close: ["card_end"],
                mustCloseBefore: ["run_finished"], continuations: 0...1),
        ],
        references: [.init("tool_call_result", to: "tool", needs: .closed)])
}
