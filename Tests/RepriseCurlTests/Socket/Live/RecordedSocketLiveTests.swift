import RepriseCurl
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

/// A live WebSocket, recorded at full speed.
@Suite struct RecordedSocketLiveTests {
    @Test func tenThousandFramesAreOnTheTapeAsOnTheWire() async throws {
        let count = 10_000
        let folder = try TemporaryFolder()
        let path = folder.file("flood.tape")
        let peer = try await Peer.start("websockets_peer.py")
        let recorder = try TapeRecorder(path: path)
        let transport = RecordingTransport(base: CurlTransport.direct, recorder: recorder)
        let socket = try await WebSocket.open(
            Request(method: "GET", url: "ws://127.0.0.1:\(peer.port)/"), over: transport)
        let (began, before) = (LiveClock().now(), Self.resident)
        try await socket.send(text: "peer:flood \(count) 1500")
        var (messages, bytes) = (0, 0)
        for try await message in socket.messages {
            if message.text == "done" { break }
            messages += 1
            bytes += message.bytes.count
        }
        let (took, after) = (LiveClock().now() - began, Self.resident)
        try await socket.close()
        try recorder.close()
        #expect(messages == count)
        print(
            "\(messages) messages, \(bytes >> 10) KiB, in \(took / 1_000_000) ms;",
            "memory before \(before >> 10) KiB, after \(after >> 10) KiB")

        let told = try Self.frames(path)
        let log = try peer.readLog().records(on: 1)
        for side in WebSocketRole.allCases {
            let isSame = told.filter { $0.sender == side } == log.filter { $0.sender == side }
            #expect(isSame, "\(side)")
        }
        // The flood, `done` and the close frame; all but the last deflated.
        #expect(told.filter { $0.sender == .server && $0.flags.contains(.rsv1) }.count == count + 1)
        #expect(told.count == count + 4)
    }

    private static func frames(_ path: String) throws -> [SocketFrameRecord] {
        let reader = try TapeReader(path: path)
        var frames: [SocketFrameRecord] = []
        while let item = try reader.next() {
            guard case .frame(let frame) = item, case .socketFrame(let record) = try frame.content()
            else { continue }
            frames.append(record)
        }
        #expect(reader.summary.isSealed)
        return frames
    }

    /// How much memory the process has, in bytes; 0 where the system does not say.
    private static var resident: Int {
        guard let text = try? Data(contentsOf: URL(fileURLWithPath: "/proc/self/statm")) else {
            return 0
        }
        let fields = String(decoding: text, as: UTF8.self).split(separator: " ")
        return (fields.count > 1 ? Int(fields[1]) ?? 0 : 0) * 4_096
    }
}
