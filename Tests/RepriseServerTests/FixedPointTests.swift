import RepriseCurl
import RepriseServer
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Record, serve, record again: the second tape equals the first.
@Suite struct FixedPointTests {
    static let names =
        (try? FileManager.default.contentsOfDirectory(
            atPath: "\(Workspace.root)/Recordings"))?
        .filter { $0.hasSuffix(".tape") }.sorted() ?? []

    @Test func thereAreRecordings() { #expect(Self.names.count >= 24) }

    @Test(arguments: names)
    func secondTape(name: String) async throws {
        let first = try Recording(path: "\(Workspace.root)/Recordings/\(name)")
        let serving = try Serving.start(first)
        let folder = try TemporaryFolder()
        let recorder = try TapeRecorder(path: folder.file("second.tape"))
        let transport = RecordingTransport(
            base: CurlTransport(options: CurlOptions(proxy: .none)), recorder: recorder)
        var sockets: [UInt64: RepeatedSocket] = [:]
        for step in steps(first) {
            if step.event == nil, step.exchange.request.transport == .websocket {
                sockets[step.exchange.id] = try await RepeatedSocket(
                    step.exchange, request(step.exchange, at: serving.server.url), over: transport)
            } else if step.event == nil {
                try await repeatExchange(step.exchange, over: transport, at: serving.server.url)
            } else if let event = step.event {
                try await sockets[step.exchange.id]?.play(event)
            }
        }
        try recorder.close()
        await serving.server.stop()
        #expect(serving.misses.withLock { $0 } == [])
        let second = try Recording(path: folder.file("second.tape"))
        try #require(second.exchanges.count == first.exchanges.count)
        for (old, new) in zip(first.exchanges, second.exchanges) { compare(old, new) }
    }

    /// The requests, and what happened on WebSockets, in the order of the tape.
    private func steps(
        _ recording: Recording
    ) -> [(exchange: Recording.Exchange, event: Recording.Event?)] {
        let all = recording.exchanges.flatMap { exchange in
            let isSocket = exchange.request.transport == .websocket
            let events = isSocket ? exchange.events : []
            return [(exchange.frame, exchange, nil as Recording.Event?)]
                + events.map { ($0.frame, exchange, $0) }
        }
        return all.sorted { $0.0 < $1.0 }.map { ($0.1, $0.2) }
    }

    private func request(_ exchange: Recording.Exchange, at url: String) -> Request {
        let own = exchange.request.headers.fields.filter { field in
            !["host", "content-length"].contains(field.name.description.lowercased())
        }
        return Request(
            method: exchange.request.method, url: url + path(exchange), headers: Headers(own),
            body: exchange.requestBody)
    }

    /// Sends the recorded request again, and reads as far as was recorded.
    private func repeatExchange(
        _ exchange: Recording.Exchange, over transport: RecordingTransport, at url: String
    ) async throws {
        let request = request(exchange, at: url)
        do throws(TransportError) {
            let response = try await transport.send(request)
            let count = exchange.deliveries.reduce(0) { $0 + $1.bytes.count }
            var received = 0
            var iterator = response.body.makeAsyncIterator()
            while exchange.end != nil || received < count, let delivery = try await iterator.next()
            {
                received += delivery.bytes.count
            }
            response.body.cancel()
        } catch {
            #expect(exchange.end?.how == error.how)
        }
    }

    private func compare(_ old: Recording.Exchange, _ new: Recording.Exchange) {
        #expect(new.request.method == old.request.method)
        #expect(path(new) == path(old))
        #expect(kept(new.request.headers) == kept(old.request.headers))
        #expect(new.requestBody == old.requestBody)
        #expect(new.response?.status == old.response?.status)
        #expect(new.response?.reason == old.response?.reason)
        #expect(kept(new.response?.headers) == kept(old.response?.headers))
        #expect(new.deliveries.map(\.bytes) == old.deliveries.map(\.bytes))
        #expect(new.deliveries.map(\.isDecoded) == old.deliveries.map(\.isDecoded))
        for side in WebSocketRole.allCases {
            #expect(frames(new, of: side) == frames(old, of: side))
        }
        guard let end = old.end else { return }
        #expect(new.end?.how == end.how)
        #expect(new.end?.code == end.code)
        #expect(new.end?.framing == end.framing)
        #expect(new.end?.proven == end.proven)
        #expect(words(new.end?.message) == words(end.message))
    }

    private func frames(
        _ exchange: Recording.Exchange, of side: WebSocketRole
    ) -> [SocketFrameRecord] {
        exchange.events.compactMap { event in
            guard case .socketFrame(let record) = event.content, record.sender == side else {
                return nil
            }
            // Who is cut off may have answered the last ping, or not any more.
            let isPong = record.frame.opcode == .pong
            return isPong && side == .client && exchange.end?.how == .reset ? nil : record
        }
    }

    private func path(_ exchange: Recording.Exchange) -> String {
        let parts = exchange.request.url.description
            .split(separator: "/", omittingEmptySubsequences: false)
        return "/" + parts.dropFirst(3).joined(separator: "/")
    }

    private func kept(_ headers: Headers?) -> [String] {
        (headers?.fields ?? [])
            .filter { field in
                !["host", "date", "connection", "sec-websocket-accept"]
                    .contains(field.name.description.lowercased())
            }
            .map { "\($0.name): \($0.value)" }
    }

    /// A message without the address at its beginning.
    private func words(_ message: String?) -> String? {
        message.map { String($0.drop { $0 != " " }) }
    }
}

/// A recorded WebSocket whose client says the same again.
private final class RepeatedSocket {
    private let channel: (any SocketChannel)?
    private var own: ArraySlice<WebSocketFrame>
    private let ended = EndObserver()

    init(
        _ exchange: Recording.Exchange, _ request: Request, over transport: RecordingTransport
    ) async throws {
        let agreed = try WebSocketAgreement(
            request: exchange.request.headers, response: exchange.response?.headers ?? [:])
        let records = exchange.events.compactMap { event -> SocketFrameRecord? in
            guard case .socketFrame(let record) = event.content, record.sender == .client else {
                return nil
            }
            return record
        }
        own = RecordedSocketFrames.frames(records, of: .client, deflate: agreed.deflate)[...]
        let response = try await transport.connect(
            request, options: SocketOptions(), observer: ended)
        if case .switched(let channel) = response.outcome {
            self.channel = channel
        } else {
            channel = nil
        }
    }

    /// Does what happened, or waits for it.
    func play(_ event: Recording.Event) async throws {
        switch event.content {
        case .socketFrame(let record) where record.sender == .client:
            guard let frame = own.popFirst() else { return }
            do { try await channel?.send([frame]) } catch {
                // The server waits for no pong before it cuts the connection.
                guard frame.opcode == .pong else { throw error }
            }
        // Several frames may come at once, and then the end where a frame is waited for.
        case .socketFrame: _ = try? await channel?.next()
        case .end(let record):
            // Where the server ended it, that comes first.
            if record.how != .cancelled {
                while let found = try? await channel?.next() { _ = found }
            }
            channel?.end(record)
            // It is told by the transport's thread.
            while !ended.isTold { try await LiveClock().sleep(for: 1_000_000) }
        default: break
        }
    }
}

private final class EndObserver: ExchangeObserver {
    private let end = Locked(false)
    var isTold: Bool { end.withLock { $0 } }

    func observe(_ content: FrameContent, at time: Int64) {
        if case .end = content { end.withLock { $0 = true } }
    }

    func commit() {}
}
