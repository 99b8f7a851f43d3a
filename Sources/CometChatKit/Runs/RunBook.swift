import RepriseWire

/// The runs of a session: which of them answers which message, and what came of each. Without time
/// or network.
///
/// The wire does not say which message a run answers. Where a run's key is the id of a message,
/// that one; else the oldest message to the run's agent that has none yet.
package struct RunBook: Sendable {
    /// A message on its way to an agent.
    package struct Ticket: Sendable {
        package let number: UInt64
        let receiver: String
        /// When it was sent, where that is known.
        let time: Int64?
        /// What the service made of the message; nil as long as it has not answered.
        var message: ChatMessage?
        package var status: ModerationStatus?
        package var run: AgentRun
        /// Whether a run was found for it.
        var isAnswered = false
        /// Whether somebody waited for its run and was told. What comes of it then is of no
        /// interest any more, and of no other run either: how much still comes is left to chance.
        var isTold = false
    }

    /// How many messages and runs are kept that nobody asks for.
    package static let limit = 200

    package private(set) var tickets: [Ticket] = []
    /// Runs that answer no message of this session, oldest first.
    package private(set) var others: [AgentRun] = []
    /// What moderation made of messages that the service has not answered yet.
    private var early: [(id: Int64, status: ModerationStatus)] = []
    private var count: UInt64 = 0

    package init() {}

    /// Where a run is kept.
    private enum Place {
        case ticket(Int)
        case other(Int)
    }

    /// A message is about to be sent.
    package mutating func open(to receiver: String, at time: Int64? = nil) -> UInt64 {
        count += 1
        tickets.append(
            Ticket(
                number: count, receiver: receiver, time: time, run: AgentRun(agent: receiver)))
        if tickets.count > Self.limit {
            tickets.remove(at: tickets.firstIndex(where: \.isTold) ?? 0)
        }
        return count
    }

    /// The service took the message.
    ///
    /// - Returns: What moderation made of it before the service's answer was here.
    package mutating func sent(_ number: UInt64, _ message: ChatMessage) -> ModerationStatus? {
        guard let place = index(of: number) else { return nil }
        let found = early.firstIndex { $0.id == message.id }
        let known = found.map { early.remove(at: $0).status }
        tickets[place].message = message
        tickets[place].status = known ?? message.moderation
        return known
    }

    /// The message was not sent.
    mutating func close(_ number: UInt64) { tickets.removeAll { $0.number == number } }

    /// What came of the message is told.
    package mutating func tell(_ number: UInt64) {
        guard let place = index(of: number) else { return }
        // No run follows a message that moderation holds back.
        if tickets[place].status == .disapproved { return close(number) }
        let run = tickets[place].run
        tickets[place].run = AgentRun(key: run.key, agent: run.agent)
        tickets[place].isTold = true
    }

    /// The message whose run is not told yet.
    package func ticket(_ number: UInt64) -> Ticket? { index(of: number).map { tickets[$0] } }

    /// The message with that id, whose run is not told yet.
    package func ticket(ofMessage id: Int64) -> Ticket? {
        tickets.first { $0.message?.id == id && !$0.isTold }
    }

    private func index(of number: UInt64) -> Int? {
        tickets.firstIndex { $0.number == number && !$0.isTold }
    }
}

extension RunBook {
    /// Takes an event of an agent in.
    ///
    /// - Returns: The message that its run answers; nil where it answers none.
    package mutating func take(_ event: AgentEvent, from sender: String, at time: Int64) -> UInt64?
    {
        let place = place(ofRun: event.runKey, agent: sender, in: event.conversationId)
        change(place) { $0.take(event, at: time) }
        return number(place)
    }

    /// Takes an agent's persisted message in.
    ///
    /// - Returns: The message that its run answers; nil where it answers none.
    package mutating func take(_ message: ChatMessage, isRecovered: Bool, at time: Int64) -> UInt64?
    {
        let place = place(
            ofRun: message.runId, agent: message.sender, in: message.conversationId)
        change(place) { $0.take(message, isRecovered: isRecovered, at: time) }
        return number(place)
    }

    /// Takes in what moderation made of a message of this session.
    package mutating func take(moderated message: ChatMessage) -> UInt64? {
        guard let id = message.id else { return nil }
        guard let place = tickets.firstIndex(where: { $0.message?.id == id }) else {
            if let status = message.moderation { early.append((id, status)) }
            if early.count > Self.limit { early.removeFirst() }
            return nil
        }
        tickets[place].status = message.moderation ?? tickets[place].status
        return tickets[place].number
    }

    /// The socket is lost: what has begun and not finished is cut.
    ///
    /// - Returns: The keys of the runs that are.
    package mutating func cut() -> [Int64] {
        var keys: [Int64] = []
        for place in tickets.indices where tickets[place].run.isOpen {
            tickets[place].run.isCut = true
            keys += [tickets[place].run.key].compactMap { $0 }
        }
        for place in others.indices where others[place].isOpen {
            others[place].isCut = true
            keys += [others[place].key].compactMap { $0 }
        }
        return keys
    }

    private func number(_ place: Place) -> UInt64? {
        guard case .ticket(let index) = place, !tickets[index].isTold else { return nil }
        return tickets[index].number
    }

    private mutating func change(_ place: Place, _ body: (inout AgentRun) -> Void) {
        switch place {
        case .ticket(let index) where tickets[index].isTold: break
        case .ticket(let index): body(&tickets[index].run)
        case .other(let index): body(&others[index])
        }
    }

    /// Where a run is kept, which begins here if it was not known.
    private mutating func place(
        ofRun key: Int64?, agent: String, in conversation: String
    ) -> Place {
        if let key {
            if let index = tickets.firstIndex(where: { $0.isAnswered && $0.run.key == key }) {
                return .ticket(index)
            }
            if let index = others.lastIndex(where: { $0.key == key }) { return .other(index) }
        } else if let index = others.lastIndex(where: { $0.agent == agent && $0.key == nil }) {
            return .other(index)
        } else if let index = tickets.lastIndex(where: {
            $0.isAnswered && $0.isFrom(agent, conversation)
        }) {
            // What names no run belongs to the agent's last one.
            return .ticket(index)
        }
        return begin(key, agent, conversation)
    }

    private mutating func begin(
        _ key: Int64?, _ agent: String, _ conversation: String
    ) -> Place {
        let open = tickets.indices.filter {
            !tickets[$0].isAnswered && tickets[$0].isFrom(agent, conversation)
        }
        let exact = key.flatMap { key in open.first { tickets[$0].message?.id == key } }
        let waited = open.first { !tickets[$0].isTold }
        if let index = exact ?? waited ?? open.first {
            tickets[index].isAnswered = true
            tickets[index].run.key = key
            return .ticket(index)
        }
        others.append(AgentRun(key: key, agent: agent))
        if others.count > Self.limit { others.removeFirst() }
        return .other(others.count - 1)
    }
}

extension RunBook.Ticket {
    /// Whether a run of that agent may answer it.
    fileprivate func isFrom(_ agent: String, _ conversation: String) -> Bool {
        if !agent.isEmpty { return receiver == agent }
        guard let mine = message?.conversationId, !conversation.isEmpty, !mine.isEmpty else {
            return true
        }
        return mine == conversation
    }
}

extension AgentRun {
    /// Whether it has begun and not ended.
    fileprivate var isOpen: Bool { startTime != nil && !isFinished && !isCut }
}
