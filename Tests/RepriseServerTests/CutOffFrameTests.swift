import RepriseCurl
import RepriseServer
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Record, serve, record again, where the connection ended within a frame.
@Suite struct CutOffFrameTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// All of a head of 2 and of 4 bytes, and some of a payload; `*` is a masked one.
    private static let begun: [[UInt8]] = {
        let short = WebSocketFrameEncoder.server(.text("hello"))
        let long = WebSocketFrameEncoder.server(.text(String(repeating: "*", count: 300)))
        return (1..<short.count).map { Array(short[..<$0]) }
            + (1..<8).map { Array(long[..<$0]) } + [Array(long.dropLast())]
    }()

    @Test(arguments: [
        EndRecord(how: .reset, code: "transport.reset", message: "the peer reset the connection"),
        EndRecord(how: .reset, code: "transport.closed", message: "the peer closed it"),
    ])
    func comesAgain(end: EndRecord) async throws {
        for (number, begun) in Self.begun.enumerated() {
            var tape = ServedSocketTape(frames: [(.server, .text("whole"))])
            tape.stray = begun
            tape.end = end
            let first = try tape.recording()
            let serving = try Serving.start(first)
            let (second, isReset) = try await record(serving.server.url, as: "\(number).tape")
            #expect(isReset == (end.code == "transport.reset"))
            await serving.server.untilConsumed()
            #expect(serving.server.isAllConsumed)
            await serving.server.stop()
            #expect(bytes(first) == bytes(second), "\(begun)")
            #expect(bytes(second).last == begun)
        }
    }

    private func record(
        _ url: String, as name: String
    ) async throws -> (recording: Recording, isReset: Bool) {
        let recorder = try TapeRecorder(path: folder.file(name))
        let base = CurlTransport(options: CurlOptions(proxy: .none))
        let transport = RecordingTransport(base: base, recorder: recorder)
        let response = try await transport.connect(
            Request(method: "GET", url: url + "/x", headers: RawSocket.headers),
            options: SocketOptions(), observer: nil)
        var isReset = false
        if case .switched(let channel) = response.outcome {
            do {
                while try await channel.next() != nil {}
                channel.end(EndRecord(how: .reset, code: "transport.closed"))
                // Back when the channel has come that far.
                _ = try? await channel.send([])
            } catch {
                isReset = error.code == .reset
            }
        }
        try recorder.close()
        return (try Recording(path: folder.file(name)), isReset)
    }

    private func bytes(_ recording: Recording) -> [[UInt8]] {
        (recording.exchanges.first?.events ?? []).compactMap { event in
            switch event.content {
            case .socketFrame(let record): WebSocketFrameEncoder.server(record.frame)
            case .responseBody(let bytes): bytes
            default: nil
            }
        }
    }
}
