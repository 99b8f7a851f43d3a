import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The live client against a server on the Python package `websockets`.
@Suite struct WebsocketsLiveTests {
    /// What the server is set to, and what has to be agreed on.
    static let settings: [(String, PerMessageDeflate?)] = [
        ("off", nil),
        ("", PerMessageDeflate()),
        (
            "server_bits=12 client_bits=12",
            PerMessageDeflate(serverMaxWindowBits: 12, clientMaxWindowBits: 12)
        ),
        ("server_bits=9 client_bits=15", PerMessageDeflate(serverMaxWindowBits: 9)),
        ("server_forgets", PerMessageDeflate(serverNoContextTakeover: true)),
        (
            "server_forgets client_forgets server_bits=10 client_bits=11",
            PerMessageDeflate(
                serverNoContextTakeover: true, clientNoContextTakeover: true,
                serverMaxWindowBits: 10, clientMaxWindowBits: 11)
        ),
    ]

    /// Those over 1,000 bytes come back in two frames.
    static let messages: [(WebSocketMessage.Kind, [UInt8])] = [
        (.text, Array(#"{"type":"streamed_message","delta":"größer 🦆"}"#.utf8)), (.text, []),
        (.binary, (0..<5_000).map { UInt8($0 * $0 % 251) }),
        (.text, Array(#"{"type":"streamed_message","delta":"größer 🦆"}"#.utf8)),
        (.text, Array(String(repeating: "ab🦆1", count: 150_000).utf8)), (.binary, []),
    ]

    @Test(arguments: [false, true])
    func everyMessageComesBack(isTLS: Bool) async throws {
        let server = try await Server(isTLS: isTLS)
        for (number, (setting, agreed)) in Self.settings.enumerated() {
            try await server.peer.tell("use \(setting)")
            let witness = Witness()
            let socket = try await server.open(witness)
            #expect(socket.agreement.deflate == agreed, "\(setting)")
            var messages = socket.messages.makeAsyncIterator()
            for (kind, bytes) in Self.messages {
                if kind == .text {
                    try await socket.send(text: String(decoding: bytes, as: UTF8.self))
                } else {
                    try await socket.send(binary: bytes)
                }
                let message = try await messages.next()
                #expect(message?.kind == kind, "\(setting)")
                #expect(message?.bytes == bytes, "\(setting)")
            }
            try await socket.ping([1, 2, 3])
            try await socket.close(code: .goingAway, reason: "done")
            #expect(try await messages.next() == nil)
            #expect(socket.closure == WebSocket.Closure(code: .goingAway, reason: "done"))
            try await witness.untilEnd()
            #expect(witness.end == EndRecord(how: .complete))
            try Self.expectTold(witness, connection: number + 1, of: server.peer, setting)
        }
    }

    /// A server, and a transport that trusts it.
    private struct Server {
        let peer: Peer
        let authority: Authority?
        let transport: CurlTransport

        init(isTLS: Bool) async throws {
            authority = isTLS ? try await Authority.make() : nil
            if let authority {
                peer = try await Peer.start(
                    "websockets_peer.py", "--cert", authority.certificate, "--key", authority.key)
            } else {
                peer = try await Peer.start("websockets_peer.py")
            }
            transport = CurlTransport(
                options: CurlOptions(caFile: authority?.file, proxy: .none))
        }

        func open(_ witness: Witness = Witness()) async throws -> WebSocket {
            let url = "\(authority == nil ? "ws" : "wss")://127.0.0.1:\(peer.port)/"
            return try await WebSocket.open(
                Request(method: "GET", url: url), over: transport, observer: witness)
        }
    }

    /// The frames that were told are those of the server's own log, in order.
    private static func expectTold(
        _ witness: Witness, connection: Int, of peer: Peer, _ setting: String
    ) throws {
        let log = try peer.readLog().records(on: connection)
        for side in WebSocketRole.allCases {
            let told = witness.frames(of: side).map(\.frame)
            #expect(told == log.filter { $0.sender == side }.map(\.frame), "\(setting), \(side)")
            #expect(told.count >= messages.count)
        }
    }

    @Test(
        arguments: [
            (1000, ""), (1001, "the server goes"), (1011, "größer 🦆"), (3000, ""), (4999, "own"),
        ] as [(UInt16, String)])
    func theServersCloseIsTold(code: UInt16, reason: String) async throws {
        let server = try await Server(isTLS: false)
        let witness = Witness()
        let socket = try await server.open(witness)
        try await socket.send(text: "peer:close \(code) \(reason)")
        var messages = socket.messages.makeAsyncIterator()
        #expect(try await messages.next() == nil)
        #expect(
            socket.closure
                == WebSocket.Closure(code: WebSocketCloseCode(rawValue: code), reason: reason))
        try await witness.untilEnd()
        #expect(witness.end == EndRecord(how: .complete))
    }

    @Test(arguments: [false, true])
    func aServerThatDiesIsACut(isTLS: Bool) async throws {
        let server = try await Server(isTLS: isTLS)
        let witness = Witness()
        let socket = try await server.open(witness)
        try await socket.send(text: "peer:die")
        let error = await #expect(throws: WebSocketError.self) {
            for try await _ in socket.messages {}
        }
        #expect(error?.errorCode == "transport.closed")
        try await witness.untilEnd()
        #expect(witness.end?.how == .reset)
        #expect(socket.closure == nil)
    }

    /// How long a message is on its way. The figures are only shown: all other tests share the
    /// machine.
    @Test func howLongAMessageTakes() async throws {
        for isTLS in [false, true] {
            let server = try await Server(isTLS: isTLS)
            let socket = try await server.open()
            try await socket.send(text: "peer:tick 300 0.01")
            var (sinceSent, sinceArrival): ([Int64], [Int64]) = ([], [])
            for try await message in socket.messages {
                let now = LiveClock().now()
                sinceSent.append(now - (try #require(Int64(message.text))))
                sinceArrival.append(now - message.time)
                if sinceSent.count == 300 { break }
            }
            try await socket.close()
            #expect(sinceSent.allSatisfy { $0 > 0 } && sinceArrival.allSatisfy { $0 >= 0 })
            let name = isTLS ? "wss" : "ws"
            print("\(name), server's send to message:", Self.figures(sinceSent))
            print("\(name), arrival to message:", Self.figures(sinceArrival))
        }
    }

    private static func figures(_ values: [Int64]) -> String {
        let sorted = values.sorted()
        let percentile = { sorted[min(sorted.count - 1, sorted.count * $0 / 100)] / 1_000 }
        return "p50 \(percentile(50)) µs, p99 \(percentile(99)) µs of \(values.count)"
    }
}

extension PeerLog {
    /// The frames of a connection, both sides', as they were on the wire but for the mask.
    func records(on connection: Int) -> [SocketFrameRecord] {
        frames(on: connection).map { entry in
            let rsv = entry.rsv ?? 0
            let frame = WebSocketFrame(
                WebSocketFrame.Opcode(rawValue: UInt8(entry.opcode ?? 0)), entry.data,
                isFinal: entry.fin ?? false, rsv1: rsv & 4 != 0, rsv2: rsv & 2 != 0,
                rsv3: rsv & 1 != 0)
            return SocketFrameRecord(frame, from: entry.by == "server" ? .server : .client)
        }
    }
}
