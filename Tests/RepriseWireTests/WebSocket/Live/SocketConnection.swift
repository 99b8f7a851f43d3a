import RepriseWire
import TestSupport

/// An end of a WebSocket on a socket: the thinnest driver that an endpoint can have.
struct SocketConnection {
    let endpoint: WebSocketEndpoint
    private let socket: BlockingSocket
    private var decoder: WebSocketFrameDecoder
    private var pending: [UInt8]
    private var random = SeededGenerator(seed: 11)

    /// Answers the handshake of a client; nil where it is none.
    init?(accepting socket: BlockingSocket, deflate: PerMessageDeflate? = PerMessageDeflate()) {
        guard let head = MessageHead(from: socket) else { return nil }
        let answer: WebSocketHandshake.Answer
        do throws(WebSocketHandshakeError) {
            answer = try WebSocketHandshake.answer(
                method: String(head.start.prefix { $0 != " " }), headers: head.headers,
                deflate: deflate)
        } catch {
            socket.write(Array("HTTP/1.1 \(error.status) Refused\r\n\r\n".utf8))
            return nil
        }
        MessageHead("HTTP/1.1 101 Switching Protocols", answer.headers).write(to: socket)
        self.init(socket, role: .server, answer.agreement, head.rest)
    }

    /// Opens a connection to a path of a server on this machine.
    init(
        to path: String, port: UInt16, offers: [PerMessageDeflate.Offer], seed: UInt64 = 0
    ) throws {
        let socket = try BlockingSocket.connected(to: port)
        let handshake = WebSocketHandshake(nonce: filler(16, seed: seed), offers: offers)
        var headers: Headers = ["Host": "127.0.0.1:\(port)"]
        headers.fields += handshake.requestHeaders.fields
        MessageHead("GET \(path) HTTP/1.1", headers).write(to: socket)
        guard let head = MessageHead(from: socket) else {
            throw TestSupportError("the handshake was not answered")
        }
        let status = Int(head.start.dropFirst(9).prefix(3)) ?? 0
        let agreement = try handshake.validate(status: status, headers: head.headers)
        self.init(socket, role: .client, agreement, head.rest)
    }

    private init(
        _ socket: BlockingSocket, role: WebSocketRole, _ agreement: WebSocketAgreement,
        _ pending: [UInt8]
    ) {
        self.socket = socket
        self.pending = pending
        endpoint = WebSocketEndpoint(role: role, agreement: agreement)
        decoder = WebSocketFrameDecoder(sender: role.peer)
    }

    /// Runs to the end of the connection; what `handle` gives for an event is sent before what
    /// follows the event is judged.
    mutating func run(_ handle: (WebSocketEvent, WebSocketEndpoint) -> [WebSocketFrame]) {
        while true {
            let bytes = pending.isEmpty ? socket.read() : pending
            pending = []
            for item in decoder.push(bytes) { take(endpoint.receive(item), handle) }
            if let partial = decoder.partial { take(endpoint.receive(partial: partial), handle) }
            if bytes.isEmpty {
                take(endpoint.finish(), handle)
                return
            }
        }
    }

    /// Sends every message back.
    mutating func echo() {
        run { event, endpoint in
            guard let message = event.message else { return [] }
            let frames =
                message.kind == .text
                ? try? endpoint.send(text: message.bytes)
                : try? endpoint.send(binary: message.bytes)
            return frames ?? []
        }
    }

    /// Sends frames.
    mutating func write(_ frames: [WebSocketFrame]) {
        for frame in frames {
            let mask = UInt32(truncatingIfNeeded: random.next())
            socket.write(encode(frame, from: endpoint.role, mask: mask))
        }
    }

    private mutating func take(
        _ step: WebSocketEndpoint.Step,
        _ handle: (WebSocketEvent, WebSocketEndpoint) -> [WebSocketFrame]
    ) {
        for event in step.events { write(handle(event, endpoint)) }
        write(step.replies)
        if step.disconnection == .now { socket.shutWriting() }
    }
}
