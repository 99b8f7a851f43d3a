public import RepriseSession

/// The rules of CometChat's protocol.
public enum CometChatRules {
    /// All of them, in the order of the documentation.
    public static let all: [Rule] = [
        c1, c2, c3, c4a, c4b, c4c, c5a, c5b, c5c, c6a, c6b, c6c, c7a, c7b, c7c, c7d, c7e, c8a, c8b,
        c8c,
        c9, c10, c11a, c11b, c12, c13a, c13b, c14, c15a, c15b, c15c, c15d, c16a, c16b, p1, p2, p3,
    ]

    static let guide = "CometChat's iOS documentation, AI agents"
    static let kit = "CometChat's Android SDK, events of AI assistants"
    static let cards = "CometChat's documentation, card messages"

    static let p1 = Rule(
        "cometchat.P1", .warning, "a message that is not text was sent to an agent",
        "Agents answer text messages only: no run follows.", source: guide)
    static let p2 = Rule(
        "cometchat.P2", .warning, "a listener outlived its session",
        "It was added and not removed before the logout: it is kept in memory, and hears what the "
            + "next session does.",
        source: guide)
    static let p3 = Rule(
        "cometchat.P3", .warning, "the persisted elements are in another order",
        "Texts and cards stand in another order, or are parted elsewhere, than they were streamed: "
            + "what the user has read changes when the message is loaded again.",
        source: guide)
}

/// Runs.
extension CometChatRules {
    static let c1 = Rule(
        "cometchat.C1", .error, "a run does not begin with run_started",
        "It is always emitted, and first: before it an app has nothing to put an event into.",
        source: guide)
    static let c2 = Rule(
        "cometchat.C2", .error, "a run begins twice",
        "The run that it names has not finished: apps begin a second answer.", source: guide)
    static let c3 = Rule(
        "cometchat.C3", .error, "an event behind run_finished",
        "The run is over, and apps have put its state away.", source: guide)
    static let c9 = Rule(
        "cometchat.C9", .error, "a run is cut short",
        "The connection ended, the run's messages were persisted, or the app waited in vain, and "
            + "run_finished never came. Nothing streams it again: what is missing is in the "
            + "persisted messages only.",
        source: guide, supersedes: ["ws.W2c"])
    static let c10 = Rule(
        "cometchat.C10", .warning, "a run without a text",
        "The documentation has a text in every run, and apps wait for one.", source: guide)
    static let c14 = Rule(
        "cometchat.C14", .warning, "a persisted message before run_finished",
        "Persisted messages follow the run: an app that replaces the streamed answer by them shows "
            + "both.",
        source: guide)
    static let c15a = Rule(
        "cometchat.C15a", .info, "an unknown type of event", "The SDK drops it.", source: kit,
        supersedes: ["json.J3"])
    static let c15b = Rule(
        "cometchat.C15b", .info, "an event without data",
        "All its fields are at their defaults: it says nothing.", source: kit)
    static let c16a = Rule(
        "cometchat.C16a", .warning, "the run's id changes within a run",
        "Apps that tell runs apart by it begin another answer.", source: kit)
    static let c16b = Rule(
        "cometchat.C16b", .warning, "the thread's id changes within a run",
        "A run belongs to one thread.", source: kit)
}

/// Texts and cards.
extension CometChatRules {
    static let c4a = Rule(
        "cometchat.C4a", .error, "a piece of a text that is not open",
        "text_message_content needs text_message_start of the same streamMessageId before it, and "
            + "no text_message_end.",
        source: guide)
    static let c4b = Rule(
        "cometchat.C4b", .error, "the end of a text that is not open",
        "None of that streamMessageId was begun, or it has ended.", source: guide)
    static let c4c = Rule(
        "cometchat.C4c", .error, "a text begins twice",
        "text_message_start names a text that is open.", source: guide)
    static let c7a = Rule(
        "cometchat.C7a", .error, "a card that was not announced, or has ended",
        "card needs card_start of the same cardId before it, and no card_end.", source: cards)
    static let c7b = Rule(
        "cometchat.C7b", .error, "the end of a card that is not open",
        "None of that cardId was begun, or it has ended.", source: cards)
    static let c7c = Rule(
        "cometchat.C7c", .error, "a card comes twice",
        "The full payload comes once between card_start and card_end.", source: cards)
    static let c7d = Rule(
        "cometchat.C7d", .error, "a card begins twice",
        "card_start names a card that is open.", source: cards)
    static let c7e = Rule(
        "cometchat.C7e", .warning, "a card without its payload",
        "card_start and card_end came and card did not: there is nothing to show.", source: cards)
    static let c8a = Rule(
        "cometchat.C8a", .error, "a run finishes within a text",
        "text_message_end is missing: an app cannot tell whether the text is whole.", source: guide)
    static let c8c = Rule(
        "cometchat.C8c", .error, "a run finishes within a card",
        "card_end is missing: an app goes on showing that the card is built.", source: cards)
    static let c13a = Rule(
        "cometchat.C13a", .warning, "the persisted text is not the streamed one",
        "What the user has read changes when the message is loaded again. Bytes count from the "
            + "text's beginning, in UTF-8.",
        source: guide)
    static let c13b = Rule(
        "cometchat.C13b", .warning, "a persisted card that was not streamed",
        "It appears only when the message is loaded again.", source: cards)
    static let c15c = Rule(
        "cometchat.C15c", .info, "an empty delta", "It adds nothing.", source: kit)
    static let c15d = Rule(
        "cometchat.C15d", .info, "a text and a tool call interleave",
        "Apps put a tool's line in place of the text until the call ends, and lose what comes "
            + "meanwhile.",
        source: kit)
}

/// Tools.
extension CometChatRules {
    static let c5a = Rule(
        "cometchat.C5a", .error, "arguments of a call that is not open",
        "tool_call_args needs tool_call_start of the same id before it, and no tool_call_end.",
        source: guide)
    static let c5b = Rule(
        "cometchat.C5b", .error, "the end of a call that is not open",
        "None of that id was begun, or it has ended.", source: guide)
    static let c5c = Rule(
        "cometchat.C5c", .error, "a call begins twice",
        "tool_call_start names a call that is open.", source: guide)
    static let c6a = Rule(
        "cometchat.C6a", .error, "a result of an unknown call",
        "No tool_call_start of the run has that id.", source: guide, supersedes: ["tool.L3"])
    static let c6b = Rule(
        "cometchat.C6b", .warning, "a result before its call ended",
        "tool_call_end comes first: apps that act on it act twice, or never.", source: guide,
        supersedes: ["tool.L3"])
    static let c6c = Rule(
        "cometchat.C6c", .error, "two results of one call",
        "Which of them the agent goes by is unknown.", source: guide, supersedes: ["tool.L3"])
    static let c8b = Rule(
        "cometchat.C8b", .error, "a run finishes within a tool call",
        "tool_call_end is missing: apps that run the tool then never do.", source: guide,
        supersedes: ["tool.L2"])
    static let c11a = Rule(
        "cometchat.C11a", .warning, "the arguments' pieces are not the arguments",
        "The pieces, joined, are another JSON than tool_call_end has. Apps call the tool with the "
            + "pieces.",
        source: kit, supersedes: ["tool.L1"])
    static let c11b = Rule(
        "cometchat.C11b", .warning, "a tool call's arguments are not JSON",
        "They are complete and do not parse: apps skip the call without a word.", source: kit,
        supersedes: ["tool.L1"])
    static let c12 = Rule(
        "cometchat.C12", .warning, "a tool call without a result",
        "The run finished and none came. Actions that the app performs have none; for a tool of "
            + "the agent it is lost.",
        source: guide, supersedes: ["tool.L2"])
}
