import CometChatKit
import Reprise

/// Talks to a CometChat agent for one guest.
public struct Concierge: Sendable {
    /// What the agent said.
    public struct Reply: Sendable, Hashable {
        /// Its words.
        public var text: String
        /// How many cards came with them.
        public var cards: Int
        /// The tools that it used.
        public var tools: [String]
    }

    /// The guest's session.
    public let session: CometChatSession

    /// A concierge over a transport: that of libcurl in the app, a tape's in a test.
    public init(settings: AppSettings, transport: any Transport) {
        session = CometChatSession(appId: "hotel", settings: settings, transport: transport)
    }

    /// Lets the guest in.
    public func greet(token: String) async throws { try await session.login(authToken: token) }

    /// Asks the agent.
    ///
    /// - Throws: What the client throws.
    public func ask(_ question: String) async throws -> Reply {
        let run = try await session.send(question, to: "agent-1")
        return Reply(text: run.text, cards: run.cards.count, tools: run.tools.map(\.name))
    }

    /// Lets the guest go.
    public func dismiss() async throws { try await session.logout() }
}

/// What a view shows of the agent's doings. It lives on the main actor.
@MainActor public final class Doings: AIAssistantEventsDelegate {
    /// The kinds of events, repeated ones once.
    public private(set) var kinds: [String] = []

    /// Nothing yet.
    public nonisolated init() {}

    /// Keeps it.
    public func onAIAssistantEventReceived(_ event: AIAssistantBaseEvent) {
        if kinds.last != event.type { kinds.append(event.type) }
    }
}
