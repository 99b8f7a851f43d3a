import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

/// Masks of what crosses a WebSocket.
@Suite struct MaskingSocketTests {
    static let token = "tok-Abc/9876543210+xyz=="
    static let stars = Masking.stars(token)

    /// How a side sends.
    struct Way: Sendable, CustomTestStringConvertible {
        var sender: WebSocketRole
        /// nil: nothing is deflated.
        var forgets: Bool?
        var pings = false

        var deflate: PerMessageDeflate? {
            forgets.map {
                PerMessageDeflate(serverNoContextTakeover: $0, clientNoContextTakeover: $0)
            }
        }

        var testDescription: String {
            "\(sender)\(forgets.map { $0 ? " forgets" : " keeps" } ?? "")\(pings ? " pings" : "")"
        }
    }

    static let ways = [WebSocketRole.client, .server].flatMap { sender in
        [nil, false, true].flatMap { forgets in
            [false, true].map { Way(sender: sender, forgets: forgets, pings: $0) }
        }
    }

    private func run(
        _ way: Way, _ messages: [String], secrets: [String] = [token], paths: [String] = [],
        cuts: (_ message: Int, _ count: Int) -> [Int] = { _, _ in [] }
    ) throws -> SocketRun {
        let wire = SocketWire(way.sender, deflate: way.deflate)
        let records = messages.enumerated().flatMap { index, message in
            wire.message(Array(message.utf8), pings: way.pings) { cuts(index, $0) }
        }
        return try SocketRun(
            records, deflate: way.deflate, secrets: secrets,
            sensitive: SensitivePaths(request: paths, response: paths))
    }

    static let messages = [
        #"{"event":"started","note":"before <tok-Abc> it"}"#,
        #"{"event":"text","text":"<\#(token)>","n":1}"#,
        #"{"event":"started","note":"behind <tok-Abc> it"}"#,
    ]

    static let masked = messages.map { $0.replacing(token, with: stars) }

    @Test(arguments: ways) func aKnownSecretInWholeMessages(way: Way) throws {
        let run = try run(way, Self.messages)
        run.expectFaithful("whole")
        #expect(run.hides(Self.token))
        #expect(run.texts(of: way.sender) == Self.masked)
        let data = run.stored.filter { !$0.frame.opcode.isControl }
        let isInflated = data.map { $0.flags.contains(.inflated) }
        // Only what has to be: the first message never, the third where it refers to the second.
        #expect(isInflated == [false, way.forgets != nil, way.forgets == false])
        #expect(data[0] == run.wire[0])
        if way.forgets == true { #expect(data[2].bytes == run.wire.last?.bytes) }
        #expect(run.masks.flatMap(\.self).map(\.rule) == ["known"])
        #expect(run.masks.flatMap(\.self).map(\.secret) == [1])
    }

    @Test(arguments: ways) func aKnownSecretAtEverySplit(way: Way) throws {
        let whole = try run(way, Self.messages).wire
        let size = whole.filter { !$0.frame.opcode.isControl }[1].bytes.count
        for cut in 0...size {
            for second in Set([cut, min(size, cut + 5), size]) {
                let run = try run(way, Self.messages) { message, _ in
                    message == 1 ? [cut, second] : []
                }
                expectMasked(run, way, "\(cut) \(second)")
            }
        }
    }

    @Test(arguments: ways) func inFramesOfEverySize(way: Way) throws {
        for size in 1...40 {
            let run = try run(way, Self.messages) { _, count in
                Array(stride(from: size, to: count, by: size))
            }
            expectMasked(run, way, "\(size)")
        }
    }

    /// At most five bytes of a beginning stay at each cut.
    private func expectMasked(_ run: SocketRun, _ way: Way, _ comment: Comment) {
        run.expectFaithful(comment)
        #expect(run.hides(Self.token), comment)
        let texts = run.texts(of: way.sender)
        #expect(texts.count == 3, comment)
        for (text, masked) in zip(texts, Self.masked) {
            #expect(text.utf8.count == masked.utf8.count, comment)
            let differing = zip(text.utf8, masked.utf8).filter { $0 != $1 }
            #expect(differing.allSatisfy { $0.1 == UInt8(ascii: "*") }, comment)
            #expect(differing.count <= 10, comment)
        }
        let deflated = run.stored.filter {
            !$0.frame.opcode.isControl && way.forgets != nil
        }
        if way.forgets == false, let first = deflated.firstIndex(where: \.isInflated) {
            #expect(deflated[first...].allSatisfy { $0.isInflated }, comment)
        }
        let sent = RecordedSocketFrames.frames(
            run.stored, of: way.sender, deflate: way.deflate)
        let again = sent.map { SocketFrameRecord($0, from: way.sender) }
        #expect(
            SocketWire.events(again, deflate: way.deflate).compactMap(\.message?.text) == texts,
            comment)
    }

    @Test(arguments: ways) func declaredValues(way: Way) throws {
        let messages = [
            #"{"type":"ready"}"#,
            #"{"type":"auth","body":{"auth":"s3cr3t-of-the-user","id":17},"auth":"no"}"#,
            #"{"type":"text","text":"it was s3cr3t-of-the-user, and \u0073"}"#,
        ]
        let masked = messages.map { $0.replacing("s3cr3t-of-the-user", with: "******************") }
        for size in [1, 2, 3, 7, 16, 1000] {
            let run = try run(way, messages, secrets: [], paths: ["body.auth"]) { _, count in
                Array(stride(from: size, to: count, by: size))
            }
            run.expectFaithful("\(size)")
            #expect(run.hides("s3cr3t-of-the-user"))
            let texts = run.texts(of: way.sender)
            #expect(Array(texts[..<2]) == Array(masked[..<2]))
            #expect(zip(texts[2].utf8, masked[2].utf8).filter { $0 != $1 }.count <= 5)
            let rules = Set(run.masks.flatMap(\.self).map(\.rule))
            #expect(rules == ["json:body.auth", "known"])
            #expect(run.masks.flatMap(\.self).allSatisfy { $0.secret == 1 })
        }
    }

    /// The paths of a side are for its messages alone; what is found there is known in the other's.
    @Test func eachSideHasItsPaths() throws {
        let (client, server) = (SocketWire(.client), SocketWire(.server))
        let text = Array(#"{"auth":"first-secret","jwt":"other-secret"}"#.utf8)
        let run = try SocketRun(
            client.message(text) + server.message(text) + client.message(text),
            deflate: PerMessageDeflate(),
            sensitive: SensitivePaths(request: ["auth"], response: ["jwt"]))
        let stars = "************"
        #expect(
            run.texts(of: .client) == [
                #"{"auth":"\#(stars)","jwt":"other-secret"}"#,
                #"{"auth":"\#(stars)","jwt":"\#(stars)"}"#,
            ])
        #expect(run.texts(of: .server) == [#"{"auth":"\#(stars)","jwt":"\#(stars)"}"#])
    }

    @Test(arguments: ways) func whatOnlyBeginsASecretIsRestored(way: Way) throws {
        let messages = ["say tok-Abc/987!", "say it again: tok-Abc/98!"]
        for size in 1...20 {
            let run = try run(way, messages) { _, count in
                Array(stride(from: size, to: count, by: size))
            }
            run.expectFaithful("\(size)")
            #expect(run.texts(of: way.sender) == messages)
            #expect(run.masks.allSatisfy { $0.isEmpty })
        }
        // Restored in what was inflated for it.
        let run = try run(way, messages) { message, count in message == 0 ? [count - 2] : [] }
        #expect(way.forgets != nil || run.reveals == 1)
        let whole = try self.run(way, messages)
        #expect(whole.stored == whole.wire)
    }

    @Test(arguments: ways) func escapedAndBinary(way: Way) throws {
        let secret = "q\"\\uo/te\u{7}é😀-secret"
        let escaped = JSON.string(secret).serialized
        for kind in [WebSocketFrame.Opcode.text, .binary] {
            let wire = SocketWire(way.sender, deflate: way.deflate)
            let bytes = Array(#"{"a":\#(escaped),"b":"x"}"#.utf8)
            let tail: [UInt8] = kind == .binary ? [0, 1, 0xFF, 0xFE] : []
            let records =
                wire.message(bytes + tail, kind: kind)
                + wire.message(tail + Array(secret.utf8), kind: kind)
            let run = try SocketRun(records, deflate: way.deflate, secrets: [secret])
            run.expectFaithful("\(kind)")
            #expect(run.hides(secret))
            #expect(run.hides(String(escaped.dropFirst().dropLast())))
            let messages = run.events(of: way.sender).compactMap(\.message)
            try #require(messages.map(\.isValid) == [true, true])
            #expect(messages[0].bytes.starts(with: #"{"a":"**"#.utf8))
            #expect(messages[1].bytes.starts(with: tail + Array("**".utf8)))
        }
    }

    @Test func controlFramesAndReasons() throws {
        let secret = Array(Self.token.utf8)
        var frames = [
            WebSocketFrame(.ping, Array("<".utf8) + secret), WebSocketFrame(.pong, secret),
            WebSocketFrame(.ping, [0, 1, 2]),
        ]
        frames.append(WebSocketFrame(.close, [0x03, 0xE8] + Array("no ".utf8) + secret))
        let records = frames.map { SocketFrameRecord($0, from: .server) }
        let run = try SocketRun(records, secrets: [Self.token])
        run.expectFaithful("control")
        #expect(run.hides(Self.token))
        #expect(
            run.events(of: .server) == [
                .ping(Array("<\(Self.stars)".utf8)), .pong(Array(Self.stars.utf8)),
                .ping([0, 1, 2]), .close(.normal, reason: "no \(Self.stars)"),
            ])
        #expect(run.masks.map { $0.map(\.offset) } == [[3], [2], [], [7]])
    }
}

extension SocketFrameRecord {
    var isInflated: Bool { flags.contains(.inflated) }
}
