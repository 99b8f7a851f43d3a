public import RepriseSession

/// The rules of Chatbase's protocol.
public enum ChatbaseRules {
    /// All of them, in the order of the documentation.
    public static let all: [Rule] = [
        b1a, b1b, b2a, b2b, b2c, b3a, b3b, b4a, b4b, b4c, b5a, b5b, b5c, b6, b7a, b7b,
        b8a, b8b, b8c, b9a, b9b, b10a, b10b, b11a, b11b, b11c, p1, p2,
    ]

    static let kits = "Chatbase's iOS and Android SDKs, streaming"
    static let guide = "Chatbase's API v2 documentation, streaming"
    static let tools = "Chatbase's iOS documentation, client-side tools"

    static let p1 = Rule(
        "chatbase.P1", .warning, "a callback held the stream",
        "The SDK waits for each callback before it reads on. This one took longer than a silence "
            + "that would count as a stall: the user sees the text stand still.",
        source: "Chatbase's iOS documentation, streaming types")
    static let p2 = Rule(
        "chatbase.P2", .warning, "a tool result that the server already had",
        "The server ran the tool itself, or had taken this result before. Submitting it again "
            + "costs the turn a round trip.",
        source: tools)
}

/// The frame of a stream and what stands in it.
extension ChatbaseRules {
    static let b1a = Rule(
        "chatbase.B1a", .error, "the stream does not begin with start",
        "What comes before the message begins belongs to no message.", source: guide)
    static let b1b = Rule(
        "chatbase.B1b", .error, "start comes twice in a stream",
        "One stream is one message of the agent. Clients differ on which id they keep.",
        source: guide)
    static let b2a = Rule(
        "chatbase.B2a", .error, "finish comes twice in a stream",
        "A stream ends once. The SDK keeps the last one's ids and credits.", source: guide)
    static let b2b = Rule(
        "chatbase.B2b", .error, "a part behind the end",
        "Behind finish only message-metadata and [DONE] may come, behind [DONE] nothing. A client "
            + "that stops at the end loses it.",
        source: guide)
    static let b2c = Rule(
        "chatbase.B2c", .error, "the stream is done without finish",
        "[DONE] came and finish did not: the conversation's id and the credits are missing.",
        source: guide)
    static let b3a = Rule(
        "chatbase.B3a", .warning, "no [DONE]",
        "The stream was closed behind finish. Clients that wait for [DONE] report a failure.",
        source: guide, supersedes: ["sse.S1"])
    static let b3b = Rule(
        "chatbase.B3b", .error, "the stream is cut short",
        "It ended with neither finish nor [DONE]. The iOS SDK takes it for complete.",
        source: kits, supersedes: ["http.H2", "sse.S1"])
    static let b4a = Rule(
        "chatbase.B4a", .error, "text outside a text part",
        "This stream opens its texts with text-start, and this text-delta is in none that is open.",
        source: guide)
    static let b4b = Rule(
        "chatbase.B4b", .error, "text-end for a text that is not open",
        "This stream opens its texts with text-start, and none of that id is open.", source: guide)
    static let b4c = Rule(
        "chatbase.B4c", .warning, "a text that is still open at the end of its step",
        "text-end is missing: a client that waits for it never takes the text for complete.",
        source: guide)
    static let b11a = Rule(
        "chatbase.B11a", .info, "an unknown type of part", "Clients pass over it.", source: kits,
        supersedes: ["json.J3"])
    static let b11b = Rule(
        "chatbase.B11b", .info, "finish without usage",
        "The SDK takes it for 0 credits.", source: kits)
    static let b11c = Rule(
        "chatbase.B11c", .info, "the SDK reports less than the turn cost",
        "The credits of a turn are those of all its streams; the SDK's response has those of the "
            + "last one.",
        source: kits)
}

/// Tools and the turns that they make.
extension ChatbaseRules {
    static let b5a = Rule(
        "chatbase.B5a", .error, "arguments of a call that is not open",
        "tool-input-delta needs a tool-input-start of the same id before it, and none that is "
            + "complete.",
        source: guide)
    static let b5b = Rule(
        "chatbase.B5b", .error, "an output of an unknown call",
        "No tool-input-available has that id.", source: guide)
    static let b5c = Rule(
        "chatbase.B5c", .error, "a call is made twice",
        "A second tool-input-available has the id of another: an app runs the tool twice.",
        source: guide)
    static let b6 = Rule(
        "chatbase.B6", .warning, "the arguments' pieces are not the input",
        "The pieces of tool-input-delta, joined, are another JSON than the input that followed. "
            + "Clients that show the pieces show something else than what the tool gets.",
        source: guide)
    static let b7a = Rule(
        "chatbase.B7a", .error, "finish waits for tools that nobody called",
        "Its reason is tool-calls, and no call is without a result. A client that goes by the "
            + "reason waits for ever.",
        source: kits)
    static let b7b = Rule(
        "chatbase.B7b", .warning, "finish does not say that a call waits",
        "A call is without a result, and the reason is not tool-calls. A client that goes by the "
            + "reason never runs the tool.",
        source: kits)
    static let b8a = Rule(
        "chatbase.B8a", .error, "the turn goes on without a result",
        "Every pending call needs its result before the conversation is continued.",
        source: tools, supersedes: ["tool.L2"])
    static let b8b = Rule(
        "chatbase.B8b", .error, "a result for a call that was never made",
        "No stream of the session has a call of that id.", source: tools)
    static let b8c = Rule(
        "chatbase.B8c", .error, "two results for one call",
        "Which of them the agent goes by is unknown.", source: tools)
    static let b9a = Rule(
        "chatbase.B9a", .warning, "the conversation's id changes within a turn",
        "What follows goes to another conversation, which knows nothing of this one.",
        source: kits)
    static let b9b = Rule(
        "chatbase.B9b", .warning, "a turn of too many streams",
        "The SDK gives up when the agent calls tools in more streams than maxToolLoopSteps.",
        source: kits)
    static let b10a = Rule(
        "chatbase.B10a", .warning, "a tool failed",
        "Its output is an object with the key error, which is how a failure is told.",
        source: tools)
    static let b10b = Rule(
        "chatbase.B10b", .warning, "an output of more than 20 KB",
        "The service refuses a tool result whose JSON is longer.", source: tools)
}
