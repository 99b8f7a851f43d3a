import RepriseWire

extension RuleCase {
    private static let begin = Recording.chunk(Recording.begin)
    private static let text = Recording.chunk(Recording.text)
    private static let done = Recording.chunk(Recording.done)

    static let http = [
        RuleCase("http.H1", refused(twice: false)),
        RuleCase("http.H1", answered(301)),
        RuleCase("http.H1", answered(304)),
        RuleCase("http.H2", .reply("[]", headers: ["Content-Length": "10"])),
        RuleCase("http.H2", .answer([begin, text, done], how: "reset")),
        RuleCase("http.H3", other(type: ["Content-Type": "text/html"])),
        RuleCase("http.H3", other(type: [:])),
        RuleCase("http.H4", coded("gzip", "bm8gZ3ppcCBhdCBhbGw=")),
        // An empty list, compressed, without its last four bytes.
        RuleCase("http.H4", coded("gzip", "H4sIAAAAAAACA4uOBQApu0wN")),
        RuleCase("http.H4", coded("gzip", "H4sIAAAAAAACA4uOBQApu0wNAgAAAGV4dHJh")),
        RuleCase("http.H4", decoded("truncated")),
        RuleCase("http.H4", decoded("corrupt")),
        RuleCase("http.H4", decoded("trailingBytes")),
        RuleCase("http.H5", coded("br", "CwCAW10D")),
        RuleCase("http.H6", heldBack),
    ]

    /// A request with an answer that has no body.
    static func answered(_ status: Int, to headers: [String: String] = [:]) -> Recording {
        var recording = Recording()
        recording.request(1, at: 0, "GET", "/conversations", headers: headers)
        recording.response(1, at: 10, status, headers: ["Location": "https://b.example/"])
        recording.end(1, at: 30)
        return recording
    }

    private static func other(type headers: [String: String]) -> Recording {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 10, headers: headers)
        recording.body(1, at: 20, "<html>")
        recording.end(1, at: 30)
        return recording
    }

    private static func coded(_ coding: String, _ base64: String) -> Recording {
        var recording = Recording()
        recording.request(1, at: 0, "GET", "/conversations")
        recording.response(
            1, at: 10, headers: ["Content-Type": "application/json", "Content-Encoding": coding])
        recording.add("responseBody", 1, 20, ["base64": .string(base64)])
        recording.end(1, at: 30)
        return recording
    }

    /// A stream that is kept decoded, with what its end says of the coding: what is still coded
    /// behind it is no content.
    static func decoded(_ fault: String) -> Recording {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(
            1, at: 10, headers: ["Content-Type": "text/event-stream", "Content-Encoding": "gzip"])
        recording.add("decodedBody", 1, 20, ["text": .string(begin + text + done)])
        if fault != "truncated" { recording.body(1, at: 25, "data: no chunk\n\n") }
        recording.add(
            "end", 1, 30,
            [
                "how": "complete",
                "coding": [
                    "fault": .string(fault), "name": "gzip", "offset": 7, "detail": "a reason",
                ],
            ])
        return recording
    }

    private static var heldBack: Recording {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 10)
        recording.body(1, at: 1_000, begin + String(repeating: text, count: 11))
        recording.body(1, at: 2_000, String(repeating: text, count: 11) + done)
        recording.end(1, at: 2_010)
        return recording
    }

    static let sse = [
        RuleCase("sse.S1", .answer([begin, text, done, "data: {\"title\":\"T\"}\n"])),
        RuleCase("sse.S2", broken),
        RuleCase("sse.S3", .answer([begin, "\u{FEFF}data: {}\n\n", text, done])),
        RuleCase("sse.S4", .answer([begin, "id: a\u{0}b\n" + text, done])),
        RuleCase("sse.S4", .answer([begin, "retry: soon\n\n", text, done])),
        RuleCase("sse.S5", .answer([begin, "data: : heartbeat\n\n", text, done])),
        RuleCase("sse.S5", .answer([begin, "event: x\n\n", text, done])),
        RuleCase("sse.S6", .answer([begin, "data: {\"content\":\"Hi\"}\r\n\r\n", done])),
    ]

    private static var broken: Recording {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 90)
        recording.body(1, at: 100, begin)
        // data: {"content":"…"} with the byte FF for the text.
        recording.add(
            "responseBody", 1, 110, ["base64": "ZGF0YTogeyJjb250ZW50Ijoi/yJ9Cgo="])
        recording.body(1, at: 120, done)
        recording.end(1, at: 130)
        return recording
    }

    static let json = [
        RuleCase("json.J1", .reply("<oops>")),
        RuleCase("json.J1", .reply("")),
        RuleCase("json.J2", .answer([begin, text, Recording.chunk(#"{"content":5}"#), done])),
        RuleCase("json.J2", .reply(#"[{"title":"no id"}]"#)),
        RuleCase(
            "json.J2", .reply(#"{"messages":{},"thread":{"id":"t"}}"#, to: "/conversations/t")),
        RuleCase("json.J3", .plain(#"{"type":"text"}"#, #"{"type":"dance"}"#)),
        RuleCase(
            "json.J4",
            .answer([begin, Recording.chunk(#"{"content":"a","content":"b"}"#), done])),
        RuleCase("json.J5", .answer([begin, Recording.chunk(#"{"content":"\ud83d"}"#), done])),
    ]

    static let time = [
        RuleCase("time.T1", paced([20, 20, 20, 20, 1_000, 20], with: "")),
        RuleCase("time.T2", paced([20, 20, 20, 20, 1_000, 20], with: ": heartbeat\n\n")),
    ]

    /// Text with these gaps; in the long ones, something every 100 ms.
    static func paced(_ gaps: [Double], with filler: String) -> Recording {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 90)
        recording.body(1, at: 100, begin)
        var time = 100.0
        for gap in gaps {
            if gap > 100 && !filler.isEmpty {
                for step in 1..<Int(gap / 100) {
                    recording.body(1, at: time + Double(step) * 100, filler)
                }
            }
            time += gap
            recording.body(1, at: time, text)
        }
        recording.body(1, at: time + 20, done)
        recording.end(1, at: time + 30)
        return recording
    }
}

extension RuleCase {
    private static let function = Recording.chunk(
        #"{"tool_call_data":true,"type":"client_function","id":"c1","function_name":"f"}"#)
    private static let call = #"{"type":"call","id":"c1"}"#
    private static let ready = #"{"type":"ready","id":"c1"}"#
    private static let result = #"{"type":"result","id":"c1"}"#

    static let tool = [
        RuleCase("usage.U1", .plain(#"{"type":"text"}"#, usage: #"{"type":"text"}"#)),
        RuleCase("usage.U2", .plain(usage: #"{"type":"usage","input":1,"output":1,"total":3}"#)),
        RuleCase(
            "usage.U2",
            .plain(#"{"type":"usage","output":9}"#, usage: #"{"type":"usage","output":8}"#)),
        RuleCase(
            "tool.L1",
            .plain(call, #"{"type":"piece","id":"c1","text":"{\"a\":"}"#, ready, result)),
        RuleCase("tool.L2", .answer([begin, text, function, done])),
        RuleCase("tool.L3", submittedTwice),
        RuleCase("tool.L3", .plain(result)),
        RuleCase("tool.L3", .plain(call, result, ready)),
    ]

    private static var submittedTwice: Recording {
        var recording = Recording.answer([begin, text, function, done])
        recording.submit(2, at: 400, call: "c1")
        recording.submit(3, at: 500, call: "c1")
        return recording
    }

    static let tape = [
        RuleCase("tape.R1", .answer([begin, text, done], how: nil)),
        RuleCase("tape.R2", damaged("unsealed")),
        RuleCase("tape.R3", damaged("member")),
        RuleCase("tape.R3", badFrame),
        RuleCase("tape.R3", repeated("end")),
        RuleCase("tape.R3", repeated("responseBody")),
        RuleCase("tape.R3", repeated("session")),
        RuleCase("tape.R3", without("request")),
        RuleCase("tape.R3", without("session")),
        RuleCase("tape.R3", with: ["tape.R2"], Recording(lines: [])),
        RuleCase("tape.R1", with: ["tape.R2"], unfinishedCall),
    ]

    /// An answer with a frame of a kind once more at its end.
    private static func repeated(_ kind: String) -> Recording {
        let recording = Recording.answer([begin, text, done])
        let again = recording.lines.filter { $0.contains("\"\(kind)\"") }.prefix(1)
        return Recording(lines: recording.lines + again)
    }

    private static func without(_ kind: String) -> Recording {
        let recording = Recording.answer([begin, text, done])
        return Recording(lines: recording.lines.filter { !$0.contains("\"kind\":\"\(kind)\"") })
    }

    /// The recorder dies between an operation's beginning and its first request.
    private static var unfinishedCall: Recording {
        var recording = Recording()
        recording.add("call", 0, 1, ["call": 1, "op": "sendMessage", "args": [:]])
        recording.add("damage", 0, 0, ["what": "unsealed", "message": "it has no end"])
        return recording
    }

    private static func damaged(_ what: String) -> Recording {
        var recording = Recording.answer([begin, text, done])
        recording.add("damage", 0, 0, ["what": .string(what), "message": "it is broken"])
        return recording
    }

    private static var badFrame: Recording {
        var recording = Recording.answer([begin, text, done])
        recording.add("end", 1, 300, ["how": "somehow"])
        return recording
    }
}
