import RepriseWire
import Testing

/// The two roles against each other, through bytes.
struct RoundTripTests {
    static let messages: [(WebSocketFrame.Opcode, [UInt8])] = {
        let json = #"{"type":"streamed_message","body":{"delta":"größer 🦆","n":"#
        return [
            (.text, Array((json + "1}}").utf8)), (.text, []), (.binary, filler(5000)),
            (.text, Array((json + "2}}").utf8)),
            (.text, Array(String(repeating: "ab🦆", count: 20_000).utf8)),
            (.binary, []), (.text, Array((json + "3}}").utf8)),
        ]
    }()

    /// Every agreement that matters, with and without fragments.
    @Test(arguments: WebSocketRole.allCases)
    func everyAgreementCarriesEveryMessage(sender: WebSocketRole) throws {
        let agreements = NegotiationTests.allPreferences.map { PerMessageDeflate?.some($0) } + [nil]
        for deflate in agreements {
            for frameBytes in [nil, 100] {
                let wire = try Wire(from: sender, deflate: deflate)
                for (opcode, bytes) in Self.messages {
                    let message = try wire.carry(opcode, bytes, frameBytes: frameBytes)
                    #expect(message?.bytes == bytes)
                    #expect(message?.kind == (opcode == .text ? .text : .binary))
                    #expect(message?.isDeflated == (deflate != nil))
                    #expect(message?.isValid == true)
                }
                let plain = try wire.carry(.text, hello, deflated: false)
                #expect(plain?.bytes == hello && plain?.isDeflated == false)
                #expect(plain?.wireCount == hello.count)
            }
        }
    }

    @Test func aWindowThatGoesOnMakesRepeatsSmall() throws {
        let wire = try Wire(from: .server, deflate: PerMessageDeflate())
        let text = Array(#"{"type":"text_message_content","delta":"Hello"}"#.utf8)
        let counts = try (0..<3).map { _ in try wire.carry(.text, text)?.wireCount }
        #expect(counts[0] ?? 0 > 40)
        #expect(counts[1] ?? 100 < 10 && counts[2] ?? 100 <= counts[1] ?? 0)
        let forgetting = try Wire(
            from: .server, deflate: PerMessageDeflate(serverNoContextTakeover: true))
        let equal = try (0..<3).map { _ in try forgetting.carry(.text, text)?.wireCount }
        #expect(equal == [counts[0], counts[0], counts[0]])
    }

    /// Pings and pongs within a deflated message in fragments, in pieces of any size.
    @Test func piecesDoNotMatter() throws {
        let writer = WebSocketWriter(sender: .client, deflate: PerMessageDeflate())
        var frames: [WebSocketFrame] = []
        for (opcode, bytes) in Self.messages.prefix(4) {
            for frame in writer.message(opcode, bytes, frameBytes: 700) {
                frames += [frame, WebSocketFrame(.ping, [UInt8(frames.count & 0xFF)])]
            }
        }
        frames.append(WebSocketWriter.close(.normal, reason: "done"))
        let bytes = frames.enumerated().flatMap { index, frame in
            WebSocketFrameEncoder.client(frame, mask: UInt32(index) &* 0x9E37_79B9)
        }
        let expected = Self.events(bytes, pieces: bytes.count)
        #expect(expected.compactMap(\.message).map(\.bytes) == Self.messages.prefix(4).map(\.1))
        #expect(expected.last?.short == "close 1000 done")
        for size in [1, 2, 3, 7, 64, 1000] {
            #expect(Self.events(bytes, pieces: size) == expected)
        }
    }

    private static func events(_ bytes: [UInt8], pieces size: Int) -> [WebSocketEvent] {
        var decoder = WebSocketFrameDecoder(sender: .client)
        let endpoint = WebSocketEndpoint(
            role: .server, agreement: WebSocketAgreement(deflate: PerMessageDeflate()))
        return stride(from: 0, to: bytes.count, by: size).flatMap { start in
            let piece = Array(bytes[start..<min(start + size, bytes.count)])
            var events = decoder.push(piece).flatMap { endpoint.receive($0).events }
            if let partial = decoder.partial {
                events += endpoint.receive(partial: partial).events
            }
            return events
        }
    }
}

/// One direction of a connection: an end that sends, bytes, an end that reads.
private final class Wire {
    private let from: WebSocketEndpoint
    private let to: WebSocketEndpoint
    private var decoder: WebSocketFrameDecoder
    private var random = SeededGenerator(seed: 3)

    init(from sender: WebSocketRole, deflate: PerMessageDeflate?) throws {
        let agreement = WebSocketAgreement(deflate: deflate)
        from = WebSocketEndpoint(role: sender, agreement: agreement)
        to = WebSocketEndpoint(role: sender.peer, agreement: agreement)
        decoder = WebSocketFrameDecoder(sender: sender)
    }

    func carry(
        _ opcode: WebSocketFrame.Opcode, _ bytes: [UInt8], deflated: Bool = true,
        frameBytes: Int? = nil
    ) throws -> WebSocketMessage? {
        let frames =
            opcode == .text
            ? try from.send(text: bytes, deflated: deflated, frameBytes: frameBytes)
            : try from.send(binary: bytes, deflated: deflated, frameBytes: frameBytes)
        var events: [WebSocketEvent] = []
        for frame in frames {
            let bytes = encode(frame, from: from.role, mask: random.next32())
            for item in decoder.push(bytes) { events += to.receive(item).events }
        }
        return events.count == 1 ? events[0].message : nil
    }
}

extension SeededGenerator {
    fileprivate mutating func next32() -> UInt32 { UInt32(truncatingIfNeeded: next()) }
}
