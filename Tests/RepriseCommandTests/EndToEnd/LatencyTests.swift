import RepriseCurl
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite("Out of the way", .timeLimit(.minutes(10)))
struct LatencyTests {
    @Test("While recording, the app gets each of 200 compressed chunks when it arrives")
    func latency() async throws {
        let folder = try TemporaryFolder()
        let peer = try await Peer.start("ago")
        let recorder = try TapeRecorder(path: folder.file("latency.tape"))
        let transport = RecordingTransport(base: CurlTransport.shared, recorder: recorder)
        let wishes = "peer:chunks=200,gap=3,cuts=hard,coding=gzip,stream=anthropic-messages"
        let response = try await transport.send(
            Request(
                method: "POST", url: "\(peer.agoURL)/messages",
                headers: [
                    "Origin": "https://app.example.com", "X-User-Anon-Id": "someone",
                    "Content-Type": "application/json", "Accept-Encoding": "gzip, deflate",
                ],
                body: Array(#"{"content":"Speak \#(wishes)"}"#.utf8)))
        var received: [(bytes: [UInt8], sinceArrival: Int64, time: Int64)] = []
        for try await delivery in response.body {
            let since = transport.context.clock.now() - delivery.time
            received.append((delivery.bytes, since, Workspace.monotonic))
        }
        try recorder.close()

        let sent = try peer.readLog().pieces(of: 1)
        #expect(sent.count >= 200)
        #expect(received.map(\.bytes) == sent.map(\.data))
        let sinceSent = zip(received, sent).map { $0.time - $1.time }
        print("since arrival:", Self.figures(received.map(\.sinceArrival)))
        print("since the peer sent it:", Self.figures(sinceSent))
        // 5 ms at p99 is promised, and kept where nothing else runs. Here all other tests share
        // the threads of this process, so the figures are only shown; `make demo` takes them alone.
    }

    static func percentile(_ percent: Int, of values: [Int64]) -> Int64 {
        let sorted = values.sorted()
        return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * percent / 100)]
    }

    static func figures(_ values: [Int64]) -> String {
        let (half, high) = (percentile(50, of: values), percentile(99, of: values))
        return "p50 \(half / 1000) µs, p99 \(high / 1000) µs of \(values.count) chunks"
    }
}
