import AgoKit
import Reprise

/// Asks an AGO agent, and opens a ticket where it takes too long to say something.
public struct HelpDesk: Sendable {
    /// What became of a question.
    public enum Outcome: Sendable, Hashable {
        /// The agent's answer.
        case answer(String)
        /// The number of a ticket.
        case ticket(String)
    }

    /// How long the agent may be silent, in seconds.
    public var patience: Int64 = 3

    private let sdk: AgoChatSDK
    private let clock: any SessionClock

    /// A help desk over a transport: that of libcurl in the app, a tape's in a test.
    public init(token: String, baseURL: String, transport: any Transport) {
        clock = transport.context.clock
        sdk = AgoChatSDK(
            authToken: token, widgetId: "help-desk", origin: "https://app.example.com",
            baseURL: baseURL, transport: transport)
    }

    /// Asks the agent.
    ///
    /// - Throws: What the client throws.
    public func ask(_ question: String) async throws -> Outcome {
        if let answer = try await answer(question) { return .answer(answer) }
        let ticket = try await sdk.createTicket(
            subject: "No answer", typology: "question", priority: "high", body: question)
        return .ticket(ticket.id)
    }

    /// The whole answer; nil where the agent falls silent.
    private func answer(_ question: String) async throws -> String? {
        let words = Words(clock.now())
        return try await withThrowingTaskGroup(of: String??.self) { group in
            group.addTask {
                for try await update in sdk.streamMessage(content: question) {
                    await words.set(update.text, at: clock.now())
                }
                return Task.isCancelled ? nil : .some(await words.text)
            }
            group.addTask {
                while true {
                    let rest = await words.time + patience * 1_000_000_000 - clock.now()
                    if rest <= 0 { return .some(nil) }
                    try await clock.sleep(for: rest)
                }
            }
            defer { group.cancelAll() }
            while let answer = try await group.next() {
                if let answer { return answer }
            }
            return nil
        }
    }
}

private actor Words {
    private(set) var text = ""
    private(set) var time: Int64

    init(_ time: Int64) { self.time = time }

    func set(_ text: String, at time: Int64) {
        self.text = text
        self.time = time
    }
}
