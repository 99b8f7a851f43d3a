import AgoKit
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What a client makes of a service that does not do as it should.
@Suite struct LiveFaultTests {
    struct Row: Sendable {
        var wish: String
        var code: AgoError.Code
        var status: Int?
        var hasPart = false
    }

    @Test(arguments: [
        Row(wish: "error", code: .messageFailed, hasPart: true),
        Row(wish: "two-statuses", code: .messageFailed, hasPart: true),
        Row(wish: "no-status", code: .streamCut, hasPart: true),
        Row(wish: "cut=400", code: .streamCut, hasPart: true),
        Row(wish: "cut=400,rst", code: .streamCut, hasPart: true),
        Row(wish: "coding=gzip,corrupt", code: .streamCut, hasPart: true),
        Row(wish: "coding=gzip,cut-coding", code: .streamCut, hasPart: true),
        Row(wish: "cut=0", code: .streamCut),
        Row(wish: "empty", code: .emptyReply),
        Row(wish: "empty,type=text/html", code: .emptyReply, status: 200),
        Row(wish: "type=text/html", code: .unexpectedContentType, status: 200),
        Row(wish: "type=application/json", code: .unexpectedContentType, status: 200),
        Row(wish: "reset", code: .transport), Row(wish: "reset,rst", code: .transport),
        Row(wish: "status=401", code: .unauthorized, status: 401),
        Row(wish: "status=403", code: .forbidden, status: 403),
        Row(wish: "status=404", code: .notFound, status: 404),
        Row(wish: "status=400", code: .http, status: 400),
        Row(wish: "status=402", code: .http, status: 402),
        Row(wish: "status=409", code: .http, status: 409),
        Row(wish: "status=429", code: .rateLimited, status: 429),
        Row(wish: "status=500", code: .server, status: 500),
        Row(wish: "status=503,body=plain", code: .server, status: 503),
        Row(wish: "status=500,body=empty", code: .server, status: 500),
    ])
    func aMessageFails(_ row: Row) async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        let error = await #expect(throws: AgoError.self) {
            try await ago.sdk.sendMessage(content: "Hi peer:chunks=6,\(row.wish)")
        }
        #expect(error?.code == row.code)
        #expect(error?.status == row.status)
        #expect((error?.partialMessage != nil) == row.hasPart)
        #expect(ago.journal.outcomes == [row.code.rawValue])
        // What reached the service is not sent again.
        #expect(ago.entropy.drawn.isEmpty)
    }

    /// The stand-in's codes: the service's documents name none.
    @Test(arguments: [
        (400, "invalid_request", AgoError.Code.http), (401, "invalid_token", .unauthorized),
        (403, "origin_not_allowed", .forbidden), (404, "not_found", .notFound),
        (409, "turn_moved_on", .http), (429, "rate_limited", .rateLimited),
        (500, "internal_error", .server), (418, "error", .http),
    ])
    func tellsTheServicesOwnCodeAndWords(
        status: Int, serverCode: String, code: AgoError.Code
    ) async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        let error = await #expect(throws: AgoError.self) {
            try await ago.sdk.sendMessage(content: "Hi peer:status=\(status),retry-after=7")
        }
        #expect(error?.code == code)
        #expect(error?.status == status)
        #expect(error?.serverCode == serverCode)
        #expect(error?.serverMessage == "This error was asked for")
        #expect(error?.retryAfter == 7)
    }

    @Test(arguments: ["bad-json", "bad-utf8", "slow=3", "unknown-status", "crlf", "members"])
    func aMessageGetsThroughAllTheSame(wish: String) async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        let message = try await ago.sdk.sendMessage(content: "Hi peer:chunks=6,\(wish)")
        #expect(message.status == .done)
        #expect(message.title == "Hi")
    }

    @Test func saysWhatTheServiceSaysWithoutCredentials() async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL, jwt: true)
        let error = await #expect(throws: AgoError.self) {
            try await ago.sdk.sendMessage(content: "Hi peer:status=429,retry-after=7,echo")
        }
        #expect(error?.retryAfter == 7)
        let words = try #require(error?.serverMessage)
        #expect(words.contains("***"))
        #expect(!"\(String(describing: error))".contains(LiveAgo.token))
        #expect(!"\(ago.journal.contents)".contains(LiveAgo.token))
    }

    @Test func tellsWhoIsToBlameFor401And403() async throws {
        let peer = try await Peer.start("ago", "--pace", "0", "--token", LiveAgo.token)
        let old = LiveAgo(peer.agoURL, jwt: true, token: "expired")
        let refused = await #expect(throws: AgoError.self) {
            try await old.sdk.getConversations()
        }
        #expect(refused?.code == .unauthorized)
        #expect(refused?.message.contains("set authToken") == true)
        (old.sdk as? AgoChatSDK)?.authToken = LiveAgo.token
        #expect(try await old.sdk.getConversations().isEmpty)
        #expect(old.journal.secrets == [LiveAgo.widget, "expired", LiveAgo.token])

        let foreign = LiveAgo(peer.agoURL, origin: "https://elsewhere.example.com")
        let forbidden = await #expect(throws: AgoError.self) {
            try await foreign.sdk.getConversations()
        }
        #expect(forbidden?.code == .forbidden)
        #expect(forbidden?.message.contains("allowed domains") == true)
    }

    @Test func repeatsAGetAndNotAPost() async throws {
        let peer = try await Peer.start("ago", "--pace", "0")
        let ago = LiveAgo(peer.agoURL)
        try await peer.tell("next reset")
        try await peer.tell("next cut=1,rst")
        #expect(try await ago.sdk.getConversations().isEmpty)
        #expect(ago.entropy.drawn == ["backoff", "backoff"])
        for _ in 0..<3 { try await peer.tell("next reset") }
        let error = await #expect(throws: AgoError.self) { try await ago.sdk.getConversations() }
        #expect(error?.code == .transport)
        #expect(error?.transport?.code == .closed)
        try await peer.tell("next reset")
        await #expect(throws: AgoError.self) {
            try await ago.sdk.createTicket(
                subject: "s", typology: "t", priority: "p", body: "b")
        }
        let lines = try peer.readLog().entries.filter { $0.event == "request" }.map(\.method)
        #expect(lines == Array(repeating: "GET", count: 6) + ["POST"])
    }

    @Test func repeatsWhatNeverReachedTheService() async throws {
        let ago = LiveAgo("http://127.0.0.1:1/api")
        let error = await #expect(throws: AgoError.self) {
            try await ago.sdk.sendMessage(content: "Hi")
        }
        #expect(error?.code == .transport)
        #expect(error?.transport?.code == .connect)
        #expect(ago.entropy.drawn == ["backoff", "backoff"])
        #expect(ago.journal.outcomes == ["ago.transport"])
    }

    @Test func refusesWhatIsNoDocument() async throws {
        let peer = try await Peer.start("ago", "--pace", "0")
        let ago = LiveAgo(peer.agoURL)
        try await peer.tell("next empty,type=text/html")
        let html = await #expect(throws: AgoError.self) { try await ago.sdk.getConversations() }
        #expect(html?.code == .unexpectedContentType)
        try await peer.tell("next empty")
        let empty = await #expect(throws: AgoError.self) { try await ago.sdk.getConversations() }
        #expect(empty?.code == .badResponse)
    }

    @Test(arguments: ["", ".", ".."])
    func refusesAnIdThatMeansAnotherPath(id: String) async throws {
        let ago = LiveAgo("http://127.0.0.1:1/api")
        let error = await #expect(throws: AgoError.self) {
            try await ago.sdk.getConversation(conversationId: id)
        }
        #expect(error?.code == .badArgument)
    }

    @Test func escapesAnId() async throws {
        let peer = try await Peer.start("ago", "--pace", "0")
        let ago = LiveAgo(peer.agoURL)
        await #expect(throws: AgoError.self) {
            try await ago.sdk.getConversation(conversationId: "a/../b?c=d#é")
        }
        let target = try peer.readLog().entries.first { $0.event == "request" }?.target
        #expect(target == "/api/sdk/v1/conversations/a%2F..%2Fb%3Fc%3Dd%23%C3%A9")
    }

    @Test func refusesAHeaderThatWouldBeTwo() async throws {
        let ago = LiveAgo("http://127.0.0.1:1/api", origin: "https://a\r\nX-Evil: 1")
        let error = await #expect(throws: AgoError.self) { try await ago.sdk.getConversations() }
        #expect(error?.code == .badArgument)
    }
}
