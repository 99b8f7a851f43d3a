import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct CancelTests {
    private static let opening = Step.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")

    private func expectCancelled(_ error: TransportError?, _ witness: Witness) {
        #expect(error?.code == .cancelled)
        #expect(error?.how == .cancelled)
        #expect(witness.end?.how == .cancelled)
        #expect(witness.committed.last?.content.kind == .end)
    }

    @Test func beforeTheHead() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.hang])
        let witness = Witness()
        let task = Task {
            await Self.failure(of: Request(method: "GET", url: peer.url()), witness)
        }
        // The request is out before the task is cancelled.
        while !witness.kinds.contains("requestEnd") { await Task.yield() }
        task.cancel()
        expectCancelled(await task.value, witness)
        try await peer.peer.tell("gone 1")
        #expect(witness.kinds.first == "request")
    }

    private static func failure(
        of request: Request, _ witness: Witness
    ) async -> TransportError? {
        do throws(TransportError) {
            _ = try await CurlTransport.direct.send(request, observer: witness)
            return nil
        } catch {
            return error
        }
    }

    @Test func beforeTheStart() async throws {
        let peer = try await RawPeer.start()
        let witness = Witness()
        let url = peer.url()
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await Self.failure(of: Request(method: "GET", url: url), witness)
        }
        task.cancel()
        expectCancelled(await task.value, witness)
        #expect(witness.kinds == ["request", "end"])
    }

    @Test func whileWaitingForTheNextChunk() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([Self.opening, .hang])
        let witness = Witness()
        let response = try await CurlTransport.direct.send(
            Request(method: "GET", url: peer.url()), observer: witness)
        var iterator = response.body.makeAsyncIterator()
        #expect(try await iterator.next()?.bytes == Array("hello".utf8))
        let task = Task { [body = response.body] () -> TransportError? in
            var iterator = body.makeAsyncIterator()
            do throws(TransportError) {
                _ = try await iterator.next()
                return nil
            } catch {
                return error
            }
        }
        task.cancel()
        expectCancelled(await task.value, witness)
        try await peer.peer.tell("gone 1")
        await #expect(throws: TransportError.self) { try await iterator.next() }
    }

    @Test func byDroppingTheBody() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([Self.opening, .hang])
        let witness = Witness()
        do {
            let response = try await CurlTransport.direct.send(
                Request(method: "GET", url: peer.url()), observer: witness)
            #expect(response.head.status == 200)
        }
        try await peer.peer.tell("gone 1")
        try await witness.untilEnd()
        #expect(witness.end?.how == .cancelled)
    }

    @Test func byTheBodysOwnCancel() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([Self.opening, .hang])
        let witness = Witness()
        let response = try await CurlTransport.direct.send(
            Request(method: "GET", url: peer.url()), observer: witness)
        response.body.cancel()
        response.body.cancel()
        try await peer.peer.tell("gone 1")
        await #expect(throws: TransportError.self) {
            for try await _ in response.body {}
        }
        #expect(witness.end?.how == .cancelled)
    }

    @Test func afterTheEndItChangesNothing() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")])
        let witness = Witness()
        let response = try await CurlTransport.direct.send(
            Request(method: "GET", url: peer.url()), observer: witness)
        while witness.end == nil { await Task.yield() }
        response.body.cancel()
        var body: [UInt8] = []
        for try await delivery in response.body { body += delivery.bytes }
        response.body.cancel()
        #expect(body == Array("ok".utf8))
        #expect(witness.entries.filter { $0.content.kind == .end }.count == 1)
        #expect(witness.end?.how == .complete)
    }

    @Test func byReleasingTheTransport() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([Self.opening, .hang])
        let witness = Witness()
        var transport: CurlTransport? = CurlTransport(options: CurlOptions(proxy: .none))
        weak let released = transport
        let response = try await transport?.send(
            Request(method: "GET", url: peer.url()), observer: witness)
        transport = nil
        #expect(released == nil)
        var iterator = try #require(response).body.makeAsyncIterator()
        let error = await #expect(throws: TransportError.self) {
            while try await iterator.next() != nil {}
        }
        expectCancelled(error, witness)
        try await peer.peer.tell("gone 1")
    }
}
