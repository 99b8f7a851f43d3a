import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// A check of operations that use a WebSocket.
@Suite struct SocketCheckTests {
    /// What the client of now does, and in what the check finds it to differ.
    @Test(
        arguments: [
            (#"{"say":"a","read":2,"close":true}"#, []),
            (
                #"{"say":"b","read":2,"close":true}"#,
                [
                    "request: call 1: GET /ws, message 1: the message differs from byte 0 on: "
                        + "recorded 1 byte, now 1"
                ]
            ),
            (
                #"{"say":"a","read":1}"#,
                [
                    "outcome: call 1: in the result of talk, $ differs: recorded 2, now 1",
                    "unconsumed: call 1: GET /ws: left over of the recorded exchange 1: "
                        + "1 message of the client not sent, 2 frames of the server not read",
                ]
            ),
            (
                #"{"read":2,"close":true}"#,
                [
                    "outcome: call 1: recorded a result of talk, now it failed: replay.stalled",
                    "unconsumed: call 1: GET /ws: left over of the recorded exchange 1: "
                        + "2 messages of the client not sent, 3 frames of the server not read",
                    "stalled: the replay cannot go on: it waits for the client's message 1 on the "
                        + "WebSocket of exchange 1",
                ]
            ),
        ] as [(String, [String])])
    func differs(config: String, expected: [String]) async throws {
        var tape = SocketTape([
            (.client, .text("a")), (.server, .text("b")), (.server, .text("c")),
            (.client, .close(.normal)), (.server, .close(.normal)),
        ])
        tape.call = 1
        let text = """
            {"kind":"client","t":0,"client":"talker","config":\(config)}
            {"kind":"call","t":0,"call":1,"op":"talk","args":{}}
            \(tape.text)\
            {"kind":"call","t":950,"call":1,"result":2}

            """
        let check = ReplayCheck(try recording(text), clients: [Talker.self])
        let differences = try await check.run()
        #expect(differences.map { "\($0.kind): \($0)" } == expected)
    }
}

/// A client that says something on a WebSocket, and reads what comes back.
private struct Talker: ClientReplayer {
    static let client = "talker"

    let config: JSONObject
    let transport: any Transport

    func perform(op: String, args: JSON) async throws {
        try await transport.context.withCall(op: op, args: args, result: JSON.integer) { call in
            var request = socketRequest
            request.call = call
            let socket = try await WebSocket.open(request, over: transport)
            if let text = config["say"]?.string { try await socket.send(text: text) }
            var count = 0
            let limit = config["read"]?.integer.flatMap { Int(exactly: $0) } ?? 0
            var messages = socket.messages.makeAsyncIterator()
            while count < limit, try await messages.next() != nil { count += 1 }
            if config["close"] == true { try await socket.close() }
            return count
        }
    }
}
