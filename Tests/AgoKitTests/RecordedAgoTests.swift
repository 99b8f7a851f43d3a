import AgoKit
import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Sessions with a stand-in, recorded and run again from their tapes.
@Suite struct RecordedAgoTests {
    /// Records what `body` does and runs it again; the tape's frames for further looks.
    private func roundTrip(
        jwt: Bool, _ peer: Peer, options: AgoOptions = LiveAgo.options,
        _ body: (any AgoChat) async throws -> Void
    ) async throws -> Recording {
        let folder = try TemporaryFolder()
        let path = folder.file("session.tape")
        let recorder = try TapeRecorder(path: path)
        let transport = RecordingTransport(
            base: CurlTransport(options: CurlOptions(proxy: .none)), recorder: recorder)
        let sdk: any AgoChat =
            jwt
            ? AgoChatSDK(
                authToken: LiveAgo.token, widgetId: LiveAgo.widget, origin: LiveAgo.origin,
                baseURL: peer.agoURL, transport: transport, options: options)
            : AgoChatWidgetSDK(
                widgetId: LiveAgo.widget, origin: LiveAgo.origin, userEmail: "ann@example.com",
                baseURL: peer.agoURL, transport: transport, options: options)
        try await body(sdk)
        try recorder.close()
        let recording = try Recording(path: path)
        #expect(recording.isSealed)
        let differences = try await ReplayCheck(recording, clients: [AgoClientReplayer.self]).run()
        #expect(differences.map(\.description) == [])
        return recording
    }

    @Test(arguments: [true, false])
    func everyOperationRunsAgain(jwt: Bool) async throws {
        let peer = try await Peer.start("ago", "--pace", "0")
        let recording = try await roundTrip(jwt: jwt, peer) { sdk in
            let message = try await sdk.sendMessage(content: "One peer:chunks=7,coding=gzip,tool")
            for try await _ in sdk.streamMessage(
                content: "Two peer:cuts=hard,chunks=7", threadId: message.threadId)
            {}
            await sdk.sendMessage(
                content: "Three", onContentUpdate: { _ in }, onComplete: {}, onError: { _ in }
            ).value
            _ = try await sdk.getConversations()
            _ = try await sdk.getConversation(conversationId: message.threadId ?? "")
            _ = try await sdk.createTicket(
                subject: "s", typology: "t", priority: "p", body: "b",
                conversationId: message.threadId)
            if let widget = sdk as? AgoChatWidgetSDK {
                try widget.resetWidgetId()
                widget.userEmail = nil
                _ = try await widget.getConversations()
            }
            try await peer.tell("next reset")
            _ = try await sdk.getConversations()
        }
        #expect(recording.calls.count == (jwt ? 7 : 9))
        let text = recording.frames.map { String(decoding: $0.payload, as: UTF8.self) }.joined()
        #expect(!text.contains(LiveAgo.token))
        #expect(!text.contains(LiveAgo.widget))
    }

    @Test(arguments: [
        "error", "no-status", "cut=400", "cut=400,rst", "coding=gzip,corrupt",
        "coding=gzip,cut-coding", "empty", "type=text/html", "reset,rst", "status=401",
        "status=429,retry-after=3", "status=500,body=plain", "bad-json", "bad-utf8", "waiting",
        "two-statuses", "delimit=close", "delimit=length", "echo", "echo,coding=gzip",
    ])
    func everyFaultRunsAgain(wish: String) async throws {
        let peer = try await SharedPeer.value
        let recording = try await roundTrip(jwt: true, peer) { sdk in
            _ = try? await sdk.sendMessage(content: "Hi peer:chunks=6,\(wish)")
        }
        #expect(recording.calls.count == 1)
    }

    @Test func aStoppedStreamRunsAgain() async throws {
        let peer = try await SharedPeer.value
        let recording = try await roundTrip(
            jwt: false, peer, options: LiveAgo.stoppingAtDone
        ) { sdk in
            try await sdk.sendMessage(content: "Hi peer:chunks=6,gap=2")
        }
        #expect(recording.exchanges.first?.end != nil)
    }
}
