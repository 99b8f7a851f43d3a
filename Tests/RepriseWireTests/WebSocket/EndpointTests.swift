import RepriseWire
import Testing

struct EndpointTests {
    static func code(_ code: UInt16) -> [UInt8] { [UInt8(code >> 8), UInt8(code & 0xFF)] }

    @Test(arguments: WebSocketRole.allCases)
    func answersAPingAtOnce(role: WebSocketRole) {
        let endpoint = WebSocketEndpoint(role: role)
        let step = endpoint.receive(WebSocketFrame(.ping, [1, 2, 3]))
        #expect(step.events == [.ping([1, 2, 3])])
        #expect(step.replies == [WebSocketFrame(.pong, [1, 2, 3])])
        #expect(step.disconnection == .none)
        #expect(endpoint.receive(WebSocketFrame(.pong)).replies.isEmpty)
        #expect(endpoint.state == .open)
    }

    /// RFC 6455 sections 5.5.1 and 7.1.1.
    @Test(arguments: [nil, 1000, 1001, 3000, 4999] as [UInt16?])
    func answersACloseWithItsCode(code: UInt16?) {
        for role in WebSocketRole.allCases {
            let endpoint = WebSocketEndpoint(role: role)
            let payload = code.map { Self.code($0) + Array("bye".utf8) } ?? []
            let step = endpoint.receive(WebSocketFrame(.close, payload))
            let expected = WebSocketEvent.close(
                code.map { WebSocketCloseCode(rawValue: $0) }, reason: code == nil ? "" : "bye")
            #expect(step.events == [expected])
            #expect(step.replies == [WebSocketFrame(.close, code.map(Self.code) ?? [])])
            #expect(step.disconnection == (role == .server ? .now : .awaitPeer))
            #expect(endpoint.state == .closed)
            #expect(throws: WebSocketSendError.closed) { try endpoint.send(text: hello) }
            let late = endpoint.receive(WebSocketFrame(.ping))
            #expect(late.events.isEmpty && late.replies.isEmpty)
            let end = endpoint.finish()
            #expect(end.events.isEmpty && end.disconnection == .now)
        }
    }

    @Test(arguments: WebSocketRole.allCases)
    func closesAndStillReads(role: WebSocketRole) throws {
        let endpoint = WebSocketEndpoint(role: role)
        let frame = try endpoint.send(close: .goingAway, reason: "off")
        #expect(frame == WebSocketFrame(.close, Self.code(1001) + Array("off".utf8)))
        #expect(endpoint.state == .closing)
        #expect(throws: WebSocketSendError.closed) { try endpoint.send(binary: []) }
        #expect(throws: WebSocketSendError.closed) { try endpoint.send(ping: []) }
        #expect(throws: WebSocketSendError.closed) { try endpoint.send(close: nil) }
        let message = endpoint.receive(WebSocketFrame(.text, hello))
        #expect(message.events.map(\.short) == ["text Hello 0-0"])
        // A pong is due until the peer's close (section 5.5.2).
        #expect(endpoint.receive(WebSocketFrame(.ping)).replies == [WebSocketFrame(.pong)])
        let step = endpoint.receive(WebSocketFrame(.close, Self.code(1001)))
        #expect(step.events == [.close(.goingAway, reason: "")])
        #expect(step.replies.isEmpty)
        #expect(step.disconnection == (role == .server ? .now : .awaitPeer))
        #expect(endpoint.state == .closed)
    }

    /// RFC 6455 section 7.1.7, and the codes of section 7.4.1.
    static let failures: [([WebSocketFrame], WebSocketViolation.Kind, UInt16)] = [
        ([WebSocketFrame(.text, hello, rsv2: true)], .reservedBits, 1002),
        ([WebSocketFrame(.text, hello, rsv1: true)], .deflateNotNegotiated, 1002),
        ([WebSocketFrame(.init(rawValue: 5))], .reservedOpcode, 1002),
        ([WebSocketFrame(.ping, isFinal: false)], .controlFragmented, 1002),
        ([WebSocketFrame(.ping, filler(126))], .controlTooLong, 1002),
        ([WebSocketFrame(.continuation)], .nothingToContinue, 1002),
        (
            [WebSocketFrame(.text, isFinal: false), WebSocketFrame(.text)], .messageInterrupted,
            1002
        ),
        ([WebSocketFrame(.close, [3])], .closeTooShort, 1002),
        ([WebSocketFrame(.close, code(1005))], .closeCode, 1002),
        ([WebSocketFrame(.close, code(1000) + [0x80])], .invalidReason, 1007),
        ([WebSocketFrame(.text, [0x80])], .invalidText, 1007),
        ([WebSocketFrame(.binary, filler(11))], .messageTooLarge, 1009),
    ]

    @Test(arguments: failures)
    func failsWithACode(
        frames: [WebSocketFrame], kind: WebSocketViolation.Kind, code: UInt16
    ) throws {
        for role in WebSocketRole.allCases {
            let endpoint = WebSocketEndpoint(
                role: role, limits: WebSocketLimits(messageBytes: 10))
            for frame in frames.dropLast() {
                #expect(endpoint.receive(frame) == WebSocketEndpoint.Step())
            }
            let step = endpoint.receive(frames[frames.count - 1])
            #expect(step.events.map(\.violation?.kind) == [kind])
            #expect(step.replies == [WebSocketFrame(.close, Self.code(code))])
            #expect(step.disconnection == (role == .server ? .now : .awaitPeer))
            #expect(endpoint.state == .failed)
            #expect(throws: WebSocketSendError.closed) { try endpoint.send(text: hello) }
            #expect(endpoint.receive(WebSocketFrame(.text, hello)).events.isEmpty)
        }
    }

    @Test func failsForWhatTheDecoderFinds() {
        let endpoint = WebSocketEndpoint(role: .server)
        var decoder = WebSocketFrameDecoder(sender: .client)
        let steps = decoder.push([0x81, 0x01, 0x61]).map { endpoint.receive($0) }
        #expect(steps.map(\.replies) == [[WebSocketFrame(.close, Self.code(1002))]])
        #expect(steps.map(\.disconnection) == [.now])
    }

    @Test func failsWithinAFrame() {
        let endpoint = WebSocketEndpoint(role: .server)
        var decoder = WebSocketFrameDecoder(sender: .client)
        let bytes = encode(WebSocketFrame(.text, filler(90_000)), from: .client, mask: 9)
        #expect(decoder.push(Array(bytes[..<2000])).isEmpty)
        let step = decoder.partial.map { endpoint.receive(partial: $0) }
        #expect(step?.replies == [WebSocketFrame(.close, Self.code(1007))])
    }

    /// A close frame was sent before: no second one.
    @Test func failsSilentlyWhileClosing() throws {
        let endpoint = WebSocketEndpoint(role: .server)
        _ = try endpoint.send(close: .normal)
        let step = endpoint.receive(WebSocketFrame(.text, [0xFF]))
        #expect(step.events.count == 1 && step.replies.isEmpty)
        #expect(step.disconnection == .now)
    }

    @Test(arguments: WebSocketRole.allCases)
    func saysThatThePeerDidNotClose(role: WebSocketRole) throws {
        for closes in [false, true] {
            let endpoint = WebSocketEndpoint(role: role)
            if closes { _ = try endpoint.send(close: .normal) }
            let step = endpoint.finish()
            #expect(step.events.map(\.short) == ["closeMissing 0"])
            #expect(step.replies.isEmpty && step.disconnection == .now)
            #expect(endpoint.state == .failed)
        }
    }

    @Test func refusesWhatMayNotBeSent() {
        let endpoint = WebSocketEndpoint(role: .client)
        #expect(throws: WebSocketSendError.invalidText) {
            try endpoint.send(text: [0x61, 0xC3])
        }
        #expect(throws: WebSocketSendError.controlTooLong) {
            try endpoint.send(ping: filler(126))
        }
        #expect(throws: WebSocketSendError.controlTooLong) {
            try endpoint.send(pong: filler(126))
        }
        for code: UInt16 in [0, 999, 1004, 1005, 1006, 1015, 2999, 5000] {
            #expect(throws: WebSocketSendError.closeCode) {
                try endpoint.send(close: WebSocketCloseCode(rawValue: code))
            }
        }
        #expect(throws: WebSocketSendError.closeReason) {
            try endpoint.send(close: nil, reason: "x")
        }
        #expect(throws: WebSocketSendError.closeReason) {
            try endpoint.send(close: .normal, reason: String(repeating: "é", count: 62))
        }
        #expect(endpoint.state == .open)
    }

    @Test func cutsAReasonBetweenCharacters() {
        let frame = WebSocketWriter.close(.normal, reason: String(repeating: "é", count: 62))
        #expect(frame.payload.count == 2 + 122)
    }

    @Test func fragmentsAMessage() throws {
        let endpoint = WebSocketEndpoint(role: .server)
        let frames = try endpoint.send(text: hello, frameBytes: 2)
        #expect(
            frames == [
                WebSocketFrame(.text, Array("He".utf8), isFinal: false),
                WebSocketFrame(.continuation, Array("ll".utf8), isFinal: false),
                WebSocketFrame(.continuation, Array("o".utf8)),
            ])
        #expect(try endpoint.send(binary: hello, frameBytes: 5).count == 1)
        #expect(try endpoint.send(binary: [], frameBytes: 5).count == 1)
        #expect(try endpoint.send(binary: hello, frameBytes: 0).count == 5)
    }

    @Test func aPongAnswersItsPingAndThoseBefore() {
        var pings = WebSocketPings<Int>()
        for id in 0..<4 { pings.sent([UInt8(id)], id: id) }
        pings.answered([9])
        #expect(pings.unanswered.map(\.id) == [0, 1, 2, 3])
        pings.answered([1])
        #expect(pings.unanswered.map(\.id) == [2, 3])
        pings.answered([1])
        pings.answered([3])
        #expect(pings.unanswered.isEmpty)
    }
}
