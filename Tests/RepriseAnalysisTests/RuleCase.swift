import RepriseWire
import Testing

/// A recording that breaks one rule.
struct RuleCase: Sendable, CustomTestStringConvertible {
    let rule: String
    /// Rules that such a recording cannot but break as well.
    var companions: [String] = []
    /// How often.
    var count = 1
    let recording: Recording

    init(
        _ rule: String, with companions: [String] = [], count: Int = 1, _ recording: Recording
    ) {
        self.rule = rule
        self.companions = companions
        self.count = count
        self.recording = recording
    }

    var testDescription: String { rule }

    static let all = ago + conduct + http + sse + socket + json + time + tool + tape
}

extension RuleCase {
    private static let begin = Recording.begin
    private static let text = Recording.text
    private static let done = Recording.done

    static let ago = [
        RuleCase("ago.A1", .chunks(begin, text, done, text)),
        RuleCase("ago.A2", .chunks(begin, text)),
        RuleCase("ago.A2", .chunks(begin, text, how: "reset")),
        RuleCase("ago.A2", .chunks(begin, text, how: "failed")),
        RuleCase("ago.A2", .answer(["data: {\"message_id\":\"m1\",\"thre"], how: "reset")),
        RuleCase("ago.A3", .answer([])),
        RuleCase("ago.A4a", .chunks(#"{"thread":{"id":"th1"},"content":"Hi"}"#, done)),
        RuleCase("ago.A4b", .chunks(begin, #"{"message_id":"m2","content":"Hi"}"#, done)),
        RuleCase("ago.A4c", .chunks(begin, #"{"thread":{"id":"th2"},"content":"Hi"}"#, done)),
        RuleCase("ago.A4d", .chunks(#"{"message_id":"m1","content":"Hi"}"#, done)),
        RuleCase("ago.A5a", .chunks(begin, text, #"{"status":"WAITING_CLIENT"}"#)),
        RuleCase(
            "ago.A5b",
            .chunks(begin, text, #"{"status":"WAITING_CLIENT","waiting_tool_call_ids":["c9"]}"#)),
        RuleCase("ago.A5c", continued(submits: false)),
        RuleCase("ago.A6a", .chunks(begin, text, #"{"full_content":"Hello"}"#, done)),
        RuleCase(
            "ago.A6b",
            .chunks(
                begin, #"{"full_content":"Hel"}"#, #"{"content":"lo"}"#,
                #"{"full_content":"Help"}"#, done)),
        RuleCase("ago.A7", .chunks(begin, done)),
        RuleCase(
            "ago.A8a",
            .chunks(begin, text, #"{"type":"client_function","function_name":"f"}"#, done)),
        RuleCase(
            "ago.A8b", .chunks(begin, text, #"{"tool_call_data":true,"type":"form"}"#, done)),
        RuleCase("ago.A9a", .chunks(begin, text, #"{"content":"#, done)),
        RuleCase("ago.A9a", .chunks(begin, text, "[]", done)),
        RuleCase("ago.A9b", .chunks(begin, text, #"{"status":"PONDERING"}"#, done)),
        RuleCase(
            "ago.A9c",
            .chunks(begin, text, #"{"tool_call_data":true,"type":"dance","id":"c1"}"#, done)),
        RuleCase("ago.A9c", .chunks(begin, text, #"{"mood":"good"}"#, done)),
        RuleCase("ago.A9d", heartbeats([100, 100, 100, 100, 400])),
        RuleCase("ago.A10", .chunks(begin, text, done, #"{"status":"ERROR"}"#)),
    ]

    /// A turn that is paused for one function and continued, its result submitted before or after.
    static func continued(submits: Bool) -> Recording {
        var recording = Recording.chunks(
            begin, text,
            #"{"tool_call_data":true,"type":"client_function","id":"c1","function_name":"f"}"#,
            #"{"status":"WAITING_CLIENT","waiting_tool_call_ids":["c1"]}"#)
        if submits { recording.submit(2, at: 400, call: "c1") }
        recording.request(3, at: 500, "POST", "/messages/m1/continue", body: "{}")
        recording.response(3, at: 510)
        let rest = [#"{"message_id":"m1","thread":{"id":"th1"},"content":" you"}"#, done]
        for (index, json) in rest.enumerated() {
            recording.body(3, at: 520 + Double(index) * 10, Recording.chunk(json))
        }
        recording.end(3, at: 600)
        if !submits { recording.submit(2, at: 700, call: "c1") }
        return recording
    }

    /// Heartbeats with these gaps between them, and an answer behind.
    static func heartbeats(_ gaps: [Double]) -> Recording {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 10)
        recording.body(1, at: 20, Recording.chunk(begin) + ": heartbeat\n\n")
        var time = 20.0
        for (index, gap) in gaps.enumerated() {
            time += gap
            let isData = index.isMultiple(of: 2)
            recording.body(1, at: time, isData ? Recording.chunk("heartbeat") : ": heartbeat\n\n")
        }
        recording.body(1, at: time + 100, Recording.chunk(text))
        recording.body(1, at: time + 120, Recording.chunk(done))
        recording.end(1, at: time + 130)
        return recording
    }
}

extension RuleCase {
    static let conduct = [
        RuleCase("ago.P1", list([jwt, ["X-User-Anon-Id": "****"]])),
        RuleCase("ago.P2", masked([1, 2])),
        RuleCase("ago.P3", with: ["http.H1"], refused(twice: true)),
        RuleCase("ago.P4", ticket(["subject": "S", "typology": "", "priority": "high"])),
        RuleCase(
            "ago.P5",
            .answer(
                [
                    Recording.chunk(begin), Recording.chunk(text),
                    Recording.chunk(done) + Recording.chunk(#"{"title":"T"}"#),
                ], how: "cancelled")),
    ]

    static let jwt = ["Authorization": "Bearer ***", "X-User-Anon-Id": "****"]

    /// One list of conversations for each set of headers.
    static func list(_ headers: [[String: String]]) -> Recording {
        var recording = Recording()
        for (index, headers) in headers.enumerated() {
            let time = Double(index) * 100
            recording.request(index + 1, at: time, "GET", "/conversations", headers: headers)
            recording.response(
                index + 1, at: time + 20, headers: ["Content-Type": "application/json"])
            recording.body(index + 1, at: time + 30, "[]")
            recording.end(index + 1, at: time + 40)
        }
        return recording
    }

    /// One list of conversations for each number of the masked widget id, with an operation in
    /// front of the last one.
    static func masked(_ secrets: [Int], before operation: String? = nil) -> Recording {
        var recording = Recording()
        for (index, secret) in secrets.enumerated() {
            if index == secrets.count - 1, let operation {
                recording.add("call", 0, 90, ["call": 9, "op": .string(operation), "args": [:]])
                recording.add("call", 0, 91, ["call": 9, "result": nil])
            }
            let (exchange, time, frame) = (index + 1, Double(index) * 100, recording.next)
            recording.request(
                exchange, at: time, "GET", "/conversations", headers: ["X-User-Anon-Id": "****"])
            recording.add(
                "masked", exchange, time,
                [
                    "frame": .integer(frame), "offset": 10, "length": 4,
                    "rule": "header:x-user-anon-id", "secret": .integer(secret),
                ])
            recording.response(
                exchange, at: time + 20, headers: ["Content-Type": "application/json"])
            recording.body(exchange, at: time + 30, "[]")
            recording.end(exchange, at: time + 40)
        }
        return recording
    }

    static func refused(twice: Bool, token second: String = "Bearer ***") -> Recording {
        var recording = Recording()
        for exchange in 1...(twice ? 2 : 1) {
            let time = Double(exchange) * 100
            let headers = ["Authorization": exchange == 1 ? "Bearer ***" : second]
            recording.request(exchange, at: time, headers: headers, body: #"{"content":"hi"}"#)
            recording.response(exchange, at: time + 20, 401, headers: [:])
            recording.end(exchange, at: time + 30)
        }
        return recording
    }

    static func ticket(_ fields: [String: String]) -> Recording {
        var recording = Recording()
        var body = ""
        for (name, value) in fields.sorted(by: { $0.key < $1.key }) {
            body += "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        recording.request(
            1, at: 0, "POST", "/tickets",
            headers: jwt.merging(["Content-Type": "multipart/form-data; boundary=b"]) { $1 },
            body: body + "--b--\r\n")
        recording.response(1, at: 20, 201, headers: ["Content-Type": "application/json"])
        recording.body(1, at: 30, #"{"id":"1","ticket_url":"https://t.example/1"}"#)
        recording.end(1, at: 40)
        return recording
    }
}

extension Recording {
    /// Submits a result for a call.
    mutating func submit(
        _ exchange: Int, at time: Double, call: String, status: Int = 200,
        form: String = #"{"result":1}"#
    ) {
        request(
            exchange, at: time, "POST", "/tool-calls/\(call)/submit",
            body: #"{"formData":\#(form)}"#)
        response(exchange, at: time + 10, status, headers: ["Content-Type": "application/json"])
        body(exchange, at: time + 20, #"{"status":"ok"}"#)
        end(exchange, at: time + 30)
    }
}
