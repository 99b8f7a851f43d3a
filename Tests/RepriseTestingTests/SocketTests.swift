import RepriseTesting
import RepriseTransport
import RepriseWire
import Testing

/// A WebSocket on the tape `socket`, on virtual time: the server's three messages, and the client's
/// answers to the first two.
@Suite struct SocketTests {
    private static func open(_ tape: Tape) async throws -> WebSocket {
        let request = Request(
            method: "GET", url: "wss://a.example/ws", headers: ["Origin": "https://app.example"])
        return try await WebSocket.open(request, over: tape.transport)
    }

    /// Reads messages, and says what is there to be said behind each.
    private static func talk(_ tape: Tape, _ answers: [String?]) async throws {
        let socket = try await open(tape)
        var messages = socket.messages.makeAsyncIterator()
        for answer in answers {
            _ = try await messages.next()
            if let answer { try await socket.send(text: answer) }
        }
        socket.cancel()
    }

    @Test(.tape("socket")) func talksAsRecorded() async throws {
        try await Self.talk(.current, ["hi", "fine", nil])
        // A second each to answer was the recorded client's, which this one does not take.
        #expect(Tape.current.time?.now() == 29_999_000_000)
    }

    @Test func whatIsNotSaidIsLeftOver() async throws {
        let talk: @Sendable (Tape) async throws -> Void = { try await Self.talk($0, ["hi"]) }
        let issues = try await Weather.use("socket").issues(talk)
        #expect(issues.count == 1)
        #expect(
            issues.first?.hasPrefix(
                "socket: GET /ws: left over of the recorded exchange 1: 1 message of the client "
                    + "not sent, ") == true)
        let advice = "allowing: [.unsent(path: \"/ws\"), .unread(path: \"/ws\")]"
        #expect(issues.first?.contains(advice) == true)
        let advised: [TapeAllowance] = [.unsent(path: "/ws"), .unread(path: "/ws")]
        #expect(try await Weather.use("socket", allowing: advised).issues(talk) == [])
        let unread = try await Weather.use("socket", allowing: [.unsent(path: "/ws")]).issues(talk)
        #expect(unread.count == 1)
        #expect(unread.first?.contains("allowing: [.unread(path: \"/ws\")]") == true)
        let allowing: [TapeAllowance] = [.unsent(path: "/w*"), .unread()]
        #expect(try await Weather.use("socket", allowing: allowing).issues(talk) == [])
    }

    @Test func whatIsSaidOtherwiseIsAMiss() async throws {
        let issues = try await Weather.use("socket").issues { tape in
            try? await Self.talk(tape, ["hi", "so so"])
        }
        #expect(issues.count == 1)
        #expect(
            issues.first?.hasPrefix(
                """
                socket: GET /ws, message 2: no such message was recorded
                  nearest: message 2 of exchange 1, a text message, not consumed yet
                    the message differs from byte 0 on: recorded 4 bytes, now 5
                """) == true)
    }
}
