import RepriseWire
import Testing

/// Whatever comes, nothing traps, memory stays within the limits, and pieces change nothing.
struct FuzzTests {
    static let limits = WebSocketLimits(frameBytes: 2000, messageBytes: 3000)

    @Test(arguments: 0..<40)
    func randomBytesNeverTrap(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        for _ in 0..<200 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            for role in WebSocketRole.allCases {
                let whole = Self.read(bytes, from: role, sizes: [bytes.count])
                #expect(whole == Self.read(bytes, from: role, sizes: [1]))
            }
        }
    }

    /// Valid streams with some bytes changed, taken out or doubled: they get past the head.
    @Test(arguments: 0..<40)
    func damagedStreamsNeverTrap(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let valid = Self.stream(&random)
        for _ in 0..<60 {
            var bytes = valid
            for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                default: bytes.insert(bytes[place], at: place)
                }
            }
            let whole = Self.read(bytes, from: .client, sizes: [bytes.count])
            #expect(whole == Self.read(bytes, from: .client, sizes: [1, 30, 2]))
        }
    }

    private static func stream(_ random: inout SeededGenerator) -> [UInt8] {
        let writer = WebSocketWriter(sender: .client, deflate: PerMessageDeflate())
        var bytes: [UInt8] = []
        for index in 0..<8 {
            let text = Array(String(repeating: "wörd \(index) ", count: index * 5).utf8)
            for frame in writer.message(.text, text, deflated: index != 3, frameBytes: 40) {
                let mask = UInt32.random(in: 0...UInt32.max, using: &random)
                bytes += WebSocketFrameEncoder.client(frame, mask: mask)
            }
        }
        return bytes + WebSocketFrameEncoder.client(WebSocketFrame(.close, [3, 0xE8]), mask: 5)
    }

    /// The messages up to the end or the first fault, and the kind of that one; the connection as
    /// its end sees it. What comes after is read, too, as an analysis does.
    private static func read(
        _ bytes: [UInt8], from sender: WebSocketRole, sizes: [Int]
    ) -> [String] {
        var decoder = WebSocketFrameDecoder(sender: sender, limits: limits)
        let agreement = WebSocketAgreement(deflate: PerMessageDeflate())
        let endpoint = WebSocketEndpoint(role: sender.peer, agreement: agreement, limits: limits)
        let reader = WebSocketReader(
            sender: sender, deflate: agreement.deflate, limits: limits)
        var (start, turn) = (0, 0)
        var lines: [String] = []
        while start < bytes.count {
            let end = min(bytes.count, start + sizes[turn % sizes.count])
            for item in decoder.push(Array(bytes[start..<end])) {
                lines += endpoint.receive(item).events.map(\.short)
                if let frame = item.frame { check(reader.receive(frame)) }
            }
            if let partial = decoder.partial {
                lines += endpoint.receive(partial: partial).events.map(\.short)
            }
            (start, turn) = (end, turn + 1)
        }
        check(reader.finish())
        return lines + endpoint.finish().events.map(\.short)
    }

    private static func check(_ events: [WebSocketEvent]) {
        for message in events.compactMap(\.message) {
            #expect(message.bytes.count <= limits.messageBytes)
        }
    }
}
