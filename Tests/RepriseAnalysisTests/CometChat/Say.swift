import CometChatKit
import RepriseAnalysis
import RepriseWire

/// What CometChat's service says on its socket.
enum Say {
    static let started = event("run_started", ["streamMessageId": "sm-0", "role": "assistant"])
    static let finished = event("run_finished")
    static let textStart = event("text_message_start", ["streamMessageId": "sm-2"])
    static let textEnd = event(
        "text_message_end", ["streamMessageId": "sm-2", "messageId": "sm-2", "type": "text"])
    static let text = [textStart, delta("Two stores "), delta("are open."), textEnd]
    static let whole = [started] + text + [finished]
    static let said: JSON = "Two stores are open."
    static let conversation: JSON = "agent-7_user_u-ann"

    /// A live event of an agent.
    static func event(
        _ type: JSON, _ data: JSONObject? = [:], run: JSON = 9001, id: JSON = 9001,
        thread: JSON = "th-1", conversation: JSON = Say.conversation
    ) -> JSON {
        var body: JSONObject = ["type": type, "id": id, "conversationId": conversation]
        if let data {
            var all: JSONObject = ["runId": run, "threadId": thread]
            all.members += data.members
            body["data"] = .object(all)
        }
        return frame("streamed_message", .object(body))
    }

    static func frame(_ type: JSON, _ body: JSON?, deviceId: JSON? = nil) -> JSON {
        var frame: JSONObject = [
            "type": type, "appId": "app1", "receiver": "u-ann", "receiverType": "user",
            "sender": "agent-7",
        ]
        frame["deviceId"] = deviceId
        frame["body"] = body
        return .object(frame)
    }

    static func delta(_ text: JSON, of id: JSON = "sm-2") -> JSON {
        event("text_message_content", ["streamMessageId": id, "delta": text])
    }

    /// The same for another run.
    static func of(_ run: Int64, _ events: [JSON]) -> [JSON] {
        events.map { frame in
            let text = frame.serialized.replacing("9001", with: "\(run)")
            return (try? JSON.parse(Array(text.utf8)).value) ?? .null
        }
    }
}

/// Tools and cards.
extension Say {
    static func callStart(_ id: JSON = "tc-1") -> JSON {
        event("tool_call_start", ["toolCallId": id, "toolCallName": "find_store"])
    }

    static func args(_ piece: JSON, of id: JSON = "tc-1") -> JSON {
        event("tool_call_args", ["toolCallId": id, "delta": piece])
    }

    static func callEnd(_ arguments: JSON? = #"{"zip":"04"}"#, of id: JSON = "tc-1") -> JSON {
        var data: JSONObject = ["toolCallId": id, "toolCallName": "find_store"]
        data["arguments"] = arguments
        return event("tool_call_end", data)
    }

    static func result(_ id: JSON = "tc-1", _ content: JSON = "2 stores") -> JSON {
        event("tool_call_result", ["toolCallId": id, "content": content, "role": "tool"])
    }

    static let tool = [
        callStart(), args(#"{"zip""#), args(#":"04"}"#), callEnd(), result(),
    ]

    static func card(_ id: JSON = "cd-1", _ kinds: [JSON] = ["card_start", "card", "card_end"])
        -> [JSON]
    {
        kinds.map { kind in
            var data: JSONObject = ["streamMessageId": "sm-1", "cardId": id]
            if kind == "card" { data["card"] = ["version": "1.0", "body": []] }
            return event(kind, data)
        }
    }
}

/// Persisted messages.
extension Say {
    static func message(_ type: JSON, run: JSON = 9001, _ data: JSONObject) -> JSON {
        var all: JSONObject = ["runId": run, "threadId": "th-1"]
        all.members += data.members
        return frame(
            "message",
            [
                "id": 9050, "conversationId": conversation, "category": "agentic", "type": type,
                "sender": "agent-7", "receiver": "u-ann", "data": .object(all),
            ])
    }

    static func assistant(
        _ text: JSON = said, elements: JSON? = nil, run: JSON = 9001
    ) -> JSON {
        var data: JSONObject = ["text": text]
        data["elements"] = elements
        return message("assistant", run: run, data)
    }

    static func block(text: JSON) -> JSON { ["type": "text", "value": text] }

    static func block(card id: JSON) -> JSON {
        ["type": "card", "value": ["cardId": id, "card": ["version": "1.0", "body": []]]]
    }

    static func moderation(_ id: JSON, _ status: JSON) -> JSON {
        frame(
            "on_moderation_status_changed",
            ["id": id, "data": ["text": "hi", "moderation": ["status": status]]])
    }

    static let auth: JSON = [
        "type": "auth", "appId": "app1", "deviceId": "d-1", "body": ["auth": "****"],
    ]
    static let admitted = frame("auth", ["code": 200, "status": "OK"])
    static let ping: JSON = ["action": "ping", "ack": true]
    static let pong: JSON = ["action": "pong"]
}

extension SocketScene {
    /// A session whose socket is open from 0 on.
    static func cometchat(
        deflate: PerMessageDeflate? = PerMessageDeflate(), client: String? = "cometchat"
    ) -> SocketScene {
        var scene = SocketScene(Recording(client: client))
        scene.enter(deflate: deflate)
        return scene
    }

    /// Opens a socket and is let in, 20 ms later.
    mutating func enter(
        _ exchange: Int = 1, at time: Double = 0, deflate: PerMessageDeflate? = PerMessageDeflate()
    ) {
        open(exchange, at: time, deflate: deflate)
        send(Say.auth.serialized, from: .client, exchange, at: time + 10, deflated: false)
        send(Say.admitted.serialized, exchange, at: time + 20)
    }

    /// What the service says, 10 ms apart.
    ///
    /// - Returns: When the next would come.
    @discardableResult
    mutating func say(_ frames: [JSON], _ exchange: Int = 1, at time: Double = 100) -> Double {
        for (index, frame) in frames.enumerated() {
            send(frame.serialized, exchange, at: time + Double(index) * 10)
        }
        return time + Double(frames.count) * 10
    }

    /// A message to the agent, which the service answers 5 ms later.
    mutating func post(
        _ exchange: Int, at time: Double, id: JSON = 8001, call: Int? = nil, type: JSON = "text",
        to receiver: JSON = "agent-7", conversation: JSON? = Say.conversation, status: Int = 200,
        answerAt: Double? = nil
    ) {
        recording.request(
            exchange, at: time, "POST", "/messages",
            headers: ["appId": "app1", "authToken": "****"],
            body: JSON.object([
                "receiver": receiver, "receiverType": "user", "category": "message", "type": type,
                "data": ["text": "hi"], "muid": .string("m-\(exchange)"),
            ]).serialized, call: call, base: "https://chat.example.com/v3.0")
        let answer = answerAt ?? time + 5
        recording.response(
            exchange, at: answer, status, headers: ["Content-Type": "application/json"])
        var message: JSONObject = ["id": id, "receiver": receiver]
        message["conversationId"] = conversation
        recording.body(exchange, at: answer, JSON.object(["data": .object(message)]).serialized)
        recording.end(exchange, at: answer + 1)
    }
}

extension Recording {
    func analyzedAsCometChat(
        _ options: AnalysisOptions = AnalysisOptions()
    ) throws -> SessionResult {
        try analyzed(options, dialects: [CometChatDialect()])
    }
}
