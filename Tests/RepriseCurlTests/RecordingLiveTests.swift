import RepriseCurl
import RepriseSupport
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// The live transport, recorded, against a raw server.
@Suite struct RecordingLiveTests {
    private static let token = "tok-Abc/9876543210+xyz=="

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func record(
        _ request: Request, name: String = "a.tape"
    ) async throws -> (deliveries: [Delivery], error: TransportError?, frames: [Frame]) {
        let path = folder.file(name)
        let recorder = try TapeRecorder(path: path)
        let transport = RecordingTransport(base: CurlTransport.direct, recorder: recorder)
        var deliveries: [Delivery] = []
        var failure: TransportError?
        do throws(TransportError) {
            let response = try await transport.send(request)
            var iterator = response.body.makeAsyncIterator()
            while let delivery = try await iterator.next() { deliveries.append(delivery) }
        } catch {
            failure = error
        }
        try recorder.close()
        return (deliveries, failure, try frames(path))
    }

    private func frames(_ path: String) throws -> [Frame] {
        let reader = try TapeReader(path: path)
        var frames: [Frame] = []
        while let item = try reader.next() {
            if case .frame(let frame) = item { frames.append(frame) }
        }
        #expect(reader.summary.isSealed)
        return frames
    }

    /// An answer of HTTP chunks, one per piece, each after the one before was read.
    private func chunked(_ pieces: [[UInt8]], coding: String = "") -> [Step] {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\(coding)"
            + "Transfer-Encoding: chunked\r\n\r\n"
        let chunks = pieces.flatMap { piece -> [Step] in
            let size = String(piece.count, radix: 16)
            return [.bytes(Array("\(size)\r\n".utf8) + piece + Array("\r\n".utf8))]
        }
        return [.send(head)] + chunks + [.send("0\r\n\r\n")]
    }

    private func gzip(_ pieces: [String]) -> [[UInt8]] {
        let deflate = Deflate(.gzip)
        return pieces.enumerated().map { index, piece in
            var bytes: [UInt8] = []
            let isLast = index == pieces.count - 1
            deflate.push(Array(piece.utf8), flush: isLast ? .finish : .sync, into: &bytes)
            return bytes
        }
    }

    @Test func theRequestOnTheWireIsTheOneOnTheTape() async throws {
        let peer = try await RawPeer.start()
        try await peer.script(
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")], at: "/a")
        let body = Array((#"{"text":""# + String(repeating: "é", count: 60_000) + #""}"#).utf8)
        let request = Request(
            method: "POST", url: peer.url("/a?b=c"),
            headers: ["Content-Type": "application/json", "X-Case": "Kept"], body: body)
        let (_, error, frames) = try await record(request)
        #expect(error == nil)
        let wire = try peer.peer.readLog().received(on: 1)
        guard case .request(let head)? = try frames.first(where: { $0.kind == .request })?.content()
        else {
            Issue.record("no request on the tape")
            return
        }
        var told = "POST /a?b=c HTTP/1.1\r\n"
        for field in head.headers.fields { told += "\(field.name): \(field.value)\r\n" }
        let bodies = frames.filter { $0.kind == .requestBody }.flatMap(\.payload)
        #expect(wire == Array((told + "\r\n").utf8) + bodies)
        #expect(bodies == body)
        #expect(frames.allSatisfy { $0.kind != .masked })
    }

    @Test func aCodedStreamStaysAsItCame() async throws {
        let peer = try await RawPeer.start()
        let pieces = gzip((0..<50).map { "data: {\"n\":\($0)}\n\n" })
        try await peer.script(chunked(pieces, coding: "Content-Encoding: gzip\r\n"))
        let (deliveries, error, frames) = try await record(
            Request(
                method: "GET", url: peer.url(),
                headers: ["Authorization": "Bearer \(RecordingLiveTests.token)"]))
        #expect(error == nil)
        let bodies = frames.filter { $0.kind == .responseBody }
        #expect(bodies.map(\.payload) == deliveries.map(\.bytes))
        #expect(bodies.map(\.payload) == pieces)
        #expect(frames.last?.kind == .end)
        #expect(frames.map(\.time).allSatisfy { $0 >= 0 })
    }

    @Test func anEchoedTokenIsMaskedOnTheTapeOnly() async throws {
        let token = RecordingLiveTests.token
        let texts = [
            "data: one\n\n", "data: {\"x\":\"<\(token.prefix(9))", "\(token.dropFirst(9))>\"}\n\n",
            "data: three\n\n",
        ]
        let peer = try await RawPeer.start()
        for isCoded in [true, false] {
            let pieces = isCoded ? gzip(texts) : texts.map { Array($0.utf8) }
            try await peer.script(
                chunked(pieces, coding: isCoded ? "Content-Encoding: gzip\r\n" : ""))
            let name = "\(isCoded).tape"
            let (deliveries, error, frames) = try await record(
                Request(
                    method: "GET", url: peer.url(), headers: ["Authorization": "Bearer \(token)"]),
                name: name)
            #expect(error == nil)
            #expect(deliveries.flatMap(\.bytes) == pieces.flatMap(\.self))
            let kinds = frames.map(\.kind).filter { $0 == .responseBody || $0 == .decodedBody }
            #expect(kinds.count == deliveries.count)
            #expect(kinds.contains(.decodedBody) == isCoded)
            let joined = frames.filter { $0.kind == .decodedBody || $0.kind == .responseBody }
                .dropFirst(isCoded ? kinds.prefix { $0 == .responseBody }.count : 0)
                .map { String(decoding: $0.payload, as: UTF8.self) }.joined()
            #expect(joined.hasSuffix("<\(Masking.stars(token))>\"}\n\ndata: three\n\n"))
            for frame in frames {
                #expect(!String(decoding: frame.payload, as: UTF8.self).contains(token.suffix(8)))
            }
        }
    }

    @Test func aStreamThatIsCut() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([
            .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), .fin,
        ])
        let (deliveries, error, frames) = try await record(Request(method: "GET", url: peer.url()))
        #expect(deliveries.map(\.bytes) == [Array("hello".utf8)])
        #expect(error?.how == .reset)
        guard case .end(let end)? = try frames.last?.content() else {
            Issue.record("no end on the tape")
            return
        }
        #expect(end.how == .reset)
        #expect(end.code == error?.code.rawValue)
    }

    @Test func parallelExchangesKeepTheirOrder() async throws {
        let peer = try await RawPeer.start()
        let pieces = (0..<20).map { Array("data: \($0)\n\n".utf8) }
        try await peer.script(chunked(pieces))
        let path = folder.file("a.tape")
        let recorder = try TapeRecorder(path: path)
        let transport = RecordingTransport(base: CurlTransport.direct, recorder: recorder)
        let url = peer.url()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    let request = Request(method: "GET", url: url)
                    guard let response = try? await transport.send(request) else { return false }
                    var iterator = response.body.makeAsyncIterator()
                    do { while try await iterator.next() != nil {} } catch { return false }
                    return true
                }
            }
            for await isWhole in group { #expect(isWhole) }
        }
        try recorder.close()
        let frames = Dictionary(grouping: try frames(path), by: \.exchange)
        #expect(frames.count == 201)
        for (exchange, frames) in frames where exchange > 0 {
            #expect(frames.first?.kind == .request)
            #expect(frames.last { $0.kind != .held }?.kind == .end)
            let bodies = frames.filter { $0.kind == .responseBody }
            #expect(bodies.flatMap(\.payload) == pieces.flatMap(\.self))
            #expect(bodies.map(\.time) == bodies.map(\.time).sorted())
        }
    }
}
