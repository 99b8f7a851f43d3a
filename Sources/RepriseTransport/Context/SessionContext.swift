public import RepriseTape
public import RepriseWire

/// What a client takes from its transport besides bytes, so that recording and replaying reach
/// everything that is not on the wire.
public struct SessionContext: Sendable {
    /// The only clock of a client.
    public var clock: any SessionClock
    /// The only source of random values of a client.
    public var entropy: any EntropySource
    /// Where a client notes what only it knows.
    public var journal: any Journal
    /// How a client runs the tools of its app.
    public var tools: any ToolRunner
    /// Where a client's tasks run; nil for Swift's own pool.
    public var executor: (any TaskExecutor)?

    /// Creates a context; by default tools are run as they are, on Swift's own pool.
    public init(
        clock: any SessionClock, entropy: any EntropySource, journal: any Journal,
        tools: any ToolRunner = LiveTools(), executor: (any TaskExecutor)? = nil
    ) {
        self.clock = clock
        self.entropy = entropy
        self.journal = journal
        self.tools = tools
        self.executor = executor
    }

    /// Starts a task that outlives what starts it, on the context's executor: a plain `Task` would
    /// run beside a replay's time and make it differ from run to run.
    @discardableResult
    public func startTask<Success: Sendable>(
        _ body: sending @escaping @isolated(any) () async throws -> Success
    ) -> Task<Success, any Error> {
        if let time = executor as? VirtualTime { return time.startTask(body) }
        return Task(executorPreference: executor, operation: body)
    }

    /// As ``startTask(_:)``, for what does not fail.
    @discardableResult
    public func startTask<Success: Sendable>(
        _ body: sending @escaping @isolated(any) () async -> Success
    ) -> Task<Success, Never> {
        if let time = executor as? VirtualTime { return time.startTask(body) }
        return Task(executorPreference: executor, operation: body)
    }

    /// Runs what belongs on the main actor, such as a delegate of the app: a plain hop there would
    /// leave a replay's time. On that everything else is held meanwhile.
    public func onMainActor<Value: Sendable>(
        _ body: @MainActor @Sendable () throws -> Value
    ) async rethrows -> Value {
        if let time = executor as? VirtualTime { return try await time.onMainActor(body) }
        return try await MainActor.run { try body() }
    }
}

/// Time as a client sees it: monotonic, from an origin of its own.
public protocol SessionClock: Sendable {
    /// Nanoseconds since the clock's origin.
    func now() -> Int64
    /// Waits for that many nanoseconds.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(for nanoseconds: Int64) async throws
}

/// Where random values come from: drawn live, drawn and recorded, or answered from a tape.
public protocol EntropySource: Sendable {
    /// A value for `purpose` in the operation `call` (0 for none).
    ///
    /// - Parameter make: Makes the value where it is not answered from a tape.
    func draw(_ purpose: String, call: UInt64, _ make: @Sendable () -> String) -> String
}

/// Notes of a client that go on the tape where there is one.
public protocol Journal: Sendable {
    /// A client introduces itself, again whenever its configuration has changed.
    ///
    /// - Returns: The number by which its operations name it, from 1.
    func addClient(_ record: ClientRecord) -> UInt64
    /// A client operation begins.
    ///
    /// - Parameter client: The client, as it is now; nil where that is not known.
    /// - Returns: Its number in the session, from 1.
    func beginCall(_ op: String, args: JSON, client: UInt64?) -> UInt64
    /// Records `call` (its end), `tool`, `note` or `held`.
    func record(_ content: FrameContent)
    /// From here on, these bytes are a secret wherever they appear.
    func declareSecret(_ secret: String)
}
