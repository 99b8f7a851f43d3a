import AgoKit
import RepriseSupport
import RepriseTesting
import RepriseTransport
import Testing

/// Tests of an app that talks to AGO, on tapes that ship.
@Suite struct AgoTapeTests {
    private static let folder = "../../Recordings"
    private static let baseURL = "http://127.0.0.1:18910/api/sdk/v1"
    private static let origin = "https://app.example.com"

    private static var jwt: AgoChatSDK {
        AgoChatSDK(
            authToken: "secret", widgetId: "any", origin: origin, baseURL: baseURL,
            transport: Tape.current.transport)
    }

    private static var widget: AgoChatWidgetSDK {
        AgoChatWidgetSDK(
            widgetId: "any", origin: origin, userEmail: "ann@example.com", baseURL: baseURL,
            transport: Tape.current.transport)
    }

    @Test(.tape("ago-jwt-send", in: folder)) func streams() async throws {
        var text = ""
        for try await update in Self.jwt.streamMessage(content: "How do I reset my password?") {
            text = update.text
        }
        #expect(text.hasPrefix("There are four distinct colors"))
        #expect(try #require(Tape.current.turns[0].ttft) < .milliseconds(200))
        Tape.current.expectNoViolations()
    }

    @Test(.tape("ago-widget-send", in: folder)) func usesAToolInTheWidget() async throws {
        let names = Locked<[String]>([])
        for try await update in Self.widget.streamMessage(
            content: "What is the weather in Zürich?")
        {
            if let name = update.tool?.name { names.withLock { $0.append(name) } }
        }
        #expect(names.withLock { $0 }.contains("get_weather"))
        #expect(Tape.current.turns[0].toolCalls >= 1)
    }

    @Test(.tape("ago-jwt-ticket", in: folder)) func opensATicket() async throws {
        let ticket = try await Self.jwt.createTicket(
            subject: "Locked out", typology: "question", priority: "high",
            body: "The reset link does not work.", conversationId: "th-87ccd5137a96")
        #expect(ticket.id == "tk-b70fe7b8cb58")
    }

    @Test(.tape("ago-jwt-conversations", in: folder)) func lists() async throws {
        #expect(try await Self.jwt.getConversations().map(\.id) == ["th-87ccd5137a96"])
    }

    @Test(
        .tape("ago-401", in: folder), .tape("ago-401", in: folder)
    ) func theLastOfSeveralTapesCounts() async throws {
        let error = await #expect(throws: AgoError.self) {
            try await Self.jwt.getConversations()
        }
        #expect(error?.errorCode == "ago.unauthorized")
    }

    /// In the stream there is a silence of 1.26 s. An app that bears a second of it gives up then,
    /// heartbeats or not, however long its user thought before.
    @Test(arguments: [0, 60, -1] as [Int64]) func aSilenceIsTooLong(thought: Int64) async throws {
        try await Tape.use("ago-stall", in: Self.folder, allowing: [.unread()]) { tape in
            let clock = tape.transport.context.clock
            try await clock.sleep(for: thought * 1_000_000_000)
            let start = clock.now()
            let last = Locked(start)
            let text = Locked("")
            let sdk = Self.jwt
            await withTaskGroup { group in
                group.addTask {
                    do {
                        for try await update in sdk.streamMessage(content: "Tell me slowly") {
                            last.withLock { $0 = clock.now() }
                            text.withLock { $0 = update.text }
                        }
                    } catch {}
                }
                group.addTask {
                    do {
                        while true {
                            let rest = last.withLock { $0 } + 1_000_000_000 - clock.now()
                            if rest <= 0 { return }
                            try await clock.sleep(for: rest)
                        }
                    } catch {}
                }
                await group.next()
                group.cancelAll()
            }
            #expect(text.withLock { $0.hasSuffix("version, the cat is") })
            // A second behind the last words, which come as long after the request as on the tape.
            let exchange = try #require(tape.recording?.exchanges.first)
            let times = exchange.deliveries.map { $0.time - exchange.time }
            let silence = zip(times, times.dropFirst()).first { $1 - $0 > 1_000_000_000 }
            let words = try #require(silence).0
            #expect(clock.now() - start == words + 1_000_000_000)
        }
    }
}
