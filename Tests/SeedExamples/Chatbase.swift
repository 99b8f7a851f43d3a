import ChatbaseKit

// The samples of the service's page on the types of its iOS kit, as they stand there, each in the
// place that it is written for.

/// A view's model with the methods that the samples call.
@MainActor
final class ChatbaseModel {
    func append(_ chunk: String) {}
    func showToolCard(id: String, name: String, city: String?) {}
    func completeToolCard(id: String, failed: Bool) {}

    func send(with client: ChatbaseClient) async throws {
        let response = try await client.send("Hello") { cb in
            cb.onTextDelta = { chunk in await self.append(chunk) }
            // onToolCall and onToolResult not set
        }
        let message: Message = response.message
        print(message.text)
    }

    func sendWithTools(with client: ChatbaseClient) async throws {
        _ = try await client.send("Hello") { cb in
            cb.onToolCall = { info in
                let city = info.input["city"]?.stringValue
                await self.showToolCard(id: info.toolCallId, name: info.toolName, city: city)
            }
            cb.onToolResult = { info in
                let failed = info.output["error"] != nil
                await self.completeToolCard(id: info.toolCallId, failed: failed)
            }
        }
    }
}

/// Each type of the page, with the names and types that it shows.
func useEveryChatbaseType(client: ChatbaseClient) async throws {
    var callbacks = StreamCallbacks()
    let onTextDelta: (@Sendable (String) async -> Void)? = { print($0) }
    let onToolCall: (@Sendable (ToolCallInfo) async -> Void)? = nil
    let onToolResult: (@Sendable (ToolResultInfo) async -> Void)? = nil
    callbacks.onTextDelta = onTextDelta
    callbacks.onToolCall = onToolCall
    callbacks.onToolResult = onToolResult

    let handler: ToolHandler = { input in input }
    client.tool("tool", handler: handler)
    let set = callbacks
    let response: ChatResponse = try await client.retry(
        conversationId: "conversation", messageId: "message"
    ) { cb in cb = set }
    print(response.finishReason, response.usage, response.userMessageId ?? "")
    print(client.currentUserId ?? "", client.currentConversationId ?? "", client.deviceId)
}

/// Each case of the page's events.
func read(_ event: StreamEvent) {
    switch event {
    case .messageStarted(id: let id): print(id)
    case .textChunk(let text): print(text)
    case .toolCall(let call):
        let call: ToolCall = call
        let input: JSONValue = call.input
        print(call.toolCallId, call.toolName, input)
    case .toolOutput(toolCallId: let id, output: let output): print(id, output)
    case .finished(let info):
        let info: StreamFinishInfo = info
        let texts: [String?] = [
            info.conversationId, info.messageId, info.userMessageId, info.userId,
        ]
        let reason: FinishReason? = info.finishReason
        let usage: Usage? = info.usage
        print(texts, reason ?? .stop, usage?.credits ?? 0)
    }
}

/// How the page says that errors come.
func fail(_ error: any Error) {
    if case ChatError.decodingFailed(let why) = error { print(why) }
    if let code = (error as? APIError)?.apiCode { print(code) }
}
