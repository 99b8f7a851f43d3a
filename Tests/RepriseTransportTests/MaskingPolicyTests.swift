import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

@Suite struct MaskingPolicyTests {
    @Test(
        arguments: [
            ("Authorization", "Bearer abc.def", "Bearer *******"),
            ("authorization", "bearer abc.def", "bearer *******"),
            ("Authorization", "abc.def ghi", "***********"),
            ("Authorization", "unknownscheme ghi", "*****************"),
            ("Proxy-Authorization", "Basic dXNlcjpwYXNz", "Basic ************"),
            ("X-User-Anon-Id", "0f8fad5b-d9cb", "*************"),
            ("X-Widget-Permission", "abc", "***"),
            ("authToken", "abc", "***"),
            ("apikey", "abc", "***"),
            ("X-Amz-Security-Token", "abc", "***"),
            ("X-CSRFToken", "abc", "***"),
            ("Auth-Data", "abc", "***"),
            ("X-Authorization-Copy", "abc", "***"),
            ("X-Session", "abc", "***"),
            ("Cookie", "sid=abc; theme=dark", "sid=***; theme=****"),
            ("Cookie", "abc", "***"),
            (
                "Set-Cookie", "sid=abc; Path=/a; HttpOnly; Max-Age=3",
                "sid=***; Path=/a; HttpOnly; Max-Age=3"
            ),
            ("Set-Cookie", "sid=; Max-Age=0", "sid=; Max-Age=0"),
            ("Location", "https://h/p?token=abc&x=1", "https://h/p?token=***&x=1"),
            ("Location", "/p?token=abc#x", "/p?token=***#x"),
            ("Referer", "p?token=abc", "p?token=***"),
            ("Link", "<https://h/?sig=abc>; rel=next", "<https://h/?sig=***>; rel=next"),
        ])
    func headerValue(name: String, value: String, masked: String) throws {
        #expect(try maskedHeader(name, value) == masked)
    }

    @Test(
        arguments: [
            ("Keep-Alive", "timeout=5"), ("Cache-Control", "no-cache"),
            ("X-RateLimit-Remaining-Tokens", "149984"),
            ("anthropic-ratelimit-tokens-reset", "2026-11-30T06:06:00Z"),
            ("X-Tokens-Used", "120"), ("WWW-Authenticate", "Bearer realm=\"x\""),
            ("Proxy-Authenticate", "Basic"), ("Idempotency-Key", "a1"),
            ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), (":authority", "example.com"),
            ("Author", "Ada"), ("X-Request-Id", "4711"), ("Origin", "https://app.example.com"),
            ("Location", "/conversations/1"), ("Content-Type", "text/event-stream"),
        ])
    func harmlessHeader(name: String, value: String) throws {
        #expect(try maskedHeader(name, value) == value)
    }

    @Test(
        arguments: [
            ("https://u:pw@h/p", "https://*:**@h/p"),
            ("https://user@h/p", "https://****@h/p"),
            ("https://h/p?api_key=abc", "https://h/p?api_key=***"),
            ("https://h/p?a=1&APIKEY=abc&b=2", "https://h/p?a=1&APIKEY=***&b=2"),
            ("https://h/p?key=a%20b", "https://h/p?key=*****"),
            ("https://h/?access%5Ftoken=abc", "https://h/?access%5Ftoken=***"),
            ("https://h/?X-Amz-Signature=abc;d", "https://h/?X-Amz-Signature=*****"),
            ("https://h/?a=1;token=abc", "https://h/?a=1;token=***"),
            ("https://h/#access_token=abc", "https://h/#access_token=***"),
            ("https://h/?session=abc&secret=d", "https://h/?session=***&secret=*"),
            ("https://h/?token=", "https://h/?token="),
            ("https://h/?page_token=abc&max_tokens=5", "https://h/?page_token=abc&max_tokens=5"),
            ("https://h/?thread=7&email=a@b.c", "https://h/?thread=7&email=a@b.c"),
            ("h", "h"),
        ])
    func url(url: String, masked: String) throws {
        var redactor = Redactor()
        let frames = redactor.redact(
            .request(RequestRecord(method: "GET", url: WireText(url))), exchange: 1, time: 0,
            frame: 1)
        #expect(try frames.record().url.description == masked)
    }

    @Test func starsKeepTheLength() {
        #expect(Masking.stars("päss") == "*****")
        #expect(Masking.stars("") == "")
    }

    private func maskedHeader(_ name: String, _ value: String) throws -> String? {
        var redactor = Redactor()
        let record = ResponseRecord(status: 200, headers: [name: value])
        let frames = redactor.redact(.response(record), exchange: 1, time: 0, frame: 1)
        guard case .response(let masked) = try #require(frames.first).content() else { return nil }
        return masked.headers.first(name)
    }
}

extension [Frame] {
    fileprivate func record() throws -> RequestRecord {
        guard case .request(let record) = try #require(first).content() else {
            throw TapeError(.badFrame, "a request was expected")
        }
        return record
    }
}
