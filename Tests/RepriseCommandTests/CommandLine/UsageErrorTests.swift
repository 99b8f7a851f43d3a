import TestSupport
import Testing

/// Wrong usage, as a person meets it: what is wrong, what to do, exit status 2, nothing on
/// standard output.
@Suite struct UsageErrorTests {
    static let table: [(words: [String], text: String)] = [
        (["fly"], "reprise: unknown command 'fly'\nTry 'reprise --help'.\n"),
        (
            ["shwo", "a.tape"],
            "reprise: unknown command 'shwo'; did you mean show?\nTry 'reprise --help'.\n"
        ),
        (
            ["show", "--colour", "a.tape"],
            "reprise: show: unknown option --colour\nTry 'reprise show --help'.\n"
        ),
        (
            ["report", "--formt", "json", "a.tape"],
            "reprise: report: unknown option --formt; did you mean --format?\n"
                + "Try 'reprise report --help'.\n"
        ),
        (
            ["report", "a.tape", "--format"],
            "reprise: report: --format needs a value: --format FORMATS\nTry 'reprise report --help'.\n"
        ),
        (
            ["replay", "--check=yes", "a.tape"],
            "reprise: replay: --check takes no value\nTry 'reprise replay --help'.\n"
        ),
        (
            ["replay", "--pace", "1", "--pace", "2", "a.tape"],
            "reprise: replay: --pace is given twice\nTry 'reprise replay --help'.\n"
        ),
        (
            ["replay", "--check", "--cuts", "Bytes", "a.tape"],
            "reprise: replay: --cuts is a name of cuts, e.g. bytes or random:7, or all, not 'Bytes'\n"
                + "Try 'reprise replay --help'.\n"
        ),
        (
            ["replay", "--cuts", "bytes", "a.tape"],
            "reprise: replay: --cuts goes with --check\nTry 'reprise replay --help'.\n"
        ),
        (
            ["replay", "--volatile", "query:n", "a.tape"],
            "reprise: replay: --volatile goes with --check\nTry 'reprise replay --help'.\n"
        ),
        (
            ["replay", "--match", "flexible", "a.tape"],
            "reprise: replay: --match goes with --check\nTry 'reprise replay --help'.\n"
        ),
        (
            ["replay", "--check", "--match", "loosely", "a.tape"],
            "reprise: replay: --match is exact or flexible, not 'loosely'\n"
                + "Try 'reprise replay --help'.\n"
        ),
        (
            ["serve", "--listen", "0", "--volatile", "json:a", "a.tape"],
            "reprise: serve: --volatile: \"a\" is no path into JSON: it begins with $, as in "
                + "$.messages[*].id\nTry 'reprise serve --help'.\n"
        ),
        (
            ["serve", "--listen", "0", "--identifier", "cookie:a", "a.tape"],
            "reprise: serve: --identifier: \"cookie:a\" is no place in a request: it is json:PATH, "
                + "query:NAME, header:NAME, path:PATTERN or part:NAME\n"
                + "Try 'reprise serve --help'.\n"
        ),
        (
            ["ago", "sned"],
            "reprise: ago: unknown command 'sned'; did you mean send?\n"
        ),
        (
            ["ago", "fly"],
            "reprise: ago: unknown command 'fly'; it is one of: send, conversations, conversation,"
                + " ticket\n"
        ),
        (
            ["ago"],
            "reprise: ago: a command is missing, one of: send, conversations, conversation,"
                + " ticket\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1", "--origin", "https://a.example",
                "--jwt-env", "eyJhbGciOi.J9", "hi",
            ],
            "reprise: ago send: --jwt-env takes the name of an environment variable that holds the token, such as"
                + " MY_TOKEN, and not the token\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1", "--origin", "https://a.example",
                "--jwt-env", "NO_SUCH_TOKEN", "hi",
            ],
            "reprise: ago send: --jwt-env: there is no environment variable of that name\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1", "--origin", "https://a.example",
                "--widget", "--tape", "-", "hi",
            ],
            "reprise: ago send: --tape needs a file: standard output is for the answer\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1", "--origin", "https://a.example",
                "--widget", "--tape", "", "hi",
            ],
            "reprise: ago send: --tape is empty: --tape FILE\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1", "--origin", "https://a.example",
                "--widget", "--replace", "hi",
            ],
            "reprise: ago send: --replace goes with --tape\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1", "--origin", "https://a.example",
                "--widget", " ",
            ],
            "reprise: ago send: MESSAGE is empty: say something\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            ["ago", "send", "--base-url", "ftp://h.example", "--origin", "o", "--widget", "hi"],
            "reprise: ago send: --base-url is no absolute http or https URL: begin it with https://\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1?token=x", "--origin", "o",
                "--widget", "hi",
            ],
            "reprise: ago send: --base-url ends in a query or a fragment, behind which no path can stand:"
                + " leave it out\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1", "--origin", "https://a.example",
                "--widget", "--idle-timeout", "soon", "hi",
            ],
            "reprise: ago send: --idle-timeout is a number of seconds, not 'soon'\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://h.example/v1", "--origin", "https://a.example",
                "--widget", "--ca-file", "/no/such.pem", "hi",
            ],
            "reprise: ago send: --ca-file cannot be read: there is no such file\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            ["show", "--help=all"],
            "reprise: show: --help takes no value\nTry 'reprise show --help'.\n"
        ),
        (
            ["--version", "2"],
            "reprise: unknown command '--version'\nTry 'reprise --help'.\n"
        ),
        (
            ["ago", "send", "--origin", "https://a.example", "--widget", "hi"],
            "reprise: ago send: --base-url is missing: where the service is\n"
                + "Try 'reprise ago send --help'.\n"
        ),
        (
            [
                "ago", "send", "--base-url", "http://127.0.0.1:1", "--origin", "https://a.example",
                "hi",
            ],
            "reprise: ago send: who asks? give --jwt-env VAR or --widget\n"
                + "Try 'reprise ago send --help'.\n"
        ),
    ]

    @Test(arguments: table)
    func saysWhatIsWrong(words: [String], text: String) async throws {
        let result = try await Command(try Workspace.command, words).run()
        #expect(result.errorText == text)
        #expect(result.text.isEmpty)
        #expect(result.status == 2)
    }

    @Test func withoutWordsItShowsTheHelp() async throws {
        let result = try await Command(try Workspace.command, []).run()
        #expect(result.errorText.hasPrefix("Records, replays and analyzes"))
        #expect(result.status == 2)
    }
}
