public import RepriseSession

/// The rules of AGO's protocol.
public enum AgoRules {
    /// All of them, in the order of the documentation.
    public static let all: [Rule] = [
        a1, a2, a3, a4a, a4b, a4c, a4d, a5a, a5b, a5c, a6a, a6b, a7, a8a, a8b,
        a9a, a9b, a9c, a9d, a10, p1, p2, p3, p4, p5,
    ]

    private static let sdk = "AGO's JavaScript SDK, streaming"
    private static let guide = "AGO's Mobile SDK Examples"

    static let a1 = Rule(
        "ago.A1", .error, "text after the answer ended",
        "Behind DONE, ERROR or CANCELED only a title, follow-up replies and sources may come. A "
            + "client that stops at the status loses this text.",
        source: sdk)
    static let a2 = Rule(
        "ago.A2", .error, "the stream ended without a terminal status",
        "None of DONE, ERROR, CANCELED and WAITING_CLIENT came: the answer is cut short and must "
            + "not be shown as complete.",
        source: sdk, supersedes: ["http.H2", "sse.S1"])
    static let a3 = Rule(
        "ago.A3", .error, "a stream without any chunk",
        "The service answers so where the agent is unknown: check the agent and the origin.",
        source: sdk)
    static let a4a = Rule(
        "ago.A4a", .warning, "no message id in the whole stream",
        "Without it the answer can be neither rated nor continued nor stopped.", source: sdk)
    static let a4b = Rule(
        "ago.A4b", .warning, "the message id changes inside a stream",
        "One stream is one answer. Clients differ on which id they keep: the first or the last.",
        source: sdk)
    static let a4c = Rule(
        "ago.A4c", .warning, "the conversation's id changes inside a stream",
        "One stream belongs to one conversation; the next message may go to the wrong one.",
        source: sdk)
    static let a4d = Rule(
        "ago.A4d", .warning, "no conversation id in the whole stream",
        "Without it the next message begins a new conversation.", source: sdk)
    static let a5a = Rule(
        "ago.A5a", .error, "WAITING_CLIENT names no call to wait for",
        "The turn is paused for results that the app cannot know of, and never goes on.",
        source: sdk)
    static let a5b = Rule(
        "ago.A5b", .error, "the turn waits for a call that was never announced",
        "No client_function chunk has that id, so the app cannot run it.", source: sdk)
    static let a5c = Rule(
        "ago.A5c", .error, "continued before every result was submitted",
        "The service needs a result for each call that it waits for.", source: sdk)
    static let a6a = Rule(
        "ago.A6a", .warning, "full_content is not the text that was streamed",
        "Both say what the answer is, and they differ: the user sees the text change.",
        source: sdk)
    static let a6b = Rule(
        "ago.A6b", .warning, "full_content contradicts what came since the last one",
        "The last full_content with the content behind it gives another text.", source: sdk)
    static let a7 = Rule(
        "ago.A7", .warning, "an answer that says nothing",
        "DONE came with no text, no tool and no follow-up reply.", source: sdk)
    static let a8a = Rule(
        "ago.A8a", .warning, "a client function whose two shapes do not fit",
        "A call may come as a bare state and as an event with an id. This bare state has no event "
            + "of the same name and arguments, so that it may be run twice or never.",
        source: sdk)
    static let a8b = Rule(
        "ago.A8b", .warning, "a tool event without an id",
        "It can be joined neither with its call nor with a result.", source: sdk)
    static let a9a = Rule(
        "ago.A9a", .info, "a data line that is no chunk",
        "It is neither a heartbeat nor a JSON object. Clients skip it without a word, with "
            + "whatever it was meant to say.",
        source: guide, supersedes: ["json.J1"])
    static let a9b = Rule(
        "ago.A9b", .info, "an unknown status",
        "Clients know IN_PROGRESS, DONE, ERROR, TODO, CANCELED and WAITING_CLIENT.", source: sdk,
        supersedes: ["json.J3"])
    static let a9c = Rule(
        "ago.A9c", .info, "an unknown type of chunk",
        "Clients pass over it.", source: sdk, supersedes: ["json.J3"])
    static let a9d = Rule(
        "ago.A9d", .info, "a gap between heartbeats",
        "More than three times their usual distance, with nothing else between them.",
        source: "the report's definitions", yieldsTo: ["time.T1"])
    static let a10 = Rule(
        "ago.A10", .warning, "two terminal statuses",
        "An answer ends once. Clients differ on which status they keep.", source: sdk)
    static let p1 = Rule(
        "ago.P1", .error, "one session mixes two ways to authenticate",
        "Use either the JWT or the widget mode: conversations of one are not visible in the other.",
        source: guide)
    static let p2 = Rule(
        "ago.P2", .error, "the widget id changes without a logout",
        "It is made once per installation and kept. With another one the user's conversations are "
            + "gone.",
        source: guide)
    static let p3 = Rule(
        "ago.P3", .warning, "a refused request was sent again with the same credentials",
        "401 asks for a new token, 403 for an allowed origin; the same again is refused again.",
        source: guide)
    static let p4 = Rule(
        "ago.P4", .error, "a ticket lacks a required field",
        "Subject, typology, priority and body are required.", source: guide)
    static let p5 = Rule(
        "ago.P5", .info, "the reader stopped at DONE and missed what came later",
        "A title and follow-up replies come behind DONE. Read to the close to get them. Reported "
            + "where the recording holds them; what never arrived cannot be seen.",
        source: sdk)
}
