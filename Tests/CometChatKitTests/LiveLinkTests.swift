import CometChatKit
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The socket: how it is opened, kept open, lost and opened again.
@Suite struct LiveLinkTests {
    /// Why a login fails, and that nobody is logged in then.
    @Test(arguments: [
        ("socket auth=refused", "cometchat.authRefused"),
        ("socket auth=none", "cometchat.authTimeout"),
        ("socket auth=close", "cometchat.socketClosed"),
        ("socket upgrade=503", "websocket.refused"),
        ("socket accept=wrong", "websocket.handshake"),
        ("next status=404", "ERR_UID_NOT_FOUND"),
        ("next status=500", "ERR_INTERNAL_SERVER_ERROR"),
    ])
    func refusedLogins(line: String, code: String) async throws {
        let peer = try await Peer.start("cometchat", "--pace", "0")
        try await peer.tell(line)
        var options = LiveComet.options
        if line.contains("none") { options.authLimit = 1_000_000_000 }
        let live = try await LiveComet(options: options, peer: peer)
        let error = await #expect(throws: CometChatException.self) {
            try await live.logIn()
        }
        #expect(error?.errorCode == code)
        #expect(error?.errorDescription?.contains(live.token) == false)
        #expect(live.session.user == nil)
        #expect(!live.session.isConnected)
        // The next one works.
        if !line.contains("none") {
            #expect(try await live.logIn().name == "Ann")
            try await live.session.logout()
        }
        let differences = try await LiveComet.check(try live.close())
        #expect(differences == [])
    }

    @Test func logsInAndOut() async throws {
        let recording = try await LiveComet.record { live in
            let session = live.session
            #expect(session.isConnected)
            #expect(session.user?.name.isEmpty == false)
            let again = await #expect(throws: CometChatException.self) {
                try await session.login(authToken: "another-token")
            }
            #expect(again?.errorCode == "cometchat.loggedIn")
            try await session.logout()
            let out = await #expect(throws: CometChatException.self) {
                try await session.send(OutgoingMessage(to: "agent-7", .text("Hi")))
            }
            #expect(out?.errorCode == "cometchat.notLoggedIn")
            #expect(!session.isConnected)
            try await session.login(uid: "u-ann", authKey: "k3y-of-the-app")
        }
        let sockets = recording.exchanges.filter { $0.request.transport == .websocket }
        #expect(sockets.count == 2)
        // The user says goodbye with the vendor's code and reason, uncompressed as it is.
        let closes = sockets[0].events.compactMap { event -> SocketFrameRecord? in
            guard case .socketFrame(let record) = event.content else { return nil }
            return record.frame.opcode == .close && record.sender == .client ? record : nil
        }
        #expect(closes.map(\.bytes) == [[0x03, 0xEA] + Array("USER_LOGGED_OUT".utf8)])
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
        let frames = recording.frames.map { String(decoding: $0.payload, as: UTF8.self) }
        for secret in ["t0ken-of-", "k3y-of-the-app", "eyJ"] {
            #expect(!frames.contains { $0.contains(secret) }, "\(secret)")
        }
    }

    /// The frame that says who the client is goes out as it stands, so that its secret is masked
    /// in it and nothing else is.
    @Test func saysWhoItIsUncompressed() async throws {
        let recording = try await LiveComet.record { _ in }
        let socket = try #require(
            recording.exchanges.first { $0.request.transport == .websocket })
        let first = try #require(
            socket.events.lazy.compactMap { event -> SocketFrameRecord? in
                if case .socketFrame(let record) = event.content { record } else { nil }
            }.first)
        #expect(first.sender == .client)
        #expect(!first.flags.contains(.rsv1))
        let frame = try JSON.parse(first.bytes).value
        let device = try #require(recording.entropy.first { $0.purpose == "deviceId" }).value
        #expect(device.utf8.count == 16)
        #expect(frame["type"] == "auth")
        #expect(frame["appId"] == "app1")
        #expect(frame["deviceId"]?.string == device)
        #expect(frame["body"]?["auth"]?.string?.allSatisfy { $0 == "*" } == true)
        #expect(frame["body"]?["params"]?["platform"] == "ios")
    }

    /// A service that answers no ping is left, and its socket opened again.
    @Test func leavesAServiceThatIsSilent() async throws {
        let peer = try await Peer.start("cometchat", "--pace", "0")
        try await peer.tell("socket no-pong")
        var options = LiveComet.options
        options.pingInterval = 100_000_000
        let recording = try await LiveComet.record(options: options, peer: peer) { live in
            var updates = live.session.updates.makeAsyncIterator()
            guard case .disconnected(let error, cutRuns: [])? = await updates.next() else {
                Issue.record("not lost")
                return
            }
            #expect(error.errorCode == "cometchat.pongMissing")
            #expect(await updates.next() == .connected(again: true))
            // The new one answers.
            _ = try await live.session.send("Hi peer:chunks=8,gap=300", to: LiveComet.agent)
        }
        let sockets = recording.exchanges.filter { $0.request.transport == .websocket }
        #expect(sockets.count == 2)
        #expect(recording.entropy.contains { $0.purpose == "backoff" && $0.call == 0 })
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }

    /// Messages that came while the socket was lost are fetched and told as such, once.
    @Test func recoversWhatItMissed() async throws {
        let seen = Locked<[CometChatUpdate]>([])
        let recording = try await LiveComet.record { live in
            let updates = live.session.updates
            let reading = Task {
                for await update in updates { seen.withLock { $0.append(update) } }
            }
            await #expect(throws: CometChatException.self) {
                try await live.session.send(
                    "Hi peer:tools=get_weather,chunks=6,at=middle,drop=rst", to: LiveComet.agent)
            }
            _ = try await live.session.send("Again peer:chunks=2", to: LiveComet.agent)
            live.session.finish()
            await reading.value
        }
        let updates = seen.withLock { $0 }
        let recovered = updates.flatMap { update -> [Int64] in
            if case .recovered(let ids) = update { ids } else { [] }
        }
        #expect(recovered.count == 3)
        let messages = updates.compactMap { update -> ReceivedMessage? in
            if case .message(let message) = update { message } else { nil }
        }
        #expect(messages.filter(\.isRecovered).compactMap(\.message.id) == recovered)
        #expect(Set(messages.compactMap(\.message.id)).count == messages.count)
        let notes = recording.frames.compactMap { frame -> String? in
            guard frame.kind == .note, case .note(let text)? = try? frame.content() else {
                return nil
            }
            return text
        }
        #expect(notes.count == 2)
        #expect(notes.first?.hasPrefix("cometchat.disconnected {\"code\":\"transport.") == true)
        #expect(
            notes.last
                == "cometchat.recovered {\"messages\":[\(recovered.map(String.init).joined(separator: ","))]}"
        )
        let differences = try await LiveComet.check(recording)
        #expect(differences == [])
    }
}
