internal import RepriseTransport

extension Tape {
    /// Runs something on the main actor, such as what a delegate of the app keeps there.
    ///
    /// In a replay everything else is held meanwhile, so that it is not beside the replay's time,
    /// as the main actor is otherwise.
    ///
    /// - Returns: What `body` returns.
    public func onMainActor<Value: Sendable>(
        _ body: @MainActor @Sendable () throws -> Value
    ) async rethrows -> Value {
        try await transport.context.onMainActor(body)
    }
}
