import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// WebSockets with the Python package `websockets`, recorded, and replayed when the server is gone.
@Suite struct ReplayedSocketTests {
    /// What an app sees of a WebSocket.
    struct Story: Sendable, Equatable {
        var messages: [WebSocket.Message] = []
        var closure: WebSocket.Closure?
        var error: String?
        var body: [UInt8]?

        /// The story with times that count from the first message on.
        var relative: Story {
            var story = self
            let start = messages.first?.time ?? 0
            for index in messages.indices { story.messages[index].time -= start }
            return story
        }
    }

    /// What an app does.
    typealias Act = @Sendable (WebSocket, inout Story) async throws -> Void

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Says something, hears what comes back each time, and closes.
    private static let talk: Act = { socket, story in
        var messages = socket.messages.makeAsyncIterator()
        for number in 0..<6 {
            let text = #"{"type":"message","n":\#(number),"text":"größer 🦆"}"#
            try await socket.send(text: text, deflated: number != 2)
            if let message = try await messages.next() { story.messages.append(message) }
        }
        try await socket.ping([1, 2, 3])
        // Long enough for two frames.
        try await socket.send(binary: (0..<5000).map { UInt8($0 * $0 % 251) })
        if let message = try await messages.next() { story.messages.append(message) }
        try await socket.close(code: .goingAway, reason: "genug")
    }

    /// Has the server say something and do what is told, and hears what comes until it ends.
    private static func have(_ command: String) -> Act {
        { socket, story in
            try await socket.send(text: "one")
            var messages = socket.messages.makeAsyncIterator()
            if let message = try await messages.next() { story.messages.append(message) }
            try await socket.send(text: command)
            while let message = try await messages.next() { story.messages.append(message) }
        }
    }

    private static func tell(
        _ url: String, over transport: any Transport, _ act: Act
    ) async -> Story {
        var story = Story()
        do {
            let request = Request(
                method: "GET", url: url, headers: ["Authorization": "Bearer of-this-day"])
            let socket = try await WebSocket.open(request, over: transport)
            defer { story.closure = socket.closure }
            try await act(socket, &story)
        } catch WebSocketError.refused(let head, let body) {
            story.error = "refused \(head.status)"
            story.body = body
        } catch {
            story.error = (error as? WebSocketError)?.errorCode ?? "\(error)"
        }
        return story
    }

    /// What is done at which path, with which error and code.
    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var path = "/"
        var act: Act
        var count = 1
        var error: String?
        var code: UInt16?
    }

    static let cases = [
        Case(testDescription: "talk, and close", act: talk, count: 7, code: 1001),
        Case(testDescription: "a close", act: have("peer:close 4001 later"), code: 4001),
        Case(testDescription: "a cut", act: have("peer:die"), error: "transport.closed"),
        Case(testDescription: "a reset", act: have("peer:reset"), error: "transport.reset"),
        Case(
            testDescription: "a masked frame", act: have("peer:raw 8182010203046060"),
            error: "websocket.masked"),
        Case(
            testDescription: "a text that is not UTF-8", act: have("peer:raw 810261ff"),
            error: "websocket.invalidText"),
        Case(
            testDescription: "a refusal", path: "/refuse", act: talk, count: 0,
            error: "refused 403"),
    ]

    @Test(arguments: cases)
    func recordedAndReplayed(given: Case) async throws {
        let tape = folder.file("a.tape")
        var peer: Peer? = try await Peer.start("websockets_peer.py")
        let url = "ws://127.0.0.1:\(peer?.port ?? 0)\(given.path)"
        let recorder = try TapeRecorder(path: tape)
        let live = await Self.tell(
            url, over: RecordingTransport(base: CurlTransport.direct, recorder: recorder),
            given.act)
        try recorder.close()
        peer = nil
        #expect(live.error == given.error)
        #expect(live.closure?.code?.rawValue == given.code)
        #expect(live.messages.count == given.count)

        let recording = try Recording(path: tape)
        let exchange = try #require(recording.exchanges.first)
        #expect(exchange.request.transport == .websocket)
        #expect(exchange.end?.how != .cancelled)
        let base = ReplayTransport(recording: recording)
        let again = try TapeRecorder(path: folder.file("b.tape"), clock: base.context.clock)
        let replayed = await Self.tell(
            url, over: RecordingTransport(base: base, recorder: again), given.act)
        try again.close()
        #expect(replayed.relative == live.relative)
        #expect(base.misses.isEmpty && base.unconsumed.isEmpty)
        #expect(base.unconsumedTails.isEmpty)
        // Its times are those of the tape.
        let times = exchange.events.filter { event in
            guard case .socketFrame(let record) = event.content else { return false }
            return record.sender == .server && record.frame.isFinal
                && !record.frame.opcode.isControl
        }.map(\.time)
        #expect(replayed.messages.map(\.time) == Array(times.prefix(replayed.messages.count)))
        compare(try Recording(path: folder.file("b.tape")).exchanges[0], to: exchange)
    }

    /// A recording of the replay is the recording, but for the handshake's key and for when the
    /// client did what it did: each side said the same in the same order.
    private func compare(_ now: Recording.Exchange, to then: Recording.Exchange) {
        for isServers in [false, true] {
            #expect(said(now, isServers) == said(then, isServers))
        }
        #expect(now.end == then.end)
        #expect(now.response?.status == then.response?.status)
        let ends = [now, then].map { $0.events.last?.time }
        #expect(ends[0] == ends[1])
    }

    private func said(_ exchange: Recording.Exchange, _ isServers: Bool) -> [FrameContent] {
        exchange.events.map(\.content).filter { content in
            switch content {
            case .socketFrame(let record): (record.sender == .server) == isServers
            case .responseBody: isServers
            default: false
            }
        }
    }
}
