import RepriseSupport
import RepriseTransport
import RepriseWire

extension CometChatSession {
    /// Logs a user in and opens the socket.
    ///
    /// - Parameter authToken: A token that the app's own server asked the service for.
    /// - Returns: The user, once the service has let the socket in.
    /// - Throws: ``CometChatException``; nobody is logged in then.
    @discardableResult
    public func login(authToken: String) async throws -> User {
        core.tell(secrets: [authToken])
        let args: JSON = ["authToken": .string(Masking.stars(authToken))]
        return try await core.operation("login", args, result: \.json) { operation in
            try await core.logIn(authToken, operation)
        }
    }

    /// Logs a user in by id, with a key that may log anybody in and belongs into no app that is
    /// given away.
    ///
    /// - Parameters:
    ///   - uid: The user.
    ///   - authKey: The app's key.
    @discardableResult
    public func login(uid: String, authKey: String) async throws -> User {
        core.tell(secrets: [authKey])
        let args: JSON = [
            "uid": .string(uid), "authKey": .string(Masking.stars(authKey)),
        ]
        return try await core.operation("login", args, result: \.json) { operation in
            var request = try operation.request(
                "POST", ["users", uid, "auth_tokens"], body: [:], key: authKey)
            request.sensitive.response = ["data.authToken"]
            guard let token = try await operation.data(request)["authToken"]?.string else {
                throw CometChatException(.badReply, "the service's answer has no token")
            }
            core.tell(secrets: [token])
            return try await core.logIn(token, operation)
        }
    }

    /// Logs the user out: closes the socket and tells which listeners were never removed.
    public func logout() async throws {
        _ = try await core.operation("logout", [:], result: \JSON.self) { _ in
            _ = try core.loggedIn()
            await core.disconnect()
            return core.logOut()
        }
    }
}

extension SessionCore {
    fileprivate func logIn(
        _ authToken: String, _ operation: CometChatOperation
    ) async throws -> User {
        if let user = state.withLock({ $0.user }) {
            throw CometChatException(
                .loggedIn, "the user \(user.uid) is logged in; call logout first")
        }
        var operation = operation
        operation = CometChatOperation(
            core: self,
            identity: CometChatIdentity(
                deviceId: operation.identity.deviceId, authToken: authToken), call: operation.call)
        var request = try operation.request("PUT", ["me"], body: [:])
        request.sensitive.response = ["data.authToken", "data.jwt"]
        let data = try await operation.data(request)
        guard let user = User(data) else {
            throw CometChatException(.badReply, "the service's answer names no user")
        }
        // The token may have been changed for another one.
        let token = data["authToken"]?.string ?? authToken
        let jwt = data["jwt"]?.string
        tell(secrets: [token, jwt].compactMap { $0 })
        state.withLock { state in
            state.user = user
            state.authToken = token
            state.jwt = jwt
        }
        do {
            try await connect()
        } catch {
            forgetUser()
            throw error
        }
        return user
    }

    /// Nobody is logged in any more.
    func forgetUser() {
        state.withLock { state in
            state.user = nil
            state.authToken = nil
            state.jwt = nil
        }
    }

    /// What the session leaves behind: the runs that nobody asked for, and the listeners.
    fileprivate func logOut() -> JSON {
        forgetUser()
        let book = state.withLock { state in
            defer { state.book = RunBook() }
            return state.book
        }
        let leaked = listeners.remaining
        tellLeaks(leaked)
        return [
            "runs": .array(book.untold.map(\.json)),
            "listeners": .array(leaked.map(\.json)),
        ]
    }

    func tellLeaks(_ leaked: [ListenerHub.Registration]) {
        for listener in leaked { note("listener.leaked", listener.json) }
    }

    /// The session is dropped.
    func shutDown() {
        let task = state.withLock { $0.link.task }
        task?.cancel()
        if state.withLock({ $0.user }) != nil { tellLeaks(listeners.remaining) }
        listeners.finish()
        updates.finish()
    }
}

extension RunBook {
    /// What came in runs that nobody asked for.
    var untold: [AgentRun] {
        tickets.filter { $0.isAnswered && !$0.isTold }.map(\.run) + others
    }
}
