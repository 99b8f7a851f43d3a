import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

@Suite struct ResponseReadingTests {
    static let text = "data: {\"content\":\"Hé\"}\n\nevent: done\ndata: 1\n\n"

    @Test func everyDeliveryIsDecodedAtOnce() async throws {
        let parts = [Array("Hello".utf8), Array(", ".utf8), Array("world".utf8)]
        let response = response(coded(parts), encoding: "gzip")
        var chunks: [DecodedBody.Chunk] = []
        for try await chunk in response.decoded { chunks.append(chunk) }
        #expect(chunks.map(\.bytes) == parts)
        #expect(chunks.map(\.time) == [0, 1, 2])
    }

    @Test func aDecodedDeliveryIsNotDecodedAgain() async throws {
        let body = Pieces([
            Delivery(bytes: Array("plain".utf8), time: 4, isDecoded: true)
        ])
        let response = Response(
            head: ResponseRecord(status: 200, headers: ["Content-Encoding": "br"]),
            body: ResponseBody(body))
        #expect(try await response.collected() == Array("plain".utf8))
    }

    @Test(arguments: ["gzip", "deflate", "br"])
    func aHeadMayNameACodingOfNoBody(encoding: String) async throws {
        #expect(try await response([], encoding: encoding).collected() == [])
    }

    @Test func anUnknownCodingIsTold() async throws {
        await #expect(throws: coding("content coding br is not supported")) {
            try await response([[1]], encoding: "br").collected()
        }
    }

    @Test func allGoodDataComesBeforeACorruptCoding() async throws {
        var bytes = coded([Array("good".utf8)]).joined() + []
        bytes[bytes.count - 6] ^= 0xFF
        let (chunks, error) = await decoded(response([Array(bytes)], encoding: "gzip"))
        #expect(chunks == Array("good".utf8))
        #expect(error?.code == .contentCoding)
    }

    @Test func everyTruncationOfACodingIsTold() async throws {
        let bytes = Array(coded([Array("good".utf8), Array("data".utf8)]).joined())
        for count in 1..<bytes.count {
            let cut = response([Array(bytes.prefix(count))], encoding: "gzip")
            let (chunks, error) = await decoded(cut)
            #expect("gooddata".utf8.starts(with: chunks))
            #expect(error?.code == .contentCoding, "at \(count)")
        }
    }

    @Test func bytesBehindACodingAreNoContent() async throws {
        let parts = coded([Array("good".utf8)]) + [Array("\r\n".utf8), [0]]
        #expect(
            try await response(parts, encoding: "gzip").collected() == Array("good".utf8))
    }

    @Test func theExchangesOwnEndComesFirst() async throws {
        let cut = TransportError(how: .reset, .reset, "cut")
        let bytes = Array(coded([Array("good".utf8)])[0].prefix(30))
        let (chunks, error) = await decoded(response([bytes], encoding: "gzip", error: cut))
        #expect(chunks == Array("good".utf8))
        #expect(error == cut)
    }

    @Test func eventsComeWithTheDeliveryThatCompletedThem() async throws {
        let bytes = Array(Self.text.utf8)
        for cut in 0...bytes.count {
            let parts = [Array(bytes[..<cut]), Array(bytes[cut...])]
            let first = bytes[..<cut].count >= 25 ? 0 : 1
            var found: [ResponseEvents.Element] = []
            for try await element in response(parts).events { found.append(element) }
            let events = found.compactMap(\.event)
            #expect(events.map(\.data) == ["{\"content\":\"Hé\"}", "1"])
            #expect(events.map(\.type) == ["message", "done"])
            #expect(found.first?.time == Int64(first), "cut at \(cut)")
            #expect(found.last?.time == (cut == bytes.count ? 0 : 1))
        }
    }

    @Test func wholeEventsComeBeforeABadEnd() async throws {
        let cut = TransportError(how: .reset, .reset, "cut")
        let bytes = Array(Self.text.utf8)
        for count in 0...bytes.count {
            var events: [String] = []
            let error = await #expect(throws: TransportError.self) {
                let response = response([Array(bytes.prefix(count))], error: cut)
                for try await element in response.events {
                    if let event = element.event { events.append(event.data) }
                }
            }
            #expect(error == cut)
            let expected = count < 25 ? 0 : count < bytes.count ? 1 : 2
            #expect(events.count == expected, "cut at \(count)")
        }
    }

    @Test func collectedHasALimit() async throws {
        let body = Pieces([[1, 2], [3, 4]].map { Delivery(bytes: $0, time: 0) })
        let response = Response(
            head: ResponseRecord(status: 200), body: ResponseBody(body))
        let error = await #expect(throws: TransportError.self) {
            try await response.collected(limit: 3)
        }
        #expect(error?.code == .tooLarge)
        #expect(body.isCancelled)
        #expect(try await self.response([[1, 2], [3]]).collected(limit: 3) == [1, 2, 3])
    }

    private func coding(_ message: String) -> TransportError {
        TransportError(
            how: .failed, .contentCoding,
            "the response's body cannot be decoded: \(message)")
    }

    private func decoded(_ response: Response) async -> ([UInt8], TransportError?) {
        var bytes: [UInt8] = []
        do throws(TransportError) {
            for try await chunk in response.decoded { bytes += chunk.bytes }
            return (bytes, nil)
        } catch {
            return (bytes, error)
        }
    }

    private func response(
        _ parts: [[UInt8]], encoding: String? = nil, error: TransportError? = nil
    ) -> Response {
        var headers = Headers()
        if let encoding { headers.append("Content-Encoding", encoding) }
        let deliveries = parts.enumerated().map { index, bytes in
            Delivery(bytes: bytes, time: Int64(index))
        }
        return Response(
            head: ResponseRecord(status: 200, headers: headers),
            body: ResponseBody(Pieces(deliveries, error)))
    }
}

/// Parts of a body, gzip-coded with a flush after each.
func coded(_ parts: [[UInt8]]) -> [[UInt8]] {
    let deflate = Deflate(.gzip)
    return parts.enumerated().map { index, part in
        var bytes: [UInt8] = []
        deflate.push(part, flush: index == parts.count - 1 ? .finish : .sync, into: &bytes)
        return bytes
    }
}

extension ResponseEvents.Element {
    fileprivate var event: SSEDecoder.Event? {
        if case .event(let event) = item { event } else { nil }
    }
}

/// A body of given deliveries with a given end.
private final class Pieces: ResponseBody.Source {
    private struct State {
        var rest: [Delivery]
        var isCancelled = false
    }

    private let state: Locked<State>
    private let error: TransportError?

    init(_ deliveries: [Delivery], _ error: TransportError? = nil) {
        state = Locked(State(rest: deliveries.reversed()))
        self.error = error
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func next() async throws(TransportError) -> Delivery? {
        if let delivery = state.withLock({ $0.rest.popLast() }) { return delivery }
        if let error { throw error }
        return nil
    }

    func cancel() { state.withLock { $0.isCancelled = true } }
}
