import RepriseSupport
import RepriseWire
import Testing

/// RFC 7692 section 7.2.
struct DeflateTests {
    /// Payloads of one connection with context takeover (sections 7.2.3.1 to 7.2.3.6), each as
    /// text.
    static let examples: [([[UInt8]], [String])] = [
        // One block with fixed codes, and the same as the second message with a window.
        (
            [
                [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
            ], ["Hello", "Hello"]
        ),
        // A block without compression.
        (
            [[0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00]], ["Hello"]
        ),
        // A final block, and what follows still refers to it.
        (
            [
                [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00, 0x00], [0xF2, 0x00, 0x11, 0x00, 0x00],
            ], ["Hello", "Hello"]
        ),
        // Two blocks.
        (
            [[0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]],
            ["Hello"]
        ),
        // Empty messages.
        ([[0x00], [0x00], [0x02, 0x00]], ["", "", ""]),
    ]

    @Test(arguments: examples)
    func inflatesTheExamplesOfTheRFCAtEverySplit(payloads: [[UInt8]], texts: [String]) throws {
        for split in 0...(payloads.map(\.count).max() ?? 0) {
            let inflater = MessageInflater(windowBits: 15, noContextTakeover: false)
            for (payload, text) in zip(payloads, texts) {
                var output: [UInt8] = []
                let split = min(split, payload.count)
                try inflater.push(Array(payload[..<split]), into: &output, limit: 100)
                try inflater.push(payload, from: split, into: &output, limit: 100)
                try inflater.finish(into: &output, limit: 100)
                #expect(output == Array(text.utf8))
            }
        }
    }

    @Test func writesTheExamplesOfTheRFC() {
        let keeping = MessageDeflater(windowBits: 15, noContextTakeover: false)
        #expect(keeping.message(hello) == Self.examples[0].0[0])
        #expect(keeping.message(hello) == Self.examples[0].0[1])
        #expect(keeping.message([]) == [0x00])
        let forgetting = MessageDeflater(windowBits: 15, noContextTakeover: true)
        #expect(forgetting.message([]) == [0x00])
        #expect(forgetting.message(hello) == Self.examples[0].0[0])
        #expect(forgetting.message(hello) == Self.examples[0].0[0])
    }

    /// Text with repeats at all distances up to 40,000.
    static let repetitive: [UInt8] = {
        let words = (0..<60).map { filler(40 + $0 * 3, seed: UInt64($0)) }
        var random = SeededGenerator(seed: 7)
        var bytes: [UInt8] = []
        while bytes.count < 80_000 { bytes += words.randomElement(using: &random) ?? [] }
        return bytes
    }()

    @Test(arguments: 8...15)
    func keepsToEveryWindow(bits: Int) throws {
        for forgets in [false, true] {
            let deflater = MessageDeflater(windowBits: bits, noContextTakeover: forgets)
            let inflater = MessageInflater(windowBits: bits, noContextTakeover: forgets)
            // One byte at a time out of zlib, so that its window is all that it can refer to.
            let strict = Inflate(.raw(windowBits: Int32(bits)))
            for message in [Self.repetitive, [], hello, Self.repetitive, filler(3000)] {
                let payload = deflater.message(message)
                var output: [UInt8] = []
                try inflater.push(payload, into: &output, limit: 100_000)
                try inflater.finish(into: &output, limit: 100_000)
                #expect(output == message)
                var slow: [UInt8] = []
                var position = 0
                let input = payload + [0x00, 0x00, 0xFF, 0xFF]
                while try strict.push(
                    input, from: &position, into: &slow, outputLimit: 1) == .outputLimit
                {}
                #expect(slow == message)
            }
        }
    }

    @Test func seesAWindowLargerThanAgreed() throws {
        for bits in 8...14 {
            let deflater = MessageDeflater(windowBits: bits + 1, noContextTakeover: false)
            // zlib's window of 9 bits is one of 8 for what it refers to.
            if bits == 8 { continue }
            let inflater = MessageInflater(windowBits: bits, noContextTakeover: false)
            let payload = deflater.message(Self.repetitive)
            var output: [UInt8] = []
            #expect(throws: MessageInflater.Fault.self, "\(bits)") {
                try inflater.push(payload, into: &output, limit: 100_000)
            }
            #expect(inflater.isLost)
        }
    }

    @Test func seesAWindowThatWasToBeForgotten() throws {
        let deflater = MessageDeflater(windowBits: 15, noContextTakeover: false)
        let inflater = MessageInflater(windowBits: 15, noContextTakeover: true)
        var output: [UInt8] = []
        try inflater.push(deflater.message(hello), into: &output, limit: 100)
        try inflater.finish(into: &output, limit: 100)
        #expect(throws: MessageInflater.Fault.self) {
            try inflater.push(deflater.message(hello), into: &output, limit: 100)
        }
        #expect(!inflater.isLost)
    }

    @Test func seesEveryTruncation() throws {
        let deflater = MessageDeflater(windowBits: 15, noContextTakeover: true)
        let message = Array("Hello, hello, and hello again: \(Array(0..<60))".utf8)
        let payload = deflater.message(message)
        var seen = 0
        for end in 0..<payload.count {
            let inflater = MessageInflater(windowBits: 15, noContextTakeover: true)
            var output: [UInt8] = []
            do throws(MessageInflater.Fault) {
                try inflater.push(Array(payload[..<end]), into: &output, limit: 1000)
                try inflater.finish(into: &output, limit: 1000)
                #expect(message.starts(with: output))
            } catch {
                seen += 1
            }
        }
        #expect(seen == payload.count)
    }

    @Test func aBombStopsAtTheLimit() throws {
        let deflater = MessageDeflater(windowBits: 15, noContextTakeover: false)
        let payload = deflater.message([UInt8](repeating: 0, count: 8 << 20))
        #expect(payload.count < 10_000)
        let inflater = MessageInflater(windowBits: 15, noContextTakeover: false)
        var output: [UInt8] = []
        #expect(throws: MessageInflater.Fault.tooLarge) {
            try inflater.push(payload, into: &output, limit: 1000)
        }
        #expect(output.count == 1001)
    }

    @Test func aMessageOfJustTheLimitPasses() throws {
        for bits in [9, 15] {
            let deflater = MessageDeflater(windowBits: bits, noContextTakeover: false)
            let inflater = MessageInflater(windowBits: bits, noContextTakeover: false)
            let message = [UInt8](repeating: 0x61, count: 70_000)
            var output: [UInt8] = []
            try inflater.push(deflater.message(message), into: &output, limit: 70_000)
            try inflater.finish(into: &output, limit: 70_000)
            #expect(output == message)
        }
    }

    @Test func aLostWindowIsSaid() throws {
        let deflate = PerMessageDeflate()
        let writer = WebSocketWriter(sender: .server, deflate: deflate)
        let reader = WebSocketReader(sender: .server, deflate: deflate)
        var frames = (0..<4).flatMap { writer.message(.text, Array("message \($0)".utf8)) }
        frames[1].payload = [0xFF, 0xFF]
        frames += writer.message(.text, hello, deflated: false)
        #expect(
            frames.flatMap { reader.receive($0) }.map(\.short) == [
                "text message 0 0-0", "deflateCorrupt 1", "unreadable 2-2", "unreadable 3-3",
                "text Hello 4-4",
            ])
    }

    @Test func anInterruptedMessageLosesTheWindow() throws {
        for forgets in [false, true] {
            let deflate = PerMessageDeflate(clientNoContextTakeover: forgets)
            let writer = WebSocketWriter(sender: .client, deflate: deflate)
            let reader = WebSocketReader(sender: .client, deflate: deflate)
            var frames = writer.message(.text, Array("cut".utf8), frameBytes: 3)
            frames.removeLast()
            frames += writer.message(.text, hello) + writer.message(.binary, [1])
            #expect(
                frames.flatMap { reader.receive($0) }.map(\.short)
                    == (forgets
                        ? ["messageInterrupted 1", "text Hello 1-1", "binary 1 2-2"]
                        : ["messageInterrupted 1", "unreadable 1-1", "unreadable 2-2"]))
        }
    }

    @Test func aWindowThatIsForgottenIsNotLost() throws {
        let deflate = PerMessageDeflate(serverNoContextTakeover: true)
        let writer = WebSocketWriter(sender: .server, deflate: deflate)
        let reader = WebSocketReader(sender: .server, deflate: deflate)
        var frames = (0..<3).flatMap { writer.message(.text, Array("message \($0)".utf8)) }
        frames[1].payload.removeLast(3)
        #expect(
            frames.flatMap { reader.receive($0) }.map(\.short) == [
                "text message 0 0-0", "deflateCorrupt 1", "text message 2 2-2",
            ])
    }

    /// RFC 6455 section 8.1 holds within deflated messages: they fail as they inflate.
    @Test func textFailsFastWhileItInflates() throws {
        let deflate = PerMessageDeflate()
        let deflater = MessageDeflater(windowBits: 15, noContextTakeover: false)
        let text = Array("κόσμε ".utf8) + [0xED, 0xA0, 0x80] + filler(4000)
        let payload = deflater.message(text)
        let reader = WebSocketReader(sender: .client, deflate: deflate)
        let first = WebSocketFrame(
            .text, Array(payload[..<1000]), isFinal: false, rsv1: true)
        #expect(reader.receive(partial: first).map(\.short) == ["invalidText 0@11"])
        let whole = WebSocketReader(sender: .client, deflate: deflate)
        #expect(whole.receive(first).map(\.short) == ["invalidText 0@11"])
    }
}
