import RepriseSupport
import RepriseTransport
import RepriseWire

extension SessionCore {
    /// Waits for what comes of a message.
    ///
    /// The journal is told at the end, as an operation that takes no time: it names the message,
    /// whose operation is over, and may go on beside others.
    func run(of number: UInt64) async throws -> AgentRun {
        let ticket = state.withLock { $0.book.ticket(number) }
        let result: Result<AgentRun, any Error>
        do {
            result = .success(try await wait(for: number))
        } catch {
            result = .failure(error)
        }
        var args: JSONObject = ["agent": .string(ticket?.receiver ?? "")]
        args["message"] = ticket?.message?.id.map { .integer($0) }
        let call = context.journal.beginCall(
            "run", args: .object(args), client: tell(secrets: []))
        forget(number)
        switch result {
        case .success(let run): context.journal.endCall(call, result: run.json)
        case .failure(let error): context.journal.endCall(call, error: error)
        }
        return try result.get()
    }

    /// How far a message's run is.
    private enum Stage: Sendable, Equatable {
        /// Nothing came of it yet, or it goes on.
        case running
        /// It finished, and its messages are to come.
        case finished
        /// Events of it are missing, and its messages may be fetched.
        case cut
    }

    private func wait(for number: UInt64) async throws -> AgentRun {
        let (signal, continuation) = AsyncStream<Void>.makeStream(
            bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.watchers[number] = continuation }
        // From the message on: an operation that is run again begins when all of it is over.
        let start = try ticket(number).time ?? context.clock.now()
        while true {
            let ticket = try ticket(number)
            if ticket.status == .disapproved {
                throw CometChatException(
                    .disapproved, "moderation holds the message back: no run follows",
                    run: ticket.run)
            }
            if ticket.run.isComplete, !ticket.run.isCut { return ticket.run }
            if ticket.run.isCut, ticket.run.reply != nil { throw cut(ticket.run) }
            let stage = stage(of: ticket)
            guard try await changes(number, stage, signal, since: start) else {
                throw failure(at: stage, try self.ticket(number).run)
            }
        }
    }

    private func ticket(_ number: UInt64) throws(CometChatException) -> RunBook.Ticket {
        guard let ticket = state.withLock({ $0.book.ticket(number) }) else {
            throw CometChatException(.notLoggedIn, "the user has logged out meanwhile")
        }
        return ticket
    }

    private func stage(of ticket: RunBook.Ticket) -> Stage {
        if ticket.run.isCut { return .cut }
        return ticket.run.isFinished ? .finished : .running
    }

    private func cut(_ run: AgentRun) -> CometChatException {
        let kept = run.messages.count
        let what = kept == 1 ? "1 message of it is" : "\(kept) messages of it are"
        return CometChatException(
            .runCut, "the socket was lost while the run went on; \(what) there", run: run)
    }

    private func failure(at stage: Stage, _ run: AgentRun) -> CometChatException {
        switch stage {
        case .cut: cut(run)
        case .running:
            CometChatException(
                .runTimeout,
                run.startTime == nil
                    ? "no run came of the message within the limit"
                    : "nothing more came of the run within the limit, and it has not finished",
                run: run)
        case .finished:
            CometChatException(
                .messagesMissing,
                "the run finished, and its persisted messages did not come within the limit: "
                    + run.missing.joined(separator: ", "), run: run)
        }
    }

    /// Waits until a stage is over, or something ends the waiting for good.
    ///
    /// - Returns: False where the stage's limit was reached first.
    private func changes(
        _ number: UInt64, _ stage: Stage, _ signal: AsyncStream<Void>, since start: Int64
    ) async throws -> Bool {
        try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask { [self] in
                for await _ in signal where try isOver(stage, try ticket(number)) { return true }
                try Task.checkCancellation()
                return true
            }
            group.addTask { [self] in
                while true {
                    let left = deadline(of: stage, try ticket(number), since: start)
                    let rest = left - context.clock.now()
                    if rest <= 0 { return false }
                    try await context.clock.sleep(for: rest)
                }
            }
            return try await group.next() ?? false
        }
    }

    private func isOver(_ stage: Stage, _ ticket: RunBook.Ticket) throws -> Bool {
        if ticket.status == .disapproved { return true }
        switch stage {
        case .running: return self.stage(of: ticket) != .running
        case .finished: return ticket.run.isComplete
        case .cut: return ticket.run.reply != nil
        }
    }

    private func deadline(
        of stage: Stage, _ ticket: RunBook.Ticket, since start: Int64
    ) -> Int64 {
        let link = state.withLock { $0.link }
        let last = max(start, ticket.run.lastTime ?? start)
        let recovered = link.lossTime.map { $0 + options.recoveryLimit } ?? .min
        switch stage {
        case .running: return last + options.runSilence
        // What was missed may have to be fetched first.
        case .finished: return max(last + options.messagesLimit, recovered)
        case .cut: return max(last, recovered)
        }
    }
}
