import ChatbaseKit
import RepriseSupport
import RepriseTesting
import RepriseTransport
import Testing

/// What the tests have of the tape `weather`: one answer that took a minute.
enum Weather {
    static let text =
        "It is warm and clear in Lisbon, with a light wind from the sea ☀ and it stays so until "
        + "Sunday evening, they say."

    /// Asks as it was recorded.
    static func ask(_ tape: Tape, _ message: String = "Hello") async throws -> String {
        let client = ChatbaseClient(agentId: "a1", transport: tape.transport)
        return try await client.send(message).message.text
    }

    /// The tape as a test has it that no environment tells anything.
    static func use(
        _ name: String = "weather", in folder: String? = nil,
        mode: Tape.Mode = .none, playback: Tape.Playback = .strict,
        matching: RequestMatching = .exact, options: Tape.Options = Tape.Options(),
        allowing: [TapeAllowance] = [], live: Tape.Live? = nil,
        environment: [String: String] = [:]
    ) -> TapeUse {
        let options = options.with(mode, playback, matching)
        var use = TapeUse(name, in: folder, options, allowing, live, #filePath)
        use.environment = environment
        return use
    }
}

extension TapeUse {
    /// The issues of a run, in order; an error that it throws is the last.
    func issues(
        _ body: @escaping @Sendable (Tape) async throws -> Void
    ) async throws -> [String] {
        let texts = Locked<[String]>([])
        try await withKnownIssue(isIntermittent: true) {
            try await run(sourceLocation: #_sourceLocation, body)
        } matching: { issue in
            var words = issue.comments.map(\.rawValue)
            if let error = issue.error { words.append("threw \(error)") }
            let text = words.joined(separator: " ")
            texts.withLock { $0.append(text) }
            return true
        }
        return texts.withLock { $0 }
    }
}
