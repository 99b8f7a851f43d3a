import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

@Suite struct ContextTests {
    @Test func theLiveClockMovesForward() async throws {
        let clock = LiveClock()
        let start = clock.now()
        try await clock.sleep(for: 1_000)
        try await clock.sleep(for: -5)
        #expect(clock.now() > start + 999)
    }

    @Test func aCancelledTaskDoesNotSleep() async {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await LiveClock().sleep(for: 60_000_000_000)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func aCountingJournalNumbersFromOne() {
        let journal = CountingJournal()
        #expect((0..<3).map { _ in journal.beginCall("op", args: nil) } == [1, 2, 3])
    }

    @Test func aCallIsJournaledWithItsResult() async throws {
        let journal = KeptJournal()
        let value = try await journal.withCall(
            op: "double", args: ["n": 4], result: JSON.integer
        ) { call in Int(call) * 8 }
        #expect(value == 8)
        #expect(
            journal.calls == [
                CallRecord(call: 1, op: "double", args: ["n": 4]),
                CallRecord(call: 1, result: 8),
            ])
    }

    @Test(arguments: [
        (CancellationError() as any Error, "cancelled", "the operation was cancelled"),
        (
            TransportError(how: .cancelled, .cancelled, "x"), "cancelled",
            "the operation was cancelled"
        ),
        (TransportError(how: .reset, .reset, "cut"), "transport.reset", "cut"),
        (Odd(secret: "hunter2"), "unknown", "an error of type Odd"),
    ])
    func aFailureIsJournaledWithItsCode(error: any Error, code: String, message: String) async {
        let journal = KeptJournal()
        await #expect(throws: (any Error).self) {
            try await journal.withCall(op: "fail", args: nil) { _ in throw error }
        }
        #expect(
            journal.calls.last
                == CallRecord(
                    call: 1, error: ["code": .string(code), "message": .string(message)]))
    }
}

private struct Odd: Error { var secret: String }

/// A journal that keeps call frames.
private final class KeptJournal: Journal {
    private let state = Locked<[CallRecord]>([])
    private let count = CountingJournal()

    var calls: [CallRecord] { state.withLock { $0 } }

    func addClient(_ record: ClientRecord) -> UInt64 { count.addClient(record) }

    func beginCall(_ op: String, args: JSON, client: UInt64?) -> UInt64 {
        let call = count.beginCall(op, args: args, client: client)
        record(.call(CallRecord(call: call, op: op, args: args)))
        return call
    }

    func record(_ content: FrameContent) {
        if case .call(let record) = content { state.withLock { $0.append(record) } }
    }

    func declareSecret(_ secret: String) {}
}
