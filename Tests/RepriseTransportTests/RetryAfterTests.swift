import RepriseTape
import RepriseTransport
import RepriseWire
import Testing

@Suite struct RetryAfterTests {
    @Test(
        arguments: [
            ("7", nil, 7), ("0", nil, 0), ("-3", nil, 0), ("soon", nil, nil), ("", nil, nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:47:00 GMT", 157),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 09:00:00 GMT", 0),
            ("Sun, 06 Nov 1994 08:49:37 GMT", nil, nil),
            ("Sun, 06 Nov 1994 08:49:37 GMT", "now", nil),
        ] as [(String, String?, Int?)])
    func isReadInBothForms(retryAfter: String, date: String?, seconds: Int?) {
        var headers: Headers = ["Retry-After": retryAfter]
        if let date { headers.append("Date", date) }
        #expect(ResponseRecord(status: 429, headers: headers).retryAfter == seconds)
    }

    @Test func nothingIsNothing() {
        #expect(ResponseRecord(status: 429, headers: [:]).retryAfter == nil)
    }
}
