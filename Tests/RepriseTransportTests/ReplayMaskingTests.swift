import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

@Suite struct ReplayMaskingTests {
    /// A recording whose request has a masked token in a header, the URL and the body.
    static func masked(from start: Int = 0) throws -> Recording {
        let request = Request(
            method: "POST", url: "https://a.example/x?token=hunter2hunter2&n=1",
            headers: [
                "Authorization": "Bearer secret-of-the-app", "X-A": "1", "Content-Length": "41",
            ],
            body: Array(#"{"token":"another-secret","content":"hi"}"#.utf8),
            sensitive: SensitivePaths(request: ["token"]))
        var redactor = Redactor()
        redactor.open(exchange: 1, sensitive: request.sensitive)
        let contents: [FrameContent] = [
            .request(
                RequestRecord(
                    method: request.method, url: WireText(request.url), headers: request.headers)),
            .requestBody(request.body), .requestEnd, .response(ResponseRecord(status: 204)),
            .end(EndRecord(how: .complete)),
        ]
        var frames: [Frame] = []
        for content in contents {
            for var frame in redactor.redact(
                content, exchange: 1, time: 0, frame: UInt64(frames.count))
            {
                frame.number = UInt64(frames.count)
                frames.append(frame)
            }
        }
        var builder = RecordingBuilder()
        for frame in frames { try builder.add(frame) }
        return try builder.finish(isSealed: true)
    }

    static func request(
        token: String = "hunter2hunter2", bearer: String = "Bearer secret-of-the-app",
        secret: String = "another-secret", content: String = "hi", n: String = "1"
    ) -> Request {
        Request(
            method: "POST", url: "https://a.example/x?token=\(token)&n=\(n)",
            headers: ["Authorization": bearer, "X-A": "1"],
            body: Array(#"{"token":"\#(secret)","content":"\#(content)"}"#.utf8),
            sensitive: SensitivePaths(request: ["token"]))
    }

    @Test func nothingOfTheSecretsIsOnTheTape() throws {
        for frame in try Self.masked().frames {
            let text = String(decoding: frame.payload, as: UTF8.self)
            for secret in ["hunter2", "secret-of", "another"] { #expect(!text.contains(secret)) }
        }
    }

    @Test(arguments: [
        request(),
        request(token: "quite-another-token-of-today", bearer: "Bearer x.y.z1234567890"),

        request(secret: "short-one"),
        request(token: "****", bearer: "Bearer ****", secret: "****"),
    ])
    func aSecretEqualsAnyOther(request: Request) async throws {
        let transport = ReplayTransport(recording: try Self.masked())
        let observer = KeptEvents()
        let response = try await transport.send(request, observer: observer)
        #expect(response.head.status == 204)
        guard case .request(let head) = observer.events[0].content else { return }
        #expect(head.url.description == request.url)
        #expect(observer.events[1].content == .requestBody(request.body))
    }

    @Test(arguments: [
        (
            request(content: "ho"), RequestDifference.Part.json(path: "$.content"),
            #"in the body, $.content differs: recorded "hi", now "ho""#
        ),
        (
            request(bearer: "Basic secret-of-the-app"), .header("Authorization"),
            #"the header Authorization differs: recorded "Bearer *****************", "#
                + #"now "Basic *****************""#
        ),
        (
            request(token: "other-token-here", n: "2"), .url("query n"),
            #"the URL's query differs at parameter 2: recorded "n=1", now "n=2""#
        ),
    ])
    func theRestIsStillCompared(
        request: Request, part: RequestDifference.Part, message: String
    ) async throws {
        let transport = ReplayTransport(recording: try Self.masked())
        await #expect(throws: TransportError.self) { try await transport.send(request) }
        let difference = transport.misses.first?.differences.first
        #expect(difference?.part == part)
        #expect(difference?.description == message)
    }

    @Test func noMessageTellsASecretOfNow() async throws {
        let transport = ReplayTransport(recording: try recording(exchange(method: "POST")))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(Self.request())
        }
        let told =
            [try #require(error).message]
            + transport.misses.flatMap(\.differences)
            .map(\.description)
        #expect(told.count > 2)
        for text in told {
            for secret in ["hunter2", "secret-of", "another-s"] {
                #expect(!text.contains(secret), "\(text)")
            }
        }
    }

    @Test func aDeclaredSecretIsNotTold() async throws {
        let transport = ReplayTransport(recording: try recording(exchange(path: "/a")))
        transport.context.journal.declareSecret("open-sesame")
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(get("/a", ["X-Odd": "open-sesame"]))
        }
        #expect(error?.code == .noSuchRequest)
        #expect(error?.message.contains("sesame") == false)
    }

    @Test func revealedBytesAreRestored() throws {
        let recording = try recording(
            exchange(events: delivery("He****", at: 20))
                + #"""
                {"kind":"masked","t":0,"frame":3,"offset":2,"length":4,"rule":"known","provisional":true}
                {"kind":"reveal","t":0,"frame":3,"offset":2,"text":"llo!"}
                """#)
        #expect(recording.exchanges[0].deliveries.map(\.bytes) == [Array("Hello!".utf8)])
        #expect(recording.masks[3] ?? [] == [])
    }
}
