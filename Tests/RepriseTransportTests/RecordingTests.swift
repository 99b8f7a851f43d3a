import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// Recording a replay: the base transport is the real one of the library.
@Suite struct RecordingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var path: String { folder.file("a.tape") }

    private func record(_ lines: String) throws -> RecordingTransport {
        let base = try ReplayTransport(recording: recording(lines))
        return RecordingTransport(
            base: base,
            recorder: try TapeRecorder(
                path: path, clock: base.context.clock, labels: ["l": "v"],
                wallTime: WallTime(seconds: 0)))
    }

    /// Closing is no death: what is still open has been cancelled by whoever closed.
    @Test func whatIsOpenAtTheCloseIsCancelled() async throws {
        let transport = try record(
            exchange(1, events: delivery("one", at: 20)) + exchange(2, at: 100))
        let open = try await transport.send(get())
        let whole = try await transport.send(get())
        _ = await read(whole.body)
        try transport.recorder.close()
        _ = await read(open.body)
        let ends = try Tape(path).frames.filter { $0.kind == .end }
        #expect(ends.map(\.exchange) == [2, 1])
        guard case .end(let end) = try ends[1].content() else { return }
        #expect(end.how == .cancelled)
        #expect(end.code == "transport.cancelled")
    }

    @Test func aWholeSession() async throws {
        let transport = try record(
            exchange(
                1, method: "POST", body: "{}",
                events: [delivery("one", at: 20), delivery("two", at: 30)].joined(separator: "\n"),
                end: #""how":"complete","framing":"chunked","proven":true"#)
                + exchange(2, at: 100, end: #""how":"reset","code":"transport.reset""#))
        let context = transport.context
        #expect(context.journal.beginCall("first", args: ["a": 1]) == 1)
        _ = context.entropy.draw("id", call: 1) { "r" }
        _ = context.entropy.draw("id", call: 1) { "s" }
        _ = context.entropy.draw("id", call: 2) { "t" }
        let first = try await transport.send(post("{}"))
        #expect(
            await read(first.body).deliveries.map(\.bytes) == [
                Array("one".utf8), Array("two".utf8),
            ])
        context.journal.record(.call(CallRecord(call: 1, result: nil)))
        #expect(context.journal.beginCall("second", args: nil) == 2)
        let second = try await transport.send(get())
        #expect(await read(second.body).error?.how == .reset)
        context.journal.record(.client(ClientRecord(client: "c")))
        context.journal.record(.note("n"))
        try transport.recorder.close()

        let tape = try Tape(path)
        #expect(tape.isSealed && tape.damages == 0)
        #expect(
            tape.summary == [
                "0 session", "0 call", "0 entropy", "0 entropy", "0 entropy", "1 request",
                "1 requestBody", "1 requestEnd", "1 response", "1 responseBody",
                "1 responseBody", "1 end", "0 call", "0 call", "2 request", "2 requestEnd",
                "2 response", "2 end", "0 client", "0 note",
            ])
        #expect(tape.frames.map(\.number) == Array(0..<UInt64(tape.frames.count)))
        #expect(tape.frames.filter { $0.exchange == 1 }.map(\.time) == [0, 1, 2, 10, 20, 30, 90])
        guard case .session(let session) = try tape.frames[0].content() else { return }
        #expect(session.session == transport.recorder.sessionID)
        #expect(session.session.count == 16)
        #expect(session.wall == "1970-01-01T00:00:00.000000000Z")
        #expect(session.labels == ["l": "v"])
        #expect(session.masking?["policy"] == "standard")
        let draws = try tape.frames.compactMap { frame in
            if case .entropy(let record) = try frame.content() { record } else { nil }
        }
        #expect(
            draws.map { "\($0.call) \($0.purpose) \($0.ordinal)" } == [
                "1 id 0", "1 id 1", "2 id 0",
            ])
        guard case .end(let end) = try tape.frames[17].content() else { return }
        #expect(end.how == .reset)
    }

    @Test func plantedTokensAreNowhere() async throws {
        let token = "tok-Abc/98765+xyz==\"q"
        let plain =
            "data: {\"auth\":{\"k\":\"other-secret-1\",\"n\":987654321},\"echo\":\(JSON.string(token).serialized)}\n\n"
        let deflate = Deflate(.gzip)
        var coded: [UInt8] = []
        deflate.push(Array(plain.utf8), flush: .finish, into: &coded)
        let base64 = WireText(bytes: coded).json["base64"]?.string ?? ""
        let transport = try record(
            starsMasked(
                exchange(
                    method: "POST", path: "/x?access_token=**",
                    headers: #",["Authorization","Bearer **"],["X-User-Anon-Id","*"]"#,
                    body: "echo * 987654321",
                    responseHeaders:
                        #"["Content-Encoding","gzip"],["Content-Type","text/event-stream"],["Set-Cookie","a=cookie-secret-2"]"#,
                    events: #"{"kind":"responseBody","x":1,"t":20,"base64":"\#(base64)"}"#)
            ))
        transport.context.journal.declareSecret("declared-secret-3")
        _ = transport.context.journal.beginCall("say", args: ["t": "declared-secret-3"])
        _ = transport.context.entropy.draw("x", call: 1) { "" }
        var request = post(
            "echo \(token) 987654321",
            headers: ["Authorization": "Bearer \(token)", "X-User-Anon-Id": "anon-id-0001"])
        request.url += "?access_token=tok-Abc%2F98765%2Bxyz%3D%3D%22q"
        request.sensitive = SensitivePaths(response: ["auth"])
        let response = try await transport.send(request)
        let read = await read(response.body)
        #expect(read.deliveries.map(\.bytes) == [coded])
        transport.context.journal.record(
            .note("echo \(token) cookie-secret-2 other-secret-1 987654321"))
        transport.context.journal.record(.call(CallRecord(call: 1, result: ["a": .string(token)])))
        try transport.recorder.close()

        let tape = try Tape(path)
        let unzipped = try await Command("/bin/sh", ["-c", "gzip -dc < \(path)"]).run()
        #expect(unzipped.status == 0)
        let views = [try folder.bytes("a.tape"), unzipped.output, tape.lines]
        let secrets = [
            token, JSON.string(token).serialized, "anon-id-0001", "cookie-secret-2",
            "other-secret-1", "declared-secret-3", "tok-Abc%2F98765%2Bxyz%3D%3D%22q",
        ]
        for view in views {
            for secret in secrets { #expect(!view.contains(pieceOf: secret), "\(secret)") }
        }
        // One number for the token, whichever rule found it.
        let rules = try tape.frames.masks().filter { $0.secret == 2 }.map(\.rule)
        #expect(Set(rules) == ["query:access_token", "header:authorization", "known"])
        // Right behind the frame they speak of.
        for (index, frame) in tape.frames.enumerated() {
            guard case .masked(let record) = try frame.content() else { continue }
            #expect(tape.frames[..<index].last { $0.kind != .masked }?.number == record.frame)
        }
    }

    @Test func labelsAreMasked() throws {
        let labels: JSONObject = [
            "build": "42", "from": "https://u:PASSword1@h/?key=abc", "password": "pw",
            "user": "declared-value-3", "at declared-value-3": "x",
        ]
        let path = folder.file("labels.tape")
        let recorder = try TapeRecorder(
            path: path, labels: labels, secrets: ["declared-value-3"])
        recorder.record(.note("PASSword1 declared-value-3"))
        try recorder.close()
        let tape = try Tape(path)
        guard case .session(let session) = try tape.frames[0].content() else { return }
        #expect(
            session.labels == [
                "build": "42", "from": "https://*:*********@h/?key=***", "password": "**",
                "user": "****************", "at ****************": "x",
            ])
        let payload = tape.frames[0].payload
        let masks = try tape.frames.masks().filter { $0.frame == 0 }
        #expect(
            Set(masks.flatMap { $0.offset..<$0.offset + $0.length })
                == Set(payload.indices.filter { payload[$0] == UInt8(ascii: "*") }))
        #expect(masks.count == 6)
        #expect(
            tape.frames.last { $0.kind == .note }?.payload
                == Array(#"{"text":"********* ****************"}"#.utf8))
    }

    @Test func aSlowReaderIsRecorded() async throws {
        let transport = try record(
            exchange(
                events: [delivery("one", at: 20), delivery("two", at: 30)].joined(separator: "\n")))
        let response = try await transport.send(get())
        var iterator = response.body.makeAsyncIterator()
        _ = try await iterator.next()
        try await transport.context.clock.sleep(for: 50_000_001)
        _ = try await iterator.next()
        try await transport.context.clock.sleep(for: 50_000_000)
        #expect(try await iterator.next() == nil)
        try transport.recorder.close()
        let held = try Tape(path).frames.filter { $0.kind == .held }
        #expect(try held.map { try $0.content() } == [.held(50_000_001)])
        #expect(held.map(\.exchange) == [1])
        #expect(held.map(\.time) == [50_000_021])
    }

    @Test func anotherObserverIsToldToo() async throws {
        let transport = try record(exchange(events: delivery("one", at: 20)))
        let outer = RecordingTransport(
            base: transport,
            recorder: try TapeRecorder(path: folder.file("b.tape"), clock: transport.context.clock))
        _ = await read(try await outer.send(get()).body)
        try transport.recorder.close()
        try outer.recorder.close()
        let tapes = try [Tape(path), Tape(folder.file("b.tape"))]
        #expect(
            tapes[0].frames.dropFirst().map(\.payload) == tapes[1].frames.dropFirst().map(\.payload)
        )
    }

    @Test func writtenBeforeTheAppHasIt() async throws {
        let transport = try record(
            exchange(
                events: [delivery("one", at: 20), delivery("two", at: 30)].joined(separator: "\n")))
        let response = try await transport.send(get())
        var iterator = response.body.makeAsyncIterator()
        while let delivery = try await iterator.next() {
            // What another process would find now.
            let tape = try Tape(path)
            #expect(!tape.isSealed)
            #expect(tape.frames.contains { $0.payload == delivery.bytes && $0.exchange == 1 })
        }
        transport.context.journal.record(.note("now"))
        #expect(try Tape(path).frames.last?.kind == .note)
    }

    @Test func aFullDiskStopsTheRecordingOnly() async throws {
        let base = try ReplayTransport(
            recording: recording(exchange(events: delivery("one", at: 20))))
        let descriptor = unsafe open("/dev/full", O_WRONLY)
        defer { close(descriptor) }
        let recorder = TapeRecorder(
            writer: TapeWriter(descriptor: descriptor, name: "full", tape: TapeID(session: "1")),
            sessionID: "1", clock: base.context.clock)
        let transport = RecordingTransport(base: base, recorder: recorder)
        let read = await read(try await transport.send(get()).body)
        #expect(read.error == nil)
        #expect(read.deliveries.map(\.bytes) == [Array("one".utf8)])
        #expect(recorder.failure?.code == .writeFailed)
        #expect(transport.context.journal.beginCall("a", args: nil) == 1)
        for _ in 0..<2 {
            let error = #expect(throws: TapeError.self) { try recorder.close() }
            #expect(error?.code == .writeFailed)
        }
    }

    @Test func closingTwiceAndRecordingAfterwards() async throws {
        let transport = try record(exchange(events: delivery("one", at: 20)))
        try transport.recorder.close()
        try transport.recorder.close()
        #expect(await read(try await transport.send(get()).body).error == nil)
        transport.context.journal.record(.note("late"))
        #expect(transport.recorder.failure == nil)
        #expect(try Tape(path).summary == ["0 session"])
    }

    @Test func parallelExchangesKeepTheirOrder() async throws {
        let count = 200
        let deliveries = (0..<20).map { "part \($0)" }
        let lines = (1...count).map { x in
            exchange(
                x, at: x * 100,
                events: deliveries.enumerated()
                    .map { delivery($1, x, at: x * 100 + 20 + $0) }.joined(separator: "\n"))
        }
        let transport = try record(lines.joined())
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask {
                    guard let response = try? await transport.send(get()) else { return false }
                    return await read(response.body).deliveries.count == deliveries.count
                }
            }
            for await isWhole in group { #expect(isWhole) }
        }
        try transport.recorder.close()
        let tape = try Tape(path)
        #expect(tape.isSealed)
        for exchange in 1...UInt64(count) {
            let frames = tape.frames.filter { $0.exchange == exchange && $0.kind != .held }
            #expect(frames.first?.kind == .request)
            #expect(frames.last?.kind == .end)
            let bodies = frames.filter { $0.kind == .responseBody }
            #expect(bodies.map { String(decoding: $0.payload, as: UTF8.self) } == deliveries)
        }
    }

    @Test(
        arguments: [
            (0, 0, "1970-01-01T00:00:00.000000000Z"),
            (951_782_399, 999_999_999, "2000-02-28T23:59:59.999999999Z"),
            (951_782_400, 0, "2000-02-29T00:00:00.000000000Z"),
            (951_868_800, 5, "2000-03-01T00:00:00.000000005Z"),
            (1_796_018_760, 1, "2026-11-30T06:06:00.000000001Z"),
            (4_107_542_400, 0, "2100-03-01T00:00:00.000000000Z"),
            (-1, 0, "1969-12-31T23:59:59.000000000Z"),
        ])
    func wallTime(seconds: Int64, nanoseconds: Int64, text: String) {
        #expect(WallTime(seconds: seconds, nanoseconds: nanoseconds).rfc3339 == text)
    }
}

/// A recording written by hand in whose requests every run of stars is a mask.
private func starsMasked(_ lines: String) throws -> String {
    var lines = lines
    for frame in try recording(lines).frames where frame.exchange > 0 {
        var start: Int?
        for (index, byte) in (frame.payload + [0]).enumerated() {
            if byte == UInt8(ascii: "*") {
                start = start ?? index
            } else if let first = start {
                start = nil
                let mask: JSON = [
                    "kind": "masked", "x": .integer(frame.exchange), "t": .integer(frame.time),
                    "frame": .integer(frame.number), "offset": .integer(first),
                    "length": .integer(index - first), "rule": "known",
                ]
                lines += mask.serialized + "\n"
            }
        }
    }
    return lines
}

/// A tape read whole.
private struct Tape {
    var frames: [Frame] = []
    var damages = 0
    var isSealed = false
    /// The JSONL form.
    var lines: [UInt8] = []

    init(_ path: String) throws {
        let reader = try TapeReader(path: path)
        while let item = try reader.next() {
            lines += item.jsonLine + [0x0A]
            switch item {
            case .frame(let frame): frames.append(frame)
            case .damage: damages += 1
            }
        }
        isSealed = reader.summary.isSealed
    }

    var summary: [String] { frames.map { "\($0.exchange) \($0.kind.name ?? "?")" } }
}
