import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Masks of a frame that the end of the connection cuts off.
@Suite struct MaskingCutOffFrameTests {
    private static let token = MaskingSocketTests.token

    /// The frames and the cut-off bytes as a tape has them, with what is masked of the latter.
    private struct Run {
        var bytes: [UInt8] = []
        var masks: [MaskedRecord] = []
        var all: [Frame] = []

        init(
            _ begun: [UInt8], behind frames: [WebSocketFrame] = [],
            deflate: PerMessageDeflate? = nil,
            secrets: [String] = [token], sensitive: SensitivePaths = SensitivePaths()
        ) throws {
            var redactor = Redactor()
            for secret in secrets { redactor.declare(secret) }
            redactor.open(exchange: 1, sensitive: sensitive)
            let contents =
                SocketRun.handshake(deflate)
                + frames.map { .socketFrame(SocketFrameRecord($0, from: .server)) }
                + [.responseBody(begun), .end(EndRecord(how: .reset))]
            for content in contents {
                all += redactor.redact(content, exchange: 1, time: 0, frame: UInt64(all.count))
            }
            var map = MaskMap()
            for (number, frame) in all.enumerated() {
                all[number].number = UInt64(number)
                switch try frame.content() {
                case .masked(let record): map.add(record)
                case .reveal(let record):
                    map.reveal(record)
                    all[Int(record.frame)].restore(record)
                default: break
                }
            }
            let place = try #require(all.firstIndex { $0.kind == .responseBody })
            bytes = all[place].payload
            masks = map.masks[UInt64(place)] ?? []
        }
    }

    /// Every truncation, of heads of 2, 4 and 10 bytes: the head is as it was, no piece of a secret
    /// is left, and the masks say where it was.
    @Test(arguments: [0, 150, 70_000])
    func textIsSearched(padding: Int) throws {
        let text = "<\(Self.token)> and"
        let payload = Array(text.utf8) + [UInt8](repeating: 97, count: padding)
        let whole = WebSocketFrameEncoder.server(WebSocketFrame(.text, payload))
        let head = whole.count - payload.count
        for count in 1..<min(whole.count, head + text.utf8.count + 5) {
            let begun = Array(whole[..<count])
            let run = try Run(begun)
            let comment: Comment = "\(count)"
            #expect(run.bytes.count == count, comment)
            #expect(run.bytes.prefix(head) == begun.prefix(head), comment)
            #expect(!run.bytes.contains(pieceOf: Self.token), comment)
            var expected = begun
            for mask in run.masks {
                #expect(mask.offset > head, comment)
                let range = mask.offset..<mask.offset + mask.length
                expected.replaceSubrange(range, with: range.map { _ in 0x2A })
            }
            #expect(run.bytes == expected, comment)
            // A reader still finds a frame that did not end.
            var decoder = WebSocketFrameDecoder(sender: .server)
            #expect(decoder.push(run.bytes) == [] && decoder.unfinished == count, comment)
        }
    }

    /// A secret that a frame before it begins.
    @Test func aSecretAcrossFrames() throws {
        let bytes = Array("<\(Self.token)>".utf8)
        for place in 1..<bytes.count {
            let first = WebSocketFrame(.text, Array(bytes[..<place]), isFinal: false)
            let rest = Array(bytes[place...]) + [UInt8](repeating: 97, count: 200)
            let whole = WebSocketFrameEncoder.server(WebSocketFrame(.continuation, rest))
            for count in 1..<4 + rest.count - 190 {
                let run = try Run(Array(whole[..<count]), behind: [first])
                let stored = run.all.filter { $0.kind == .socketFrame }
                    .flatMap { $0.payload.dropFirst(2) }
                let joined = stored + run.bytes.dropFirst(4)
                #expect(!joined.contains(pieceOf: Self.token), "\(place) \(count)")
            }
        }
    }

    @Test func declaredValuesAreMasked() throws {
        let text = #"{"auth":"new-one","b":"open","auth":"ano"#
        let whole = WebSocketFrameEncoder.server(
            WebSocketFrame(.text, Array(text.utf8) + Array(repeating: 32, count: 30)))
        let run = try Run(
            Array(whole.prefix(2 + text.utf8.count)), secrets: [],
            sensitive: SensitivePaths(response: ["auth"]))
        let masked = #"{"auth":"*******","b":"open","auth":"***"#
        #expect(run.bytes == Array(whole.prefix(2)) + Array(masked.utf8))
    }

    /// Of a deflated message, what came cannot be told to hold no secret.
    @Test func whatIsDeflatedIsMaskedWhole() throws {
        let wire = SocketWire()
        let text = Array((0..<40).map { "\($0 * 7919)" }.joined().utf8)
        let frame = wire.message(text)[0].frame
        let parts = SocketWire().message(text) { [$0 / 2] }.map(\.frame)
        let begun = Array(WebSocketFrameEncoder.server(frame).prefix(40))
        let stars = [UInt8](repeating: 0x2A, count: 38)
        #expect(frame.payload.count < 126)
        let run = try Run(begun, deflate: PerMessageDeflate())
        #expect(run.bytes == Array(begun.prefix(2)) + stars)
        #expect(run.masks.map(\.rule) == ["undecodable"])
        #expect(run.masks.map(\.offset) == [2])
        // Going on with one that was begun.
        let rest = Array(WebSocketFrameEncoder.server(parts[1]).prefix(12))
        let second = try Run(rest, behind: [parts[0]], deflate: PerMessageDeflate())
        #expect(second.bytes == Array(rest.prefix(2)) + stars.prefix(10))
        #expect(try Run(begun, deflate: PerMessageDeflate(), secrets: []).bytes == begun)
    }

    @Test func controlFrames() throws {
        let ping = WebSocketFrameEncoder.server(
            WebSocketFrame(.ping, Array("<\(Self.token)>".utf8)))
        let run = try Run(Array(ping.dropLast()))
        #expect(run.bytes == Array(ping.prefix(3)) + Array(MaskingSocketTests.stars.utf8))
        for begun: [UInt8] in [[0x88], [0x88, 4], [0x88, 4, 3], [0x88, 4, 3, 0xE8, 0x61]] {
            #expect(try Run(begun).bytes == begun)
        }
    }
}
