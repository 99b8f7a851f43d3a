import CometChatKit
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Operations over HTTP: their requests to the byte, and what comes of them.
@Suite struct LiveCallTests {
    /// A session with ids that are not drawn.
    private static var options: CometChatOptions {
        var options = LiveComet.options
        options.deviceId = "d-1"
        return options
    }

    private func headers(_ recording: Recording, _ path: String) throws -> [String] {
        let exchange = try #require(
            recording.exchanges.first { $0.request.url.description.hasSuffix(path) })
        return exchange.request.headers.fields.map { "\($0.name): \($0.value)" }
    }

    @Test func sendsRequestsToTheByte() async throws {
        let recording = try await LiveComet.record(options: Self.options) { live in
            let session = live.session
            let image = OutgoingMessage(
                to: "agent-7", .media(url: "https://img.example.com/a.png", type: "image"))
            let sent = try await session.send(image)
            #expect(sent.type == "image")
            let custom = OutgoingMessage(
                to: "u-bo", .custom(["b": 1, "a": [true, nil]], type: "poll"),
                receiverType: .group, metadata: ["m": "x"], tags: ["t"])
            #expect(try await session.send(custom).category == "custom")
            let text = OutgoingMessage(to: "u-bo", .text("Zürich 🦆"), parentId: sent.id)
            let reply = try await session.send(text)
            #expect(reply.parentId == sent.id)
            #expect(reply.moderation == .approved)
        }
        let muids = recording.entropy.filter { $0.purpose == "muid" }.map(\.value)
        #expect(muids.count == 3)
        let posts = recording.exchanges.filter { $0.request.method == "POST" }
        #expect(
            posts.map { String(decoding: $0.requestBody, as: UTF8.self) } == [
                #"{"receiver":"agent-7","receiverType":"user","category":"message","#
                    + #""type":"image","data":{"attachments":[{"url":"https://img.example.com/"#
                    + #"a.png"}]},"muid":"\#(muids[0])"}"#,
                #"{"receiver":"u-bo","receiverType":"group","category":"custom","type":"poll","#
                    + #""data":{"customData":{"b":1,"a":[true,null]},"metadata":{"m":"x"}},"#
                    + #""muid":"\#(muids[1])","tags":["t"]}"#,
                #"{"receiver":"u-bo","receiverType":"user","category":"message","type":"text","#
                    + #""data":{"text":"Zürich 🦆"},"muid":"\#(muids[2])"}"#,
            ])
        let first = try #require(posts[0].json["data"]?["id"]?.integer)
        let paths = posts.map { exchange in
            exchange.request.url.description.split(separator: "/").dropFirst(2)
                .joined(separator: "/")
        }
        #expect(paths == ["v3.0/messages", "v3.0/messages", "v3.0/messages/\(first)/thread"])
        let sent = try headers(recording, "/v3.0/messages")
        #expect(
            sent.dropFirst() == [
                "appId: app1", "authToken: \(String(repeating: "*", count: 17))",
                "sdk: ios@4.0.0", "resource: d-1", "Content-Type: application/json",
                "Accept: application/json", "Accept-Encoding: gzip, deflate",
                "Content-Length: \(posts[0].requestBody.count)",
            ])
        #expect(recording.exchanges[0].request.method == "PUT")
        #expect(recording.exchanges[0].requestBody == Array("{}".utf8))
        #expect(
            recording.calls.map(\.op) == [
                "login", "sendMediaMessage", "sendCustomMessage", "sendTextMessage", "logout",
            ])
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    @Test func asksTheCopilot() async throws {
        let recording = try await LiveComet.record(options: Self.options) { live in
            let session = live.session
            let replies = try await session.smartReplies(
                receiverId: "agent-7", configuration: ["lastNMessages": 100, "q": "a b"])
            #expect(replies.keys.sorted() == ["negative", "neutral", "positive"])
            #expect(try await session.conversationStarter(receiverId: "agent-7").count > 1)
            #expect(try await !session.conversationSummary(receiverId: "agent-7").isEmpty)
            let error = await #expect(throws: CometChatException.self) {
                try await session.conversationSummary(receiverId: "nobody/x")
            }
            #expect(error?.errorCode == "ERR_UID_NOT_FOUND")
            #expect(error?.message == "the service answered 404: ERR_UID_NOT_FOUND")
            #expect(error?.errorDescription?.contains(": There is no user nobody/x") == true)
        }
        let targets = recording.exchanges.filter { $0.request.method == "GET" }.map {
            $0.request.url.description.split(separator: "/").dropFirst(3).joined(separator: "/")
        }
        #expect(
            targets.filter { $0.hasPrefix("ai/") } == [
                "ai/smart-replies/users/agent-7?lastNMessages=100&q=a%20b",
                "ai/conversation-starter/users/agent-7",
                "ai/conversation-summary/users/agent-7",
                "ai/conversation-summary/users/nobody%2Fx",
            ])
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    @Test(arguments: [
        (#"{"error":{"code":"ERR_X","message":"no","details":{"f":["a","b"]}}}"#, "ERR_X", "no"),
        (#"{"error":{"code":"an error: all of it","message":7}}"#, "cometchat.http.400", nil),
        ("{}", "cometchat.http.400", nil), ("no JSON", "cometchat.http.400", nil),
        (
            #"{"error":{"message":"the token tok-1 is bad"}}"#, "cometchat.http.400",
            "the token *** is bad"
        ),
    ])
    func readsErrors(body: String, code: String, words: String?) throws {
        let head = ResponseRecord(status: 400, headers: ["Retry-After": "7"])
        let error = try #require(
            CometChatException(head, body: Array(body.utf8), secrets: ["tok-1"]))
        #expect(error.errorCode == code)
        #expect(error.serverMessage == words)
        #expect(error.retryAfter == 7)
        #expect(error.details == (code == "ERR_X" ? ["f": "a b"] : [:]))
        #expect(CometChatException(ResponseRecord(status: 204), body: [], secrets: []) == nil)
    }

    @Test(arguments: ["ftp://x", "https://", "https://h?q"])
    func refusesBadAddresses(url: String) async throws {
        let session = CometChatSession(
            appId: "a", settings: AppSettings(baseURL: url),
            transport: try await LiveComet().transport)
        let error = await #expect(throws: CometChatException.self) {
            try await session.login(authToken: "t")
        }
        #expect(error?.errorCode == "cometchat.badArgument")
    }
}

extension Recording.Exchange {
    /// The document that answers it.
    fileprivate var json: JSON {
        let bytes = deliveries.flatMap(\.bytes)
        return (try? JSON.parse(bytes))?.value ?? .null
    }
}
