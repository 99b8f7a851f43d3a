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

    /// RFC 9110, section 5.6.7: the form of today and the two that are obsolete, in either field.
    private static let forms = [
        "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994",
    ]

    @Test(arguments: forms, forms)
    func isReadAsADateOfAnyForm(retryAfter: String, date: String) {
        let earlier = date.replacing("08:49:37", with: "08:47:00")
        let headers: Headers = ["Retry-After": retryAfter, "Date": earlier]
        #expect(ResponseRecord(status: 503, headers: headers).retryAfter == 157)
    }

    @Test(
        "Over the ends of days, months and years",
        arguments: [
            ("Fri, 31 Dec 1999 23:59:59 GMT", "Sat Jan  1 00:00:01 2000", 2),
            ("Mon, 28 Feb 2028 12:00:00 GMT", "Wednesday, 01-Mar-28 12:00:00 GMT", 172_800),
            ("Sun, 28 Feb 2100 12:00:00 GMT", "Mon, 01 Mar 2100 12:00:00 GMT", 86_400),
            ("Thu, 30 Jun 2016 23:59:60 GMT", "Fri, 01 Jul 2016 00:00:01 GMT", 1),
        ])
    func countsDays(date: String, retryAfter: String, seconds: Int) {
        let headers: Headers = ["Retry-After": retryAfter, "Date": date]
        #expect(ResponseRecord(status: 503, headers: headers).retryAfter == seconds)
    }

    @Test(arguments: [
        "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49 GMT", "Sun, 32 Nov 1994 08:49:37 GMT", "06 Nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 CET", "Sun, 06 Nov 99999 08:49:37 GMT", "1994-11-06T08:49:37Z",
    ])
    func whatIsNoDateIsNothing(text: String) {
        let headers: Headers = ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:47:00 GMT"]
        #expect(ResponseRecord(status: 503, headers: headers).retryAfter == nil)
    }

    @Test func nothingIsNothing() {
        #expect(ResponseRecord(status: 429, headers: [:]).retryAfter == nil)
    }
}
