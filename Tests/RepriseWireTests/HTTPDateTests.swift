import RepriseWire
import Testing

@Suite struct HTTPDateTests {
    @Test(
        arguments: [
            // RFC 9110 section 5.6.7.
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Tue, 29 Feb 2000 12:00:00 GMT", 951_825_600),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Mon, 01 Mar 2100 00:00:00 GMT", 4_107_542_400),
            ("Tuesday, 31-Dec-69 00:00:00 GMT", 3_155_673_600),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
            ("Sat, 01 Jan 0000 00:00:00 GMT", -62_167_219_200),
            ("", nil), ("7", nil), ("Sun, 06 Nov 1994 08:49:37 PST", nil),
            ("Sun, 06 Nov 1994 08:49 GMT", nil), ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
            ("Sun, 06 nov 1994 08:49:37 GMT", nil), ("Sun, 00 Nov 1994 08:49:37 GMT", nil),
            ("Sun, 06 Nov 19940 08:49:37 GMT", nil), ("Sun, 06 Nov 199 08:49:37 GMT", nil),
            ("Sun, +6 Nov 1994 08:49:37 GMT", nil), ("Sun, ٠٦ Nov 1994 08:49:37 GMT", nil),
        ] as [(String, Int64?)])
    func reads(text: String, seconds: Int64?) { #expect(HTTPDate(text)?.seconds == seconds) }
}
