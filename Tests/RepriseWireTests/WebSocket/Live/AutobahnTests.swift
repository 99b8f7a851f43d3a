import RepriseWire
import TestSupport
import Testing

/// The Autobahn test suite against a server, over real sockets. The tests of the live transport
/// hold the client to it.
struct AutobahnTests {
    @Test func serverRole() async throws {
        let suite = try await Peer.start("autobahn.py", AutobahnCase.chosen)
        let (listener, port) = try BlockingSocket.listening()
        async let served: Void = blocking { Self.serve(listener) }
        defer { listener.stop() }
        try await suite.tell("run \(port)")
        listener.stop()
        try await served
        try Self.judge(suite)
    }

    private static func serve(_ listener: BlockingSocket) {
        while let socket = try? listener.accepted() {
            var connection = SocketConnection(accepting: socket)
            connection?.echo()
        }
    }

    private static func judge(_ suite: Peer) throws {
        let cases = try AutobahnCase.all(in: suite.log)
        #expect(AutobahnCase.named != nil || cases.count > 250)
        #expect(!cases.isEmpty)
        for verdict in cases where !verdict.isStrict {
            Issue.record("\(verdict)")
        }
    }
}
