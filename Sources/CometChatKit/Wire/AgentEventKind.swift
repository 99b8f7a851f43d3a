/// A kind of live event of an agent, by its `type` on the wire.
public struct AgentEventKind: RawRepresentable, Sendable, Hashable {
    /// The text on the wire.
    public var rawValue: String

    /// The kind that `rawValue` names, known or not; `tool_call_started` and `tool_call_ended` are
    /// other names of `tool_call_start` and `tool_call_end`.
    public init(rawValue: String) {
        self.rawValue =
            switch rawValue {
            case "tool_call_started": "tool_call_start"
            case "tool_call_ended": "tool_call_end"
            default: rawValue
            }
    }

    /// A run begins.
    public static let runStarted = AgentEventKind(rawValue: "run_started")
    /// The agent decided to call a tool.
    public static let toolCallStart = AgentEventKind(rawValue: "tool_call_start")
    /// A piece of the JSON text of a tool's arguments.
    public static let toolCallArgs = AgentEventKind(rawValue: "tool_call_args")
    /// A tool's arguments are complete.
    public static let toolCallEnd = AgentEventKind(rawValue: "tool_call_end")
    /// A tool's output.
    public static let toolCallResult = AgentEventKind(rawValue: "tool_call_result")
    /// A card begins.
    public static let cardStart = AgentEventKind(rawValue: "card_start")
    /// A whole card.
    public static let card = AgentEventKind(rawValue: "card")
    /// A card's stream ends.
    public static let cardEnd = AgentEventKind(rawValue: "card_end")
    /// A text begins.
    public static let textMessageStart = AgentEventKind(rawValue: "text_message_start")
    /// A piece of a text.
    public static let textMessageContent = AgentEventKind(rawValue: "text_message_content")
    /// A text ends.
    public static let textMessageEnd = AgentEventKind(rawValue: "text_message_end")
    /// A run ends; persisted messages follow.
    public static let runFinished = AgentEventKind(rawValue: "run_finished")

    /// Those that this version knows, in the order of the vendor's page.
    public static let known: [AgentEventKind] = [
        .runStarted, .toolCallStart, .toolCallArgs, .toolCallEnd, .toolCallResult, .cardStart,
        .card, .cardEnd, .textMessageStart, .textMessageContent, .textMessageEnd, .runFinished,
    ]

    /// Whether this version knows it.
    public var isKnown: Bool { AgentEventKind.known.contains(self) }
}
