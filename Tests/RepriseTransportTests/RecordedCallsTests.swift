import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Which recorded operation one of an app is that does not begin them as they were begun.
@Suite struct RecordedCallsTests {
    /// Three questions, the second of which draws a value.
    private static func replay() throws -> ReplayTransport {
        var text = ""
        for call in 1...3 {
            let name = ["a", "b", "b"][call - 1]
            text += """
                {"kind":"call","t":\(call * 100),"call":\(call),"op":"ask","args":{"of":"\(name)"}}

                """
            text += exchange(
                call, call: call, at: call * 100, path: "/\(name)",
                events: delivery("\(call)", call, at: call * 100 + 50))
            text += """
                {"kind":"call","t":\(call * 100 + 95),"call":\(call),"result":null}

                """
        }
        text += #"{"kind":"entropy","t":900,"call":2,"purpose":"id","ordinal":0,"value":"drawn"}"#
        return ReplayTransport(recording: try recording(text + "\n"))
    }

    private static func ask(
        _ replay: ReplayTransport, _ name: String, op: String = "ask"
    ) async throws -> String {
        let context = replay.context
        let call = context.journal.beginCall(op, args: ["of": .string(name)], client: nil)
        let drawn = name == "b" ? context.entropy.draw("id", call: call) { "live" } : ""
        let (deliveries, error) = await read(
            try await replay.send(get("/\(name)", call: call)).body)
        #expect(error == nil)
        return deliveries.map { String(decoding: $0.bytes, as: UTF8.self) }.joined() + drawn
    }

    @Test func byArgumentsInAnyOrder() async throws {
        let replay = try Self.replay()
        #expect(try await Self.ask(replay, "b") == "2drawn")
        #expect(try await Self.ask(replay, "b").hasPrefix("3"))
        #expect(try await Self.ask(replay, "a") == "1")
        #expect(replay.misses.isEmpty && replay.unconsumed.isEmpty)
    }

    /// What asks for nothing moves nobody.
    @Test func othersBetween() async throws {
        let replay = try Self.replay()
        _ = replay.context.journal.beginCall("listen", args: [:], client: nil)
        #expect(try await Self.ask(replay, "a") == "1")
        _ = replay.context.journal.beginCall("listen", args: [:], client: nil)
        #expect(try await Self.ask(replay, "b") == "2drawn")
    }

    /// An operation that has another name now takes the next one's place as soon as it asks.
    @Test func byOrderWhereTheNameIsAnother() async throws {
        let replay = try Self.replay()
        _ = replay.context.journal.beginCall("listen", args: [:], client: nil)
        #expect(try await Self.ask(replay, "a", op: "inquire") == "1")
        #expect(try await Self.ask(replay, "b", op: "inquire") == "2drawn")
        #expect(replay.misses.isEmpty)
    }

    @Test func oneMoreThanRecorded() async throws {
        let replay = try Self.replay()
        for name in ["a", "b", "b"] { _ = try await Self.ask(replay, name) }
        await #expect(throws: TransportError.self) { try await Self.ask(replay, "b") }
        #expect(replay.misses.count == 1)
    }
}
