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
        let suite = try await Peer.start("autobahn.py", AutobahnCase.chosen)
        let place = "ws://127.0.0.1:\(suite.port)"
        let count = try await Self.caseCount(place)
        for number in 1...max(1, count) {
            await Self.echo("\(place)/runCase?case=\(number)&agent=reprise", Self.offers)
        }
        await Self.echo("\(place)/updateReports?agent=reprise", [])
        try await suite.tell("results")
        let cases = try AutobahnCase.all(in: suite.log)
        #expect(cases.count == count)
        #expect(AutobahnCase.named != nil || count > 250)
        for verdict in cases where !verdict.isStrict {
            let isKnown = verdict.behavior == "NON-STRICT" && Self.lenient[verdict.id] != nil
            if !isKnown { Issue.record("\(verdict)") }
        }
        let lenient = cases.filter { !$0.isStrict }.count
        print("Autobahn, live client: \(count) cases, \(lenient) not strict")
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
