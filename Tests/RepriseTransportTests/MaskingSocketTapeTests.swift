import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What a tape holds of a WebSocket with secrets in it, in its bytes and in all its views.
@Suite struct MaskingSocketTapeTests {
    private static let token = MaskingSocketTests.token
    private static let stars = MaskingSocketTests.stars
    private static let login = "login-of-the-user-0815"

    /// What both sides say, in turn, each message in frames of `size` bytes.
    private struct Talk {
        let client: SocketWire
        let server: SocketWire
        let size: Int

        init(_ deflate: PerMessageDeflate?, size: Int) {
            client = SocketWire(.client, deflate: deflate)
            server = SocketWire(.server, deflate: deflate)
            self.size = size
        }

        func say(_ text: String, from wire: SocketWire) -> [SocketFrameRecord] {
            wire.message(Array(text.utf8), pings: true) {
                Array(stride(from: size, to: $0, by: size))
            }
        }

        var records: [SocketFrameRecord] {
            say(#"{"type":"hello"}"#, from: server)
                + say(#"{"type":"auth","body":{"auth":"\#(login)","id":1}}"#, from: client)
                + say(#"{"type":"welcome","jwt":"\#(token)","of":"\#(login)"}"#, from: server)
                + [SocketFrameRecord(WebSocketFrame(.ping, Array(token.utf8)), from: .server)]
                + say(#"{"type":"text","text":"my token is \#(token), \#(login)"}"#, from: client)
                + say(#"{"type":"text","text":"no secret: tok-Abc!"}"#, from: server)
                + [
                    SocketFrameRecord(
                        WebSocketFrame(.close, [3, 0xE8] + Array("bye \(login)".utf8)),
                        from: .client)
                ]
        }

        static let client = [
            #"{"type":"auth","body":{"auth":"**********************","id":1}}"#,
            #"{"type":"text","text":"my token is \#(stars), **********************"}"#,
        ]
        static let server = [
            #"{"type":"hello"}"#,
            #"{"type":"welcome","jwt":"\#(stars)","of":"**********************"}"#,
            #"{"type":"text","text":"no secret: tok-Abc!"}"#,
        ]
    }

    @Test(arguments: [nil, false, true], [1, 6, 1000])
    func plantedSecretsAreNowhere(forgets: Bool?, size: Int) async throws {
        let deflate = forgets.map {
            PerMessageDeflate(serverNoContextTakeover: $0, clientNoContextTakeover: $0)
        }
        let folder = try TemporaryFolder()
        let path = folder.file("a.tape")
        let recorder = try TapeRecorder(path: path)
        let exchange = recorder.openExchange(
            sensitive: SensitivePaths(request: ["body.auth"], response: ["jwt"]))
        let talk = Talk(deflate, size: size)
        let contents =
            SocketRun.handshake(deflate, headers: ["Sec-WebSocket-Protocol": "v1"])
            + talk.records.map { .socketFrame($0) } + [.end(EndRecord(how: .complete))]
        for content in contents {
            recorder.observe(content, exchange: exchange, at: 0)
            recorder.commit()
        }
        try recorder.close()

        try await expectNothing(of: path, in: folder)
        let frames = RevealedFrames(try TapeReader(path: path))
        var readers = [WebSocketRole.client, .server].map {
            (reader: WebSocketReader(sender: $0, deflate: deflate), texts: [String]())
        }
        while let revealed = try frames.next() {
            #expect(revealed.open.isEmpty)
            guard case .frame(let frame) = revealed.item,
                case .socketFrame(let record) = try frame.content()
            else { continue }
            let side = record.sender == .client ? 0 : 1
            readers[side].texts += readers[side].reader.receive(record)
                .compactMap(\.message?.text)
        }
        expect(readers[0].texts, Talk.client)
        expect(readers[1].texts, Talk.server)
    }

    /// The masked texts; of a secret in small frames, at most five bytes of a beginning stay.
    private func expect(_ texts: [String], _ masked: [String]) {
        #expect(texts.count == masked.count)
        for (text, masked) in zip(texts, masked) {
            let differing = zip(text.utf8, masked.utf8).filter { $0 != $1 }
            #expect(text.utf8.count == masked.utf8.count)
            #expect(differing.count <= 10, "\(text)")
            #expect(differing.allSatisfy { $0.1 == UInt8(ascii: "*") }, "\(text)")
        }
    }

    /// In the file, unzipped, as lines, and in what the lines have in base64.
    private func expectNothing(of path: String, in folder: TemporaryFolder) async throws {
        let unzipped = try await Command("/bin/sh", ["-c", "gzip -dc < \(path)"]).run()
        #expect(unzipped.status == 0)
        var views = [try folder.bytes("a.tape"), unzipped.output, []]
        let reader = try TapeReader(path: path)
        var deflated: [UInt8] = []
        while let item = try reader.next() {
            views[2] += item.jsonLine + [0x0A]
            guard case .frame(let frame) = item,
                case .socketFrame(let record) = try frame.content(), record.flags.contains(.rsv1)
            else { continue }
            deflated += record.bytes
        }
        #expect(reader.summary.isSealed)
        views.append(deflated)
        for start in deflated.indices {
            let inflater = MessageInflater(windowBits: 15, noContextTakeover: true)
            var plain: [UInt8] = []
            try? inflater.push(deflated, from: start, into: &plain, limit: 1 << 16)
            views.append(plain)
        }
        for view in views {
            for secret in [Self.token, Self.login] {
                let isThere = view.contains(pieceOf: secret)
                #expect(!isThere, "\(secret)")
            }
        }
    }
}
