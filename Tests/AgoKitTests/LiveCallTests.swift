import AgoKit
import RepriseTape
import RepriseWire
import TestSupport
import Testing

/// Every operation in both modes against a stand-in.
@Suite struct LiveCallTests {
    @Test(arguments: [true, false])
    func everyOperation(jwt: Bool) async throws {
        let peer = try await Peer.start("ago", "--pace", "0", "--token", LiveAgo.token)
        let ago = LiveAgo(peer.agoURL, jwt: jwt)
        let first = try await ago.sdk.sendMessage(content: "Hello there peer:chunks=5")
        #expect(first.role == "assistant")
        #expect(first.status == .done)
        #expect(first.title == "Hello there")
        #expect(first.agent?.id == "ag-1")
        #expect(first.followUpReplies?.count == 2)
        #expect(
            first.knowledgeSources?.map(\.knowledgeDocument.url) == [
                "https://help.example.com/start", "https://kb.example.com/2",
            ])
        let thread = try #require(first.threadId)
        let second = try await ago.sdk.sendMessage(
            content: "More \"quoted\" é peer:coding=gzip", threadId: thread)
        #expect(second.threadId == thread)
        #expect(second.title == nil)

        let threads = try await ago.sdk.getConversations()
        #expect(threads.map(\.id) == [thread])
        #expect(threads.first?.title == "Hello there")
        let conversation = try await ago.sdk.getConversation(conversationId: thread)
        #expect(conversation.thread == threads.first)
        #expect(conversation.messages.map(\.role) == ["user", "assistant", "user", "assistant"])
        #expect(conversation.messages[1].content == first.content)
        #expect(conversation.messages[2].content == "More \"quoted\" é")
        #expect(conversation.messages[3].id == second.id)

        let ticket = try await ago.sdk.createTicket(
            subject: "Locked \"out\"", typology: "question", priority: "high",
            body: "line\r\nline", conversationId: thread)
        #expect(ticket.ticketUrl.hasSuffix(ticket.id))
        try check(try peer.readLog(), jwt: jwt, thread: thread)
        try check(ago, jwt: jwt, thread: thread)
    }

    private func check(_ log: PeerLog, jwt: Bool, thread: String) throws {
        let requests = log.entries.filter { $0.event == "request" }
        let lines = requests.map { "\($0.method ?? "") \($0.target ?? "")" }
        let base = "/api/sdk/v1"
        #expect(
            lines == [
                "POST \(base)/messages", "POST \(base)/messages", "GET \(base)/conversations",
                "GET \(base)/conversations/\(thread)", "POST \(base)/tickets",
            ])
        let who =
            jwt
            ? ["Authorization", "Bearer \(LiveAgo.token)"] : ["X-Widget-Email", "ann@example.com"]
        let common = [["X-User-Anon-Id", LiveAgo.widget], ["Origin", LiveAgo.origin], who]
        let coding = [["Accept-Encoding", "gzip, deflate"]]
        let added = ["host", "content-length"]
        let headers = requests.map { entry in
            (entry.headers ?? []).filter { !added.contains($0[0].lowercased()) }
        }
        let stream = [["Content-Type", "application/json"], ["Accept", "text/event-stream"]]
        #expect(headers[0] == common + stream + coding)
        #expect(headers[2] == common + coding)
        #expect(headers[4].map { $0[0] } == (common + stream[..<1] + coding).map { $0[0] })
        let received = String(
            decoding: log.entries.filter { $0.event == "received" }.flatMap(\.data), as: UTF8.self)
        #expect(
            received.contains(
                #"{"content":"More \"quoted\" é peer:coding=gzip","thread":{"id":"\#(thread)"}}"#))
        #expect(received.contains("name=\"subject\"\r\n\r\nLocked \"out\"\r\n--"))
        #expect(received.contains("name=\"body\"\r\n\r\nline\r\nline\r\n--"))
    }

    private func check(_ ago: LiveAgo, jwt: Bool, thread: String) throws {
        let begun = ago.journal.calls.filter(\.isBeginning)
        #expect(
            begun.map(\.op) == [
                "sendMessage", "sendMessage", "getConversations", "getConversation", "createTicket",
            ])
        #expect(begun[1].args?["threadId"]?.string == thread)
        #expect(ago.journal.outcomes == Array(repeating: "ok", count: 5))
        let results = ago.journal.calls.filter { !$0.isBeginning }.map { $0.result }
        #expect(results[0]?["title"] == "Hello there")
        #expect(results[2]?[0]?["last_message_date"] != nil)
        #expect(results[4]?["ticket_url"] != nil)
        #expect(ago.entropy.drawn == ["boundary"])

        let clients = ago.journal.clients
        #expect(clients.map(\.client) == ["ago"])
        let config = try #require(clients.first?.config)
        #expect(config["mode"]?.string == (jwt ? "jwt" : "widget"))
        #expect(config["widgetId"]?.string == String(repeating: "*", count: 36))
        #expect(config["email"]?.string == (jwt ? nil : "ann@example.com"))
        #expect(ago.journal.secrets == [LiveAgo.widget] + (jwt ? [LiveAgo.token] : []))
        #expect(!"\(ago.journal.contents)".contains(LiveAgo.token))
    }

    @Test func readsTheEnvelope() async throws {
        let peer = try await Peer.start("ago", "--pace", "0", "--wishes", "envelope")
        let ago = LiveAgo(peer.agoURL)
        let message = try await ago.sdk.sendMessage(content: "Hi peer:chunks=2")
        let threads = try await ago.sdk.getConversations()
        #expect(threads.map(\.id) == [try #require(message.threadId)])
        #expect(threads.first?.lastMessageDate != nil)
    }
}
