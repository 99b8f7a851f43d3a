import ChatbaseKit
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport

/// What the service is to be asked, request for request, and what it answers.
struct Scene: Sendable {
    static let base = "https://chat.example.com/api/sdk"
    static let options = ChatbaseOptions(deviceId: .fixed("d-1"), retry: .never)

    private var tape = TapeText()

    /// The beginning of a recording with another frame in it.
    mutating func add(_ kind: String, _ rest: JSONObject) { tape.add(kind, rest) }

    /// A request and a stream of events that answers it.
    mutating func stream(
        _ body: String, _ events: String..., done: Bool = true, to path: String = "/chat"
    ) {
        let data = (events + (done ? ["[DONE]"] : [])).map { "data: \($0)\n\n" }
        raw(body, data, to: path)
    }

    /// A request and a document that answers it.
    mutating func answer(
        _ method: String = "POST", _ path: String, _ body: String = "", status: Int = 200,
        headers: JSON = [["Content-Type", "application/json"]], _ document: String
    ) {
        tape.exchange(
            call: call, request(method, path, body), status: status, headers: headers,
            body: document.isEmpty ? [] : [document])
    }

    /// A request and pieces of a body that answer it.
    mutating func raw(
        _ body: String, _ pieces: [String], type: String = "text/event-stream",
        end: JSONObject = ["how": "complete"], to path: String = "/chat"
    ) {
        tape.exchange(
            call: call, request("POST", path, body), headers: [["Content-Type", .string(type)]],
            body: pieces, end: end)
    }

    /// A request that nothing answers.
    mutating func failure(_ path: String, _ body: String, code: String) {
        tape.exchange(
            call: call, request("POST", path, body), status: nil,
            end: ["how": "failed", "code": .string(code)])
    }

    /// A successful submission of a tool's output.
    mutating func submission(_ id: String, _ output: String, status: Int = 200) {
        answer(
            "POST", "/conversations/cv/tool-result",
            #"{"toolCallId":"\#(id)","output":\#(output)}"#,
            status: status,
            status == 200
                ? #"{"data":{"success":true}}"#
                : #"{"error":{"code":"RESOURCE_TOOL_CALL_NOT_FOUND","message":"no such call"}}"#)
    }

    /// The operation that requests belong to.
    var call = 1
    /// Whether a user is signed in, whose token is masked as on every tape.
    var isSignedIn = false

    private func request(
        _ method: String, _ path: String, _ body: String
    ) -> (method: String, url: String, headers: JSON, body: String) {
        var headers: [JSON] = [
            ["User-Agent", "Chatbase-iOS-SDK/1.0.0"], ["X-Device-Id", "d-1"],
        ]
        if isSignedIn { headers.append(["X-User-Token", "*"]) }
        if !body.isEmpty { headers.append(["Content-Type", "application/json"]) }
        let isStream = body.contains(#""stream":true"#)
        headers.append(["Accept", isStream ? "text/event-stream" : "application/json"])
        headers.append(["Accept-Encoding", "gzip, deflate"])
        return (method, "\(Scene.base)/agents/ag\(path)", .array(headers), body)
    }

    /// A client that plays the scene.
    func play(
        options: ChatbaseOptions = Scene.options, steps: Int = 10, tools: ReplayTools = .live()
    ) throws -> Stage {
        let journal = Notebook()
        let transport = ReplayTransport(
            recording: try Recording(bytes: tape.bytes), journal: journal, tools: tools)
        let client = ChatbaseClient(
            agentId: "ag", baseURL: Scene.base, transport: transport, options: options,
            maxToolLoopSteps: steps)
        return Stage(client: client, transport: transport, journal: journal)
    }
}

/// A client on a scene, and what it told.
struct Stage: Sendable {
    let client: ChatbaseClient
    let transport: ReplayTransport
    let journal: Notebook
    let diary = Diary()

    /// Sends `Hi` with every callback written down.
    @discardableResult
    func send(conversationId: String? = nil) async throws -> ChatResponse {
        try await client.send("Hi", conversationId: conversationId) { diary.keep(&$0) }
    }

    /// Whether the requests were those of the scene, and all of them.
    var isPlayed: Bool { transport.misses.isEmpty && transport.unconsumed.isEmpty }

    /// The runs of tools in the journal: `started get {…}`, `finished get value {…}`.
    var tools: [String] {
        journal.contents.compactMap { content in
            guard case .tool(let record) = content else { return nil }
            return [
                record.state.rawValue, record.name, record.outcome?.rawValue,
                (record.input ?? record.output)?.serialized,
            ].compactMap { $0 }.joined(separator: " ")
        }
    }
}

/// What happened, in order.
final class Diary: Sendable {
    private let entries = Locked<[String]>([])

    var lines: [String] { entries.withLock { $0 } }

    func note(_ line: String) { entries.withLock { $0.append(line) } }

    func keep(_ callbacks: inout StreamCallbacks) {
        callbacks.onTextDelta = { self.note("text \($0)") }
        callbacks.onToolCall = { self.note("call \($0.toolCallId) \($0.toolName)") }
        callbacks.onToolResult = { info in
            self.note("result \(info.toolCallId) \(info.toolName) \(JSON(info.output).serialized)")
        }
    }
}

/// Parts of streams.
enum Part {
    static let start = #"{"type":"start","messageId":"m"}"#
    static func text(_ text: String) -> String { #"{"type":"text-delta","delta":"\#(text)"}"# }
    static func call(_ id: String, _ name: String) -> String {
        #"{"type":"tool-input-available","toolCallId":"\#(id)","toolName":"\#(name)","#
            + #""input":{"for":"\#(id)"}}"#
    }
    static func output(_ id: String, _ output: String) -> String {
        #"{"type":"tool-output-available","toolCallId":"\#(id)","output":\#(output)}"#
    }
    static func finish(_ more: String = #""finishReason":"stop""#, conversation: String? = "cv")
        -> String
    {
        let conversation = conversation.map { #""conversationId":"\#($0)","# } ?? ""
        return #"{"type":"finish","messageMetadata":{\#(conversation)\#(more)}}"#
    }

    /// The body of a request that sends `Hi`.
    static let hi = #"{"message":"Hi","stream":true}"#
    /// The body of a request that goes on.
    static let on = #"{"conversationId":"cv","stream":true}"#
}
