internal import AgoKit
internal import ChatbaseKit
internal import CometChatKit
public import RepriseSession
public import RepriseTransport

/// The vendors that Reprise knows: a line in each list.
public enum Registry {
    /// What the vendors' protocols mean.
    public static let dialects: [any Dialect] = [
        AgoDialect(), ChatbaseDialect(), CometChatDialect(),
    ]

    /// Who runs the recorded operations of which client again.
    public static let clientReplayers: [any ClientReplayer.Type] = [
        AgoClientReplayer.self,
        ChatbaseReplayer.self,
        CometChatReplayer.self,
    ]

    /// Whether a message on a WebSocket of one of them only keeps it alive.
    package static let isKeepAlive: @Sendable (WebSocketMessage) -> Bool = { message in
        CometChatPing.isKeepAlive(message)
    }
}
