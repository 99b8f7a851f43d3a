import CometChatKit
import RepriseCurl
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Sessions with a stand-in, over the live transport, each recorded on a tape of its own.
struct LiveComet {
    /// A stand-in for all tests of a process, which ends with it.
    static let peer = Task { try await Peer.start("cometchat", "--pace", "0") }

    static let agent = "agent-7"
    private static let count = Locked(0)

    /// The token of a user of the session's own: all sessions of one hear the same.
    let token: String
    let session: CometChatSession
    let recorder: TapeRecorder
    let transport: RecordingTransport
    private let folder: TemporaryFolder

    /// A session that is not logged in.
    ///
    /// - Parameter peer: Another stand-in than the one that tests share.
    init(
        options: CometChatOptions = LiveComet.options, peer: Peer? = nil
    ) async throws {
        let peer = if let peer { peer } else { try await Self.peer.value }
        let number = Self.count.withLock { count in
            count += 1
            return count
        }
        token = "t0ken-of-user-\(100 + number)"
        folder = try TemporaryFolder()
        recorder = try TapeRecorder(path: folder.file("a.tape"))
        let base = CurlTransport(options: CurlOptions(proxy: .none))
        transport = RecordingTransport(base: base, recorder: recorder)
        session = CometChatSession(
            appId: "app1",
            settings: AppSettings(
                baseURL: peer.cometChatURL, socketURL: peer.cometChatSocketURL),
            transport: transport, options: options)
    }

    /// A socket that is soon back, and limits that a busy machine does not reach.
    static var options: CometChatOptions {
        CometChatOptions(
            runSilence: 20_000_000_000, messagesLimit: 20_000_000_000,
            recoveryLimit: 20_000_000_000,
            reconnection: RetryPolicy(
                maximumAttempts: 20, baseDelay: 20_000_000, maximumDelay: 200_000_000),
            retry: .never)
    }

    /// Logs the session's user in.
    @discardableResult
    func logIn() async throws -> User { try await session.login(authToken: token) }

    /// Seals the tape and reads it.
    func close() throws -> Recording {
        try recorder.close()
        return try Recording(path: folder.file("a.tape"))
    }

    /// Logs in, does something, logs out, and reads the tape.
    static func record(
        options: CometChatOptions = LiveComet.options, peer: Peer? = nil,
        _ body: (LiveComet) async throws -> Void
    ) async throws -> Recording {
        let live = try await LiveComet(options: options, peer: peer)
        try await live.logIn()
        try await body(live)
        try await live.session.logout()
        return try live.close()
    }

    /// What differs where a tape is run again.
    static func check(_ recording: Recording) async throws -> [String] {
        try await ReplayCheck(recording, clients: [CometChatReplayer.self]).run()
            .map { "\($0.kind) \($0.description)" }
    }
}

/// What comes of messages, in order.
final class Diary: Sendable {
    private let entries = Locked<[AgentRunUpdate]>([])

    var updates: [AgentRunUpdate] { entries.withLock { $0 } }

    /// The types of the live events, repeated ones once.
    var types: [String] {
        updates.reduce(into: []) { types, update in
            guard case .event(let event) = update, types.last != event.event.type else { return }
            types.append(event.event.type)
        }
    }

    @Sendable func note(_ update: AgentRunUpdate) { entries.withLock { $0.append(update) } }
}
