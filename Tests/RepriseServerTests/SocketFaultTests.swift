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

/// What a client of another make sees of a served WebSocket with faults is what ours sees of the
/// same faults in the same recording in its own process.
@Suite struct SocketFaultTests {
    /// A message, one in two frames with a ping between them, one with a longer head, the first
    /// again, and the closing handshake, where there is one.
    private static func tape(_ deflate: PerMessageDeflate?, isClosed: Bool) -> ServedSocketTape {
        let writer = WebSocketWriter(sender: .server, deflate: deflate)
        func frames(_ text: String, of count: Int = 1) -> [WebSocketFrame] {
            let whole = writer.message(.text, Array(text.utf8), deflated: deflate != nil)[0]
            if count == 1 { return [whole] }
            return [
                WebSocketFrame(
                    .text, Array(whole.payload[..<2]), isFinal: false, rsv1: whole.rsv1),
                WebSocketFrame(.ping, [1, 2]),
                WebSocketFrame(.continuation, Array(whole.payload[2...])),
            ]
        }
        let long = (0..<60).map { "größer \($0 * 7919)" }.joined(separator: ",")
        let own = frames("one") + frames("twotwo", of: 2) + frames(long) + frames("one")
        var tape = ServedSocketTape(deflate: deflate, frames: own.map { (.server, $0) })
        if isClosed {
            tape.frames.append((.server, WebSocketWriter.close(.normal)))
            tape.frames.append((.client, WebSocketWriter.close(.normal)))
        } else {
            tape.end = EndRecord(
                how: .reset, code: "transport.reset", message: "the peer reset the connection")
        }
        return tape
    }

    static let faults = [
        "cut", "cut@end=fin", "cut@event:1", "cut@event:2", "cut@event:1,end=fin", "cut@event:9",
        "cut@byte:4", "cut@byte:5", "cut@byte:6", "cut@byte:8,end=fin", "cut@byte:40",
        "cut@byte:300,end=fin", "cut@time:250ns", "cut@time:0s", "cut@time:50ns,end=fin",
        "stall@event:1,for=1us", "stall@byte:7,for=1us", "stall@time:250ns,for=1us", "stall",
        "stall@event:1", "stall@byte:7", "stall@time:250ns", "slow@event:1,delay=10ns",
        "slow@time:100ns,factor=2", "duplicate", "duplicate@event:1", "duplicate@event:2",
        "duplicate@byte:7", "duplicate@time:600ns", "reorder@event:1", "reorder@event:2",
        "reorder@event:4", "reorder@byte:3", "corrupt@event:1", "corrupt@event:3", "corrupt@byte:0",
        "corrupt@byte:1", "corrupt@byte:3", "corrupt@byte:24", "corrupt@byte:26", "corrupt@byte:40",
        "corrupt@time:600ns", "status=503", "status=503@body=no",
    ]

    /// What a client made of it.
    private struct Outcome: Equatable, CustomStringConvertible {
        var status = 101
        var messages: [String] = []
        /// The close code, 1006 where there was no close frame, 1002 where something was wrong
        /// (clients differ in what they say of a message that does not inflate); nil where nothing
        /// more came.
        var code: Int?
        var hasStruck = true

        var description: String {
            "\(status) \(messages.map { $0.prefix(12) }) \(code.map { "\($0)" } ?? "silence")"
                + (hasStruck ? "" : " unstruck")
        }
    }

    @Test(arguments: faults)
    func isAsInProcess(fault: String) async throws {
        for deflate in [nil, PerMessageDeflate()] {
            let recording = try Self.tape(deflate, isClosed: true).recording()
            let expected = try await inProcess(recording, fault, isDeflated: deflate != nil)
            let served = try await served(
                recording, fault, compression: deflate == nil ? "none" : "deflate")
            #expect(served == expected, "\(fault), deflated: \(deflate != nil)")
        }
    }

    /// A client that cannot inflate meets the faults in what is not deflated.
    @Test(arguments: faults)
    func isAsIfNothingHadBeenDeflated(fault: String) async throws {
        let plain = try Self.tape(nil, isClosed: true).recording()
        let expected = try await inProcess(plain, fault, isDeflated: false)
        let recording = try Self.tape(PerMessageDeflate(), isClosed: true).recording()
        // A message of two frames comes in one, so places in bytes and times are others.
        if fault.contains("byte") || fault.contains("time") { return }
        #expect(try await served(recording, fault, compression: "none") == expected)
    }

    private func inProcess(
        _ recording: Recording, _ fault: String, isDeflated: Bool
    ) async throws -> Outcome {
        let time = VirtualTime()
        let fault = try Fault(fault)
        return try await time.run {
            let replay = ReplayTransport(recording: recording, time: time)
            let transport = FaultTransport(base: replay, faults: [fault])
            var outcome = Outcome()
            do throws(WebSocketError) {
                let socket = try await WebSocket.open(
                    Request(method: "GET", url: "ws://a.example/x"),
                    offers: isDeflated ? [PerMessageDeflate.Offer()] : [], over: transport)
                for try await message in socket.messages { outcome.messages.append(message.text) }
                outcome.code = 1000
            } catch {
                switch error {
                case .refused(let head, _): outcome.status = head.status
                case .violation: outcome.code = 1002
                // Nobody says anything more.
                case .transport(let error) where error.how == .timedOut || error.code == .stalled:
                    outcome.code = nil
                case .transport where outcome.messages.isEmpty && fault.endsBeforeTheAnswer:
                    outcome.status = 0
                default: outcome.code = 1006
                }
            }
            outcome.hasStruck = transport.unstruck.isEmpty
            return outcome
        }
    }

    private func served(
        _ recording: Recording, _ fault: String, compression: String
    ) async throws -> Outcome {
        struct Heard: Decodable {
            var messages: [String]
            var code: Int?
            var isSilent: Bool
            var status: Int
        }
        let serving = try Serving.start(recording, faults: [try Fault(fault)])
        let output = try await Seen.output(
            ["listen", "ws://127.0.0.1:\(serving.port)/x", compression])
        await serving.server.stop()
        let heard = try JSONDecoder().decode(Heard.self, from: output)
        // Who finds something wrong says another code than was recorded.
        let isWrong = [1002, 1007].contains(heard.code)
        #expect(serving.misses.withLock { $0 }.isEmpty || isWrong)
        return Outcome(
            status: heard.status, messages: heard.messages,
            code: heard.isSilent || heard.status != 101 ? nil : isWrong ? 1002 : heard.code,
            hasStruck: serving.server.unstruck.isEmpty)
    }

    /// Byte by byte, and a RST or a FIN at the end.
    @Test(arguments: faults.filter { !$0.hasPrefix("status") })
    func theWireIsWhatAnObserverIsTold(fault: String) async throws {
        let recording = try Self.tape(nil, isClosed: false).recording()
        let expected = try await told(recording, fault)
        let serving = try Serving.start(recording, faults: [try Fault(fault)])
        let seen = try await raw(serving)
        await serving.server.stop()
        #expect(seen.bytes == expected.bytes)
        switch expected.end {
        case .timedOut: #expect(seen.end == "silence")
        case .reset where !fault.contains("end=fin"): #expect(seen.end == "reset")
        default: #expect(seen.end == "fin")
        }
    }

    /// What a recorder of our own client would have of the server.
    private func told(
        _ recording: Recording, _ fault: String
    ) async throws -> (bytes: [UInt8], end: EndRecord.How?) {
        let time = VirtualTime()
        let fault = try Fault(fault)
        let observer = WireObserver()
        try await time.run {
            let replay = ReplayTransport(recording: recording, time: time)
            let transport = FaultTransport(base: replay, faults: [fault])
            _ = try? await {
                let response = try await transport.connect(
                    Request(method: "GET", url: "ws://a.example/x", headers: RawSocket.headers),
                    options: SocketOptions(), observer: observer)
                guard case .switched(let channel) = response.outcome else { return }
                while try await channel.next() != nil {}
                channel.end(EndRecord(how: .complete))
            }()
        }
        return (observer.bytes, observer.how)
    }

    private func raw(_ serving: Serving) async throws -> (bytes: [UInt8], end: String) {
        let seen = try await Seen.client(
            "raw", serving.port, "2", input: RawSocket.handshake)
        return (seen.behindHead, seen.ending)
    }
}

/// A WebSocket without a library.
enum RawSocket {
    static let headers: Headers = [
        "Host": "a.example", "Upgrade": "websocket", "Connection": "Upgrade",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version": "13",
    ]

    static let handshake =
        "GET /x HTTP/1.1\r\n" + headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        + "\r\n"
}

extension Seen {
    /// All bytes that came behind the head.
    var behindHead: [UInt8] {
        let all = Array(cuts.joined())
        let mark = Array("\r\n\r\n".utf8)
        let start = all.indices.first { all[$0...].starts(with: mark) }
        return start.map { Array(all[($0 + mark.count)...]) } ?? []
    }

    /// How a raw connection ended.
    var ending: String {
        switch error {
        case nil: "fin"
        case "ConnectionResetError": "reset"
        case "TimeoutError": "silence"
        case let error?: error
        }
    }
}

/// Keeps what a server said on a WebSocket, as on the wire.
private final class WireObserver: ExchangeObserver {
    private let state = Locked<(bytes: [UInt8], how: EndRecord.How?)>(([], nil))

    var bytes: [UInt8] { state.withLock { $0.bytes } }
    var how: EndRecord.How? { state.withLock { $0.how } }

    func observe(_ content: FrameContent, at time: Int64) {
        state.withLock { state in
            switch content {
            case .socketFrame(let record) where record.sender == .server:
                state.bytes += WebSocketFrameEncoder.server(record.frame)
            case .responseBody(let bytes): state.bytes += bytes
            case .end(let record): state.how = record.how
            default: break
            }
        }
    }

    func commit() {}
}

extension Fault {
    /// Whether the connection ends before the handshake is answered.
    fileprivate var endsBeforeTheAnswer: Bool {
        if case .cut = kind, case .time(let time) = place { time < 100 } else { false }
    }
}
