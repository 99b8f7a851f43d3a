import RepriseWire
import TestSupport
import Testing

/// The Autobahn test suite against both roles, over real sockets.
@Suite(.serialized)
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

    @Test func clientRole() async throws {
        let suite = try await Peer.start("autobahn.py", AutobahnCase.chosen)
        let port = suite.port
        try await blocking {
            for number in 1...(try Self.caseCount(port)) {
                let path = "/runCase?case=\(number)&agent=reprise"
                var connection = try SocketConnection(
                    to: path, port: port, offers: Self.offers, seed: UInt64(number))
                connection.echo()
            }
            var end = try SocketConnection(
                to: "/updateReports?agent=reprise", port: port, offers: [])
            end.echo()
        }
        try await suite.tell("results")
        try Self.judge(suite)
    }

    /// The suite's server takes the offer that allows what a case needs.
    private static let offers = [
        PerMessageDeflate.Offer(), PerMessageDeflate.Offer(clientNoContextTakeover: true),
    ]

    private static func caseCount(_ port: UInt16) throws -> Int {
        var connection = try SocketConnection(to: "/getCaseCount", port: port, offers: [])
        var count = 0
        connection.run { event, _ in
            count = event.message.flatMap { Int($0.text) } ?? count
            return []
        }
        return count
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
