import RepriseSupport
import RepriseTape
import RepriseTransport
import Testing

@Suite struct VirtualTimeTests {
    /// Six workers with tying sleeps, an actor's log, a stream between two tasks, and a race of two
    /// tasks with the same deadline.
    @Sendable private static func scenario(_ time: VirtualTime) async throws -> [String] {
        let log = Log()
        await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    for round in 0..<4 {
                        try await time.sleep(for: Int64(10 * (1 + (worker + round) % 3)))
                        await log.add("w\(worker).\(round)@\(time.now())")
                    }
                }
            }
            group.addTask { try await stream(time, log) }
            group.addTask { await log.add("race \(try await race(time)) @\(time.now())") }
        }
        return await log.lines
    }

    @Sendable private static func stream(_ time: VirtualTime, _ log: Log) async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        async let producing: Void = {
            for value in 0..<5 {
                try await time.sleep(for: 7)
                continuation.yield(value)
            }
            continuation.finish()
        }()
        for await value in stream { await log.add("s\(value)@\(time.now())") }
        try await producing
    }

    @Sendable private static func race(_ time: VirtualTime) async throws -> String {
        try await withThrowingTaskGroup(of: String.self) { group in
            for name in ["a", "b"] {
                group.addTask {
                    try await time.sleep(for: 30)
                    return name
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? ""
        }
    }

    @Test func aThousandRunsHaveOneOutcome() async throws {
        let expected = try await Self.outcome()
        #expect(expected.count == 6 * 4 + 5 + 1)
        #expect(expected.contains("race a @30"))
        for _ in 0..<1000 { #expect(try await Self.outcome() == expected) }
    }

    @Test func inParallelAndUnderLoadTheyHaveTheSame() async throws {
        let expected = try await Self.outcome()
        let isOver = Locked(false)
        for _ in 0..<4 {
            _ = OwnThread.start { while !isOver.withLock({ $0 }) {} }
        }
        defer { isOver.withLock { $0 = true } }
        let outcomes = await withTaskGroup { group in
            for _ in 0..<300 { group.addTask { try? await Self.outcome() } }
            return await group.reduce(into: Set<[String]?>()) { $0.insert($1) }
        }
        #expect(outcomes == [expected])
    }

    private static func outcome() async throws -> [String] {
        let time = VirtualTime()
        let lines = try await time.run { try await scenario(time) }
        #expect(time.foreignWakes == 0)
        #expect(time.escape == nil)
        return lines
    }

    @Test func anHourPassesAtOnce() async throws {
        let time = VirtualTime()
        let start = LiveClock().now()
        try await time.run {
            for _ in 0..<3600 { try await time.sleep(for: 1_000_000_000) }
        }
        #expect(time.now() == 3600 * 1_000_000_000)
        print("an hour in \((LiveClock().now() - start) / 1_000_000) ms")
    }

    @Test func timeNeedsNoRunToPass() async throws {
        let time = VirtualTime()
        try await time.sleep(for: 5)
        try await time.sleep(for: -5)
        #expect(time.now() == 5)
        try await time.sleep(for: .max)
        #expect(time.now() == .max)
    }

    @Test func aTimeThatIsNotUsedHasNoThreadAndIsGone() async throws {
        weak var kept: VirtualTime?
        for _ in 0..<20 {
            let time = VirtualTime()
            kept = time
            try await time.run { try await time.sleep(for: 10) }
            #expect(kept != nil)
        }
        // Its thread holds it, and ends by itself once there is nothing to do.
        for _ in 0..<1_000_000 where kept != nil { await Task.yield() }
        #expect(kept == nil)
    }

    @Test func whatABodyThrowsIsThrown() async throws {
        let time = VirtualTime()
        await #expect(throws: Odd.self) { try await time.run { throw Odd() } }
        // And the time is as good as before.
        #expect(try await time.run { try await time.run { 5 } } == 5)
    }

    @Test func anActorOfItsOwnTaskIsOnIt() async throws {
        let time = VirtualTime()
        let context = SessionContext(
            clock: time, entropy: LiveEntropy(), journal: CountingJournal(), executor: time)
        let log = Log()
        try await time.run {
            let task = context.startTask {
                await log.add("in")
                try await context.clock.sleep(for: 10)
                await log.add("later")
            }
            await log.add("out")
            try await task.value
        }
        #expect(await log.lines == ["out", "in", "later"])
        #expect(time.foreignWakes == 0)
    }
}

@Suite struct VirtualEscapeTests {
    @Test func aDetachedTaskIsAForeignWake() async throws {
        let time = VirtualTime(patience: 600_000_000_000)
        try await time.run { await Task.detached {}.value }
        #expect(time.foreignWakes == 1)
        #expect(time.escape?.hasPrefix("this replay is not deterministic: 1 time ") == true)
    }

    @Test func theMainActorIsAForeignWake() async throws {
        let time = VirtualTime(patience: 600_000_000_000)
        try await time.run { await MainActor.run {} }
        #expect(time.foreignWakes == 1)
    }

    @Test func aForeignSleeperIsCountedAndWoken() async throws {
        let time = VirtualTime(patience: 600_000_000_000)
        try await time.run {
            try await Task.detached { try await time.sleep(for: 1_000) }.value
        }
        #expect(time.now() == 1_000)
        #expect(time.foreignWakes == 2)
    }

    @Test func whatIsOutsideKnowinglyIsNotForeign() async throws {
        let time = VirtualTime(patience: 0)
        try await time.run {
            async let other: Void = time.sleep(for: 1_000)
            await time.outside {
                await withCheckedContinuation { continuation in
                    _ = OwnThread.start {
                        #expect(time.now() == 0)
                        continuation.resume()
                    }
                }
            }
            #expect(time.now() == 0)
            try await other
        }
        #expect(time.foreignWakes == 0)
        #expect(time.now() == 1_000)
    }
}

@Suite struct VirtualStallTests {
    @Test func whatTheAppWaitsForIsTold() async throws {
        let time = VirtualTime(patience: 0)
        let clock = ReplayClock(time)
        let error = try await time.run { () -> TransportError? in
            async let other: Void = time.sleep(for: 1_000)
            do {
                try await clock.waiting(for: "the client's message 2 on exchange 1").wait()
                return nil
            } catch let error as TransportError {
                try await other
                return error
            }
        }
        #expect(error?.code == .stalled)
        let message =
            "the replay cannot go on: it waits for the client's message 2 on exchange 1"
        #expect(error?.message == message)
        #expect(time.stalls == [message])
        #expect(time.now() == 1_000)
    }

    @Test func whatComesIsNotWaitedFor() async throws {
        let time = VirtualTime(patience: 0)
        let clock = ReplayClock(time)
        try await time.run {
            let early = clock.waiting(for: "a")
            early.fulfill()
            early.fulfill()
            try await early.wait()
            let late = clock.waiting(for: "b")
            async let waiting: Void = late.wait()
            try await time.sleep(for: 1_000)
            late.fulfill()
            try await waiting
        }
        #expect(time.stalls == [])
    }

    @Test func aBodyThatWaitsForNothingIsGivenUp() async throws {
        let time = VirtualTime(patience: 0)
        let never = AsyncStream<Int> { _ in }
        let wasCancelled = Locked(false)
        let error = await #expect(throws: TransportError.self) {
            try await time.run {
                for await _ in never {}
                let isCancelled = Task.isCancelled
                wasCancelled.withLock { $0 = isCancelled }
            }
        }
        #expect(error?.code == .stalled)
        #expect(wasCancelled.withLock { $0 })
    }

    @Test func aBodyThatHeedsNothingIsLeftBehind() async throws {
        let time = VirtualTime(patience: 0)
        let kept = Locked<CheckedContinuation<Void, Never>?>(nil)
        let error = await #expect(throws: TransportError.self) {
            try await time.run {
                await withCheckedContinuation { continuation in
                    kept.withLock { $0 = continuation }
                }
            }
        }
        #expect(error?.code == .stalled)
        kept.withLock { $0 }?.resume()
    }

    @Test func inRealTimeThereIsALimit() async throws {
        let clock = ReplayClock(pace: .original)
        let wait = clock.waiting(for: "a message", atMost: 1_000_000)
        let error = await #expect(throws: TransportError.self) { try await wait.wait() }
        #expect(error?.code == .stalled)
        let late = clock.waiting(for: "a message")
        late.fulfill()
        try await late.wait()
    }
}

@Suite struct VirtualCancellationTests {
    @Test func aCancelledSleeperWakesAtOnceAndTimeStaysWhereItIs() async throws {
        let time = VirtualTime()
        let log = Log()
        try await time.run {
            let sleeper = Task(executorPreference: time) {
                do { try await time.sleep(for: 1_000_000) } catch {
                    await log.add("\(type(of: error))@\(time.now())")
                }
            }
            try await time.sleep(for: 10)
            sleeper.cancel()
            await sleeper.value
            await log.add("end@\(time.now())")
        }
        #expect(await log.lines == ["CancellationError@10", "end@10"])
        #expect(time.now() == 10)
    }

    @Test func cancellingTheCallerCancelsTheBody() async throws {
        let time = VirtualTime()
        let clock = ReplayClock(time)
        let isIn = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await time.run {
                try await time.outside {
                    isIn.continuation.finish()
                    try await clock.waiting(for: "what never comes").wait()
                }
            }
        }
        for await _ in isIn.stream {}
        task.cancel()
        let error = await #expect(throws: TransportError.self) { try await task.value }
        #expect(error?.how == .cancelled)
        #expect(time.foreignWakes == 0)
    }

    @Test func whatIsLeftBehindTheEndIsCancelledInOrder() async throws {
        let time = VirtualTime()
        let log = Log()
        try await time.run {
            for name in ["a", "b"] {
                Task(executorPreference: time) {
                    // A pump that would go on forever.
                    while (try? await time.sleep(for: 30)) != nil {}
                    await log.add("\(name) ends @\(time.now())")
                }
            }
            try await time.sleep(for: 100)
        }
        #expect(await log.lines == ["a ends @100", "b ends @100"])
    }

    @Test func manySleepersAreWokenInOrder() async throws {
        let count = 20_000
        let time = VirtualTime()
        let start = LiveClock().now()
        let order = Locked<[Int]>([])
        try await time.run {
            // Not a task group, which looks for each child that ends among all that have not.
            let tasks = (0..<count).map { index in
                Task(executorPreference: time) {
                    try await time.sleep(for: Int64(1 + (index &* 7919) % 1_000))
                    order.withLock { $0.append(index) }
                }
            }
            for task in tasks { try await task.value }
        }
        let expected = (0..<count).sorted {
            (($0 &* 7919) % 1_000, $0) < (($1 &* 7919) % 1_000, $1)
        }
        #expect(order.withLock { $0 } == expected)
        print("\(count) sleepers in \((LiveClock().now() - start) / 1_000_000) ms")
    }

    @Test func manyCancelledSleepersAreForgotten() async throws {
        let time = VirtualTime()
        try await time.run {
            for _ in 0..<10_000 {
                let limit = Task(executorPreference: time) { try await time.sleep(for: .max) }
                try await time.sleep(for: 1)
                limit.cancel()
                _ = await limit.result
            }
        }
        #expect(time.now() == 10_000)
    }
}

private actor Log {
    private(set) var lines: [String] = []

    func add(_ line: String) { lines.append(line) }
}

private struct Odd: Error {}
