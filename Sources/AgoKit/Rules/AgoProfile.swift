internal import RepriseSession

/// What opens, continues and closes in AGO's protocol.
enum AgoProfile {
    /// One stream: the answer opens with the first chunk and ends with a terminal status. What
    /// carries no text may follow.
    static let stream = BracketProfile(rows: [
        .init(
            "answer", open: ["chunk"], continue: ["content"],
            close: ["DONE", "ERROR", "CANCELED", "WAITING_CLIENT"], isKeyed: false)
    ])

    /// The client functions of one message, over its streams.
    static let functions = BracketProfile(
        rows: [
            .init(
                "function", open: ["client_function"], close: [],
                allowances: [.replacing, .openEnd]),
            .init(
                "waiting", open: ["wait"], close: ["submit"], mustCloseBefore: ["continue"],
                allowances: [.replacing, .reopening, .bareClosing, .openEnd]),
        ],
        references: [.init("wait", to: "function", needs: .known)])
}
