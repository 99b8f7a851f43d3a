import RepriseSupport
import RepriseTape
import RepriseTransport
import Testing

@Suite struct ReplayTimeTests {
    @Test(
        arguments: [
            ("instant", Pace.instant), ("original", .original), ("2", .scaled(2)),
            ("0.5", .scaled(0.5)), ("1e3", .scaled(1000)), ("0", nil), ("-1", nil), ("inf", nil),
            ("nan", nil), ("fast", nil), ("", nil),
        ] as [(String, Pace?)])
    func aPaceHasAName(text: String, pace: Pace?) { #expect(Pace(text) == pace) }

    @Test func instantTimeIsMovedBySleepAndNeverBack() async throws {
        let clock = ReplayClock()
        #expect(clock.now() == 0)
        try await clock.sleep(for: 3_600_000_000_000)
        #expect(clock.now() == 3_600_000_000_000)
        try await clock.sleep(for: -5)
        try await clock.sleep(for: .max)
        #expect(clock.now() == .max)
    }

    @Test(arguments: [
        (Pace.original, [40, 50] as [Int64]), (.scaled(10), [4, 5]), (.scaled(0.1), [400, 500]),
        (.scaled(-1), [40, 50]),
    ])
    func deliveriesAreWaitedFor(pace: Pace, waits: [Int64]) async throws {
        let base = ManualClock()
        let recording = try recording(
            exchange(
                at: 1000,
                events: [delivery("a", at: 1050), delivery("b", at: 1100)]
                    .joined(separator: "\n")))
        let clock = ReplayClock(pace: pace, base: base)
        let transport = ReplayTransport(
            recording: recording, clock: clock, journal: CountingJournal())
        // The app is ahead of the recording: what follows its request keeps its distance.
        var body = try await transport.send(get()).body.makeAsyncIterator()
        base.forget()
        let first = try await body.next()
        let second = try await body.next()
        #expect(base.slept == waits)
        #expect(first?.time == 50)
        #expect(second?.time == 100)
        #expect(clock.now() == 100)
    }

    @Test func originalPaceWaitsForReal() async throws {
        let recording = try recording(
            exchange(events: delivery("a", at: 2_000_000), end: nil)
                + #"{"kind":"end","x":1,"t":3000000,"how":"complete"}"#)
        let start = LiveClock().now()
        let transport = ReplayTransport(recording: recording, pace: .original)
        let (deliveries, error) = await read(try await transport.send(get()).body)
        #expect(LiveClock().now() - start >= 3_000_000)
        #expect(deliveries.count == 1)
        #expect(error == nil)
    }

    @Test func timesOfATapeMayBeAnything() async throws {
        for pace in [Pace.instant, .scaled(1e300)] {
            let text =
                exchange(events: delivery("a", at: .max), end: nil)
                + #"{"kind":"end","x":1,"t":\#(Int64.min),"how":"complete"}"#
            let transport = ReplayTransport(recording: try recording(text), pace: pace)
            #expect(await read(try await transport.send(get()).body).error == nil)
        }
    }

    @Test func thePlayerGivesEveryFrameInTime() async throws {
        let text =
            exchange(at: 5, events: delivery("a", at: 20))
            + #"{"kind":"note","t":700,"text":"bye"}"#
        let recording = try recording(text)
        var frames: [Frame] = []
        for try await frame in SessionPlayer(recording, pace: .scaled(1000)) {
            frames.append(frame)
        }
        #expect(frames == recording.frames)
    }
}

@Suite struct ReplayEntropyTests {
    @Test func drawsAreAnsweredByCallPurposeAndOrdinal() {
        let entropy = ReplayEntropy([
            EntropyRecord(call: 1, purpose: "boundary", ordinal: 1, value: "b1"),
            EntropyRecord(call: 1, purpose: "boundary", ordinal: 0, value: "b0"),
            EntropyRecord(call: 2, purpose: "boundary", ordinal: 0, value: "c0"),
            EntropyRecord(call: 1, purpose: "id", ordinal: 0, value: "i0"),
        ])
        #expect(entropy.draw("boundary", call: 1) { "live" } == "b0")
        #expect(entropy.draw("boundary", call: 2) { "live" } == "c0")
        #expect(entropy.draw("id", call: 1) { "live" } == "i0")
        #expect(entropy.draw("boundary", call: 1) { "live" } == "b1")
        #expect(entropy.missing.isEmpty)
    }

    @Test func anUnrecordedDrawIsToldAndAlwaysTheSame() {
        let values = (0..<2).map { _ in
            let entropy = ReplayEntropy([])
            let values = [
                entropy.draw("id", call: 1) { "live" }, entropy.draw("id", call: 1) { "live" },
                entropy.draw("id", call: 2) { "live" },
            ]
            #expect(entropy.missing.map(\.ordinal) == [0, 1, 0])
            #expect(entropy.missing.map(\.value) == values)
            return values
        }
        #expect(values[0] == values[1])
        #expect(Set(values[0]).count == 3)
        #expect(values[0].allSatisfy { $0.count == 32 })
    }
}

/// A clock that moves only when somebody sleeps.
final class ManualClock: SessionClock {
    private let state = Locked<(now: Int64, slept: [Int64])>((0, []))

    var slept: [Int64] { state.withLock { $0.slept } }

    func now() -> Int64 { state.withLock { $0.now } }

    func forget() { state.withLock { $0.slept = [] } }

    func sleep(for nanoseconds: Int64) async throws {
        state.withLock { state in
            state.now += nanoseconds
            state.slept.append(nanoseconds)
        }
    }
}
