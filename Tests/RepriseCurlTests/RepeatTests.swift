import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// A kept connection that dies before it answers: libcurl would send the request again.
@Suite struct RepeatTests {
    @Test(arguments: ["POST", "GET"])
    func nothingIsSentTwice(_ method: String) async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")], at: "/a")
        try await peer.script([.fin], at: "/b")
        let transport = CurlTransport(options: CurlOptions(proxy: .none))
        let first = try await Visit.make(
            Request(method: "GET", url: peer.url("/a")), through: transport)
        #expect(first.witness.phases?.reused == false)
        let body: [UInt8] = method == "POST" ? Array("once".utf8) : []
        let second = try await Visit.make(
            Request(method: method, url: peer.url("/b"), body: body), through: transport)
        #expect(second.error?.code == .closed)
        #expect(second.end?.how == .reset)
        #expect(second.witness.request?.method == method)
        #expect(second.witness.requestBody == body)
        #expect(second.witness.kinds.contains("requestEnd"))
        let third = try await Visit.make(
            Request(method: "GET", url: peer.url("/a")), through: transport)
        #expect(third.text == "ok")
        let requests = try peer.peer.readLog().entries.filter { $0.event == "request" }
        #expect(requests.map(\.target) == ["/a", "/b", "/a"])
        #expect(requests.map(\.connection)[0] == requests.map(\.connection)[1])
    }

    @Test func aKeptConnectionIsSaid() async throws {
        let peer = try await RawPeer.start()
        try await peer.script([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")])
        let transport = CurlTransport(options: CurlOptions(proxy: .none))
        var reused: [Bool?] = []
        for _ in 0..<3 {
            let visit = try await Visit.make(
                Request(method: "GET", url: peer.url()), through: transport)
            reused.append(visit.witness.phases?.reused)
            #expect(visit.witness.phases?.protocolName == "http/1.1")
        }
        #expect(reused == [false, true, true])
    }
}
