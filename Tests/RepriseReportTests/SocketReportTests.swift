import CometChatKit
import RepriseAnalysis
import RepriseReport
import RepriseSession
import RepriseWire
import Testing

/// A socket with two runs that interleave, of which the second is cut; and another socket.
@Suite("A report on WebSockets")
struct SocketReportTests {
    private struct Lines {
        var text = #"""
            {"kind":"session","x":0,"t":0,"version":1,"session":"00000000000000a1","wall":"2026-01-02T03:04:05.000000000Z","recorder":"hand"}
            {"kind":"client","x":0,"t":0,"client":"cometchat","config":{}}

            """#

        mutating func add(_ kind: String, _ exchange: Int, _ time: Int, _ rest: JSONObject = [:]) {
            var line: JSONObject = [
                "kind": .string(kind), "x": .integer(exchange), "t": .integer(time * 1_000_000),
            ]
            line.members += rest.members
            text += JSON.object(line).serialized + "\n"
        }

        mutating func open(_ exchange: Int, _ time: Int) {
            add(
                "request", exchange, time,
                ["transport": "websocket", "method": "GET", "url": "ws://a.example/"])
            add("response", exchange, time + 5, ["status": 101, "version": "1.1"])
        }

        mutating func say(
            _ exchange: Int, _ time: Int, _ type: JSON, run: Int64, _ data: JSONObject = [:]
        ) {
            var data = data
            data["runId"] = .integer(run)
            let body: JSON = ["type": type, "id": .integer(run), "data": .object(data)]
            let frame: JSON = ["type": "streamed_message", "sender": "agent-7", "body": body]
            add(
                "socketFrame", exchange, time,
                ["from": "server", "opcode": "text", "text": .string(frame.serialized)])
        }

        mutating func post(_ exchange: Int, _ time: Int) {
            add(
                "request", exchange, time,
                [
                    "transport": "http", "method": "POST", "url": "http://a.example/messages",
                    "headers": [["appId", "a"]],
                ])
            add("requestBody", exchange, time, ["text": #"{"receiver":"agent-7"}"#])
            add("requestEnd", exchange, time)
            add("response", exchange, time + 4, ["status": 200, "version": "1.1"])
            add(
                "responseBody", exchange, time + 4,
                ["text": #"{"data":{"id":1,"conversationId":"c"}}"#])
            add("end", exchange, time + 5, ["how": "complete"])
        }
    }

    private static var jsonl: String {
        var lines = Lines()
        lines.open(1, 0)
        lines.post(2, 10)
        for (run, shift) in [(41, 0), (42, 5)] as [(Int64, Int)] {
            lines.say(1, 30 + shift, "run_started", run: run)
        }
        lines.say(1, 40, "tool_call_start", run: 41, ["toolCallId": "t", "toolCallName": "look"])
        lines.say(1, 45, "card_start", run: 42, ["cardId": "c"])
        lines.say(1, 50, "tool_call_end", run: 41, ["toolCallId": "t", "arguments": "{}"])
        lines.say(1, 55, "card", run: 42, ["cardId": "c", "card": [:]])
        lines.say(1, 60, "tool_call_result", run: 41, ["toolCallId": "t", "content": "x"])
        lines.say(1, 70, "text_message_start", run: 41)
        lines.say(1, 80, "text_message_content", run: 41, ["delta": "Hello"])
        lines.say(1, 90, "text_message_end", run: 41)
        lines.say(1, 95, "run_finished", run: 41)
        lines.add("end", 1, 100, ["how": "reset", "code": "transport.reset"])
        lines.open(3, 110)
        lines.add(
            "socketFrame", 3, 120, ["from": "client", "opcode": "close", "base64": "A+g="])
        lines.add(
            "socketFrame", 3, 121, ["from": "server", "opcode": "close", "base64": "A+g="])
        lines.add("end", 3, 122, ["how": "complete"])
        return lines.text
    }

    private func report() throws -> Report {
        let tape = try AnalyzedTape(
            name: "socket.jsonl", bytes: Array(Self.jsonl.utf8), dialects: [CometChatDialect()])
        return Report([tape], rules: Sample.rules)
    }

    @Test("tells the runs apart in its JSON form")
    func json() throws {
        let session = try report().json["sessions"]?.array?.first
        let streams = session?["streams"]?.array ?? []
        #expect(streams.map { $0["run"]?.string } == ["41", "42"])
        #expect(streams.map { $0["turn"]?.integer } == [1, 2])
        #expect(streams.map { $0["t0Ms"]?.double } == [10, nil])
        #expect(streams.map { $0["ttftMs"]?.double } == [70, 20])
        #expect(streams.map { $0["outcome"]?.string } == ["finished", "failed"])
        #expect(streams.map { $0["spans"]?.array?.count } == [1, 1])
        let exchanges = session?["exchanges"]?.array ?? []
        #expect(exchanges.map { $0["socket"]?["received"]?["frames"]?.integer } == [11, nil, 1])
        #expect(exchanges.map { $0["socket"]?["sent"]?["closeCode"]?.integer } == [nil, nil, 1000])
        let turns = session?["turns"]?.array ?? []
        #expect(turns.map { $0["usage"]?.isNull } == [true, true])
        #expect(try report().findings.map { $0.rule.id } == ["cometchat.C9"])
    }

    @Test("draws a row for each run, with its message and its tool")
    func page() throws {
        let page = Page(HTMLReport().render(try report()))
        #expect(page.faults == [])
        let html = HTMLReport().render(try report())
        for words in [
            "<small>run</small> <b><bdi>41</bdi></b>", "<small>run</small> <b><bdi>42</bdi></b>",
            "first frame after 20.0 ms", "card at 20.0 ms, 1 piece", "text at 70.0 ms, 1 piece",
            "no request of it", "failed: the connection was cut", "result 10.0 ms later",
            "No server reported tokens or credits", "Of a run without a request",
        ] {
            #expect(html.contains(words), "\(words)")
        }
    }

    @Test("has the turns in its readable forms")
    func text() throws {
        let text = TextReport(width: 120).render(try report())
        #expect(text.contains("the connection was cut"))
        let markdown = MarkdownReport().render(try report())
        #expect(markdown.contains("| 1 | finished | – | 2, 1 | 70.00 | 85.00 |"))
        #expect(markdown.contains("| 2 | failed | the connection was cut | 1 | 20.00 | – |"))
    }
}
