import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct SocketCancelTests {
    /// Cancels a task that asks for a WebSocket once `isReady`, and gives what it threw.
    private func cancelled(
        _ url: String, _ witness: Witness, when isReady: (Witness) -> Bool
    ) async -> (error: TransportError?, took: Int64) {
        let task = Task { await Dial.make(url, witness: witness).error }
        while !isReady(witness) { await Task.yield() }
        let began = LiveClock().now()
        task.cancel()
        let error = await task.value
        return (error, LiveClock().now() - began)
    }

    private func expectCancelled(_ error: TransportError?, _ witness: Witness) {
        #expect(error?.code == .cancelled)
        #expect(error?.how == .cancelled)
        #expect(witness.end?.how == .cancelled)
        #expect(witness.committed.last?.content.kind == .end)
    }

    /// A server that never answers the greeting of TLS.
    @Test func whileConnecting() async throws {
        let peer = try await RawPeer.start()
        let witness = Witness()
        let (error, took) = await cancelled("wss://\(peer.place)/", witness) { _ in
            (try? peer.peer.readLog().received(on: 1).isEmpty) == false
        }
        expectCancelled(error, witness)
        #expect(witness.kinds == ["request", "end"])
        #expect(took < 1_000_000_000)
        try await peer.peer.tell("gone 1")
        print("cancelled while connecting: \(took / 1_000) µs")
    }

    @Test func beforeTheHead() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 101 Swit"), .hang])
        let witness = Witness()
        let (error, took) = await cancelled(peer.url(), witness) {
            $0.kinds.contains("requestEnd")
        }
        expectCancelled(error, witness)
        #expect(witness.kinds == ["request", "requestEnd", "phases", "end"])
        #expect(took < 1_000_000_000)
        try await peer.peer.tell("gone 1")
        print("cancelled before the head: \(took / 1_000) µs")
    }

    @Test func whileOpen() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send(Dial.switching), .hang])
        let dial = await Dial.make(peer.url())
        let channel = try #require(dial.channel)
        let reader = Task { () -> TransportError? in
            do throws(TransportError) {
                _ = try await channel.next()
                return nil
            } catch {
                return error
            }
        }
        let began = LiveClock().now()
        let record = EndRecord(
            how: .cancelled, code: "transport.cancelled", message: "the app stopped")
        channel.end(record)
        let error = await reader.value
        print("cancelled while open: \((LiveClock().now() - began) / 1_000) µs")
        expectCancelled(error, dial.witness)
        #expect(dial.end == record)
        try await peer.peer.tell("gone 1")
        await #expect(throws: TransportError.self) { try await channel.send([.text("late")]) }
    }

    @Test func byDroppingTheChannel() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send(Dial.switching), .hang])
        let witness = Witness()
        do {
            let dial = await Dial.make(peer.url(), witness: witness)
            #expect(dial.channel != nil)
        }
        try await peer.peer.tell("gone 1")
        try await witness.untilEnd()
        #expect(witness.end?.how == .cancelled)
    }

    @Test func byDroppingTheBodyOfARefusal() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 401 No\r\nContent-Length: 9\r\n\r\nden"), .hang])
        let witness = Witness()
        do {
            let dial = await Dial.make(peer.url(), witness: witness)
            #expect(dial.body != nil)
        }
        try await peer.peer.tell("gone 1")
        try await witness.untilEnd()
        #expect(witness.end?.how == .cancelled)
        #expect(witness.end?.framing == .length)
    }

    @Test func byReleasingTheTransport() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send(Dial.switching), .hang])
        let witness = Witness()
        var transport: CurlTransport? = CurlTransport(options: CurlOptions(proxy: .none))
        let response = try await transport?.connect(
            Request(method: "GET", url: peer.url(), headers: Dial.headers),
            options: SocketOptions(), observer: witness)
        transport = nil
        guard case .switched(let channel)? = response?.outcome else {
            Issue.record("it is not open")
            return
        }
        let error = await #expect(throws: TransportError.self) { try await channel.next() }
        expectCancelled(error, witness)
        await #expect(throws: TransportError.self) { try await channel.send([.text("late")]) }
        channel.end(EndRecord(how: .complete))
        try await peer.peer.tell("gone 1")
    }

    /// A hundred at once, ended in every way: each connection is closed.
    @Test func noConnectionIsLeft() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send(Dial.switching), .hang], at: "/open")
        try await peer.script([.hang], at: "/silent")
        try await peer.script(
            [.send("HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno"), .hang], at: "/refused")
        await withTaskGroup { group in
            for number in 0..<100 {
                let path = ["/open", "/silent", "/refused", "/open"][number % 4]
                let limit: Int64? = path == "/silent" ? 300_000_000 : nil
                group.addTask {
                    let dial = await Dial.make(peer.url(path), timeouts: Timeouts(total: limit))
                    if number % 4 == 3 { dial.channel?.end(EndRecord(how: .complete)) }
                    if let body = dial.body {
                        await #expect(throws: Never.self) { for try await _ in body {} }
                    }
                }
            }
        }
        for connection in 1...100 { try await peer.peer.tell("gone \(connection)") }
    }
}
