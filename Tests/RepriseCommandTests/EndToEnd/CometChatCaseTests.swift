import CometChatKit
import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Sessions with the CometChat stand-in over real sockets, recorded, run again, and reported.
@Suite("What may break in a CometChat run", .timeLimit(.minutes(10)))
struct CometChatCaseTests {
    private static let options = CometChatOptions(
        pongLimit: 2_000_000_000, authLimit: 5_000_000_000, runSilence: 2_000_000_000,
        messagesLimit: 2_000_000_000, recoveryLimit: 4_000_000_000,
        reconnection: RetryPolicy(
            maximumAttempts: 8, baseDelay: 10_000_000, maximumDelay: 20_000_000),
        retry: .never)

    @Test("Each case is on its tape, replays as it went, and is found by the rules that it breaks")
    func cases() async throws {
        let cases = try await PeerCase.all(of: "cometchat")
        let peer = try await Peer.start("cometchat", "--pace", "0")
        let folder = try TemporaryFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, item) in cases.enumerated() {
                if number >= 4 { try await group.next() }
                group.addTask {
                    try await Self.check(item, path: folder.file(Self.name(number)), peer)
                }
            }
            try await group.waitForAll()
        }
        let found = try await Self.findings(in: folder)
        for (number, item) in cases.enumerated() {
            #expect(
                found[Self.name(number), default: []] == Set(item.rules),
                "\(item.wishes) \(item.socket)")
        }
    }

    private static func name(_ number: Int) -> String { "case-\(number).tape" }

    private static func check(_ item: PeerCase, path: String, _ peer: Peer) async throws {
        try await record(item, path: path, peer)
        let recording = try Recording(path: path)
        #expect(recording.isSealed, "\(item.wishes)")
        let sockets = recording.exchanges.filter { $0.request.url.description.hasPrefix("ws:") }
        #expect(sockets.first?.end?.how.rawValue == item.end, "\(item.wishes)")
        #expect(sockets.first?.end?.code == item.code, "\(item.wishes)")
        let differences = try await ReplayCheck(recording, clients: [CometChatReplayer.self]).run()
        #expect(differences.map(\.description) == [], "\(item.wishes)")
    }

    /// One message and what comes of it.
    private static func record(
        _ item: PeerCase, path: String, _ peer: Peer, options: CometChatOptions = options
    ) async throws {
        let recorder = try TapeRecorder(path: path)
        let settings = AppSettings(
            baseURL: peer.cometChatURL, socketURL: "\(peer.cometChatSocketURL)/\(item.socket)")
        let session = CometChatSession(
            appId: "app-1", settings: settings,
            transport: RecordingTransport(
                base: CurlTransport(options: CurlOptions(proxy: .none)), recorder: recorder),
            options: options)
        let updates = session.updates
        // A user of its own, so that no other case's events come here.
        try await session.login(authToken: "token-\(path.utf8.reduce(0) { $0 &* 31 &+ Int($1) })")
        let words = item.wishes.isEmpty ? "" : " peer:\(item.wishes)"
        _ = try? await session.send("Tell me.\(words)", to: "agent-7")
        await settle(item, updates)
        try await session.logout()
        try recorder.close()
    }

    /// Waits for what comes behind the message's run: the end of the socket, and its return.
    private static func settle(_ item: PeerCase, _ updates: AsyncStream<CometChatUpdate>) async {
        guard item.wishes.hasSuffix("at=last") else { return }
        for await update in updates {
            if case .recovered = update { return }
        }
    }

    /// The rules that were broken, by tape; a vendor's without the letter of the part.
    private static func findings(in folder: TemporaryFolder) async throws -> [String: Set<String>] {
        var report = try Command.reprise("report", folder.path, "--format", "json")
        report.folder = folder.path
        let result = try await report.run()
        #expect(result.status == 0, "\(result.errorText)")
        let json = try JSON.parse(result.output).value
        var found: [String: Set<String>] = [:]
        for finding in json["violations"]?["findings"]?.array ?? [] {
            var rule = try #require(finding["rule"]?.string)
            if rule.hasPrefix("cometchat."), rule.last?.isLowercase == true { rule.removeLast() }
            for violation in finding["violations"]?.array ?? [] {
                found[violation["tape"]?.string ?? "", default: []].insert(rule)
            }
        }
        return found
    }

    @Test("Ten thousand deflated frames at full speed are on the tape as they crossed the wire")
    func frames() async throws {
        let peer = try await Peer.start("cometchat", "--pace", "0")
        let folder = try TemporaryFolder()
        let path = folder.file("frames.tape")
        let item = PeerCase("chunks=10000")
        try await Self.record(item, path: path, peer, options: CometChatOptions())
        let log = try peer.readLog()
        let sent = log.frames(on: try #require(log.sockets.first))
        let kept = try Recording(path: path).frames.compactMap { frame in
            if case .socketFrame(let record)? = try? frame.content() { record } else { nil }
        }
        #expect(kept.count > 10_000)
        for by in ["client", "server"] {
            let sent = sent.filter { $0.by == by }
            let kept = kept.filter { $0.flags.contains(.fromServer) == (by == "server") }
            #expect(kept.map(\.opcode) == sent.compactMap(\.opcode).map(UInt8.init))
            // The frame of the token is masked.
            let differ = zip(sent, kept).filter { $0.data != $1.bytes }
            #expect(differ.count == (by == "client" ? 1 : 0))
        }
    }
}
