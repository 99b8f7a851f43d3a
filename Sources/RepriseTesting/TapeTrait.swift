public import RepriseTransport
public import Testing

/// Gives a test a tape: see `.tape(…)`.
public struct TapeTrait: TestTrait, SuiteTrait, TestScoping {
    package let tape: TapeUse
    /// Tells traits apart that say the same.
    private let identity = Identity()

    private final class Identity: Sendable {}

    init(_ tape: TapeUse) { self.tape = tape }

    /// The tests of a suite get it, too.
    public var isRecursive: Bool { true }

    /// Runs a test with its tape.
    ///
    /// - Throws: What the test throws.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        // A test's own tape comes before its suite's.
        let last = test.traits.compactMap { $0 as? TapeTrait }.last
        guard last.map({ $0.identity === identity }) ?? true else { return try await function() }
        try await tape.run(sourceLocation: test.sourceLocation) { _ in try await function() }
    }
}

extension Trait where Self == TapeTrait {
    /// Runs the test on a tape: ``Tape/current`` has a transport that answers from it, or, where
    /// there is none yet, that asks the service and records.
    ///
    /// A test fails whose tape is damaged, that asks for what is not on the tape, that leaves
    /// something of it over, or in whose replay something beside its virtual time took part.
    ///
    /// - Parameters:
    ///   - name: The tape: `NAME.tape` or else `NAME.jsonl` in the folder.
    ///   - folder: Where it is, from the test's file on; by default `Recordings`.
    ///   - mode: When to record. `REPRISE_RECORD_MODE` in the environment comes before it, and
    ///     where `CI` is set nothing else makes a test record.
    ///   - playback: Where answers come from. `REPRISE_PLAYBACK` comes before it.
    ///   - matching: When a request is a recorded one. With playback `passthrough` the order is
    ///     free anyhow.
    ///   - options: How to record and to replay.
    ///   - allowances: What would fail the test otherwise.
    ///   - live: Makes the transport to the service; by default that of libcurl, where the
    ///     package's trait `Live` is on.
    ///   - file: The test's file.
    public static func tape(
        _ name: String, in folder: String? = nil, mode: Tape.Mode = .once,
        playback: Tape.Playback = .strict, matching: RequestMatching = .exact,
        options: Tape.Options = Tape.Options(), allowing allowances: [TapeAllowance] = [],
        live: Tape.Live? = nil, file: String = #filePath
    ) -> Self {
        let options = options.with(mode, playback, matching)
        return TapeTrait(TapeUse(name, in: folder, options, allowances, live, file))
    }
}

extension Tape {
    /// Runs `body` on a tape as the trait does, where there is no place for a trait.
    ///
    /// - Parameters:
    ///   - name: The tape.
    ///   - folder: Where it is, from the test's file on; by default `Recordings`.
    ///   - mode: When to record, unless the environment says otherwise.
    ///   - playback: Where answers come from, unless the environment says otherwise.
    ///   - matching: When a request is a recorded one.
    ///   - options: How to record and to replay.
    ///   - allowances: What would fail the test otherwise.
    ///   - live: Makes the transport to the service.
    ///   - file: The test's file.
    ///   - sourceLocation: Where issues are told.
    ///   - body: The test.
    /// - Throws: What `body` throws.
    public static func use(
        _ name: String, in folder: String? = nil, mode: Mode = .once,
        playback: Playback = .strict, matching: RequestMatching = .exact,
        options: Options = Options(), allowing allowances: [TapeAllowance] = [],
        live: Live? = nil, file: String = #filePath,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: @Sendable (Tape) async throws -> Void
    ) async throws {
        let options = options.with(mode, playback, matching)
        let use = TapeUse(name, in: folder, options, allowances, live, file)
        try await use.run(sourceLocation: sourceLocation, body)
    }
}
