import RepriseSession
import Testing

@Suite struct SeenTextTests {
    @Test func quotesStandAroundWhatIsShown() {
        #expect(SeenText.quoted(" a\n") == "“ a\\n”")
        let long = SeenText.quoted(String(repeating: "a", count: 500))
        #expect(long.unicodeScalars.count == SeenText.limit)
        #expect(long.hasSuffix("…”"))
        let violation = Violation(
            .jsonJ1, at: Place(), expected: "x\u{1b}", seen: SeenText.quoted("Bearer abc"))
        #expect(violation.seen == "“Bearer ***”")
        #expect(violation.expected == "x\\u{1b}")
    }

    @Test(arguments: [
        ("plain text", "plain text"),
        ("a\nb\r\tc\u{7f}\u{1b}[31m\u{202e}", #"a\nb\r\tc\u{7f}\u{1b}[31m\u{202e}"#),
        ("Authorization: Bearer abc.def-123", "Authorization: Bearer ***"),
        ("Authorization: Basic dXNlcg==", "Authorization: Basic ***=="),
        (#"{"authToken":"s3cret","text":"hi"}"#, #"{"authToken":"***","text":"hi"}"#),
        (#"{"api_key" : "s3cret"}"#, #"{"api_key" : "***"}"#),
        ("session=abc; theme=dark", "session=***; theme=dark"),
        ("see eyJhbGci.eyJzdWIi.c2ln here", "see *** here"),
        ("the token is gone", "the token is gone"),
        ("", ""),
    ])
    func isFitToBeShown(text: String, shown: String) {
        #expect(SeenText.shown(text) == shown)
    }

    @Test func isCut() {
        let shown = SeenText.shown(String(repeating: "é", count: 1_000_000))
        #expect(shown.unicodeScalars.count == 200)
        #expect(shown.hasSuffix("é…"))
    }
}
