import RepriseTransport
import RepriseWire

extension ChatbaseClient {
    /// Sends a message and takes the reply as one document. No tool is run: where the agent asks
    /// for some, the reply's finish reason is `toolCalls` and its parts have the calls.
    ///
    /// - Parameters:
    ///   - message: The text.
    ///   - conversationId: The conversation to go on with; nil begins one.
    public func sendNonStreaming(
        _ message: String, conversationId: String? = nil
    ) async throws -> ChatResponse {
        var args: JSONObject = ["message": .string(message)]
        args["conversationId"] = conversationId.map { .string($0) }
        return try await operation(
            "sendNonStreaming", .object(args), result: JSONDocument.json
        ) { operation in
            let request = try operation.chat(
                .string(message), conversationId: conversationId, isStream: false)
            let reply = try await operation.document(WholeReply.self, request).data
            take(reply.info, epoch: operation.identity.epoch)
            return reply.response(conversationId)
        }
    }
}

/// A reply in one document: its message with the details in the message's metadata, or beside it.
private struct WholeReply: Decodable {
    let data: Reply

    struct Reply: Decodable {
        private var message: Content?
        private var content: Content?
        private var beside: Details
        private var within: Details?

        private enum CodingKeys: String, CodingKey {
            case message, metadata
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            message = try values.decodeIfPresent(Content.self, forKey: .message)
            content = message == nil ? try Content(from: decoder) : nil
            beside = try Details(from: decoder)
            within = try values.decodeIfPresent(Details.self, forKey: .metadata)
        }

        var info: StreamFinishInfo {
            let reason = within?.finishReason ?? beside.finishReason
            return StreamFinishInfo(
                conversationId: within?.conversationId ?? beside.conversationId,
                messageId: within?.messageId ?? beside.messageId,
                userMessageId: within?.userMessageId ?? beside.userMessageId,
                userId: within?.userId ?? beside.userId,
                finishReason: reason.flatMap(FinishReason.init),
                usage: within?.usage ?? beside.usage)
        }

        func response(_ conversationId: String?) -> ChatResponse {
            let parts = (message ?? content)?.parts ?? []
            let info = info
            return ChatResponse(
                message: Message(
                    id: (message ?? content)?.id ?? info.messageId ?? "", text: parts.text,
                    sender: .agent, parts: parts),
                conversationId: info.conversationId ?? conversationId ?? "",
                userMessageId: info.userMessageId, finishReason: info.finishReason ?? .stop,
                usage: info.usage ?? Usage(credits: 0))
        }
    }

    struct Content: Decodable {
        var id: String?
        var parts: [MessagePart]

        private enum CodingKeys: String, CodingKey {
            case id, parts
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decodeIfPresent(String.self, forKey: .id)
            parts = try values.decode([LenientPart].self, forKey: .parts).compactMap(\.value)
        }
    }

    struct Details: Decodable {
        var conversationId: String?
        var messageId: String?
        var userMessageId: String?
        var userId: String?
        var finishReason: String?
        var usage: Usage?
    }
}
