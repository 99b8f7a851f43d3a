import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Masks of frames that a reader makes nothing of, or not all.
@Suite struct MaskingSocketFaultTests {
    private static let token = MaskingSocketTests.token
    private static let texts = ["one", "two, which is longer", "<\(token)>", "one, two, behind"]

    private func records(
        _ wire: SocketWire, _ texts: [String] = texts, parts: Int = 1
    ) -> [SocketFrameRecord] {
        texts.flatMap { text in
            wire.message(Array(text.utf8)) { count in (1..<parts).map { count * $0 / parts } }
        }
    }

    /// Nothing that an inflater can make of the stored bytes, from any place in them, holds a piece
    /// of the token.
    private func expectNothing(in run: SocketRun, _ comment: Comment) {
        #expect(run.hides(Self.token), comment)
        let inflater = MessageInflater(windowBits: 15, noContextTakeover: true)
        let stored = run.stored.flatMap(\.bytes)
        for start in stored.indices {
            var plain: [UInt8] = []
            try? inflater.push(stored, from: start, into: &plain, limit: 1 << 16)
            inflater.abandon()
            let isThere = plain.contains(pieceOf: Self.token)
            #expect(!isThere, comment)
        }
    }

    /// What is told of the frames, without the messages' content and without what a sound text is.
    private func shape(_ events: [WebSocketEvent]) -> [String] {
        events.map { event in
            switch event {
            case .message(let message):
                "message \(message.frames) \(message.bytes.count) \(message.isDeflated)"
            case .violation(let violation): "\(violation.kind) \(violation.frame)"
            default: "\(event)"
            }
        }
    }

    /// Each frame filled from each byte on with what no stream has there, or cut short.
    @Test(arguments: [false, true], [UInt8(0xFF), 0x00, 0x2A])
    func nothingComesBackFromBehindDamage(forgets: Bool, filler: UInt8) throws {
        let deflate = PerMessageDeflate(serverNoContextTakeover: forgets)
        for parts in 1...2 {
            let sound = records(SocketWire(deflate: deflate), parts: parts)
            for damaged in sound.indices {
                for start in sound[damaged].bytes.indices {
                    for isShort in [false, true] {
                        var wire = sound
                        wire[damaged].bytes.removeSubrange(start...)
                        if !isShort {
                            wire[damaged].bytes += [UInt8](
                                repeating: filler, count: sound[damaged].bytes.count - start)
                        }
                        let run = try SocketRun(wire, deflate: deflate, secrets: [Self.token])
                        let comment: Comment = "\(parts) \(damaged) \(start) \(isShort)"
                        // What the token is damaged to is no secret.
                        if damaged / parts != 2 { expectNothing(in: run, comment) }
                        #expect(run.stored.count == wire.count, comment)
                        // A reader of the tape finds the same faults in the same frames.
                        #expect(
                            shape(run.events(of: .server))
                                == shape(run.events(of: .server, asSent: true)), comment)
                    }
                }
            }
        }
    }

    @Test func whatDoesNotInflateIsMaskedWhole() throws {
        var wire = records(SocketWire(), ["one", "two", "three"])
        wire[1].bytes = [0xFF, 0xFE, 0xFD]
        let run = try SocketRun(wire, deflate: PerMessageDeflate(), secrets: [Self.token])
        #expect(run.stored[0] == wire[0])
        #expect(run.stored[1].bytes == [0xFF] + Array("**".utf8))
        #expect(run.stored[2].bytes == wire[2].bytes.map { _ in UInt8(ascii: "*") })
        let masks = run.masks.flatMap(\.self)
        #expect(masks.map(\.rule) == ["undecodable", "undecodable"])
        #expect(masks.map(\.offset) == [3, 2])
        #expect(masks.allSatisfy { $0.secret == nil && $0.provisional == nil })
        // Nothing is known that could be in it.
        #expect(try SocketRun(wire, deflate: PerMessageDeflate()).stored == wire)
        // Something may be that nobody has seen yet.
        let declared = try SocketRun(
            wire, deflate: PerMessageDeflate(), sensitive: SensitivePaths(response: ["auth"]))
        #expect(declared.stored == run.stored)
    }

    @Test func damageBehindAMaskIsTold() throws {
        let deflater = MessageDeflater(windowBits: 15, noContextTakeover: false)
        let text = Array("<\(Self.token)> and".utf8)
        let bytes = deflater.part(text, isFirst: true, isLast: false) + [0xFF, 0xFF]
        let wire =
            [
                SocketFrameRecord(
                    WebSocketFrame(.text, bytes, isFinal: false, rsv1: true), from: .server),
                SocketFrameRecord(WebSocketFrame(.continuation, [7, 7, 7]), from: .server),
            ] + records(SocketWire(), ["one"])
        let run = try SocketRun(wire, deflate: PerMessageDeflate(), secrets: [Self.token])
        #expect(run.stored[0].flags == [.fromServer, .rsv1, .inflated, .corrupt])
        #expect(run.stored[0].bytes == Array("<\(MaskingSocketTests.stars)> and".utf8))
        #expect(run.stored[1].bytes == Array("***".utf8))
        #expect(run.stored[1].flags == [.fromServer, .fin])
        #expect(run.stored[2].bytes == wire[2].bytes.map { _ in UInt8(ascii: "*") })
        #expect(
            shape(run.events(of: .server)) == ["deflateCorrupt 0", "\(unreadable(2))"])
    }

    private func unreadable(_ frame: Int) -> WebSocketEvent { .unreadable(frames: frame...frame) }

    /// A frame that inflates to more than is taken.
    @Test func aBombIsMaskedWhole() throws {
        let wire = SocketWire()
        let records =
            wire.message([UInt8](repeating: 0x61, count: 33 << 20), kind: .binary)
            + wire.message(Array("<\(Self.token)>".utf8))
        let run = try SocketRun(records, deflate: PerMessageDeflate(), secrets: [Self.token])
        for (stored, sent) in zip(run.stored, records) {
            #expect(stored.bytes == sent.bytes.map { _ in UInt8(ascii: "*") })
        }
    }

    @Test func deflatedWithoutAnAgreement() throws {
        let wire = records(SocketWire())
        let run = try SocketRun(wire, deflate: nil, secrets: [Self.token])
        expectNothing(in: run, "no agreement")
        #expect(run.stored.map(\.bytes.count) == wire.map(\.bytes.count))
        // Text by itself is searched.
        var plain = SocketWire(deflate: nil).message(Array("<\(Self.token)>".utf8))
        plain[0].flags.insert(.rsv1)
        let text = try SocketRun(plain, secrets: [Self.token])
        #expect(text.stored[0].bytes == Array("<\(MaskingSocketTests.stars)>".utf8))
    }

    /// Frames of which nobody can tell how they are coded, text among them.
    @Test(arguments: [
        (WebSocketFrame(.text, [0x80, 1, 2, 3], rsv2: true), "****"),
        (WebSocketFrame(.binary, [0, 1, 2, 3], rsv3: true), "****"),
        (WebSocketFrame(.ping, [0, 1, 2, 3], rsv1: true), "****"),
        (WebSocketFrame(.close, [3, 0xE8, 2, 3], rsv1: true), "\u{3}\u{E8}**"),
        (WebSocketFrame(.init(rawValue: 3), [0, 1, 2, 3]), "****"),
        (WebSocketFrame(.init(rawValue: 15), [0, 1, 2, 3]), "****"),
        (WebSocketFrame(.continuation, [0, 1, 2, 3]), "****"),
        (WebSocketFrame(.text, Array("(\(token))".utf8), rsv2: true), "(\(stars))"),
        (WebSocketFrame(.init(rawValue: 3), Array("(\(token))".utf8)), "(\(stars))"),
        (WebSocketFrame(.continuation, Array("(\(token))".utf8)), "(\(stars))"),
        (WebSocketFrame(.binary, [0, 1, 2, 3]), "\u{0}\u{1}\u{2}\u{3}"),
    ])
    func unusualFrames(frame: WebSocketFrame, expected: String) throws {
        let wire = [SocketFrameRecord(frame, from: .client)]
        let run = try SocketRun(wire, deflate: PerMessageDeflate(), secrets: [Self.token])
        #expect(run.stored[0].bytes == expected.unicodeScalars.map { UInt8($0.value) })
        #expect(run.stored[0].flags == wire[0].flags)
        #expect(try SocketRun(wire, deflate: PerMessageDeflate()).stored == wire)
    }

    private static let stars = MaskingSocketTests.stars

    /// A message within another: what was open of the first stays masked, and so does all that
    /// refers to its window.
    @Test(arguments: [false, true]) func anInterruptedMessage(forgets: Bool) throws {
        let deflate = PerMessageDeflate(serverNoContextTakeover: forgets)
        let wire = SocketWire(deflate: deflate)
        let first = wire.message(Array("<\(Self.token)>".utf8)) { [$0 - 8] }
        let rest = wire.message(Array("<\(Self.token)> again".utf8))
        let run = try SocketRun(first[..<1] + rest, deflate: deflate, secrets: [Self.token])
        expectNothing(in: run, "interrupted")
        #expect(
            shape(run.events(of: .server)) == shape(run.events(of: .server, asSent: true)))
    }

    /// Bytes that are no frame.
    @Test func strayBytes() throws {
        func run(_ pieces: [[UInt8]], secrets: [String]) -> [[UInt8]] {
            var redactor = Redactor()
            for secret in secrets { redactor.declare(secret) }
            redactor.open(exchange: 1, sensitive: SensitivePaths())
            let contents = SocketRun.handshake(nil) + pieces.map { .responseBody($0) }
            return contents.flatMap { redactor.redact($0, exchange: 1, time: 0, frame: 0) }
                .filter { $0.kind == .responseBody }.map(\.payload)
        }
        let text = Array("HTTP/1.1 400 no \(Self.token) here".utf8)
        let frame: [UInt8] = [0x81, 0xFF, 0, 1, 2]
        #expect(
            run([text, frame, text], secrets: [Self.token]) == [
                Array("HTTP/1.1 400 no \(Self.stars) here".utf8), frame.map { _ in 0x2A },
                text.map { _ in 0x2A },
            ])
        #expect(run([frame, text], secrets: []) == [frame, text])
    }

    /// A refused handshake has a body like any other.
    @Test func theBodyOfARefusal() throws {
        var redactor = Redactor()
        redactor.open(exchange: 1, sensitive: SensitivePaths(response: ["jwt"]))
        let contents: [FrameContent] = [
            SocketRun.handshake(nil)[0],
            .response(ResponseRecord(status: 403, headers: ["Content-Type": "application/json"])),
            .responseBody(Array(#"{"jwt":"abc","a":1}"#.utf8)),
        ]
        let frames = contents.flatMap { redactor.redact($0, exchange: 1, time: 0, frame: 0) }
        #expect(frames[2].payload == Array(#"{"jwt":"***","a":1}"#.utf8))
    }

    @Test func theHandshake() throws {
        var redactor = Redactor()
        redactor.declare("secret-of-the-app")
        redactor.open(exchange: 1, sensitive: SensitivePaths())
        let request = RequestRecord(
            transport: .websocket, method: "GET",
            url: "wss://example.com/socket?token=of-the-query",
            headers: [
                "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
                "Sec-WebSocket-Protocol": "v1.bearer, secret-of-the-app",
                "Sec-WebSocket-Extensions": "permessage-deflate", "X-Socket-Key": "no-handshake",
            ])
        let response = ResponseRecord(
            status: 101,
            headers: [
                "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
                "Sec-WebSocket-Protocol": "secret-of-the-app",
                "Sec-WebSocket-Extensions": "permessage-deflate",
            ])
        let frames = [FrameContent.request(request), .response(response)].flatMap {
            redactor.redact($0, exchange: 1, time: 0, frame: 0)
        }
        var (asked, answered) = (request, response)
        asked.url = "wss://example.com/socket?token=************"
        asked.headers = [
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Protocol": "v1.bearer, *****************",
            "Sec-WebSocket-Extensions": "permessage-deflate", "X-Socket-Key": "************",
        ]
        answered.headers = [
            "Sec-WebSocket-Accept": "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
            "Sec-WebSocket-Protocol": "*****************",
            "Sec-WebSocket-Extensions": "permessage-deflate",
        ]
        let heads = try frames.map { try $0.content() }.filter { $0.kind != .masked }
        #expect(heads == [.request(asked), .response(answered)])
        // What was agreed on can be told from the tape.
        let agreement = try WebSocketAgreement(
            request: asked.headers, response: answered.headers)
        #expect(agreement.deflate == PerMessageDeflate())
    }
}
