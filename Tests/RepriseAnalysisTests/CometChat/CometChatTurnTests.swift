import CometChatKit
import RepriseAnalysis
import RepriseSession
import RepriseWire
import Testing

@Suite struct CometChatTurnTests {
    /// Two messages whose runs interleave; the socket is cut in the second run, whose reply is
    /// fetched; then another message, whose run comes over the next socket.
    static func twoSockets(withCalls: Bool = false) -> Recording {
        var scene = SocketScene.cometchat()
        func call(_ number: Int, at time: Double, _ rest: JSONObject) {
            guard withCalls else { return }
            var fields: JSONObject = ["call": .integer(number)]
            fields.members += rest.members
            scene.recording.add("call", 0, time, fields)
        }
        for (number, time) in [(1, 40.0), (2, 60)] {
            call(number, at: time, ["op": "sendTextMessage", "args": ["text": "hi"]])
            scene.post(
                number + 1, at: time, id: .integer(8000 + number), call: withCalls ? number : nil)
            call(number, at: time + 10, ["result": [:]])
        }
        let first = [Say.started] + Say.tool + Say.text + [Say.finished]
        let second = Say.of(
            9002,
            [Say.started] + Say.tool.dropLast() + Say.card() + [Say.textStart, Say.delta("It ")])
        var time = 100.0
        for index in 0..<max(first.count, second.count) {
            if index < first.count { scene.say([first[index]], at: time) }
            if index < second.count { scene.say([second[index]], at: time + 3) }
            time += 10
        }
        scene.say([Say.assistant()], at: 230)
        scene.recording.end(1, at: 240, "reset")
        scene.enter(4, at: 300)
        scene.fetch(5, at: 330, [Say.assistant("It is shut.", run: 9002)])
        call(3, at: 390, ["op": "sendTextMessage", "args": ["text": "hi"]])
        scene.post(6, at: 400, id: 8003, call: withCalls ? 3 : nil)
        call(3, at: 410, ["result": [:]])
        let end = scene.say(Say.of(9003, Say.whole), 4, at: 450)
        scene.close(4, at: end)
        return scene.recording
    }

    @Test(arguments: [true, false])
    func eachRunHasWhatIsItsOwn(withCalls: Bool) throws {
        let session = try Self.twoSockets(withCalls: withCalls).analyzedAsCometChat()
        #expect(session.violations.map(\.rule) == ["cometchat.C9"])
        #expect(
            session.turns.map(\.operation)
                == .init(repeating: withCalls ? "sendTextMessage" : nil, count: 3))
        #expect(
            session.turns.map(\.outcome) == [
                .finished, .failed("the connection was cut"), .finished,
            ])
        #expect(session.turns.map(\.exchanges) == [[2, 1], [3, 1], [6, 4]])
        #expect(session.turns.map(\.textBytes) == [20, 3, 20])
        #expect(session.turns.map(\.toolCalls) == [1, 1, 0])

        #expect(session.streams.map(\.run) == ["9001", "9002", "9003"])
        #expect(session.streams.map(\.exchange) == [1, 1, 4])
        #expect(session.streams.map(\.turn) == [1, 2, 3])
        #expect(session.streams.map { $0.start / 1_000_000 } == [40, 60, 400])
        #expect(session.streams.map(\.hasRequest) == [true, true, true])
        // From the message to the first event, the first and the last content, and the end.
        #expect(session.streams.map { $0.firstEvent.map { $0 / 1_000_000 } } == [60, 43, 50])
        #expect(session.streams.map { $0.ttft.map { $0 / 1_000_000 } } == [80, 63, 70])
        #expect(session.streams.map { $0.latency.map { $0 / 1_000_000 } } == [140, 133, 80])
        #expect(session.streams.map { $0.terminal.map { $0 / 1_000_000 } } == [160, nil, 100])
        #expect(
            session.streams.map { $0.spans.map(\.kind) } == [
                [.arguments, .text], [.arguments, .card, .text], [.text],
            ])
        #expect(session.streams.map(\.events) == [11, 10, 6])

        #expect(session.tools.map(\.id) == ["tc-1", "tc-1"])
        #expect(session.tools.map(\.turn) == [1, 2])
        #expect(session.tools.map(\.outcome) == [.succeeded, .unanswered])
        #expect(session.tools.map(\.argumentBytes) == [12, 12])
        #expect(session.tools.map { $0.executionTime.map { $0 / 1_000_000 } } == [10, nil])
    }

    @Test func aRunWithoutAMessageHasNoT0() throws {
        let session = try CometChatRuleCase.one(Say.whole).analyzedAsCometChat()
        let stream = try #require(session.streams.first)
        #expect(!stream.hasRequest)
        #expect(stream.start == 100_000_000)
        #expect(stream.ttft == 20_000_000)
        #expect(session.turns.map(\.latency) == [50_000_000])
        #expect(session.turns.map(\.exchanges) == [[1]])
        #expect(session.turns.map(\.usage) == [nil])
    }

    @Test func aRunGoesOnOverTheNextSocket() throws {
        var scene = SocketScene.cometchat()
        scene.post(2, at: 40)
        scene.say([Say.started, Say.textStart, Say.delta("Two ")])
        scene.recording.end(1, at: 150, "reset")
        scene.enter(3, at: 200)
        let end = scene.say([Say.delta("open."), Say.textEnd, Say.finished], 3, at: 300)
        scene.say([Say.assistant()], 3, at: end)
        scene.close(3, at: end + 10)
        let session = try scene.recording.analyzedAsCometChat()
        #expect(session.violations.map(\.rule) == ["cometchat.C9"])
        #expect(session.turns.map(\.outcome) == [.finished])
        #expect(session.turns.map(\.exchanges) == [[2, 1, 3]])
        #expect(session.turns.map(\.latency) == [280_000_000])
        #expect(
            session.streams.map(\.outcome) == [.failed("the connection was cut"), .finished])
        #expect(session.streams.map(\.hasRequest) == [true, false])
    }

    /// The run may begin before the answer to its message; messages are answered in their order.
    @Test(arguments: [true, false])
    func runsAnswerTheMessagesOfTheirConversation(isEarly: Bool) throws {
        var scene = SocketScene.cometchat()
        scene.post(2, at: 40, id: 1, to: "agent-8", conversation: "agent-8_user_u-ann")
        scene.post(3, at: 60, id: 2, answerAt: isEarly ? 115 : nil)
        scene.say([Say.started], at: 110)
        scene.say(Say.text + [Say.finished], at: 120)
        scene.close(at: 200)
        let session = try scene.recording.analyzedAsCometChat()
        #expect(session.streams.map(\.turn) == [2])
        #expect(session.turns.map(\.outcome) == [.failed("no run followed"), .finished])
        #expect(session.streams.map(\.ttft) == [70_000_000])
    }

    /// Whether the app waited for the run until it had enough, or logged out meanwhile.
    @Test(arguments: [true, false], [nil, 115.0])
    func aRunThatWasAwaitedInVainFailed(isAwaited: Bool, answerAt: Double?) throws {
        var scene = SocketScene.cometchat()
        scene.post(2, at: 40, answerAt: answerAt)
        scene.say([Say.started, Say.textStart])
        scene.say([Say.delta("Two "), Say.textEnd], at: 120)
        if isAwaited {
            let args: JSON = ["agent": "agent-7", "message": 8001]
            scene.recording.add("call", 0, 300, ["call": 1, "op": "run", "args": args])
            scene.recording.add(
                "call", 0, 300, ["call": 1, "error": ["code": "cometchat.runTimeout"]])
        }
        scene.close(at: 310)
        let session = try scene.recording.analyzedAsCometChat()
        #expect(session.violations.map(\.rule) == (isAwaited ? ["cometchat.C9"] : []))
        #expect(
            session.turns.map(\.outcome)
                == (isAwaited ? [.failed("its end never came")] : [.cancelled]))
        #expect(session.streams.map(\.events) == [4])
        #expect(session.streams.map(\.terminal) == [nil])
    }

    @Test func aMessageThatIsSentAgainIsOneMessage() throws {
        var scene = SocketScene.cometchat()
        scene.recording.add("call", 0, 39, ["call": 1, "op": "sendTextMessage", "args": [:]])
        scene.post(2, at: 40, call: 1, status: 503)
        scene.post(3, at: 60, call: 1)
        scene.recording.add("call", 0, 70, ["call": 1, "result": [:]])
        scene.post(4, at: 80, id: 8002)
        scene.say(Say.whole)
        scene.say(Say.of(9002, Say.whole), at: 200)
        scene.close(at: 300)
        let session = try scene.recording.analyzedAsCometChat()
        #expect(session.streams.map(\.turn) == [1, 2])
        #expect(session.turns.map(\.outcome) == [.finished, .finished])
        // From the first try.
        #expect(session.streams.map { $0.start / 1_000_000 } == [40, 80])
    }

    @Test func moderationEndsATurn() throws {
        var scene = SocketScene.cometchat()
        scene.post(2, at: 40, id: 8001)
        scene.post(3, at: 50, id: 8002)
        scene.say([Say.moderation(8001, "disapproved"), Say.moderation(8002, "approved")], at: 60)
        scene.say(Say.whole)
        scene.close(at: 200)
        let session = try scene.recording.analyzedAsCometChat()
        #expect(session.violations == [])
        #expect(
            session.turns.map(\.outcome) == [
                .failed("moderation disapproved the message"), .finished,
            ])
    }

    @Test func keepAliveIsNoContentAndNoEventOfARun() throws {
        let session = try CometChatRuleCase.paced(filler: Say.pong, pings: true)
            .analyzedAsCometChat()
        let stream = try #require(session.streams.first)
        #expect(stream.events == 7)
        #expect(stream.stalls.map(\.hasHeartbeats) == [true])
        #expect(stream.stalls.map(\.length) == [1_000_000_000])
    }

    @Test(arguments: ["cancelled", "reset", "timedOut", "failed"])
    func aFinishedRunStaysFinished(how: String) throws {
        let session = try CometChatRuleCase.cut(how, Say.whole).analyzedAsCometChat()
        #expect(session.turns.map(\.outcome) == [.finished])
    }

    /// Whatever is missing at its end, a recording is read, and no rule but those of an end is
    /// broken.
    @Test func everyTruncationIsRead() throws {
        let whole = Self.twoSockets().lines
        let expected: Set = ["tape.R1", "tape.R3", "cometchat.C9", "tape.R2"]
        for count in 2..<whole.count {
            let session = try Recording(lines: Array(whole.prefix(count))).analyzedAsCometChat()
            #expect(Set(session.violations.map(\.rule)).subtracting(expected) == [])
        }
    }
}

extension SocketScene {
    /// Fetches what the service kept.
    fileprivate mutating func fetch(_ exchange: Int, at time: Double, _ frames: [JSON]) {
        recording.request(
            exchange, at: time, "GET", "/users/agent-7/messages",
            headers: ["appId": "app1", "authToken": "****"], base: "https://chat.example.com/v3.0")
        recording.response(exchange, at: time + 5, headers: ["Content-Type": "application/json"])
        let messages = frames.map { $0["body"] ?? .null }
        recording.body(
            exchange, at: time + 5, JSON.object(["data": .array(messages)]).serialized)
        recording.end(exchange, at: time + 6)
    }
}
