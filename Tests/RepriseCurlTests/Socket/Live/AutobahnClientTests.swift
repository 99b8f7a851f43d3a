import RepriseCurl
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The Autobahn test suite against the live client.
@Suite struct AutobahnClientTests {
    /// The cases whose verdict is not as strict as can be, and why.
    static let lenient: [String: String] = [
        "6.4.3": "a text that is not UTF-8 fails when its frame is whole, not at the first byte",
        "6.4.4": "as 6.4.3; the seam carries whole frames",
    ]

    @Test func clientRole() async throws {
        let cases = try await Self.verdicts(AutobahnCase.chosen)
        #expect(AutobahnCase.named != nil || cases.count > 250)
        // A case gives a second for an answer, which a machine that runs all tests may miss.
        let late = cases.filter { !$0.isStrict && !Self.isKnown($0) }.map(\.id)
        for verdict in late.isEmpty ? [] : try await Self.verdicts(late)
        where !verdict.isStrict && !Self.isKnown(verdict) {
            Issue.record("\(verdict)")
        }
        let lenient = cases.filter { !$0.isStrict }.count
        print("Autobahn, live client: \(cases.count) cases, \(lenient) not strict at first")
    }

    private static func isKnown(_ verdict: AutobahnCase) -> Bool {
        verdict.behavior == "NON-STRICT" && lenient[verdict.id] != nil
    }

    private static func verdicts(_ chosen: [String]) async throws -> [AutobahnCase] {
        let suite = try await Peer.start("autobahn.py", chosen)
        let place = "ws://127.0.0.1:\(suite.port)"
        let count = try await Self.caseCount(place)
        for number in 1...max(1, count) {
            await Self.echo("\(place)/runCase?case=\(number)&agent=reprise", Self.offers)
        }
        await Self.echo("\(place)/updateReports?agent=reprise", [])
        try await suite.tell("results")
        let cases = try AutobahnCase.all(in: suite.log)
        #expect(cases.count == count && count > 0)
        return cases
    }

    /// The suite's server takes the offer that allows what a case needs.
    private static let offers = [
        PerMessageDeflate.Offer(), PerMessageDeflate.Offer(clientNoContextTakeover: true),
    ]

    private static func caseCount(_ place: String) async throws -> Int {
        let socket = try await WebSocket.open(
            Request(method: "GET", url: "\(place)/getCaseCount"), offers: [],
            over: CurlTransport.direct)
        var count = 0
        for try await message in socket.messages { count = Int(message.text) ?? count }
        return count
    }

    /// Sends every message back, to the end of the connection however it comes.
    private static func echo(_ url: String, _ offers: [PerMessageDeflate.Offer]) async {
        do throws(WebSocketError) {
            let socket = try await WebSocket.open(
                Request(method: "GET", url: url), offers: offers, over: CurlTransport.direct)
            var messages = socket.messages.makeAsyncIterator()
            while let message = try await messages.next() {
                do throws(WebSocketError) {
                    if message.kind == .text {
                        try await socket.send(text: message.text)
                    } else {
                        try await socket.send(binary: message.bytes)
                    }
                } catch {
                    // How it ended the messages tell.
                }
            }
        } catch {
            // The suite judges.
        }
    }
}
