import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct TLSTests {
    @Test func aServerIsTrustedOnlyThroughItsAuthority() async throws {
        let authority = try await Authority.make()
        let peer = try await RawPeer.start(certificate: authority.certificate, key: authority.key)
        try await peer.script([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")])
        let request = Request(method: "GET", url: peer.url())
        let trusting = CurlTransport(options: CurlOptions(caFile: authority.file, proxy: .none))
        let visit = try await Visit.make(request, through: trusting)
        #expect(visit.text == "ok")
        #expect(visit.end?.how == .complete)
        let refused = try await Visit.make(request)
        #expect(refused.error?.code == .tls)
        #expect(refused.error?.isBeforeRequest == true)
        #expect(refused.end?.how == .failed)
        // The name must be the certificate's, too.
        let other = Request(method: "GET", url: "https://localhost:\(peer.peer.port)/")
        #expect(try await Visit.make(other, through: trusting).error?.code == .tls)
        let requests = try peer.peer.readLog().entries.filter { $0.event == "request" }
        #expect(requests.count == 1)
    }

    @Test func aMissingAuthorityFileIsSaid() async throws {
        let peer = try await RawPeer.shared()
        let transport = CurlTransport(
            options: CurlOptions(caFile: "/nonexistent/ca.pem", proxy: .none))
        let url = "https://127.0.0.1:\(peer.peer.port)/"
        let visit = try await Visit.make(Request(method: "GET", url: url), through: transport)
        #expect(visit.error?.code == .tls)
    }

    @Test(arguments: [(Step.fin, true), (.cut, false)])
    func aClosureAlertProvesTheEnd(_ last: Step, _ isProven: Bool) async throws {
        let authority = try await Authority.make()
        let peer = try await RawPeer.start(certificate: authority.certificate, key: authority.key)
        try await peer.script([.send("HTTP/1.1 200 OK\r\n\r\nhello"), last])
        let transport = CurlTransport(options: CurlOptions(caFile: authority.file, proxy: .none))
        let visit = try await Visit.make(
            Request(method: "GET", url: peer.url()), through: transport)
        #expect(visit.text == "hello")
        #expect(visit.end == EndRecord(how: .complete, framing: .close, proven: isProven))
    }
}
