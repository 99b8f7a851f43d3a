public import RepriseWire

/// What a stream says about a tool or a function of the app.
///
/// It comes in two shapes: an event for the user interface, marked by `tool_call_data`, and for a
/// client function also a bare state object without that mark and without an `id`.
public struct AgoToolEvent: Sendable, Hashable {
    /// The kind of event.
    public var type: Kind
    /// The id of the call; nil in a bare state object.
    public var id: String?
    /// The tool's own status, e.g. `waiting_input`; never the message's.
    public var status: String?
    /// The tool's name.
    public var toolName: String?
    /// The tool's name to show.
    public var toolDisplayName: String?
    /// A text to show.
    public var message: String?
    /// What a form asks for.
    public var formSchema: JSON?
    /// Further data of the tool.
    public var data: JSON?
    /// The client function to call.
    public var functionName: String?
    /// The client function's arguments, an object.
    public var arguments: JSON?
    /// Whether it is the bare state object of a client function.
    public var isBareState = false

    /// Creates an event.
    public init(type: Kind, id: String? = nil) {
        self.type = type
        self.id = id
    }

    /// The name of what is called: the client function, else the tool.
    public var name: String? { functionName ?? toolName }

    /// A kind of tool event.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The text on the wire.
        public var rawValue: String

        /// The kind that `rawValue` names, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A form to fill in.
        public static let form = Kind(rawValue: "form")
        /// A question to confirm or reject.
        public static let confirmationInput = Kind(rawValue: "confirmation_input")
        /// A line about what is being done.
        public static let statusMessage = Kind(rawValue: "status_message")
        /// How far it is.
        public static let progressIndicator = Kind(rawValue: "progress_indicator")
        /// A function of the app to call.
        public static let clientFunction = Kind(rawValue: "client_function")
        /// What the agent thinks.
        public static let reasoning = Kind(rawValue: "reasoning")
        /// A user interface resource of an MCP server.
        public static let mcpUIResource = Kind(rawValue: "mcp_ui_resource")

        /// Whether this version knows it.
        public var isKnown: Bool { Kind.known.contains(self) }

        private static let known: Set<Kind> = [
            .form, .confirmationInput, .statusMessage, .progressIndicator, .clientFunction,
            .reasoning, .mcpUIResource,
        ]
    }
}
