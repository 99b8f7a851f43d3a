import ChatbaseKit
import RepriseSupport
import RepriseTesting
import RepriseTransport
import Testing

/// Tests that wait for what will never come.
@Suite struct StallTests {
    /// Waits for ever, unless its task is cancelled.
    @Sendable private static func never() async {
        let (stream, continuation) = AsyncStream<Int>.makeStream()
        for await _ in stream {}
        continuation.finish()
    }

    @Test func whatIsLeftOfTheTapeIsNamed() async throws {
        let issues = try await Weather.use().issues { _ in await Self.never() }
        #expect(issues.count == 1)
        #expect(
            issues.first?.contains(
                """
                the app waits for something that is neither on the tape nor in the replay's time
                What is left of the tape:
                    POST /api/sdk/agents/a1/chat, exchange 1 of the tape, was not asked for
                """) == true)
    }

    /// Waiting for another task's value does not pass on that one is cancelled; that task is
    /// cancelled itself.
    @Test func aTaskOfTheContextIsCancelledToo() async throws {
        let issues = try await Weather.use().issues { tape in
            let task = tape.transport.context.startTask { await Self.never() }
            await task.value
        }
        #expect(issues.count == 1)
        #expect(issues.first?.hasPrefix("weather: the replay cannot go on") == true)
    }

    @Test func whoStopsAnExchangeIsWaitedForByName() async throws {
        let folder = "Recordings"
        let issues = try await Weather.use("stopped", in: folder).issues { tape in
            await #expect(throws: (any Error).self) { try await Weather.ask(tape) }
        }
        #expect(issues.count == 1)
        #expect(
            issues.first?.contains(
                "it waits for the app to stop exchange 1, POST /api/sdk/agents/a1/chat") == true)
    }

    #if !os(iOS) && !os(tvOS) && !os(watchOS)
    /// Nothing can end it but the end of the process.
    @Test func whoDoesNotHeedItIsEndedWithTheProcess() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            var use = Weather.use()
            use.grace = 200_000_000
            _ = try await use.issues { _ in
                await withCheckedContinuation { (_: CheckedContinuation<Void, Never>) in }
            }
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("weather: the test at "))
        #expect(text.contains("does not end. It was cancelled 1 s ago"))
    }
    #endif
}
