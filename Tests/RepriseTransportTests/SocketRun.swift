import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// A WebSocket that went through a redactor, and what a tape would hold of it.
struct SocketRun {
    /// The frames as sent.
    let wire: [SocketFrameRecord]
    /// Those frames as stored, revealed bytes restored.
    private(set) var stored: [SocketFrameRecord] = []
    /// All frames.
    private(set) var all: [Frame] = []
    /// What is masked, by the place in ``stored``.
    private(set) var masks: [[MaskedRecord]] = []
    private(set) var reveals = 0
    let deflate: PerMessageDeflate?

    static func handshake(
        _ deflate: PerMessageDeflate?, headers: Headers = [:]
    ) -> [FrameContent] {
        var request: Headers = headers
        var response: Headers = [:]
        if let deflate {
            request.append(
                "Sec-WebSocket-Extensions",
                "permessage-deflate; client_max_window_bits"
                    + (deflate.clientNoContextTakeover ? "; client_no_context_takeover" : "")
                    + (deflate.serverNoContextTakeover ? "; server_no_context_takeover" : ""))
            response.append(
                "Sec-WebSocket-Extensions",
                "permessage-deflate"
                    + (deflate.clientNoContextTakeover ? "; client_no_context_takeover" : "")
                    + (deflate.serverNoContextTakeover ? "; server_no_context_takeover" : "")
                    + "; client_max_window_bits=\(deflate.clientMaxWindowBits)"
            )
        }
        return [
            .request(
                RequestRecord(
                    transport: .websocket, method: "GET", url: "wss://example.com/socket",
                    headers: request)),
            .response(ResponseRecord(status: 101, headers: response)),
        ]
    }

    init(
        _ wire: [SocketFrameRecord], deflate: PerMessageDeflate? = nil, secrets: [String] = [],
        sensitive: SensitivePaths = SensitivePaths(), isCut: Bool = false
    ) throws {
        self.wire = wire
        self.deflate = deflate
        var redactor = Redactor()
        for secret in secrets { redactor.declare(secret) }
        redactor.open(exchange: 1, sensitive: sensitive)
        let contents =
            SocketRun.handshake(deflate) + wire.map { .socketFrame($0) }
            + [.end(EndRecord(how: isCut ? .reset : .complete))]
        for content in contents {
            all += redactor.redact(content, exchange: 1, time: 0, frame: UInt64(all.count))
        }
        for index in all.indices { all[index].number = UInt64(index) }
        try read()
    }

    private mutating func read() throws {
        var map = MaskMap()
        var restored = all
        for frame in all {
            switch try frame.content() {
            case .masked(let record):
                #expect(record.offset >= 2)
                #expect(record.offset + record.length <= all[Int(record.frame)].payload.count)
                map.add(record)
            case .reveal(let record):
                map.reveal(record)
                restored[Int(record.frame)].restore(record)
                reveals += 1
            default: break
            }
        }
        for frame in restored {
            guard case .socketFrame(let record) = try frame.content() else { continue }
            stored.append(record)
            masks.append(map.masks[frame.number] ?? [])
        }
    }

    /// What a side says, by the tape or as sent.
    func events(of side: WebSocketRole, asSent: Bool = false) -> [WebSocketEvent] {
        let records = (asSent ? wire : stored).filter { $0.sender == side }
        return SocketWire.events(records, deflate: deflate)
    }

    func texts(of side: WebSocketRole) -> [String] {
        events(of: side).compactMap(\.message?.text)
    }

    /// No 8 bytes in a row of `secret` are in what is stored: as it is, joined for each side, and
    /// as a reader decodes it.
    func hides(_ secret: String) -> Bool {
        var texts = all.map(\.payload)
        for side in [WebSocketRole.client, .server] {
            let frames: [SocketFrameRecord] = all.compactMap {
                guard case .socketFrame(let record)? = try? $0.content(), record.sender == side
                else { return nil }
                return record
            }
            texts.append(frames.flatMap(\.bytes))
            texts.append(frames.filter { !$0.frame.opcode.isControl }.flatMap(\.bytes))
            texts += SocketWire.events(frames, deflate: deflate).compactMap(\.message?.bytes)
        }
        return texts.allSatisfy { !$0.contains(pieceOf: secret) }
    }

    /// What holds however a connection was masked: nothing moved, what is not masked is as on the
    /// wire or inflates to the same, and the masks are where the tape says.
    func expectFaithful(_ comment: Comment) {
        #expect(stored.count == wire.count, comment)
        for index in wire.indices {
            var flags = stored[index].flags
            flags.subtract([.inflated, .corrupt])
            #expect(flags == wire[index].flags, comment)
            #expect(stored[index].opcode == wire[index].opcode, comment)
            if stored[index].flags.contains(.inflated) { continue }
            expectMasked(stored[index].bytes, wire[index].bytes, index, comment)
        }
        for side in [WebSocketRole.client, .server] {
            let places = wire.indices.filter { wire[$0].sender == side }
            let plain = SocketWire(side, deflate: deflate).inflated(places.map { wire[$0] })
            for (place, plain) in zip(places, plain)
            where stored[place].flags.contains(.inflated) {
                #expect(stored[place].flags == plain.flags, comment)
                expectMasked(stored[place].bytes, plain.bytes, place, comment)
            }
        }
    }

    private func expectMasked(
        _ bytes: [UInt8], _ original: [UInt8], _ place: Int, _ comment: Comment
    ) {
        #expect(bytes.count == original.count, comment)
        var expected = original
        for mask in masks[place] {
            let range = mask.offset - 2..<mask.offset - 2 + mask.length
            expected.replaceSubrange(range, with: bytes[range])
        }
        #expect(bytes == expected, comment)
    }
}
