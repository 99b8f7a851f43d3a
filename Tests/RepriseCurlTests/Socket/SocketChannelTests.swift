import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// Frames over a server that says exactly the bytes it is told.
@Suite struct SocketChannelTests {
    @Test func framesGoBothWaysAsOnTheWire() async throws {
        let peer = try await RawPeer.start()
        let (first, second) = (WebSocketFrame.text("hello"), WebSocketFrame(.ping, [1, 2]))
        try await peer.script(
            [
                .bytes(Array(Dial.switching.utf8) + first.served), .wait,
                .bytes(second.served + WebSocketFrame(.close, [3, 0xE8]).served), .hang,
            ], at: "/a/../b")
        let dial = await Dial.make("ws://\(peer.place)/a/../b?c=d")
        let channel = try #require(dial.channel)
        #expect(dial.response?.head.status == 101)
        #expect(try await channel.next()?.frame == first)
        let sent = [
            WebSocketFrame(.text, Array("one".utf8), isFinal: false, rsv1: true),
            WebSocketFrame(.continuation, [0, 0xFF]), WebSocketFrame(.close, [3, 0xE8]),
        ]
        try await channel.send(sent)
        try await peer.go("/a/../b")
        #expect(try await channel.next()?.frame == second)
        #expect(try await channel.next()?.frame?.opcode == .close)
        channel.finishSending()
        // The peer closes its side when ours is.
        #expect(try await channel.next() == nil)
        #expect(try await channel.next() == nil)
        #expect(dial.witness.end == nil)
        channel.end(EndRecord(how: .complete))
        channel.end(EndRecord(how: .failed))
        try await dial.witness.untilEnd()
        #expect(dial.end == EndRecord(how: .complete))
        #expect(
            dial.witness.kinds == [
                "request", "requestEnd", "phases", "response", "socketFrame", "end",
            ])
        #expect(dial.witness.frames(ofServer: false).map(\.frame) == sent)
        #expect(dial.witness.frames(ofServer: true).count == 3)
        #expect(dial.witness.committed.count == dial.witness.entries.count)
        let times = dial.witness.entries.map(\.time)
        #expect(times == times.sorted())

        let told = try #require(dial.witness.request)
        #expect(told.url.description == "ws://\(peer.place)/a/../b?c=d")
        var fields: Headers = ["Host": peer.place]
        fields.fields += Dial.headers.fields
        #expect(told.headers == fields)
        let head = WireTests.head(told, target: "/a/../b?c=d")
        let wire = try peer.peer.readLog().received(on: 1)
        #expect(Array(wire.prefix(head.count)) == head)
        let bytes = Array(wire.dropFirst(head.count))
        #expect(WebSocketFrame.all(ofClient: bytes) == sent)
    }
}
