import RepriseCurl
import RepriseTape
import RepriseTransport
import RepriseWire
import TestSupport
import Testing

@Suite struct HeadTests {
    private func visit(_ name: String, _ steps: [Step]) async throws -> Visit {
        let peer = try await RawPeer.shared()
        let path = "/heads/\(name)"
        try await peer.script(steps, at: path)
        return try await Visit.make(Request(method: "GET", url: peer.url(path)))
    }

    @Test func interimHeadsArePassedOver() async throws {
        let visit = try await visit(
            "interim",
            [
                .send("HTTP/1.1 100 Continue\r\n\r\n"),
                .send("HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"),
                .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nX-Last: yes\r\n\r\nok"),
            ])
        #expect(visit.head?.status == 200)
        #expect(visit.head?.headers == ["Content-Length": "2", "X-Last": "yes"])
        #expect(visit.text == "ok")
        #expect(visit.witness.entries.filter { $0.content.kind == .response }.count == 1)
    }

    @Test func trailersComeWithTheEnd() async throws {
        let visit = try await visit(
            "trailers",
            [
                .send("HTTP/1.1 200 OK\r\nTrailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .send("2\r\nok\r\n0\r\nX-Sum: 42\r\nx-more:  a\r\n\r\n"),
            ])
        #expect(visit.error == nil)
        #expect(visit.end?.trailers == ["X-Sum": "42", "x-more": "a"])
        #expect(visit.end?.how == .complete)
        #expect(visit.head?.headers.fields.count == 2)
    }

    @Test func namesOrderCaseRepeatsAndBytesAreKept() async throws {
        let visit = try await visit(
            "raw",
            [
                .send("HTTP/1.1 200 OK\r\nSET-cookie: a\r\nset-Cookie: b\r\nX-Empty:\r\nX-Latin: "),
                .bytes([0xE9, 0x74, 0xE9]),
                .send("\r\nX-Folded: one\r\n  two\r\n\tthree\r\nContent-Length: 0\r\n\r\n"),
            ])
        var expected: Headers = ["SET-cookie": "a", "set-Cookie": "b", "X-Empty": ""]
        expected.fields.append(Headers.Field("X-Latin", WireText(bytes: [0xE9, 0x74, 0xE9])))
        expected.append("X-Folded", "one two three")
        expected.append("Content-Length", "0")
        #expect(visit.head?.headers == expected)
    }

    @Test func aLargeHeaderIsKept() async throws {
        let visit = try await visit(
            "large",
            [
                .send("HTTP/1.1 200 OK\r\nX-Large: "), .repeated("x", times: 90_000),
                .send("\r\nContent-Length: 0\r\n\r\n"),
            ])
        #expect(visit.error == nil)
        #expect(visit.head?.headers.first("X-Large")?.utf8.count == 90_000)
    }

    @Test(arguments: [
        ("one-line", "x", 150_000), ("many-lines", "X-Field: 0123456789\r\n", 100_000),
    ])
    func aHugeHeadIsRefused(_ name: String, _ text: String, _ times: Int) async throws {
        let visit = try await visit(
            "huge-\(name)", [.send("HTTP/1.1 200 OK\r\nX-Huge: "), .repeated(text, times: times)])
        #expect(visit.error?.code == .malformed)
        #expect(visit.end?.how == .failed)
    }

    @Test(arguments: ["HEAD", "GET", "POST"])
    func framingFollowsTheRules(_ method: String) {
        let table: [(Int, Headers, EndRecord.Framing)] = [
            (200, ["Content-Length": "5"], .length),
            (200, [:], method == "HEAD" ? .length : .close),
            (200, ["Transfer-Encoding": "gzip, Chunked"], method == "HEAD" ? .length : .chunked),
            (200, ["Transfer-Encoding": "gzip"], method == "HEAD" ? .length : .close),
            (
                200, ["Transfer-Encoding": "chunked", "Content-Length": "5"],
                method == "HEAD" ? .length : .chunked
            ),
            (204, ["Transfer-Encoding": "chunked"], .length), (304, [:], .length),
        ]
        for (status, headers, framing) in table {
            let head = ResponseRecord(status: status, headers: headers)
            #expect(ResponseHead.framing(of: head, to: method) == framing)
        }
    }
}
