import AgoKit
import RepriseAnalysis
import RepriseSession
import RepriseWire

/// Recordings for the web page: a turn with all that a waterfall shows, and one that means harm.
struct PageSample {
    private var lines: [(time: Double, text: String)] = []

    private mutating func add(
        _ kind: String, _ exchange: Int, _ time: Double, _ rest: JSONObject = [:]
    ) {
        var object: JSONObject = [
            "kind": .string(kind), "x": .integer(exchange),
            "t": .integer(Int64(time * 1_000_000)),
        ]
        object.members += rest.members
        lines.append((time, JSON.object(object).serialized))
    }

    private mutating func session(_ recorder: String) {
        add(
            "session", 0, 0,
            [
                "version": 1, "session": "00000000000000a1", "recorder": .string(recorder),
                "wall": "2026-01-02T03:04:05.000000000Z",
            ])
        add("client", 0, 0, ["client": "ago", "config": [:]])
        add("call", 0, 1, ["call": 1, "op": "sendMessage", "args": [:]])
    }

    private mutating func request(_ exchange: Int, _ time: Double, _ path: String) {
        add(
            "request", exchange, time,
            [
                "call": 1, "transport": "http", "method": "POST",
                "url": .string("https://chat.example.com/api/sdk/v1\(path)"),
                "headers": [["Authorization", "Bearer ***"]],
            ])
        add("requestEnd", exchange, time)
    }

    private mutating func respond(
        _ exchange: Int, _ time: Double, _ status: Int, _ type: String = "text/event-stream"
    ) {
        add(
            "response", exchange, time,
            [
                "status": .integer(status), "version": "1.1",
                "headers": [["Content-Type", .string(type)]],
            ])
    }

    private mutating func event(_ exchange: Int, _ time: Double, _ json: JSON) {
        let text = "data: \(json.serialized)\n\n"
        add("responseBody", exchange, time, ["text": .string(text)])
    }

    private mutating func end(_ exchange: Int, _ time: Double, _ rest: JSONObject = [:]) {
        var fields: JSONObject = ["how": "complete", "framing": "chunked", "proven": true]
        for member in rest.members { fields[member.key] = member.value }
        add("end", exchange, time, fields)
    }

    private func tape(_ name: String) throws -> AnalyzedTape {
        // Exchanges and handlers interleave: the lines go in the order of their times.
        let sorted = lines.enumerated().sorted {
            ($0.element.time, $0.offset) < ($1.element.time, $1.offset)
        }
        let text = sorted.map { $0.element.text + "\n" }.joined()
        return try AnalyzedTape(
            name: name, bytes: Array(text.utf8), dialects: [AgoDialect()])
    }
}

extension PageSample {
    /// A question that is tried again, thinks, speaks with a pause, calls two tools of the app and
    /// goes on, with a stall.
    static func turn() throws -> AnalyzedTape {
        var sample = PageSample()
        sample.session("reprise/0.1.0")
        sample.refused()
        sample.asked()
        sample.answeredTools()
        sample.continued()
        return try sample.tape("turn.jsonl")
    }

    private mutating func refused() {
        request(1, 2, "/messages")
        add(
            "phases", 1, 20,
            [
                "lookup": 3_000_000, "connect": 18_000_000, "tls": 64_000_000,
                "sent": 65_000_000, "reused": false, "protocol": "http/1.1",
            ])
        respond(1, 180, 503, "text/plain")
        end(1, 184)
    }

    private mutating func asked() {
        request(2, 520, "/messages")
        add("phases", 2, 521, ["sent": 300_000, "reused": true])
        respond(2, 700, 200)
        event(2, 705, ["message_id": "m1", "thread": ["id": "th1"], "status": "IN_PROGRESS"])
        for step in 0..<5 {
            event(
                2, 720 + Double(step) * 40,
                ["tool_call_data": true, "type": "reasoning", "message": "hm "])
        }
        for step in 0..<10 { event(2, 900 + Double(step) * 20, ["content": "word "]) }
        for step in 0..<5 { event(2, 1_300 + Double(step) * 20, ["content": "more "]) }
        for (step, name) in ["get_weather", "get_time"].enumerated() {
            event(
                2, 1_400 + Double(step) * 5,
                [
                    "tool_call_data": true, "type": "client_function",
                    "id": .string("c\(step + 1)"),
                    "function_name": .string(name), "arguments": ["city": "Zürich"],
                ])
        }
        event(2, 1_410, ["status": "WAITING_CLIENT", "waiting_tool_call_ids": ["c1", "c2"]])
        end(2, 1_420)
    }

    private mutating func answeredTools() {
        for call in 1...2 {
            let start = 1_425 + Double(call)
            add(
                "tool", 0, start,
                ["id": .string("c\(call)"), "name": "f", "state": "started", "input": [:]])
            add(
                "tool", 0, start + 200,
                [
                    "id": .string("c\(call)"), "name": "f", "state": "finished",
                    "outcome": .string(call == 1 ? "value" : "threw"),
                ])
            request(2 + call, 1_640 + Double(call), "/tool-calls/c\(call)/submit")
            respond(2 + call, 1_680, 200, "application/json")
            add("responseBody", 2 + call, 1_681, ["text": "{}"])
            end(2 + call, 1_682)
        }
    }

    private mutating func continued() {
        request(5, 1_700, "/messages/m1/continue")
        respond(5, 1_790, 200)
        for step in 0..<10 {
            event(
                5, 1_800 + Double(step) * 12,
                ["message_id": "m1", "thread": ["id": "th1"], "content": "It is "])
        }
        event(5, 3_000, ["content": "cold."])
        event(5, 3_050, ["status": "DONE"])
        end(5, 3_100)
        add("call", 0, 3_101, ["call": 1, "result": ["id": "m1"]])
    }
}

extension PageSample {
    /// What leaves an element, an attribute, a style, and what cannot be seen.
    static let harm =
        "</script><script>alert('1')</script>\"><img src=x onerror=\"alert(2)\">"
        + "<!--]]>&amp;&#60;'\u{202E}\u{2066}\u{200F}\u{0}\u{1B}[31m\u{7}\u{9B}\u{2028}\u{FEFF}"
        + "\u{E0041};left:0;background:url(//x.example)"

    /// Harm wherever a recording or its surroundings can put text.
    static func harmful() throws -> AnalyzedTape {
        var sample = PageSample()
        sample.session(harm)
        sample.request(1, 2, "/messages?\(harm)")
        sample.respond(1, 10, 200)
        sample.event(1, 20, ["message_id": .string(harm), "thread": ["id": .string(harm)]])
        sample.event(1, 21, ["content": .string(harm)])
        sample.event(
            1, 22,
            [
                "tool_call_data": true, "type": "client_function", "id": .string(harm),
                "function_name": .string(harm), "arguments": .string(harm),
            ])
        // No JSON, no UTF-8, no end.
        sample.add(
            "responseBody", 1, 23,
            ["text": .string("data: {\"\(harm.replacing("\u{2028}", with: ""))\n\n")])
        sample.add("responseBody", 1, 24, ["base64": "ZGF0YTogeyL/w/4iOgoK"])
        sample.event(1, 25, ["content": .string(harm)])
        sample.end(1, 30, ["how": "failed", "code": .string(harm)])
        sample.request(2, 40, "/\(harm)/tool-calls/\(harm)/submit")
        sample.respond(2, 45, 500, harm)
        sample.end(2, 50)
        return try sample.tape(harm)
    }

    /// The report on both.
    static func report() throws -> Report {
        var options = AnalysisOptions()
        options.rules.entries["sse.S6"] = .init(severity: .info, reason: harm)
        return Report(
            [try harmful(), try turn()], rules: Sample.rules, options: options, skipped: [harm])
    }
}
