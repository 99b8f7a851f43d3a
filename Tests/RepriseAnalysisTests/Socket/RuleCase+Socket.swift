import RepriseTape
import RepriseWire

/// Recordings of WebSockets that break one rule each.
extension RuleCase {
    static let socket = frames + closes + rest

    private static let frames = [
        RuleCase("ws.W1a", failed { $0.frame(at: 20, .text, rsv2: true) }),
        RuleCase("ws.W1a", failed { $0.frame(at: 20, .init(rawValue: 5)) }),
        RuleCase("ws.W1b", failed { $0.noFrame(at: 20, [0x81, 0x80, 0, 0, 0, 0]) }),
        RuleCase("ws.W1b", failed("masked") { _ in }),
        RuleCase("ws.W1c", failed { $0.noFrame(at: 20, [0x81, 126, 0, 5]) }),
        RuleCase("ws.W1c", failed { $0.noFrame(at: 20, [0x81, 127, 128, 0, 0, 0, 0, 0, 0, 0]) }),
        RuleCase("ws.W1c", failed { $0.frame(at: 20, .ping, .init(repeating: 0, count: 126)) }),
        RuleCase("ws.W1d", failed { $0.frame(at: 20, .ping, isFinal: false) }),
        RuleCase("ws.W1d", failed { $0.frame(at: 20, .continuation) }),
        RuleCase(
            "ws.W1d",
            failed {
                $0.frame(at: 20, .text, isFinal: false)
                $0.frame(at: 21, .text)
            }),
        RuleCase("ws.W3a", failed { $0.frame(at: 20, .text, [0x41, 0xFF]) }),
        RuleCase("ws.W3a", failed { $0.frame(at: 20, .text, [0xFF], from: .client) }),
        RuleCase("ws.W3b", failed { $0.frame(at: 20, .close, [0x03, 0xE8, 0xFF]) }),
        RuleCase("ws.W5a", failed(deflate: nil) { $0.frame(at: 20, .text, rsv1: true) }),
        RuleCase("ws.W5a", failed { $0.frame(at: 20, .ping, rsv1: true) }),
        RuleCase("ws.W5b", failed { $0.frame(at: 20, .text, [0xFF, 0xFF], rsv1: true) }),
        // Stored inflated.
        RuleCase("ws.W3a", failed { $0.inflated(at: 20, [0x2A, 0xFF]) }),
        RuleCase("ws.W5b", failed { $0.inflated(at: 20, [0x2A], flags: .corrupt) }),
    ]

    private static let closes =
        [
            RuleCase("ws.W2a", failed { $0.frame(at: 20, .close, [0x03]) }),
            RuleCase("ws.W2a", failed { $0.frame(at: 20, .close, [0x03, 0xED]) }),
            RuleCase(
                "ws.W2b",
                failed {
                    $0.frame(at: 20, .close, [0x03, 0xE8])
                    $0.frame(at: 21, .text, [0x41])
                }),
            RuleCase("ws.W2c", ended("reset") { _ in }),
            RuleCase("ws.W2c", ended("reset") { $0.frame(at: 20, .close, from: .client) }),
            RuleCase("ws.W2c", ended("complete") { $0.frame(at: 20, .close, from: .client) }),
            RuleCase("ws.W2c", count: 2, ended("complete") { _ in }),
        ]
        + begun.map { begun in
            RuleCase("ws.W2c", ended("reset") { $0.noFrame(at: 20, begun) })
        }

    /// Frames that did not come whole.
    static let begun: [[UInt8]] = [
        [0x81], [0x81, 5], [0x81, 5, 0x68], [0x01, 126], [0x82, 126, 1], [0xC1, 126, 1, 0],
        [0x81, 126, 1, 0, 0xFF, 0x2A], [0x88, 2, 3], [0x82, 127, 0, 0, 0, 0, 0, 1],
        [0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0, 7],
    ]

    private static let rest = [
        RuleCase("ws.W4", pinged(.client)),
        RuleCase("ws.W4", pinged(.server)),
        // The server closes behind the ping and answers nothing.
        RuleCase(
            "ws.W4",
            ended("complete") {
                $0.frame(at: 20, .ping, from: .client)
                $0.frame(at: 21, .close, from: .client)
                $0.frame(at: 22, .close)
            }),
        RuleCase("ws.W6", answered(["Sec-WebSocket-Accept": "c29tZXRoaW5nIGVsc2U="])),
        RuleCase("ws.W6", answered([:])),
        RuleCase(
            "ws.W6",
            answered(
                ["Sec-WebSocket-Extensions": "x-other"], request: ["Sec-WebSocket-Extensions": ""])
        ),
        RuleCase("http.H1", refused(403)),
        RuleCase("http.H1", refused(200)),
        RuleCase("tape.R1", ended(nil) { _ in }),
    ]

    /// A socket that a violation ended, with what its end says of it.
    private static func failed(
        _ code: JSON = "reservedBits", deflate: PerMessageDeflate? = PerMessageDeflate(),
        _ body: (inout Recording) -> Void
    ) -> Recording {
        var scene = SocketScene()
        scene.open(deflate: deflate)
        scene.send("hello", at: 10)
        body(&scene.recording)
        scene.recording.add(
            "end", 1, 30, ["how": "failed", "code": .string("websocket.\(code.string ?? "")")])
        return scene.recording
    }

    static func ended(_ how: String?, _ body: (inout Recording) -> Void) -> Recording {
        var scene = SocketScene()
        scene.open()
        scene.send("hello", at: 10)
        body(&scene.recording)
        if let how { scene.recording.end(1, at: 30, how) }
        return scene.recording
    }

    private static func pinged(_ role: WebSocketRole) -> Recording {
        var scene = SocketScene()
        scene.open()
        scene.recording.frame(at: 10, .ping, [1], from: role)
        scene.send("hello", at: 1_011)
        scene.close(at: 1_020)
        return scene.recording
    }

    private static func answered(_ headers: Headers, request: Headers? = nil) -> Recording {
        var recording = Recording(client: nil)
        let asked: Headers = ["Sec-WebSocket-Key": SocketScene.key]
        recording.upgrade(1, at: 0, request ?? asked)
        recording.switched(1, at: 5, headers)
        recording.add("end", 1, 6, ["how": "failed", "code": "websocket.handshake"])
        return recording
    }

    private static func refused(_ status: JSON) -> Recording {
        var recording = Recording(client: nil)
        recording.upgrade(1, at: 0)
        recording.switched(1, at: 5, ["Content-Type": "text/plain"], status: status)
        recording.body(1, at: 6, "go away")
        recording.end(1, at: 7)
        return recording
    }
}

extension Recording {
    /// Bytes of the server that are no frame.
    mutating func noFrame(at time: Double, _ bytes: [UInt8]) {
        add("responseBody", 1, time, ["base64": .string(base64(bytes))])
    }
}
