import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// A frame of a server that the end of the connection cuts off: its bytes are on the tape.
@Suite struct CutOffFrameTests {
    /// Heads of 2, 4 and 10 bytes.
    private static let frames = [
        WebSocketFrame.text("hello"), WebSocketFrame(.binary, [UInt8](repeating: 9, count: 200)),
        WebSocketFrame(.text, [UInt8](repeating: 97, count: 70_000), isFinal: false),
        WebSocketFrame(.close, [3, 0xE8]),
    ]

    /// All of a head, some of a payload, and all but a byte.
    static let begun: [[UInt8]] = frames.flatMap { frame -> [[UInt8]] in
        let bytes = frame.served
        let head = bytes.count - frame.payload.count
        let sizes = Array(1...head + 2) + [bytes.count - 1]
        return Set(sizes).filter { $0 < bytes.count }.sorted().map { Array(bytes[..<$0]) }
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test(arguments: [false, true])
    func isOnTheTapeAndComesAgain(isReset: Bool) async throws {
        let peer = try await RawPeer.shared()
        for (number, begun) in Self.begun.enumerated() {
            let path = "/cut-off/\(isReset)/\(number)"
            try await peer.script(
                [
                    .send(Dial.switching), .bytes(WebSocketFrame.text("whole").served + begun),
                    isReset ? .reset : .fin,
                ], at: path)
            let first = try await record(
                path, as: "\(number)", over: CurlTransport.direct, at: "http://\(peer.place)")
            let comment: Comment = "\(begun.prefix(16)) of \(begun.count)"
            #expect(first.bytes == WebSocketFrame.text("whole").served + begun, comment)
            #expect(first.kinds == ["response", "socketFrame", "responseBody", "end"], comment)
            #expect(first.end?.how == .reset, comment)
            // A replay says the same again, and so does a record of it.
            let replay = ReplayTransport(recording: first.recording)
            let second = try await record(
                path, as: "\(number)-again", over: replay, at: "http://\(peer.place)")
            #expect(second.bytes == first.bytes && second.kinds == first.kinds, comment)
            #expect(second.end == first.end, comment)
        }
    }

    /// A client that leaves within a frame has what came of it, too.
    @Test func isOnTheTapeOfWhoLeaves() async throws {
        let peer = try await RawPeer.shared()
        let path = "/cut-off/cancelled"
        let begun = Array(Self.frames[1].served.prefix(50))
        try await peer.script(
            [.send(Dial.switching), .bytes(WebSocketFrame.text("whole").served + begun), .hang],
            at: path)
        let dial = await Dial.make(peer.url(path))
        #expect(try await dial.channel?.next()?.text == "whole")
        dial.channel?.end(EndRecord(how: .cancelled))
        try await dial.witness.untilEnd()
        #expect(dial.witness.deliveries.map(\.bytes) == [begun])
    }

    /// What is on a tape of an exchange.
    private struct Tape {
        var recording: Recording
        /// What the server said, as on the wire.
        var bytes: [UInt8] = []
        var kinds: [String] = []
        var end: EndRecord?
    }

    private func record(
        _ path: String, as name: String, over base: some Transport, at url: String
    ) async throws -> Tape {
        let file = folder.file("\(name).tape")
        let recorder = try TapeRecorder(path: file)
        let transport = RecordingTransport(base: base, recorder: recorder)
        let response = try await transport.connect(
            Request(method: "GET", url: url + path, headers: Dial.headers),
            options: SocketOptions(), observer: nil)
        guard case .switched(let channel) = response.outcome else {
            throw TransportError(how: .failed, .failed, "refused")
        }
        do {
            while try await channel.next() != nil {}
            channel.end(EndRecord(how: .reset, code: "transport.reset"))
            // Back when the channel has come that far.
            try await channel.send([])
        } catch {}
        try recorder.close()
        let recording = try Recording(path: file)
        var tape = Tape(recording: recording)
        for event in recording.exchanges.first?.events ?? [] {
            switch event.content {
            case .socketFrame(let record): tape.bytes += record.frame.served
            case .responseBody(let bytes): tape.bytes += bytes
            case .end(let record): tape.end = record
            case .response: break
            default: continue
            }
            tape.kinds.append("\(event.content.kind.lineName)")
        }
        return tape
    }
}
