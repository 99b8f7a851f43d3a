/// What two ends agreed on for permessage-deflate (RFC 7692 section 7.1).
public struct PerMessageDeflate: Sendable, Hashable {
    /// The extension's name.
    public static let name = "permessage-deflate"

    /// Whether the server forgets its window between messages.
    public var serverNoContextTakeover: Bool
    /// Whether the client forgets its window between messages.
    public var clientNoContextTakeover: Bool
    /// The size of the server's window is 2 to this power, 8 to 15.
    public var serverMaxWindowBits: Int
    /// The size of the client's window is 2 to this power, 8 to 15.
    public var clientMaxWindowBits: Int

    /// Parameters; the extension's defaults unless said otherwise.
    public init(
        serverNoContextTakeover: Bool = false, clientNoContextTakeover: Bool = false,
        serverMaxWindowBits: Int = 15, clientMaxWindowBits: Int = 15
    ) {
        self.serverNoContextTakeover = serverNoContextTakeover
        self.clientNoContextTakeover = clientNoContextTakeover
        self.serverMaxWindowBits = min(max(serverMaxWindowBits, 8), 15)
        self.clientMaxWindowBits = min(max(clientMaxWindowBits, 8), 15)
    }

    package func deflater(of sender: WebSocketRole) -> MessageDeflater {
        MessageDeflater(
            windowBits: windowBits(of: sender), noContextTakeover: noContextTakeover(of: sender))
    }

    package func inflater(of sender: WebSocketRole) -> MessageInflater {
        MessageInflater(
            windowBits: windowBits(of: sender), noContextTakeover: noContextTakeover(of: sender))
    }

    private func windowBits(of sender: WebSocketRole) -> Int {
        sender == .client ? clientMaxWindowBits : serverMaxWindowBits
    }

    /// Whether that end forgets its window between messages.
    package func noContextTakeover(of sender: WebSocketRole) -> Bool {
        sender == .client ? clientNoContextTakeover : serverNoContextTakeover
    }
}
