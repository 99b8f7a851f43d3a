import ChatbaseKit
import RepriseAnalysis
import RepriseSession
import RepriseWire

/// Recordings of Chatbase, by hand.
extension Recording {
    static func chatbase(config: JSON = [:]) -> Recording {
        var recording = Recording(client: nil)
        recording.add("client", 0, 0, ["client": "chatbase", "config": config])
        return recording
    }

    mutating func ask(
        _ exchange: Int, at time: Double, _ path: String = "/chat", body: JSON, call: Int? = nil
    ) {
        request(
            exchange, at: time, "POST", path, headers: ["X-Device-Id": "d-1"],
            body: body.serialized, call: call,
            base: "https://www.chatbase.co/api/sdk/agents/a-1")
    }

    /// A request and its stream: the head 50 ms later, then a read each 10 ms.
    mutating func stream(
        _ exchange: Int, at time: Double, message: JSON? = "hi", conversation: JSON? = nil,
        call: Int? = nil, how: String? = "complete", _ reads: [String]
    ) {
        var body: JSONObject = ["stream": true]
        body["message"] = message
        body["conversationId"] = conversation
        ask(exchange, at: time, body: .object(body), call: call)
        response(exchange, at: time + 50)
        for (index, read) in reads.enumerated() {
            self.body(exchange, at: time + 60 + Double(index) * 10, read)
        }
        if let how { end(exchange, at: time + 60 + Double(reads.count) * 10, how) }
    }

    mutating func submitResult(
        _ exchange: Int, at time: Double, of call: JSON, _ output: JSON = ["value": 1],
        to conversation: String = "cv-1", status: Int = 200, success: JSON = true, in op: Int? = nil
    ) {
        ask(
            exchange, at: time, "/conversations/\(conversation)/tool-result",
            body: ["toolCallId": call, "output": output], call: op)
        answer(exchange, at: time + 10, status: status, ["data": ["success": success]])
    }

    mutating func answer(
        _ exchange: Int, at time: Double, status: Int = 200, _ value: JSON
    ) {
        response(exchange, at: time, status, headers: ["Content-Type": "application/json"])
        body(exchange, at: time + 5, value.serialized)
        end(exchange, at: time + 10)
    }

    func analyzedAsChatbase(_ options: AnalysisOptions = AnalysisOptions()) throws -> SessionResult
    {
        try analyzed(options, dialects: [ChatbaseDialect()])
    }
}

/// Parts of streams.
enum Part {
    static let start = chunk(["type": "start", "messageId": "m-1"])
    static let textStart = chunk(["type": "text-start", "id": "t-1"])
    static let text = delta("Hi")
    static let textEnd = chunk(["type": "text-end", "id": "t-1"])
    static let stop = finish()
    static let done = "data: [DONE]\n\n"

    static let opening = [start, textStart, text]
    static let closing = [textEnd, stop, done]
    static let whole = opening + closing

    static func chunk(_ json: JSON) -> String { Recording.chunk(json.serialized) }

    static func delta(_ text: JSON, id: JSON? = "t-1") -> String {
        var part: JSONObject = ["type": "text-delta", "delta": text]
        part["id"] = id
        return chunk(.object(part))
    }

    static func finish(
        _ reason: JSON? = "stop", conversation: JSON? = "cv-1", credits: JSON? = 1
    ) -> String {
        var facts: JSONObject = ["messageId": "m-1", "userId": nil]
        facts["conversationId"] = conversation
        facts["finishReason"] = reason
        facts["usage"] = credits.map { ["credits": $0] }
        return chunk(["type": "finish", "messageMetadata": .object(facts)])
    }

    static func call(_ id: JSON, name: JSON = "look_up", input: JSON? = ["no": "A-17"]) -> String {
        var part: JSONObject = ["type": "tool-input-available", "toolCallId": id, "toolName": name]
        part["input"] = input
        return chunk(.object(part))
    }

    static func callStart(_ id: JSON, name: JSON = "look_up") -> String {
        chunk(["type": "tool-input-start", "toolCallId": id, "toolName": name])
    }

    static func piece(_ text: JSON, of id: JSON) -> String {
        chunk(["type": "tool-input-delta", "toolCallId": id, "inputTextDelta": text])
    }

    static func output(_ id: JSON, _ output: JSON = ["found": 2]) -> String {
        chunk(["type": "tool-output-available", "toolCallId": id, "output": output])
    }
}
