import RepriseWire
import TestSupport
import Testing

/// The Autobahn test suite against a server, over real sockets. The tests of the live transport
/// hold the client to it.
struct AutobahnTests {
    @Test func serverRole() async throws {
        let cases = try await Self.verdicts(AutobahnCase.chosen)
        #expect(AutobahnCase.named != nil || cases.count > 250)
        #expect(!cases.isEmpty)
        // A case gives a second for an answer, which a machine that runs all tests may miss.
        let late = cases.filter { !$0.isStrict }.map(\.id)
        if late.isEmpty { return }
        for verdict in try await Self.verdicts(late) where !verdict.isStrict {
            Issue.record("\(verdict)")
        }
    }

    private static func verdicts(_ chosen: [String]) async throws -> [AutobahnCase] {
        let suite = try await Peer.start("autobahn.py", chosen)
        let (listener, port) = try BlockingSocket.listening()
        async let served: Void = blocking { serve(listener) }
        defer { listener.stop() }
        try await suite.tell("run \(port)")
        listener.stop()
        try await served
        return try AutobahnCase.all(in: suite.log)
    }

    private static func serve(_ listener: BlockingSocket) {
        while let socket = try? listener.accepted() {
            var connection = SocketConnection(accepting: socket)
            connection?.echo()
        }
    }
}
