import TestSupport
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

@Suite("reprise serve")
struct ServeCommandTests {
    /// Runs `line` of the shell while the tape is served at `$URL`, and ends the server as told.
    private func serve(
        _ options: String, while line: String, ends: String = "kill -TERM $SERVER;"
    ) async throws -> (TestSupport.Command.Result) {
        // A server that something is missing to ends too.
        let script = """
            cd "$1"; out=$(mktemp -d); trap 'rm -rf "$out"' EXIT
            "$0" serve \(options) > "$out/out" & SERVER=$!
            (sleep 60; kill -TERM $SERVER) >&- 2>&- & LIMIT=$!
            while [ ! -s "$out/out" ]; do sleep 0.02; done
            URL=$(sed -n 's/^listening on //p' "$out/out")
            \(line)
            \(ends) wait $SERVER; status=$?; kill $LIMIT
            sed 's/:[0-9]*$/:PORT/' "$out/out"; exit $status
            """
        var command = Command(
            "/bin/bash", ["-c", script, try Workspace.command, Workspace.root])
        command.environment = ["AGO_JWT": "planted-token-1234567890"]
        return try await command.run()
    }

    private static let ask =
        "curl -s -o /dev/null -H 'Content-Type: application/json' --data-binary "
        + "'{ \"content\" : \"How do I reset my password?\" }' $URL/api/sdk/v1/messages;"

    @Test("Everything asked for is success, and --once ends by itself")
    func once() async throws {
        let result = try await serve(
            "--once --listen 0 Recordings/ago-jwt-send.tape Recordings/ago-401.tape",
            while: "curl -s -o /dev/null $URL/api/sdk/v1/conversations; \(Self.ask)", ends: "")
        #expect(
            result.text == """
                listening on http://127.0.0.1:PORT
                served  1  Recordings/ago-jwt-send.tape  POST /api/sdk/v1/messages
                served  1  Recordings/ago-401.tape       GET /api/sdk/v1/conversations
                2 of 2 exchanges served

                """)
        #expect(result.status == 0)
        #expect(result.errorText == "")
    }

    @Test("What was not asked for, and what was not recorded, is status 1")
    func leftOver() async throws {
        let result = try await serve(
            "--listen 127.0.0.1:0 Recordings/ago-jwt-send.tape Recordings/ago-401.tape",
            while: "\(Self.ask) \(Self.ask)")
        #expect(
            result.text == """
                listening on http://127.0.0.1:PORT
                served         1  Recordings/ago-jwt-send.tape  POST /api/sdk/v1/messages
                not asked for  1  Recordings/ago-401.tape       GET /api/sdk/v1/conversations
                1 of 2 exchanges served, 1 request not recorded

                """)
        #expect(
            result.errorText
                == """
                reprise: serve: POST /api/sdk/v1/messages: already consumed; it was recorded once, as \
                exchange 1 of Recordings/ago-jwt-send.tape, which has answered a request
                  record again if it is meant to come once more

                """)
        #expect(result.status == 1)
    }

    @Test(
        "A fault that never struck is told at the end, and status 1",
        arguments: [
            ("cut@event:900", true), ("slow@path:/nope,delay=1ms", true),
            ("slow@event:1,delay=1ms", false),
        ])
    func fault(fault: String, isUnstruck: Bool) async throws {
        let result = try await serve(
            "--once --listen 0 Recordings/ago-jwt-send.tape --fault \(fault)", while: Self.ask,
            ends: "")
        let last = isUnstruck ? "the fault \(fault) never struck\n" : ""
        #expect(result.text.hasSuffix("\n1 of 1 exchange served\n" + last))
        #expect(result.status == (isUnstruck ? 1 : 0))
    }

    @Test(
        "What may change is declared",
        arguments: [
            ("--volatile json:$.content", 0), ("--volatile 'json:$..content'", 0),
            ("--volatile json:$.other", 1), ("--match exact", 1),
            ("--match flexible --volatile=json:$.content", 0),
            ("--volatile json:$.content --match-header X-Own", 0),
            ("--volatile json:$.content --match-header User-Agent", 1),
        ])
    func declared(options: String, status: Int32) async throws {
        let result = try await serve(
            "--once --listen 0 Recordings/ago-jwt-send.tape \(options)",
            while: Self.ask.replacing("How do I reset", with: "What about"),
            ends: status == 0 ? "" : "kill -TERM $SERVER;")
        #expect(result.status == status)
        #expect(result.errorText.contains("no such request was recorded") == (status == 1))
    }

    @Test("Our own clients, whatever they draw, get what was recorded")
    func kits() async throws {
        let ago = "--base-url $URL/api/sdk/v1 --origin https://app.example.com --jwt-env AGO_JWT"
        let result = try await serve(
            "--once --listen 0 Recordings/ago-jwt-ticket.tape Recordings/ago-jwt-send.tape "
                + "Recordings/chatbase-tools.tape",
            while: """
                "$0" ago ticket \(ago) --tape $out/a.tape --widget-id w-1 --subject "Locked out" \
                    --typology question --priority high --body "The reset link does not work." \
                    --conversation th-87ccd5137a96
                "$0" ago send \(ago) --tape $out/b.tape --widget-id w-1 "How do I reset my password?"
                "$0" chatbase send --base-url $URL/api/sdk --agent a-1 --tape $out/c.tape \
                    --tool get_weather="echo '{\\"celsius\\": 21.5}'" --tool find_order="exit 3" \
                    "Where is my umbrella?"
                """, ends: "")
        #expect(result.text.hasSuffix("9 of 9 exchanges served\n"))
        #expect(result.text.contains("There are four distinct colors that"))
        #expect(result.status == 0)
    }

    @Test(
        "What cannot be served is told",
        arguments: [
            (
                ["serve", "Recordings/ago-401.tape"], 2,
                "reprise: serve: --listen is missing: where to listen, e.g. 127.0.0.1:8080\n"
                    + "Try 'reprise serve --help'.\n"
            ),
            (
                ["serve", "Recordings/ago-401.tape", "--listen", "here"], 2,
                "reprise: serve: --listen is an address and a port, e.g. 127.0.0.1:8080, not 'here'\n"
                    + "Try 'reprise serve --help'.\n"
            ),
            (
                ["serve", "Recordings/ago-401.tape", "--listen", "0", "--pace", "virtual"], 2,
                "reprise: serve: --pace is instant, original or a positive factor, not 'virtual'\n"
                    + "Try 'reprise serve --help'.\n"
            ),
            (
                ["serve", "Recordings/ago-401.tape", "--listen", "192.0.2.1:0"], 1,
                "reprise: serve: cannot listen at 192.0.2.1:0: it is no address of this machine\n"
            ),
            (
                ["serve", "nowhere.tape", "--listen", "0"], 1,
                "reprise: serve: nowhere.tape: cannot be opened: there is no such file\n"
            ),
        ] as [([String], Int32, String)])
    func refused(words: [String], status: Int32, text: String) async throws {
        var command = Command(try Workspace.command, words)
        command.folder = Workspace.root
        let result = try await command.run()
        #expect(result.status == status)
        #expect(result.errorText == text)
        #expect(result.text == "")
    }
}
