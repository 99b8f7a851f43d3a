import ChatbaseKit
import Reprise

/// Asks a Chatbase agent about the weather, and does not wait for ever.
public struct Forecaster: Sendable {
    /// What became of a question.
    public enum Answer: Sendable, Hashable {
        /// The agent's whole answer.
        case whole(String)
        /// What had come of it when time was up.
        case partial(String)
    }

    /// How long an answer may take, in seconds.
    public var patience: Int64 = 20

    private let transport: any Transport
    private let client: ChatbaseClient

    /// A forecaster over a transport: that of libcurl in the app, a tape's in a test.
    public init(
        baseURL: String = ChatbaseClient.defaultBaseURL, transport: any Transport
    ) {
        self.transport = transport
        client = ChatbaseClient(agentId: "weather", baseURL: baseURL, transport: transport)
    }

    /// Asks the agent.
    ///
    /// - Throws: What the client throws.
    public func ask(_ question: String) async throws -> Answer {
        let clock = transport.context.clock
        return try await withThrowingTaskGroup(of: Answer?.self) { group in
            let words = Words()
            group.addTask {
                for try await event in client.stream(question) {
                    if case .textChunk(let word) = event { await words.add(word) }
                }
                return Task.isCancelled ? nil : .whole(await words.text)
            }
            group.addTask {
                try await clock.sleep(for: patience * 1_000_000_000)
                return .partial(await words.text)
            }
            defer { group.cancelAll() }
            while let answer = try await group.next() {
                if let answer { return answer }
            }
            return .partial(await words.text)
        }
    }
}

private actor Words {
    private(set) var text = ""

    func add(_ word: String) { text += word }
}
