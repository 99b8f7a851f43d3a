import ChatbaseKit
import RepriseCurl
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport

/// A message to a stand-in for Chatbase, what the app heard of the reply, and the tape of it.
struct RecordedTurn: Sendable {
    static let options = ChatbaseOptions(deviceId: .fixed("d-1"), retry: .never)

    let folder: TemporaryFolder
    let path: String
    let heard: Heard
    let outcome: Result<ChatResponse, any Error>

    /// Sends `message` and runs the tools that the agent asks for: `get_weather` returns
    /// something, `find_order` throws, and any other is not there.
    init(
        _ message: String, to peer: Peer, options: ChatbaseOptions = RecordedTurn.options,
        steps: Int = 10
    ) async throws {
        folder = try TemporaryFolder()
        path = folder.file("turn.tape")
        heard = Heard()
        let recorder = try TapeRecorder(path: path)
        let transport = RecordingTransport(
            base: CurlTransport(options: CurlOptions(proxy: .none)), recorder: recorder)
        let client = Self.client(peer.chatbaseURL, transport, options: options, steps: steps)
        outcome = await Self.send(message, client, heard)
        try recorder.close()
    }

    static func client(
        _ url: String, _ transport: any Transport, options: ChatbaseOptions = RecordedTurn.options,
        steps: Int = 10
    ) -> ChatbaseClient {
        let client = ChatbaseClient(
            agentId: "a-1", baseURL: url, transport: transport, options: options,
            maxToolLoopSteps: steps)
        client.tool("get_weather") { input in
            ["city": input["city"] ?? .null, "celsius": 20.5]
        }
        client.tool("find_order") { _ in throw NoSuchOrder() }
        return client
    }

    static func send(
        _ message: String, _ client: ChatbaseClient, _ heard: Heard
    ) async -> Result<ChatResponse, any Error> {
        do {
            return .success(
                try await client.send(message) { callbacks in
                    callbacks.onTextDelta = { heard.note("text \($0)") }
                    callbacks.onToolCall = { info in
                        heard.note("call \(info.toolName) \(JSON(info.input).serialized)")
                    }
                    callbacks.onToolResult = { info in
                        heard.note("result \(info.toolName) \(JSON(info.output).serialized)")
                    }
                })
        } catch {
            return .failure(error)
        }
    }
}

/// What a tool throws.
struct NoSuchOrder: Error, CustomStringConvertible {
    var description: String { "there is no such order" }
}

/// What the callbacks were given, in order.
final class Heard: Sendable {
    private let entries = Locked<[String]>([])

    var lines: [String] { entries.withLock { $0 } }

    /// The lines that are no text.
    var tools: [String] { lines.filter { !$0.hasPrefix("text ") } }

    func note(_ line: String) { entries.withLock { $0.append(line) } }
}
