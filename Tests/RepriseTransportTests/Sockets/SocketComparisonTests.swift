import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What a client says on a replayed WebSocket against what it said when recorded.
@Suite struct SocketComparisonTests {
    /// What the client does, and what comes of it.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var recorded: [WebSocketFrame]
        var end = #""how":"reset""#
        var act: @Sendable (WebSocket) async throws -> Void
        /// The differences that are told; none where what is said is the same.
        var parts: [RequestDifference.Part] = []
        var message: String?
        var code: String?
    }

    private static let object = #"{"type":"message","body":{"text":"hi","n":1}}"#

    static let same = [
        Case(
            testDescription: "the same", recorded: [.text("a"), WebSocketFrame(.binary, [1])],
            act: { socket in
                try await socket.send(text: "a")
                try await socket.send(binary: [1])
            }),
        Case(
            testDescription: "the same in other frames",
            recorded: [
                WebSocketFrame(.text, Array("he".utf8), isFinal: false), .ping("x"),
                WebSocketFrame(.continuation, Array("llo".utf8)),
            ], act: { try await $0.send(text: "hello") }),
        Case(
            testDescription: "deflated where it was not", recorded: [.text("a"), .text("a")],
            act: { socket in
                try await socket.send(text: "a", deflated: false)
                try await socket.send(text: "a")
            }),
        Case(
            testDescription: "pings, more or fewer", recorded: [.ping("x"), .text("a")],
            act: { socket in
                for text in ["y", "z"] { try await socket.ping(Array(text.utf8)) }
                try await socket.send(text: "a")
            }),
        Case(
            testDescription: "keep-alive messages, more or fewer",
            recorded: [.text("keep 1"), .text("a"), .text("keep 2")],
            act: { socket in
                try await socket.send(text: "a")
                for number in 3...9 { try await socket.send(text: "keep \(number)") }
            }),
        Case(
            testDescription: "a close that did not get through", recorded: [],
            act: { _ = try? await $0.close(code: .goingAway) }),
        Case(
            testDescription: "a close", recorded: [.close(.goingAway, "später")],
            act: { _ = try? await $0.close(code: .goingAway, reason: "später") }),
    ]

    @Test(arguments: same)
    func isTheSame(_ given: Case) async throws {
        let transport = try await run(given).transport
        #expect(transport.misses.isEmpty)
        #expect(transport.unconsumedTails.isEmpty)
    }

    static let other = [
        Case(
            testDescription: "another value", recorded: [.text(object)],
            act: { try await $0.send(text: #"{"type":"message","body":{"text":"ho","n":1}}"#) },
            parts: [.json(path: "$.body.text")],
            message: "GET /ws, message 1 was not recorded; the nearest is "
                + #"message 1 of exchange 1: in the message, $.body.text differs: recorded "hi", now "ho""#
        ),
        Case(
            testDescription: "the second of two", recorded: [.text("a"), .text("b")],
            act: { socket in
                try await socket.send(text: "a")
                try await socket.send(text: "c")
            }, parts: [.body(offset: 0)],
            message: "GET /ws, message 2 was not recorded; the nearest is "
                + "message 2 of exchange 1: the message differs from byte 0 on: recorded 1 byte, now 1"
        ),
        Case(
            testDescription: "another kind", recorded: [.text("a")],
            act: { try await $0.send(binary: [0x61]) }, parts: [.message],
            message: "GET /ws, message 1 was not recorded; the nearest is "
                + "message 1 of exchange 1: recorded a text message, now a binary message"),
        Case(
            testDescription: "a close instead of a message", recorded: [.text("a")],
            act: { try await $0.close() }, parts: [.message],
            message: "GET /ws, close frame was not recorded; the nearest is "
                + "message 1 of exchange 1: recorded a text message, now a close frame"),
        Case(
            testDescription: "another code", recorded: [.close(.normal)],
            act: { try await $0.close(code: .goingAway) }, parts: [.close],
            message: "GET /ws, close frame was not recorded; the nearest is "
                + "close frame of exchange 1: the close code differs: recorded 1000, now 1001"),
        Case(
            testDescription: "no code", recorded: [.close(.normal)],
            act: { try await $0.close(code: nil) }, parts: [.close],
            message: "GET /ws, close frame was not recorded; the nearest is "
                + "close frame of exchange 1: the close code differs: recorded 1000, now none"),
        Case(
            testDescription: "another reason", recorded: [.close(.normal, "done")],
            act: { try await $0.close(reason: "bye") }, parts: [.close],
            message: "GET /ws, close frame was not recorded; the nearest is "
                + #"close frame of exchange 1: the reason for closing differs: recorded "done", now "bye""#
        ),
        Case(
            testDescription: "one too many", recorded: [.text("a")],
            act: { socket in
                try await socket.send(text: "a")
                try await socket.send(text: "a")
            },
            message: "GET /ws, message 2 comes once more than recorded: it was recorded once, as "
                + "message 1 of exchange 1, which was said before", code: "replay.consumed"),
        Case(
            testDescription: "a close too many", recorded: [], end: #""how":"complete""#,
            act: { try await $0.close() },
            message: "GET /ws, close frame was not recorded, nor anything else"),
    ]

    @Test(arguments: other)
    func isAnother(_ given: Case) async throws {
        let (transport, socket, thrown) = try await run(given)
        let code = given.code ?? "replay.noSuchRequest"
        let error = thrown as? WebSocketError
        #expect(error?.errorCode == code)
        #expect(error?.message == given.message)
        #expect(transport.misses.map { $0.differences.map(\.part) } == [given.parts])
        #expect(transport.unconsumedTails.isEmpty)
        // The exchange is over.
        #expect(await readAll(socket).error == error)
    }

    private func run(
        _ given: Case
    ) async throws -> (transport: ReplayTransport, socket: WebSocket, error: (any Error)?) {
        var tape = SocketTape(given.recorded.map { (.client, $0) }, end: given.end)
        tape.responseHeaders = #",["Sec-WebSocket-Extensions","permessage-deflate"]"#
        let transport = try SocketTape.replay(tape)
        let socket = try await transport.open(
            options: SocketOptions { $0.kind == .text && $0.text.hasPrefix("keep ") })
        do {
            try await given.act(socket)
            return (transport, socket, nil)
        } catch {
            return (transport, socket, error)
        }
    }

    /// What is secret is masked as it was when it was recorded, and is as good as any other.
    @Test func aMaskedSpanIsAsGoodAsAnother() async throws {
        let text = #"{"auth":"******","n":1}"#
        var tape = SocketTape([(.client, .text(text))], end: #""how":"reset""#)
        tape.lines.append(
            #"{"kind":"masked","x":1,"t":150,"frame":3,"offset":11,"length":6,"rule":"known"}"#)
        for (now, isSame) in [
            (#"{"auth":"another-secret","n":1}"#, true), (text, true),
            (#"{"auth":"another-secret","n":2}"#, false),
            (#"{"auth":"not declared","n":1}"#, false),
        ] {
            let transport = try SocketTape.replay(tape)
            transport.context.journal.declareSecret("another-secret")
            let socket = try await transport.open()
            try? await socket.send(text: now)
            #expect(transport.misses.isEmpty == isSame, "\(now)")
            for miss in transport.misses { #expect(!miss.error.message.contains("another")) }
        }
    }

    /// A message with a declared secret is recorded masked, deflated or not, and a replay takes it
    /// with any secret.
    @Test(arguments: [false, true])
    func aDeclaredSecretIsAsGoodAsAnother(isDeflated: Bool) async throws {
        let folder = try TemporaryFolder()
        let text = { (secret: String, n: Int) in
            #"{"type":"auth","body":{"auth":"\#(secret)","n":\#(n)}}"#
        }
        var tape = SocketTape(
            [(.client, .text(text("*******************", 1))), (.client, .text("later"))],
            end: #""how":"reset""#)
        tape.responseHeaders = #",["Sec-WebSocket-Extensions","permessage-deflate"]"#
        let act = { (transport: any Transport, secret: String, n: Int) in
            var request = socketRequest
            request.sensitive.request = ["body.auth"]
            let socket = try await WebSocket.open(request, over: transport)
            try await socket.send(text: text(secret, n), deflated: isDeflated)
            try await socket.send(text: "later")
            _ = await readAll(socket)
        }
        let path = folder.file("a.tape")
        let recorder = try TapeRecorder(path: path, clock: ReplayClock())
        let base = try SocketTape.replay(tape)
        try await act(
            RecordingTransport(base: base, recorder: recorder), "first-secret-of-all", 1)
        try recorder.close()
        #expect(base.misses.isEmpty)
        let masked = try Recording(path: path)
        for frame in masked.frames {
            #expect(!String(decoding: frame.payload, as: UTF8.self).contains("first-secret"))
        }
        let same = ReplayTransport(recording: masked)
        try await act(same, "another", 1)
        #expect(same.misses.isEmpty && same.unconsumedTails.isEmpty)
        let other = ReplayTransport(recording: masked)
        try? await act(other, "another-secret-of-any-length", 2)
        #expect(other.misses.map { $0.differences.map(\.part) } == [[.json(path: "$.body.n")]])
        #expect(!other.misses.contains { $0.error.message.contains("another") })
    }
}
