import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire

extension SessionCore {
    /// Opens the socket, and keeps it open from then on.
    ///
    /// - Throws: ``CometChatException`` where it could not be opened, which is not tried again.
    func connect() async throws {
        let (outcome, continuation) = AsyncThrowingStream<Void, any Error>.makeStream()
        let task: Task<Void, any Error> = context.startTask { [self] in
            await keepConnected { result in
                switch result {
                case .success: continuation.yield()
                case .failure(let error): continuation.finish(throwing: error)
                }
            }
            continuation.finish(throwing: CancellationError())
        }
        state.withLock { state in
            state.link.isClosing = false
            state.link.task = task
        }
        do {
            for try await _ in outcome { return }
            throw CancellationError()
        } catch {
            task.cancel()
            throw error
        }
    }

    /// Closes the socket as at a logout.
    func disconnect() async {
        let (socket, task) = state.withLock { state in
            state.link.isClosing = true
            return (state.link.socket, state.link.task)
        }
        if let socket {
            // A peer that is gone is as good as one that closes.
            try? await socket.close(code: .userLoggedOut, reason: "USER_LOGGED_OUT")
        }
        task?.cancel()
        _ = try? await task?.value
        state.withLock { $0.link = Link() }
    }

    private var isClosing: Bool { state.withLock { $0.link.isClosing } || Task.isCancelled }

    /// Opens the socket, again whenever it was lost, until the user logs out.
    private func keepConnected(
        _ first: (Result<Void, any Error>) -> Void
    ) async {
        var attempt = 0
        var hasBeen = false
        while !isClosing {
            var failure: any Error
            do {
                try await converse(again: hasBeen) {
                    attempt = 0
                    if !hasBeen { first(.success(())) }
                    hasBeen = true
                }
                failure = CometChatException(.socketClosed, "the service closed the socket")
            } catch {
                failure = CometChatException.wrapping(error)
            }
            if !hasBeen { return first(.failure(failure)) }
            if isClosing { return }
            lose(failure)
            attempt += 1
            guard isWorthTrying(failure, attempt) else { return }
            let limit = options.reconnection.delayLimit(after: attempt)
            let delay = context.drawDelay(call: 0, limit: limit) { Int64.random(in: 0...limit) }
            guard (try? await context.clock.sleep(for: delay)) != nil else { return }
        }
    }

    private func isWorthTrying(_ failure: any Error, _ attempt: Int) -> Bool {
        let code = (failure as? CometChatException)?.errorCode
        return attempt < options.reconnection.maximumAttempts
            && code != CometChatException.Code.authRefused.rawValue
    }

    /// The socket is lost.
    private func lose(_ failure: any Error) {
        let failure =
            failure as? CometChatException
            ?? CometChatException(.socketClosed, CallFailure(failure).message)
        let (runs, sinks, watchers) = state.withLock { state in
            state.link.socket = nil
            state.link.isConnected = false
            state.link.lossTime = context.clock.now()
            let runs = state.book.cut()
            let cut = state.book.tickets.filter { $0.run.isCut }.map(\.number)
            return (runs, cut.compactMap { state.sinks[$0] }, Array(state.watchers.values))
        }
        note(
            "disconnected",
            ["code": .string(failure.errorCode), "runs": .array(runs.map { .integer($0) })])
        updates.send(.disconnected(failure, cutRuns: runs))
        for sink in sinks { sink(.cut) }
        for watcher in watchers { watcher.yield() }
    }
}

extension SessionCore {
    /// What ended a conversation on the socket, or happened beside it.
    private enum Milestone: Sendable {
        /// The peer or the user closed.
        case closed
        /// What was missed is fetched, or could not be.
        case recovered
    }

    /// Opens the socket, is let in, and reads until it ends.
    ///
    /// - Throws: What broke it; nothing where it was closed in order.
    private func converse(again: Bool, _ isIn: () -> Void) async throws {
        let socket = try await open()
        // From here on, what was known before counts as known: what is live comes on top of it.
        let cursors = state.withLock { $0.history.cursors }
        guard try await isLetIn(socket) else { return }
        state.withLock { state in
            state.link.socket = socket
            state.link.isConnected = true
        }
        isIn()
        updates.send(.connected(again: again))
        try await withThrowingTaskGroup(of: Milestone.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for try await message in socket.messages { self.take(message) }
                return .closed
            }
            group.addTask { try await self.keepAlive(socket) }
            if again {
                group.addTask {
                    await self.recover(from: cursors)
                    return .recovered
                }
            }
            while let milestone = try await group.next() {
                if case .closed = milestone { return }
            }
        }
    }

    @discardableResult
    private func take(_ message: WebSocket.Message) -> ServiceFrame.AuthReply? {
        // Binary messages are ignored, as in the vendor's clients.
        message.kind == .text ? take(message.bytes, at: message.time) : nil
    }

    private func open() async throws -> WebSocket {
        if let fault = BaseURL.fault(in: socketURL, schemes: ["ws://", "wss://"]) {
            throw CometChatException(.badArgument, "the socket's URL \(fault)")
        }
        let request = Request(
            method: "GET", url: socketURL,
            sensitive: SensitivePaths(request: ["body.auth"]), timeouts: options.timeouts)
        return try await WebSocket.open(
            request,
            options: SocketOptions(
                keepAliveAnswer: CometChatPing.answer, isKeepAlive: CometChatPing.isKeepAlive),
            over: transport)
    }

    /// Tells the service who the client is, and waits for its answer.
    ///
    /// - Returns: False where the service closed instead.
    private func isLetIn(_ socket: WebSocket) async throws -> Bool {
        let frame = CometChatAuth(core: self, identity: identity()).json.serialized
        // Uncompressed, so that the secret in it can be masked where it stands.
        try await socket.send(text: frame, deflated: false)
        return try await withThrowingTaskGroup(of: Bool.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                for try await message in socket.messages {
                    guard let reply = self.take(message) else { continue }
                    if reply.isAccepted { return true }
                    throw CometChatException(
                        .authRefused,
                        "the service did not let the socket in (code \(reply.code ?? 0))")
                }
                return false
            }
            group.addTask { [self] in
                try await context.clock.sleep(for: options.authLimit)
                throw CometChatException(
                    .authTimeout, "the service did not answer in time who the client is")
            }
            return try await group.next() ?? false
        }
    }

    /// Sends pings, and gives the socket up where one is not answered.
    ///
    /// The next ping counts from the arrival of the last pong, which a replay has at its recorded
    /// time, so that what a machine was late adds up in neither.
    private func keepAlive(_ socket: WebSocket) async throws -> Milestone {
        var last = context.clock.now()
        while true {
            try await context.clock.sleep(for: last + options.pingInterval - context.clock.now())
            state.withLock { $0.link.pongTime = nil }
            try await socket.send(text: CometChatPing.text)
            try await context.clock.sleep(for: options.pongLimit)
            guard let pong = state.withLock({ $0.link.pongTime }) else {
                throw CometChatException(
                    .pongMissing, "the service did not answer a ping within the limit")
            }
            last = pong
        }
    }
}
