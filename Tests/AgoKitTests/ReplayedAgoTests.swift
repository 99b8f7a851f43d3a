import AgoKit
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The client on recordings written by hand: no network, no waiting.
@Suite struct ReplayedAgoTests {
    static let base = "https://chat.example.com/api/sdk/v1"

    /// One exchange in JSONL form.
    static func exchange(
        _ number: Int, call: Int, _ method: String, _ path: String, body: [String],
        end: JSONObject = ["how": "complete"]
    ) -> String {
        var tape = TapeText(after: number - 1)
        tape.exchange(call: call, (method, base + path, headers, ""), body: body, end: end)
        return tape.text
    }

    /// The widget id is masked on every tape.
    static let headers: JSON = [
        ["X-User-Anon-Id", "*"], ["Origin", "o"], ["Accept-Encoding", "gzip, deflate"],
    ]

    static func client(_ lines: String) throws -> (any AgoChat, ReplayTransport, Notebook) {
        let journal = Notebook()
        let transport = ReplayTransport(
            recording: try Recording(bytes: Array(lines.utf8)), journal: journal)
        let sdk = AgoChatWidgetSDK(
            widgetId: "w", origin: "o", baseURL: base, transport: transport)
        return (sdk, transport, journal)
    }

    @Test func followsThePagesOfAList() async throws {
        let page = #"{"data":[{"id":"1"},{"id":"2"}],"has_more":true,"total":3}"#
        let (sdk, transport, _) = try Self.client(
            Self.exchange(1, call: 1, "GET", "/conversations", body: [page])
                + Self.exchange(
                    2, call: 1, "GET", "/conversations?page=2",
                    body: [#"{"data":[{"id":"2"},{"id":"3","#, #""title":"T"}],"has_more":false}"#])
        )
        let threads = try await sdk.getConversations()
        #expect(threads.map(\.id) == ["1", "2", "3"])
        #expect(threads.last?.title == "T")
        #expect(transport.unconsumed.isEmpty)
    }

    @Test func endsAtAPageWithoutAnythingNew() async throws {
        let page = #"{"data":[{"id":"1"}],"has_more":true}"#
        let (sdk, _, _) = try Self.client(
            Self.exchange(1, call: 1, "GET", "/conversations", body: [page])
                + Self.exchange(2, call: 1, "GET", "/conversations?page=2", body: [page]))
        #expect(try await sdk.getConversations().map(\.id) == ["1"])
    }

    @Test(arguments: [
        (#"[{"title":"T"}]"#, "[0].id is missing"), (#"[{"id":1}]"#, "[0].id has another type"),
        (#"[{"id":null}]"#, "[0].id is null"), (#"{"data":{}}"#, "data has another type"),
        ("7", "another type"), ("[", "not JSON"), ("", "not JSON"),
    ])
    func saysWhereADocumentIsWrong(body: String, where place: String) async throws {
        let (sdk, _, journal) = try Self.client(
            Self.exchange(1, call: 1, "GET", "/conversations", body: body.isEmpty ? [] : [body]))
        let error = await #expect(throws: AgoError.self) { try await sdk.getConversations() }
        #expect(error?.code == .badResponse)
        #expect(error?.status == 200)
        #expect(error?.message.contains(place) == true, "\(error?.message ?? "")")
        #expect(journal.outcomes == ["ago.badResponse"])
    }

    @Test func waitsOnTheSessionsClockBeforeItRepeats() async throws {
        let reset = ["how": "reset", "code": "transport.reset"] as JSONObject
        let failure = Self.exchange(
            1, call: 1, "GET", "/conversations", body: ["[{"], end: reset)
        let delay = #"{"kind":"entropy","x":0,"t":0,"call":1,"purpose":"backoff","ordinal":0,"#
        let (sdk, transport, _) = try Self.client(
            failure + delay + #""value":"400000000"}"# + "\n"
                + Self.exchange(2, call: 1, "GET", "/conversations", body: ["[]"]))
        #expect(try await sdk.getConversations().isEmpty)
        // The first exchange ended at 1,000,003 ns.
        #expect(transport.clock.now() == 401_000_003)
        #expect(transport.entropy.missing.isEmpty)
    }

    @Test(arguments: [("-5", 0), ("9999999999999", 500_000_000), ("soon", 500_000_000)])
    func boundsARecordedWait(value: String, wait: Int64) async throws {
        let reset = ["how": "reset", "code": "transport.reset"] as JSONObject
        let failure = Self.exchange(1, call: 1, "GET", "/conversations", body: [], end: reset)
        let delay = #"{"kind":"entropy","x":0,"t":0,"call":1,"purpose":"backoff","ordinal":0,"#
        let (sdk, transport, _) = try Self.client(
            failure + delay + #""value":"\#(value)"}"# + "\n"
                + Self.exchange(2, call: 1, "GET", "/conversations", body: ["[]"]))
        _ = try await sdk.getConversations()
        #expect(transport.clock.now() == max(2_000_003, 1_000_003 + wait))
    }

    @Test func aRecorderThatDiedIsNoAnswer() async throws {
        let whole = Self.exchange(1, call: 1, "GET", "/conversations", body: ["[]"])
        let dead = whole.split(separator: "\n").dropLast().joined(separator: "\n") + "\n"
        let (sdk, _, _) = try Self.client(dead)
        let error = await #expect(throws: AgoError.self) { try await sdk.getConversations() }
        #expect(error?.transport?.code == .recorderDied)
    }

    @Test func aRequestThatWasNotRecordedIsNotRepeated() async throws {
        let (sdk, transport, _) = try Self.client(
            Self.exchange(1, call: 1, "GET", "/other", body: ["[]"]))
        let error = await #expect(throws: AgoError.self) { try await sdk.getConversations() }
        #expect(error?.transport?.code == .noSuchRequest)
        #expect(transport.misses.count == 1)
    }

    @Test func buildsAClientFromItsConfiguration() throws {
        let transport = ReplayTransport(recording: try Recording(bytes: []))
        let config: JSONObject = ["baseURL": "b", "origin": "o", "mode": "widget"]
        _ = try AgoClientReplayer(config: config, transport: transport)
        for key in ["baseURL", "origin", "mode"] {
            var lacking = config
            lacking[key] = nil
            let error = #expect(throws: AgoError.self) {
                try AgoClientReplayer(config: lacking, transport: transport)
            }
            #expect(error?.message.contains("'\(key)'") == true)
        }
    }

    @Test(arguments: ["deleteEverything", "sendMessage", "createTicket", "getConversation"])
    func runsNothingThatItDoesNotUnderstand(op: String) async throws {
        let transport = ReplayTransport(recording: try Recording(bytes: []))
        let replayer = try AgoClientReplayer(
            config: ["baseURL": "b", "origin": "o", "mode": "jwt"], transport: transport)
        let error = await #expect(throws: AgoError.self) {
            try await replayer.perform(op: op, args: [:])
        }
        #expect(error?.code == .badArgument)
    }
}
