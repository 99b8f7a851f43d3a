import RepriseAnalysis
import RepriseSession
import Testing

@Suite struct ExcerptTests {
    private func event(_ rule: String, _ recording: Recording) throws -> Excerpt? {
        let violations = try recording.analyzed().violations
        return try #require(violations.first { $0.rule == rule }).event
    }

    @Test func aBrokenEventIsShownAtItsPlace() throws {
        let recording = Recording.chunks(Recording.begin, #"{"content":1 2}"#, Recording.done)
        let excerpt = try #require(try event("ago.A9a", recording))
        #expect(excerpt.isAround)
        #expect(excerpt.before + excerpt.after == #"{"content":1 2}"#)
        #expect(excerpt.offset == UInt64(Recording.chunk(Recording.begin).utf8.count))
    }

    @Test func whatShowsAtTheEndHasTheLastEventBeforeIt() throws {
        let excerpt = try #require(
            try event("ago.A2", .chunks(Recording.begin, Recording.text)))
        #expect(!excerpt.isAround)
        #expect(excerpt.before == "")
        #expect(excerpt.after == Recording.text)
    }

    @Test func aDocumentIsShownToo() throws {
        let excerpt = try #require(try event("json.J1", .reply(#"{"items":[1,}"#)))
        #expect(excerpt.isAround)
        #expect(excerpt.before == #"{"items":[1,"#)
        #expect(excerpt.after == "}")
    }

    @Test func whereNothingCameThereIsNone() throws {
        var recording = Recording()
        recording.request(1, at: 0)
        recording.response(1, at: 10, 500)
        recording.end(1, at: 20)
        #expect(try event("http.H1", recording) == nil)
    }

    @Test(arguments: [
        (#"{"token":"abc.def","#, #"oops"#, #"{"token":"***","#, "oops"),
        // Inside of a secret: not even the end of it is shown.
        (#"{"token":"abc"#, #"def" oops"#, #"{"token":""#, #"***" oops"#),
        ("a\u{202E}b\u{1B}c ", "d\u{200B}\n", #"a\u{202e}b\u{1b}c "#, #"d\u{200b}\n"#),
        (
            String(repeating: "ab ", count: 50), "x",
            "…" + String(repeating: " ab", count: 39) + " ab", "x"
        ),
        ("", String(repeating: "é", count: 281), "", String(repeating: "é", count: 279) + "…"),
    ])
    func isMaskedEscapedAndCut(before: String, after: String, left: String, right: String) {
        let text = Array((before + after).utf8)
        let excerpt = Excerpt(
            of: text, around: before.utf8.count, offset: 7, isAround: true)
        if before.count < 100 { #expect(excerpt.before == left) }
        #expect(excerpt.after == right)
        #expect(excerpt.before.unicodeScalars.count <= 120)
    }

    @Test func anyCutOfABigEventIsSafe() {
        let secret = #"{"key":"s3cr3t-"# + String(repeating: "s3cr3t-", count: 3_000) + #""}"#
        let text = Array((String(repeating: "- ", count: 100) + secret).utf8)
        for index in stride(from: 0, to: text.count + 500, by: 97) {
            let excerpt = Excerpt(of: text, around: index, offset: 0, isAround: true)
            #expect(!(excerpt.before + excerpt.after).contains("s3cr3t"))
        }
    }

    @Test func bytesThatAreNoTextAreReplaced() {
        let excerpt = Excerpt(
            of: [0x22, 0xFF, 0xC3, 0x22], around: 0, offset: 0, isAround: true)
        #expect(excerpt.after == "\"\u{FFFD}\u{FFFD}\"")
    }
}
