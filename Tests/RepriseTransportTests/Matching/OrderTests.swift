import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// In which order requests may come.
@Suite struct OrderTests {
    /// a, b and a again, told apart by their bodies.
    static let tape =
        exchange(1, at: 0, path: "/a", events: delivery("a1", 1, at: 20))
        + exchange(2, at: 100, path: "/b", events: delivery("b1", 2, at: 120))
        + exchange(3, at: 200, path: "/a", events: delivery("a2", 3, at: 220))

    private static func run(
        _ paths: [String], _ matching: RequestMatching, tape: String = tape
    ) async throws -> (answers: [String], transport: ReplayTransport) {
        let transport = ReplayTransport(recording: try recording(tape), matching: matching)
        var answers: [String] = []
        for path in paths {
            do throws(TransportError) {
                let body = await read(try await transport.send(get(path)).body)
                answers.append(
                    String(decoding: body.deliveries.flatMap(\.bytes), as: UTF8.self))
            } catch {
                answers.append(error.code.rawValue)
            }
        }
        return (answers, transport)
    }

    @Test(
        "Different requests come in any order, of equal ones the first recorded answers first",
        arguments: [
            (["/a", "/b", "/a"], ["a1", "b1", "a2"]), (["/a", "/a", "/b"], ["a1", "a2", "b1"]),
            (["/b", "/a", "/a"], ["b1", "a1", "a2"]),
            (["/b", "/b", "/a"], ["b1", "replay.consumed", "a1"]),
            (["/c", "/a"], ["replay.noSuchRequest", "a1"]),
        ])
    func free(paths: [String], answers: [String]) async throws {
        let (given, _) = try await Self.run(paths, .exact.ordered(.free))
        #expect(given == answers)
    }

    @Test(
        "In the recorded order each kind of a miss is told, and the others find theirs",
        arguments: [
            (["/a", "/b", "/a"], ["a1", "b1", "a2"], [UInt64]()),
            // What comes too early leaves what is due in its place.
            (["/b", "/a", "/b", "/a"], ["replay.outOfOrder", "a1", "b1", "a2"], []),
            (["/a", "/a", "/b"], ["a1", "replay.outOfOrder", "b1"], [3]),
            (["/a", "/b", "/b", "/a"], ["a1", "b1", "replay.consumed", "a2"], []),
            (["/a", "/b", "/a", "/a"], ["a1", "b1", "a2", "replay.consumed"], []),
            // One that was changed takes the place of what was due.
            (["/a?x", "/b", "/a"], ["replay.noSuchRequest", "b1", "a2"], []),
            (["/a/long/way/off", "/b"], ["replay.noSuchRequest", "b1"], [3]),
        ])
    func recorded(paths: [String], answers: [String], left: [UInt64]) async throws {
        let (given, transport) = try await Self.run(paths, .exact)
        #expect(given == answers)
        #expect(transport.unconsumed.map(\.id) == left)
    }

    @Test("Operations do not trip each other, and what is another's is out of order")
    func lanes() async throws {
        let tape =
            exchange(1, call: 1, at: 0, path: "/a", events: delivery("1", 1, at: 20))
            + exchange(2, call: 2, at: 50, path: "/a", events: delivery("2", 2, at: 70))
            + exchange(3, call: 2, at: 90, path: "/b", events: delivery("3", 3, at: 95))
        let transport = ReplayTransport(recording: try recording(tape))
        _ = try await transport.send(get("/a", call: 2))
        let error = await #expect(throws: TransportError.self) {
            try await transport.send(get("/b", call: 1))
        }
        #expect(
            error?.message
                == "GET /b comes out of order: it is exchange 3, and exchange 1, GET /a, "
                + "is due before it")
        _ = try await transport.send(get("/a", call: 1))
        let other = await #expect(throws: TransportError.self) {
            try await transport.send(get("/b", call: 1))
        }
        #expect(
            other?.message == "GET /b comes out of order: it is exchange 3, of another operation")
    }

    @Test("A hundred equal requests at once get a hundred answers")
    func concurrent() async throws {
        let tape = (1...100).map {
            exchange($0, at: $0 * 100, events: delivery("<\($0)>", $0, at: $0 * 100 + 20))
        }.joined()
        let transport = ReplayTransport(
            recording: try recording(tape), matching: .exact.ordered(.free))
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let body = await read(try await transport.send(get()).body)
                    return String(decoding: body.deliveries.flatMap(\.bytes), as: UTF8.self)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(Set(answers) == Set((1...100).map { "<\($0)>" }))
    }
}
