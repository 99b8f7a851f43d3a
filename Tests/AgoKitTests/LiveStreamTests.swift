import AgoKit
import RepriseSupport
import RepriseTape
import RepriseWire
import TestSupport
import Testing

/// Answers as they come.
@Suite struct LiveStreamTests {
    @Test func givesUpdatesUpToTheClose() async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        var updates: [AgoUpdate] = []
        for try await update in ago.sdk.streamMessage(content: "Late title peer:chunks=9,tool") {
            updates.append(update)
        }
        let last = try #require(updates.last)
        #expect(updates.map(\.delta).joined() == last.text)
        #expect(updates.filter { !$0.delta.isEmpty }.count == 9)
        #expect(updates.first?.isProcessing == true)
        #expect(last.title == "Late title")
        #expect(last.followUpReplies.count == 2)
        #expect(last.tools.map(\.type) == [.clientFunction])
        #expect(updates.contains { $0.tool?.message == "Looking at the sky" })
        // The indicator goes out with DONE, before the stream closes.
        let done = try #require(updates.firstIndex { $0.status == .done })
        #expect(updates[..<done].allSatisfy { $0.isProcessing })
        #expect(updates[done...].allSatisfy { !$0.isProcessing })
        #expect(done < updates.count - 1)
        #expect(ago.journal.calls.first?.op == "streamMessage")
        #expect(ago.journal.outcomes == ["ok"])
    }

    @Test func stopsAtDoneWhereAsked() async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL, options: LiveAgo.stoppingAtDone)
        let message = try await ago.sdk.sendMessage(content: "Stop peer:chunks=5,gap=3")
        #expect(message.status == .done)
        #expect(message.title == nil)
        #expect(message.followUpReplies == nil)
        #expect(ago.journal.outcomes == ["ok"])
        let error = await #expect(throws: AgoError.self) {
            try await ago.sdk.sendMessage(content: "Stop peer:chunks=5,error")
        }
        #expect(error?.code == .messageFailed)
    }

    @Test func pausesForTheClient() async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        var last: AgoUpdate?
        for try await update in ago.sdk.streamMessage(content: "Hi peer:chunks=3,waiting") {
            last = update
        }
        let update = try #require(last)
        #expect(update.status == .waitingClient)
        #expect(update.waitingToolCallIds == update.tools.compactMap(\.id))
        #expect(update.tools.first?.arguments?["city"]?.string == "Zürich")
    }

    @Test(arguments: [false, true])
    func callsBack(stopsAtDone: Bool) async throws {
        let options = stopsAtDone ? LiveAgo.stoppingAtDone : LiveAgo.options
        let ago = LiveAgo(try await SharedPeer.value.agoURL, options: options)
        let events = Locked<[String]>([])
        let message = "Hi peer:chunks=4,stream=anthropic-messages"
        let task = ago.sdk.sendMessage(
            content: message, onContentUpdate: { text in events.withLock { $0.append(text) } },
            onComplete: { events.withLock { $0.append("complete") } },
            onError: { text in events.withLock { $0.append("error: \(text)") } })
        await task.value
        let told = events.withLock { $0 }
        #expect(told.count == 5)
        #expect(told.last == "complete")
        #expect(zip(told, told.dropFirst().dropLast()).allSatisfy { $1.hasPrefix($0) })
        #expect(ago.journal.calls.first?.op == "sendMessage")
    }

    @Test(arguments: ["error", "status=401", "cut=300,rst", "no-status"])
    func callsBackOnErrors(wish: String) async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        let ends = Locked<[String]>([])
        let task = ago.sdk.sendMessage(
            content: "Hi peer:chunks=4,\(wish)", onContentUpdate: { _ in },
            onComplete: { ends.withLock { $0.append("complete") } },
            onError: { _ in ends.withLock { $0.append("error") } })
        await task.value
        #expect(ends.withLock { $0 } == ["error"])
    }

    @Test func cancelsWithTheTask() async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        let (seen, tell) = AsyncStream.makeStream(of: Void.self)
        let ends = Locked<[String]>([])
        let task = ago.sdk.sendMessage(
            content: "Hi peer:chunks=8,stall=0", onContentUpdate: { _ in tell.yield() },
            onComplete: { ends.withLock { $0.append("complete") } },
            onError: { text in ends.withLock { $0.append(text) } })
        for await _ in seen { break }
        task.cancel()
        await task.value
        #expect(ends.withLock { $0 } == ["the operation was cancelled"])
        #expect(ago.journal.outcomes == ["cancelled"])
    }

    @Test func cancelsAStreamWithTheTaskThatReadsIt() async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        let (seen, tell) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for try await update in ago.sdk.streamMessage(content: "Hi peer:chunks=8,stall=0") {
                if !update.text.isEmpty { tell.yield() }
            }
            // Swift's streams end without a word where no element was being waited for.
            try Task.checkCancellation()
        }
        for await _ in seen { break }
        task.cancel()
        await #expect(throws: (any Error).self) { try await task.value }
        #expect(ago.journal.outcomes == ["cancelled"])
    }

    @Test func endsWithTheStreamThatIsDropped() async throws {
        let ago = LiveAgo(try await SharedPeer.value.agoURL)
        func readOne() async throws {
            for try await _ in ago.sdk.streamMessage(content: "Hi peer:chunks=8,stall=0") { break }
        }
        try await readOne()
        #expect(ago.journal.outcomes == ["cancelled"])
    }

    @Test func sendsNothingForAStreamThatNobodyReads() async throws {
        let ago = LiveAgo("http://127.0.0.1:1/api")
        _ = ago.sdk.streamMessage(content: "Hi")
        #expect(ago.journal.contents.isEmpty)
    }

    @Test func aNewWidgetIdIsInTheJournal() async throws {
        let peer = try await Peer.start("ago", "--pace", "0")
        let ago = LiveAgo(peer.agoURL)
        let sdk = try #require(ago.sdk as? AgoChatWidgetSDK)
        try await sdk.sendMessage(content: "Hi peer:chunks=1")
        #expect(try await sdk.getConversations().count == 1)
        try sdk.resetWidgetId()
        #expect(sdk.widgetId != LiveAgo.widget)
        #expect(try await sdk.getConversations().isEmpty)
        sdk.userEmail = nil
        _ = try await sdk.getConversations()
        #expect(ago.journal.secrets == [LiveAgo.widget, sdk.widgetId])
        #expect(
            ago.journal.calls.compactMap(\.op) == [
                "sendMessage", "getConversations", "resetWidgetId", "getConversations",
                "getConversations",
            ])
        // Told anew once it has changed.
        #expect(ago.journal.clients.map { $0.config["email"] } == ["ann@example.com", nil])
    }
}
