import RepriseSession

/// What opens, continues and closes in a stream of Chatbase.
enum ChatbaseProfile {
    /// One stream is one message. Text may come without its brackets, and arguments all at once.
    static let stream = BracketProfile(rows: [
        .init(
            "message", open: ["start"], close: ["finish"], isKeyed: false,
            allowances: [.enclosesAll]),
        .init(
            "text", open: ["text-start"], continue: ["text-delta"], close: ["text-end"],
            mustCloseBefore: ["finish-step", "finish"],
            allowances: [.reopening, .replacing, .openEnd]),
        .init(
            "input", open: ["tool-input-start"], continue: ["tool-input-delta"],
            close: ["tool-input-available"],
            allowances: [.reopening, .replacing, .bareClosing, .openEnd]),
    ])
}
