import RepriseWire
import TestSupport
import Testing

/// Both roles against the Python package `websockets`, with every way to deflate that it knows.
struct WebsocketsTests {
    /// What the package is set to, and what has to be agreed on.
    static let settings: [(String, PerMessageDeflate?)] = [
        ("off", nil),
        ("", PerMessageDeflate()),
        (
            "server_bits=12 client_bits=12",
            PerMessageDeflate(serverMaxWindowBits: 12, clientMaxWindowBits: 12)
        ),
        (
            "server_bits=9 client_bits=9",
            PerMessageDeflate(serverMaxWindowBits: 9, clientMaxWindowBits: 9)
        ),
        ("server_bits=9 client_bits=15", PerMessageDeflate(serverMaxWindowBits: 9)),
        ("server_forgets", PerMessageDeflate(serverNoContextTakeover: true)),
        ("client_forgets", PerMessageDeflate(clientNoContextTakeover: true)),
        (
            "server_forgets client_forgets server_bits=10 client_bits=11",
            PerMessageDeflate(
                serverNoContextTakeover: true, clientNoContextTakeover: true,
                serverMaxWindowBits: 10, clientMaxWindowBits: 11)
        ),
    ]

    @Test func ourClientAndItsServer() async throws {
        let peer = try await Peer.start("websockets_peer.py")
        for (setting, agreed) in Self.settings + [
            // A window that the package can only read.
            ("client_bits=8", PerMessageDeflate(clientMaxWindowBits: 8))
        ] {
            try await peer.tell("use \(setting)")
            let port = peer.port
            let received = try await blocking {
                var connection = try SocketConnection(
                    to: "/", port: port, offers: [PerMessageDeflate.Offer()])
                return Self.exchange(&connection)
            }
            #expect(received.map(\.bytes) == Self.messages.map(\.bytes), "\(setting)")
            #expect(received.map(\.kind) == Self.messages.map(\.kind), "\(setting)")
            #expect(received.allSatisfy { $0.isDeflated == (agreed != nil) }, "\(setting)")
        }
    }

    @Test func ourServerAndItsClient() async throws {
        let peer = try await Peer.start("websockets_peer.py")
        for (setting, agreed) in Self.settings {
            let (listener, port) = try BlockingSocket.listening()
            async let agreement = blocking {
                var connection = SocketConnection(
                    accepting: try listener.accepted(), deflate: agreed)
                connection?.echo()
                return connection?.endpoint.state
            }
            defer { listener.stop() }
            try await peer.tell("use \(setting)")
            try await peer.tell("call \(port)")
            #expect(try await agreement == .closed, "\(setting)")
        }
    }

    private static let messages: [(kind: WebSocketMessage.Kind, bytes: [UInt8])] =
        RoundTripTests.messages.map { ($0.0 == .text ? .text : .binary, $0.1) }

    /// Sends each message when the one before it came back, every other one in fragments, with a
    /// ping between; closes behind the last.
    private static func exchange(_ connection: inout SocketConnection) -> [WebSocketMessage] {
        var received: [WebSocketMessage] = []
        connection.write(frames(0, connection.endpoint))
        connection.run { event, endpoint in
            guard let message = event.message else { return [] }
            received.append(message)
            return frames(received.count, endpoint)
        }
        return received
    }

    private static func frames(_ index: Int, _ endpoint: WebSocketEndpoint) -> [WebSocketFrame] {
        guard index < messages.count else {
            return (try? [endpoint.send(close: .normal)]) ?? []
        }
        let (kind, bytes) = messages[index]
        let size = index % 2 == 0 ? nil : 300
        let message =
            kind == .text
            ? try? endpoint.send(text: bytes, frameBytes: size)
            : try? endpoint.send(binary: bytes, frameBytes: size)
        return (message ?? []) + ((try? [endpoint.send(ping: [UInt8(index)])]) ?? [])
    }
}
