import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Frames that a tape holds inflated: read, and made fit to be sent again.
@Suite struct RecordedSocketFramesTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var forgets: Bool
        var pings: Bool
        var cuts: [Int]
        var bits = 15

        var deflate: PerMessageDeflate {
            PerMessageDeflate(
                serverNoContextTakeover: forgets, clientNoContextTakeover: forgets,
                serverMaxWindowBits: bits, clientMaxWindowBits: bits)
        }

        var testDescription: String { "\(forgets) \(pings) \(cuts) \(bits)" }
    }

    static let examples = [false, true].flatMap { forgets in
        [[], [0], [3], [1, 2, 7], [4, 4, 9]].flatMap { cuts in
            [
                Example(forgets: forgets, pings: false, cuts: cuts),
                Example(forgets: forgets, pings: true, cuts: cuts, bits: 8),
            ]
        }
    }

    static let texts = [
        "Hello, hello, hello", "", "say hello, hello again", "plain", "hello, hello, hello again",
    ]

    /// Deflated messages, one in between that is not, in frames.
    private func records(_ example: Example, _ wire: SocketWire) -> [SocketFrameRecord] {
        Self.texts.flatMap { text in
            wire.message(
                Array(text.utf8), deflated: text != "plain", pings: example.pings
            ) { count in example.cuts.filter { $0 <= count } }
        }
    }

    @Test(arguments: examples, [WebSocketRole.client, .server])
    func readAndSentAgain(example: Example, sender: WebSocketRole) throws {
        let wire = SocketWire(sender, deflate: example.deflate)
        let records = records(example, wire)
        let events = SocketWire.events(records, deflate: example.deflate).map(\.wireless)
        #expect(events.compactMap(\.message?.text) == Self.texts)
        for place in records.indices {
            let stored = wire.inflated(records, from: place)
            #expect(
                SocketWire.events(stored, deflate: example.deflate).map(\.wireless) == events)
            let sent = RecordedSocketFrames.frames(stored, of: sender, deflate: example.deflate)
            #expect(sent.count == records.count)
            #expect(sent.map(\.rsv1) == records.map(\.frame.rsv1))
            #expect(sent.map(\.opcode) == records.map(\.frame.opcode))
            let again = sent.map { SocketFrameRecord($0, from: sender) }
            #expect(SocketWire.events(again, deflate: example.deflate).map(\.wireless) == events)
            // Each frame inflates to what it inflated to.
            let (inflated, expected) = (wire.inflated(again), wire.inflated(records))
            for index in records.indices where stored[index].flags.contains(.inflated) {
                #expect(inflated[index].bytes == expected[index].bytes)
            }
        }
    }

    @Test func whatIsBeforeTheFirstInflatedMessageIsSentAsItWas() throws {
        let example = Example(forgets: false, pings: true, cuts: [2, 5])
        let wire = SocketWire(.server, deflate: example.deflate)
        let records = records(example, wire)
        let stored = wire.inflated(records, from: 8)
        #expect(stored[8].flags.contains(.inflated))
        let sent = RecordedSocketFrames.frames(stored, of: .server, deflate: example.deflate)
        #expect(Array(sent[..<6]) == records[..<6].map(\.frame))
        let verbatim = RecordedSocketFrames.frames(records, of: .server, deflate: example.deflate)
        #expect(verbatim == records.map(\.frame))
    }

    @Test(arguments: [false, true], [false, true])
    func corruptFramesAreCorruptAgain(forgets: Bool, isLast: Bool) throws {
        let deflate = PerMessageDeflate(serverNoContextTakeover: forgets)
        let wire = SocketWire(.server, deflate: deflate)
        let deflater = MessageDeflater(windowBits: 15, noContextTakeover: forgets)
        let parts = ["Hello, hello", "hello, hello", "hello"].enumerated().map { index, text in
            deflater.part(Array(text.utf8), isFirst: index == 0, isLast: index == 2)
        }
        var records = parts.enumerated().map { index, part in
            SocketFrameRecord(
                WebSocketFrame(
                    index == 0 ? .text : .continuation, part, isFinal: index == 2,
                    rsv1: index == 0), from: .server)
        }
        // A block of type 3, behind a part of a sound one.
        records[isLast ? 2 : 1].bytes += [0xFF, 0xFF]
        records += wire.message(Array("another hello".utf8))
        let stored = wire.inflated(records, from: isLast ? 2 : 1).enumerated().map {
            // What is behind the fault is not inflated.
            !isLast && $0 == 2 || $0 == 3 ? records[$0] : $1
        }
        #expect(stored[isLast ? 2 : 1].flags.contains(.corrupt))
        let events = SocketWire.events(records, deflate: deflate).map(\.wireless)
        #expect(events.contains { $0.violation?.kind == .deflateCorrupt })
        #expect(
            forgets
                ? events.contains { $0.message != nil }
                : events.contains(.unreadable(frames: 3...3)))
        #expect(SocketWire.events(stored, deflate: deflate).map(\.wireless) == events)
        let sent = RecordedSocketFrames.frames(stored, of: .server, deflate: deflate)
        let again = sent.map { SocketFrameRecord($0, from: .server) }
        #expect(SocketWire.events(again, deflate: deflate).map(\.wireless) == events)
    }

    @Test func whatCannotBeReadBehindInflatedFramesIsSaid() throws {
        let wire = SocketWire()
        let first = wire.message(Array("Hello".utf8)) { [$0 / 2] }
        let second = wire.message(Array("Hello".utf8))
        var stored = wire.inflated(first, from: 0)
        // Written by hand: deflated behind inflated.
        stored[1] = first[1]
        let events = SocketWire.events(stored + second, deflate: PerMessageDeflate())
        #expect(events == [.unreadable(frames: 0...1), .unreadable(frames: 2...2)])
    }
}

extension WebSocketEvent {
    fileprivate var violation: WebSocketViolation? {
        if case .violation(let violation) = self { violation } else { nil }
    }
}
