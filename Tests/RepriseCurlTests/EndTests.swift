import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

/// What a server does after its head, and what that must be called.
struct EndCase: Sendable, CustomTestStringConvertible {
    var name: String
    var method = "GET"
    var steps: [Step]
    var how: EndRecord.How
    var framing: EndRecord.Framing?
    var proven: Bool?
    var code: TransportError.Code?
    var text = ""

    var testDescription: String { name }
}

@Suite struct EndTests {
    private static let length = Step.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
    private static let chunked = Step.send(
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n")
    private static let close = Step.send("HTTP/1.1 200 OK\r\n\r\nhello")

    static let cut: [EndCase] = [
        EndCase(
            name: "length-fin", steps: [length, .wait, .fin], how: .reset, framing: .length,
            code: .closed, text: "hello"),
        EndCase(
            name: "length-rst", steps: [length, .wait, .reset], how: .reset, framing: .length,
            code: .reset, text: "hello"),
        EndCase(
            name: "chunked-fin-inside", steps: [chunked, .wait, .send("5\r\nwo"), .fin],
            how: .reset, framing: .chunked, code: .closed, text: "hellowo"),
        EndCase(
            name: "chunked-fin-between", steps: [chunked, .wait, .fin], how: .reset,
            framing: .chunked, code: .closed, text: "hello"),
        EndCase(
            name: "chunked-fin-in-last", steps: [chunked, .wait, .send("0\r\n"), .fin],
            how: .reset, framing: .chunked, code: .closed, text: "hello"),
        EndCase(
            name: "chunked-rst", steps: [chunked, .wait, .reset], how: .reset, framing: .chunked,
            code: .reset, text: "hello"),
        EndCase(
            name: "chunked-bad-size", steps: [chunked, .wait, .send("xyz\r\nworld\r\n"), .hang],
            how: .failed, framing: .chunked, code: .malformed, text: "hello"),
        EndCase(
            name: "close-fin", steps: [close, .wait, .fin], how: .complete, framing: .close,
            proven: false, text: "hello"),
        EndCase(
            name: "close-rst", steps: [close, .wait, .reset], how: .reset, framing: .close,
            code: .reset, text: "hello"),
    ]

    static let headless: [EndCase] = [
        EndCase(name: "nothing", steps: [.fin], how: .reset, code: .closed),
        EndCase(name: "nothing-rst", steps: [.reset], how: .reset, code: .reset),
        EndCase(
            name: "status-line", steps: [.send("HTTP/1.1 20"), .fin], how: .reset, code: .closed),
        EndCase(
            name: "head", steps: [.send("HTTP/1.1 200 OK\r\nContent-Type: text/pl"), .fin],
            how: .reset, code: .closed),
        EndCase(
            name: "head-line",
            steps: [.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"), .fin],
            how: .reset, code: .closed),
        EndCase(
            name: "interim-only",
            steps: [.send("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"), .fin],
            how: .reset, code: .closed),
        EndCase(
            name: "not-http", steps: [.send("SSH-2.0-OpenSSH\r\n"), .fin], how: .failed,
            code: .malformed),
        EndCase(
            name: "bad-length",
            steps: [.send("HTTP/1.1 200 OK\r\nContent-Length: ten\r\n\r\n"), .hang],
            how: .failed, code: .malformed),
    ]

    static let whole: [EndCase] = [
        EndCase(
            name: "empty", steps: [.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")],
            how: .complete, framing: .length, proven: true),
        EndCase(
            name: "no-content", steps: [.send("HTTP/1.1 204 No Content\r\n\r\n")], how: .complete,
            framing: .length, proven: true),
        EndCase(
            name: "not-modified",
            steps: [.send("HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n")],
            how: .complete, framing: .length, proven: true),
        EndCase(
            name: "head-of-chunked", method: "HEAD",
            steps: [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")],
            how: .complete, framing: .length, proven: true),
        EndCase(
            name: "old-server", steps: [.send("HTTP/1.0 200 OK\r\n\r\nhello"), .fin],
            how: .complete, framing: .close, proven: false, text: "hello"),
        EndCase(
            name: "redirect",
            steps: [.send("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")],
            how: .complete, framing: .length, proven: true),
    ]

    @Test(arguments: cut + headless + whole)
    func anEndIsCalledWhatItIs(_ test: EndCase) async throws {
        let peer = try await RawPeer.shared()
        let path = "/ends/\(test.name)"
        try await peer.script(test.steps, at: path)
        let visit = try await Visit.make(Request(method: test.method, url: peer.url(path))) { _ in
            try await peer.go(path)
        }
        let end = try #require(visit.end)
        #expect(end.how == test.how)
        #expect(end.framing == test.framing)
        #expect(end.proven == test.proven)
        #expect(end.code == test.code?.rawValue)
        #expect(visit.text == test.text)
        #expect(visit.error == TransportError(end))
        #expect((visit.head == nil) == (end.framing == nil))
        #expect(visit.witness.kinds.first == "request")
        #expect(visit.witness.kinds.last == "end")
        #expect(visit.witness.entries.filter { $0.content.kind == .end }.count == 1)
        if let message = end.message { #expect(message.contains(peer.place)) }
    }
}
