import RepriseSession
import Testing

@Suite struct BracketTests {
    typealias Finding = BracketVerifier.Finding

    struct Case: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var profile: BracketProfile
        /// `event` or `event:key`, in order.
        var events: String
        var findings: [Finding]

        init(
            _ name: String, _ profile: BracketProfile, _ events: String, _ findings: [Finding] = []
        ) {
            testDescription = name
            self.profile = profile
            self.events = events
            self.findings = findings
        }
    }

    @Test(arguments: agui + strict + cometchat + stream + ago)
    func findsWhatIsOutOfOrder(_ item: Case) {
        var verifier = BracketVerifier(item.profile)
        var found: [Finding] = []
        for word in item.events.split(separator: " ") {
            let parts = word.split(separator: ":").map(String.init)
            found += verifier.read(parts[0], key: parts.count > 1 ? parts[1] : "")
        }
        found += verifier.finish()
        #expect(found == item.findings)
    }
}

extension BracketTests {
    private static let run = BracketProfile.Row(
        "run", open: ["RUN_STARTED"], close: ["RUN_FINISHED", "RUN_ERROR"], isKeyed: false,
        allowances: [.reopening, .bareClosing, .enclosesAll, .resets, .openEnd])

    private static func bracket(
        _ kind: String, _ name: String, _ allowances: BracketProfile.Allowances
    ) -> BracketProfile.Row {
        .init(
            kind, open: ["\(name)_START"], continue: ["\(name)_CONTENT"], close: ["\(name)_END"],
            mustCloseBefore: ["RUN_FINISHED"], allowances: allowances)
    }

    private static let aguiProfile = BracketProfile(rows: [
        bracket("text", "TEXT", [.reopening, .openEnd]),
        bracket("tool", "TOOL", [.reopening, .openEnd]), run,
    ])

    /// As clients of 2025 had it: while one is open, nothing but its own events.
    private static let strictProfile = BracketProfile(rows: [
        bracket("text", "TEXT", [.reopening, .openEnd, .exclusive]),
        bracket("tool", "TOOL", [.reopening, .openEnd, .exclusive]), run,
    ])

    static let agui = [
        Case(
            "a run", aguiProfile, "RUN_STARTED TEXT_START:a TEXT_CONTENT:a TEXT_END:a RUN_FINISHED"),
        Case("nothing before the run", aguiProfile, "TEXT_START:a", [Finding(.outside, "run")]),
        Case("an error needs no run", aguiProfile, "RUN_ERROR"),
        Case(
            "a run within a run", aguiProfile, "RUN_STARTED RUN_STARTED",
            [Finding(.alreadyOpen, "run")]),
        Case("another run", aguiProfile, "RUN_STARTED RUN_FINISHED RUN_STARTED RUN_FINISHED"),
        Case(
            "a new run forgets", aguiProfile,
            "RUN_STARTED TEXT_START:a RUN_ERROR RUN_STARTED TEXT_CONTENT:a",
            [Finding(.neverOpened, "text", key: "a")]),
        Case(
            "after the run", aguiProfile, "RUN_STARTED RUN_FINISHED X", [Finding(.outside, "run")]),
        Case(
            "two texts at once", aguiProfile,
            "RUN_STARTED TEXT_START:a TEXT_START:b TOOL_START:c TEXT_CONTENT:a TEXT_END:b "
                + "TOOL_END:c TEXT_END:a RUN_FINISHED"),
        Case(
            "a text that is open is not opened", aguiProfile,
            "RUN_STARTED TEXT_START:a TEXT_START:a TEXT_END:a",
            [Finding(.alreadyOpen, "text", key: "a")]),
        Case(
            "content of nothing", aguiProfile, "RUN_STARTED TEXT_CONTENT:a TEXT_END:a",
            [Finding(.neverOpened, "text", key: "a")]),
        Case(
            "a text that was closed", aguiProfile,
            "RUN_STARTED TEXT_START:a TEXT_END:a TEXT_CONTENT:a TEXT_END:a",
            [
                Finding(.continuedAfterClose, "text", key: "a"),
                Finding(.closedTwice, "text", key: "a"),
            ]),
        Case(
            "the same id again", aguiProfile,
            "RUN_STARTED TEXT_START:a TEXT_END:a TEXT_START:a TEXT_END:a RUN_FINISHED"),
        Case(
            "the run ends over open ones", aguiProfile,
            "RUN_STARTED TOOL_START:b TEXT_START:a RUN_FINISHED",
            [Finding(.stillOpen, "text", key: "a"), Finding(.stillOpen, "tool", key: "b")]),
    ]

    static let strict = [
        Case(
            "two texts at once", strictProfile, "RUN_STARTED TEXT_START:a TEXT_START:b",
            [Finding(.interrupted, "text", key: "a")]),
        Case(
            "a tool inside a text", strictProfile, "RUN_STARTED TEXT_START:a TOOL_START:b",
            [Finding(.interrupted, "text", key: "a")]),
        Case(
            "one after the other", strictProfile, "RUN_STARTED TEXT_START:a TEXT_END:a TOOL_START:b"
        ),
    ]
}

extension BracketTests {
    private static let cometchatProfile = BracketProfile(
        rows: [
            .init(
                "text", open: ["text_message_start"], continue: ["text_message_content"],
                close: ["text_message_end"], mustCloseBefore: ["run_finished"],
                allowances: [.reopening, .openEnd]),
            .init(
                "tool", open: ["tool_call_start"], continue: ["tool_call_args"],
                close: ["tool_call_end"], mustCloseBefore: ["run_finished"],
                allowances: [.reopening, .openEnd]),
            .init(
                "card", open: ["card_start"], continue: ["card"], close: ["card_end"],
                mustCloseBefore: ["run_finished"], allowances: [.reopening, .openEnd],
                continuations: 1...1),
            .init(
                "run", open: ["run_started"], close: ["run_finished"], isKeyed: false,
                allowances: [.enclosesAll]),
        ],
        references: [.init("tool_call_result", to: "tool", needs: .closed)])

    static let cometchat = [
        // Both are one class in the vendor's client; the type is what counts.
        Case(
            "a text start is no second run start", cometchatProfile,
            "run_started text_message_start:a text_message_content:a text_message_end:a "
                + "run_finished"),
        Case(
            "a result behind the call's end", cometchatProfile,
            "run_started tool_call_start:t tool_call_args:t tool_call_end:t tool_call_result:t "
                + "run_finished"),
        Case(
            "a result of a call that is open", cometchatProfile,
            "run_started tool_call_start:t tool_call_result:t tool_call_end:t run_finished",
            [Finding(.notYetClosed, "tool", key: "t")]),
        Case(
            "a result of no call", cometchatProfile, "run_started tool_call_result:t run_finished",
            [Finding(.unknown, "tool", key: "t")]),
        Case(
            "a card twice", cometchatProfile,
            "run_started card_start:c card:c card:c card_end:c run_finished",
            [Finding(.continuedTooOften, "card", key: "c")]),
        Case(
            "no card", cometchatProfile, "run_started card_start:c card_end:c run_finished",
            [Finding(.closedEarly, "card", key: "c")]),
        Case(
            "no end", cometchatProfile, "run_started text_message_start:a",
            [Finding(.neverClosed, "run")]),
        Case(
            "a run started again", cometchatProfile,
            "run_started run_finished run_started run_finished",
            [Finding(.reopened, "run")]),
    ]

    private static func stream(bare: Bool) -> BracketProfile {
        BracketProfile(rows: [
            .init(
                "text", open: ["text-start"], continue: ["text-delta"], close: ["text-end"],
                mustCloseBefore: ["finish"],
                allowances: bare
                    ? [.bareContinuing, .replacing, .openEnd, .reopening]
                    : [.replacing, .openEnd, .reopening])
        ])
    }

    static let stream = [
        Case("a bare delta is legal", stream(bare: true), "text-delta:t text-delta:t text-end:t"),
        Case(
            "a bare delta is not", stream(bare: false), "text-delta:t text-end:t",
            [Finding(.neverOpened, "text", key: "t")]),
        Case("opening replaces", stream(bare: false), "text-start:t text-start:t text-end:t"),
        Case(
            "finish over an open text", stream(bare: false), "text-start:t finish",
            [Finding(.stillOpen, "text", key: "t")]),
    ]

    private static let agoProfile = BracketProfile(rows: [
        .init(
            "answer", open: ["chunk"], continue: ["content"], close: ["DONE", "WAITING_CLIENT"],
            isKeyed: false)
    ])

    static let ago = [
        Case("what is no text may follow", agoProfile, "chunk content DONE title"),
        Case(
            "text may not", agoProfile, "chunk content DONE content",
            [Finding(.continuedAfterClose, "answer")]),
        Case("two ends", agoProfile, "chunk DONE DONE", [Finding(.closedTwice, "answer")]),
        Case("no end", agoProfile, "chunk content", [Finding(.neverClosed, "answer")]),
    ]

    @Test func tellsWhatIsOpen() {
        var verifier = BracketVerifier(Self.aguiProfile)
        for key in ["b", "a", "c"] { _ = verifier.read("TEXT_START", key: key) }
        _ = verifier.read("TEXT_END", key: "c")
        #expect(verifier.openKeys("text") == ["a", "b"])
        #expect(verifier.knows("text", key: "c"))
        #expect(!verifier.knows("text", key: "d"))
        #expect(verifier.openKeys("no such kind") == [])
    }
}
