import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Masks of frames whose payload is a JSON object: heads and the client's notes.
@Suite struct MaskingFrameTests {
    private let token = "eyJhbGciOi.\"quoted\"/päth.ZZZZ1111"

    @Test func sameSecretSameNumberWhicheverRuleFindsIt() throws {
        var redactor = Redactor()
        let first = redactor.redact(
            .request(
                RequestRecord(
                    method: "GET", url: "https://h/?token=secret-one&x=secret-two-x",
                    headers: [
                        "Authorization": "Bearer secret-one", "X-User-Anon-Id": "secret-two-x",
                        "X-Copy": "<secret-one>", "Cookie": "a=secret-three; b=secret-one",
                    ])),
            exchange: 1, time: 5, frame: 10)
        let masks = try first.masks()
        #expect(
            masks.map { "\($0.rule) \($0.secret ?? 0)" } == [
                "query:token 1", "known 2", "header:authorization 1", "header:x-user-anon-id 2",
                "known 1",
                "header:cookie 3", "header:cookie 1",
            ])
        #expect(masks.allSatisfy { $0.frame == 10 && $0.provisional == nil })
        let second = redactor.redact(.note("say secret-two-x"), exchange: 0, time: 6, frame: 17)
        #expect(try second.masks().map(\.secret) == [2])
        #expect(second[0].payload == Array(#"{"text":"say ************"}"#.utf8))
    }

    @Test func spansPointAtTheStarsOfThePayload() throws {
        var redactor = Redactor()
        redactor.declare(token)
        let contents: [FrameContent] = [
            .request(
                RequestRecord(
                    method: "GET", url: WireText("https://h/\\\"?key=\(token)"),
                    headers: ["Authorization": "Bearer \(token)", "Quo\"te": "\n\(token)\\"])),
            .response(ResponseRecord(status: 200, reason: token, headers: ["A": token])),
            .call(CallRecord(call: 1, op: token, args: ["\(token)": ["a", .string(token)]])),
            .call(CallRecord(call: 1, error: ["message": .string("\" \(token)")])),
            .tool(ToolRecord(id: token, name: token, state: .started, input: .string(token))),
            .entropy(EntropyRecord(call: 0, purpose: "p", ordinal: 0, value: token)),
            .note(token),
            .client(ClientRecord(client: "c", config: ["token": .string(token)])),
            .end(EndRecord(how: .failed, message: token, trailers: ["X": token])),
        ]
        for content in contents {
            let frames = redactor.redact(content, exchange: 1, time: 0, frame: 3)
            let payload = frames[0].payload
            let stars = Set(payload.indices.filter { payload[$0] == UInt8(ascii: "*") })
            let spans = try frames.masks().flatMap { $0.offset..<$0.offset + $0.length }
            #expect(!spans.isEmpty)
            #expect(Set(spans) == stars, "\(String(decoding: payload, as: UTF8.self))")
            #expect(spans.count == stars.count)
            #expect(
                try frames.masks().allSatisfy { $0.length == token.utf8.count && $0.secret == 1 })
            #expect(try frames[0].content().kind == content.kind)
        }
    }

    @Test func withoutASecretThePayloadIsUnchanged() {
        var redactor = Redactor()
        redactor.declare(token)
        let content = FrameContent.call(
            CallRecord(
                call: 1, op: "a", args: ["x": [.number("1.5e3"), nil, true, "\u{1F600}\u{7}\\"]]))
        let frames = redactor.redact(content, exchange: 0, time: 0, frame: 1)
        #expect(frames.map(\.payload) == [content.payload])
    }

    @Test func knownNumbersStayNumbers() throws {
        var redactor = Redactor()
        redactor.declare("1234567890")
        let frames = redactor.redact(
            .call(CallRecord(call: 1, result: [.number("1234567890"), .number("-91234567890")])),
            exchange: 0, time: 0, frame: 1)
        #expect(frames[0].payload == Array(#"{"call":1,"result":[1000000000,-90000000000]}"#.utf8))
        #expect(try frames.masks().map(\.length) == [10, 10])
    }

    @Test func deeperThanJSONIsRead() throws {
        var redactor = Redactor()
        redactor.declare(token)
        let deep = (0..<1500).reduce(JSON.string(token)) { value, _ in [value] }
        let frames = redactor.redact(
            .tool(ToolRecord(id: "i", name: "n", state: .started, input: deep)),
            exchange: 0, time: 0, frame: 1)
        #expect(!frames[0].payload.contains(pieceOf: JSON.string(token).serialized))
        #expect(frames[0].payload.count == deep.serializedBytes.count + 48)
        #expect(try Array(frames.dropFirst()).masks().map(\.secret) == [1])
    }

    @Test func headerThatIsNoText() throws {
        var redactor = Redactor()
        let value = WireText(bytes: [0xFF, 0xFE, 0x41])
        let headers = Headers([.init("X-Plain", value), .init("X-Auth", value)])
        let frames = redactor.redact(
            .response(ResponseRecord(status: 200, headers: headers)), exchange: 1, time: 0, frame: 1
        )
        guard case .response(let record) = try frames[0].content() else { return }
        #expect(record.headers.fields.map(\.value) == [value, "***"])
    }

    @Test func passwordOfBasicIsKnownByItself() throws {
        var redactor = Redactor()
        _ = redactor.redact(
            .request(
                RequestRecord(
                    method: "GET", url: "https://h/",
                    headers: ["Authorization": "Basic dXNlcjpodW50ZXIyaHVudGVy"])),
            exchange: 1, time: 0, frame: 1)
        let frames = redactor.redact(.note("hunter2hunter"), exchange: 0, time: 0, frame: 3)
        #expect(frames[0].payload == Array(#"{"text":"*************"}"#.utf8))
    }

    @Test func plainWordsOfCookiesAreNotSearchedFor() {
        var redactor = Redactor()
        _ = redactor.redact(
            .response(ResponseRecord(status: 200, headers: ["Set-Cookie": "consent=accepted"])),
            exchange: 1, time: 0, frame: 1)
        let note = FrameContent.note("accepted")
        let frames = redactor.redact(note, exchange: 0, time: 0, frame: 3)
        #expect(frames.map(\.payload) == [note.payload])
    }
}

extension [Frame] {
    /// The records of all `masked` frames.
    func masks() throws -> [MaskedRecord] {
        try compactMap { frame in
            if case .masked(let record) = try frame.content() { record } else { nil }
        }
    }
}
