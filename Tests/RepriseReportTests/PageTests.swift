import RepriseAnalysis
import RepriseReport
import TestSupport
import Testing

@Suite("The web page")
struct PageTests {
    private static let elements: Set<String> = [
        "html", "head", "meta", "title", "style", "body", "header", "nav", "main", "section",
        "article", "footer", "h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "dl", "div", "dt", "dd",
        "table", "caption", "thead", "tbody", "tr", "th", "td", "details", "summary", "figure",
        "figcaption", "pre", "code", "mark", "a", "b", "i", "small", "span", "bdi", "cite",
    ]
    private static let attributes: Set<String> = [
        "lang", "charset", "http-equiv", "content", "name", "class", "id", "href", "style", "scope",
        "colspan", "role", "tabindex", "open", "aria-hidden", "aria-label", "aria-labelledby",
        "data-title",
    ]

    private func pages() throws -> [Page] {
        let reports = [
            try PageSample.report(), try Sample.report(), Report([], rules: Sample.rules),
        ]
        return reports.map { Page(HTMLReport().render($0)) }
    }

    @Test("is well formed, and has only what it needs")
    func isWellFormed() throws {
        for page in try pages() {
            #expect(page.faults == [])
            #expect(Set(page.tags.map(\.name)).subtracting(Self.elements) == [])
            let names = Set(page.tags.flatMap(\.attributes.keys))
            #expect(names.subtracting(Self.attributes) == [])
        }
    }

    @Test("asks for nothing, and runs nothing")
    func isSelfContained() throws {
        for page in try pages() {
            for word in ["url(", "@import", "http:", "https:", "expression", "</"] {
                #expect(!page.style.contains(word))
            }
            let policy = page.tags.first { $0.attributes["http-equiv"] != nil }
            #expect(
                policy?.attributes["content"] == "default-src 'none'; style-src 'unsafe-inline'")
            for tag in page.tags {
                if let style = tag.attributes["style"] {
                    #expect(style.allSatisfy { "leftwidhfx-gorsp:;.%0123456789 ".contains($0) })
                }
                if let target = tag.attributes["href"] { #expect(target.hasPrefix("#")) }
            }
        }
    }

    @Test("has each name once, and links that lead somewhere")
    func linksLead() throws {
        for page in try pages() {
            let names = page.tags.compactMap { $0.attributes["id"] }
            #expect(Set(names).count == names.count)
            for tag in page.tags {
                if let target = tag.attributes["href"] {
                    #expect(names.contains(String(target.dropFirst())))
                }
                if let label = tag.attributes["aria-labelledby"] { #expect(names.contains(label)) }
            }
        }
    }

    @Test("shows what means harm, and shows it harmless")
    func hostileTextIsText() throws {
        let html = HTMLReport().render(try PageSample.report())
        #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("<!--"))
        let unseen = html.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A: false
            case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
                0xE0000...0xE007F:
                true
            default: false
            }
        }
        #expect(unseen.isEmpty)
        let page = Page(html)
        let start = #"</script><script>alert('1')</script>"><img src=x onerror="alert(2)">"#
        // The tape, the recorder, the reason of a rule's grade, what was passed over, a tool …
        #expect(page.text.ranges(of: start).count > 10)
        #expect(page.text.contains(#"\u{202e}\u{2066}\u{200f}\u{0}\u{1b}[31m\u{7}\u{9b}\u{2028}"#))
        #expect(page.text.contains("\u{FFFD}"))
    }

    @Test("shows the event in which a violation is, with a mark at its place")
    func violationsHaveTheirEvent() throws {
        let page = Page(HTMLReport().render(try Sample.report()))
        #expect(page.text.contains(#"{"token":"***", oops"#))
        #expect(page.text.contains("the last event before it, at byte 0"))
        #expect(page.tags.contains { $0.name == "mark" })
    }

    @Test(
        "says in words what a waterfall shows",
        arguments: [
            "connected after 64.0 ms", "answered after 178 ms", "over an open connection",
            "begins at 518 ms", "first byte after 185 ms",
            "reasoning from 200 ms to 360 ms, 5 pieces",
            "text from 380 ms to 860 ms, 15 pieces", "arguments from 880 ms to 885 ms, 2 pieces",
            "terminal event after 890 ms", "ended after 900 ms, complete",
            "result 241 ms later", "handler ran for 200 ms", "silence for 1092 ms from 208 ms",
            "turn_latency 3048 ms",
        ])
    func waterfallSaysWhatItShows(fact: String) throws {
        let report = Report([try PageSample.turn()], rules: Sample.rules)
        #expect(Page(HTMLReport().render(report)).text.contains(fact))
    }

    @Test("draws every row within its lane")
    func lanesHoldTheirSegments() throws {
        for tag in try pages().flatMap(\.tags) {
            guard let style = tag.attributes["style"], style.hasPrefix("left:") else { continue }
            let numbers = style.split(separator: ";").compactMap { part in
                Double(part.drop { !$0.isNumber }.dropLast())
            }
            #expect(numbers.reduce(0, +) <= 100.001, "\(style)")
        }
    }

    @Test("is the same, byte for byte")
    func isGolden() throws {
        try Snapshot.expect(
            HTMLReport().render(try PageSample.report()), "page.html", in: #filePath)
    }
}
