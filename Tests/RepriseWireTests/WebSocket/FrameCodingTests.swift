import RepriseWire
import Testing

struct FrameCodingTests {
    /// RFC 6455 section 5.7.
    static let rfcExamples: [(WebSocketRole, UInt32, WebSocketFrame, [UInt8])] = [
        (.server, 0, WebSocketFrame(.text, hello), [0x81, 0x05] + hello),
        (
            .client, 0x37FA_213D, WebSocketFrame(.text, hello),
            [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        ),
        (
            .server, 0, WebSocketFrame(.text, Array("Hel".utf8), isFinal: false),
            [0x01, 0x03, 0x48, 0x65, 0x6C]
        ),
        (.server, 0, WebSocketFrame(.continuation, Array("lo".utf8)), [0x80, 0x02, 0x6C, 0x6F]),
        (.server, 0, WebSocketFrame(.ping, hello), [0x89, 0x05] + hello),
        (
            .client, 0x37FA_213D, WebSocketFrame(.pong, hello),
            [0x8A, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        ),
        (
            .server, 0, WebSocketFrame(.binary, filler(256)),
            [0x82, 0x7E, 0x01, 0x00] + filler(256)
        ),
        (
            .server, 0, WebSocketFrame(.binary, filler(65_536)),
            [0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0] + filler(65_536)
        ),
    ]

    @Test(arguments: rfcExamples)
    func writesAndReadsTheExamplesOfTheRFC(
        role: WebSocketRole, mask: UInt32, frame: WebSocketFrame, bytes: [UInt8]
    ) {
        #expect(encode(frame, from: role, mask: mask) == bytes)
        var decoder = WebSocketFrameDecoder(sender: role)
        #expect(decoder.push(bytes) == [.frame(frame, bytes: 0..<bytes.count)])
        #expect(decoder.unfinished == 0)
    }

    @Test(arguments: [0, 1, 7, 8, 9, 124, 125, 126, 127, 65_535, 65_536, 100_001])
    func keepsEveryLengthInItsShortestForm(count: Int) {
        for role in WebSocketRole.allCases {
            let frame = WebSocketFrame(.binary, filler(count))
            let bytes = encode(frame, from: role, mask: 0x0102_03FF)
            let form = count < 126 ? 0 : count < 65_536 ? 2 : 8
            #expect(bytes.count == 2 + form + (role == .client ? 4 : 0) + count)
            var decoder = WebSocketFrameDecoder(sender: role)
            #expect(decoder.push(bytes) == [.frame(frame, bytes: 0..<bytes.count)])
        }
    }

    @Test func keepsAllBitsAndOpcodes() {
        for byte in UInt8.min...UInt8.max {
            var decoder = WebSocketFrameDecoder(sender: .server)
            guard case .frame(let frame, _)? = decoder.push([byte, 1, 0xAA]).first else {
                Issue.record("no frame for \(byte)")
                continue
            }
            #expect(WebSocketFrameEncoder.server(frame) == [byte, 1, 0xAA])
            #expect(frame.opcode.rawValue == byte & 0x0F)
        }
    }

    static let stream: [WebSocketFrame] = [
        WebSocketFrame(.text, hello, isFinal: false), WebSocketFrame(.ping),
        WebSocketFrame(.continuation, filler(19)), WebSocketFrame(.binary, filler(130)),
        WebSocketFrame(.pong, [1]), WebSocketFrame(.close, [3, 0xE8]),
    ]

    @Test func readsTheSameAtEverySplit() {
        for role in WebSocketRole.allCases {
            let bytes = Self.stream.flatMap { encode($0, from: role, mask: 0xA1B2_C3D4) }
            var whole = WebSocketFrameDecoder(sender: role)
            let expected = whole.push(bytes)
            #expect(expected.compactMap(\.frame) == Self.stream)
            for split in 0...bytes.count {
                var decoder = WebSocketFrameDecoder(sender: role)
                let items = decoder.push(Array(bytes[..<split]))
                #expect(items + decoder.push(Array(bytes[split...])) == expected)
            }
            var decoder = WebSocketFrameDecoder(sender: role)
            #expect(bytes.flatMap { decoder.push([$0]) } == expected)
        }
    }

    @Test func givesWhatThereIsOfACutFrame() {
        let bytes = encode(WebSocketFrame(.text, filler(200)), from: .client, mask: 0x5566_7788)
        for end in 0..<bytes.count {
            var decoder = WebSocketFrameDecoder(sender: .client)
            #expect(decoder.push(Array(bytes[..<end])).isEmpty)
            #expect(decoder.unfinished == end)
            #expect(decoder.partial?.payload == (end < 8 ? nil : Array(filler(200)[..<(end - 8)])))
        }
    }

    static let faults: [(WebSocketRole, [UInt8], WebSocketViolation.Kind, Int)] = [
        (.client, [0x81, 0x05], .notMasked, 1),
        (.client, [0x81, 0x7F], .notMasked, 1),
        (.server, [0x81, 0x85], .masked, 1),
        (.server, [0x81, 0x7E, 0x00, 0x7D], .lengthForm, 1),
        (.server, [0x81, 0x7F, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF], .lengthForm, 1),
        (.server, [0x81, 0x7F, 0x80, 0, 0, 0, 0, 0, 0, 0], .lengthBits, 2),
        (.server, [0x81, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF], .lengthBits, 2),
        (.server, [0x81, 0x7E, 0x03, 0xE9], .frameTooLarge, 1),
        (.server, [0x81, 0x7F, 0x7F, 0, 0, 0, 0, 0, 0, 0], .frameTooLarge, 1),
    ]

    @Test(arguments: faults)
    func tellsAFaultAsSoonAsItIsKnown(
        sender: WebSocketRole, bytes: [UInt8], kind: WebSocketViolation.Kind, offset: Int
    ) throws {
        let limits = WebSocketLimits(frameBytes: 1000)
        var decoder = WebSocketFrameDecoder(sender: sender, limits: limits)
        let first = encode(WebSocketFrame(.ping), from: sender, mask: 1)
        #expect(decoder.push(first + bytes.dropLast()).count == 1)
        let items = decoder.push([bytes[bytes.count - 1]] + filler(20))
        #expect(items.count == 1)
        let violation = try #require(items.first?.violation)
        #expect(violation.kind == kind)
        #expect(violation.frame == 1)
        #expect(violation.offset == first.count + offset)
        #expect(decoder.push(filler(20)).isEmpty)
        #expect(decoder.count == first.count + bytes.count + 40)
    }

    @Test func takesAFrameOfJustTheLimit() {
        let limits = WebSocketLimits(frameBytes: 300)
        var decoder = WebSocketFrameDecoder(sender: .server, limits: limits)
        #expect(
            decoder.push(WebSocketFrameEncoder.server(WebSocketFrame(.binary, filler(300)))).count
                == 1)
        #expect(
            decoder.push(WebSocketFrameEncoder.server(WebSocketFrame(.binary, filler(301))))
                .first?.violation?.kind == .frameTooLarge)
    }
}
