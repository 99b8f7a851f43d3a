"""`make recordings`: renews the tapes that ship and the reports made from them.

With `--reports` (`make reports`) only the reports.
"""

import sys

from peerkit.sessions import ROOT, TOKEN, Recorder, Session, StandIn, reprise

RECORDINGS = ROOT / "Recordings"
REPORTS = ROOT / "Reports"
#: Tapes hold the address, so it is the same each time; below the ports that connections get.
PORT = 18910

SESSIONS = [
    Session("ago-jwt-send", "A signed-in user asks and is answered", "jwt",
            ("send", "How do I reset my password?")),
    Session("ago-jwt-send-gzip", "A second turn; the stream is gzip-compressed, a flush per event",
            "jwt", ("send", "--thread", "{thread}", "And on a phone?"), "coding=gzip"),
    Session("ago-jwt-conversations", "The list of conversations", "jwt", ("conversations",)),
    Session("ago-jwt-conversation", "One conversation", "jwt", ("conversation", "{thread}")),
    Session("ago-jwt-ticket", "A ticket about a conversation", "jwt",
            ("ticket", "--subject", "Locked out", "--typology", "question", "--priority", "high",
             "--body", "The reset link does not work.", "--conversation", "{thread}")),
    Session("ago-widget-send", "Someone unknown asks in the widget; a tool reports and a client "
            "function is offered; cuts are inside characters and JSON", "widget+email",
            ("send", "What is the weather in Zürich?"), "tool,cuts=hard"),
    Session("ago-widget-conversations", "The list of conversations, in the widget",
            "widget+email", ("conversations",)),
    Session("ago-widget-ticket", "A ticket from the widget", "widget+email",
            ("ticket", "--subject", "Rain", "--typology", "question", "--priority", "low",
             "--body", "Does it rain?")),
    Session("ago-cut", "The connection is reset in the middle of an answer", "jwt",
            ("send", "Tell me more"), "cut=1500,rst", status=1),
    Session("ago-stall", "A stream with a silence, then an answer after which content goes on",
            "jwt", ("send", "Tell me slowly"), "stall=1200,after-done"),
    Session("ago-error", "The service gives up: status ERROR", "jwt",
            ("send", "Tell me all"), "error", status=1),
    Session("ago-killed", "The recorder is killed in the middle of an answer; the tape is unsealed",
            "jwt", ("send", "Tell me more"), killed_at=60),
    Session("ago-401", "The token is refused", "jwt", ("conversations",), "status=401", status=1),
    Session("ago-500", "The service fails", "jwt", ("conversation", "{thread}"), "status=500",
            status=1),
]

PREFACE = """# Recordings

Tapes that ship, so that reading, replaying and reporting can be tried and tested without a service.
`make recordings` makes them anew, and the reports in `Reports/` from them.

**Provenance.** Each was recorded by `reprise ago …` from a live HTTP connection on the loopback
interface, at the pace of the stream. The other end was the stand-in of `Tests/Peers/ago`, not
AGO's service, which needs an account: the shape of its events follows AGO's published examples and
its public JavaScript SDK. The words of the answers and the gaps between them are those of
SmolLM2-135M-Instruct (Apache-2.0) under llama.cpp, from the streams in `Tests/Peers/corpus`; they
do not answer the questions. Names, addresses, ids and the masked token were made up. Nobody's data is here.

| tape | mode | what happens | the stand-in was told |
| --- | --- | --- | --- |
"""


def main() -> None:
    if sys.argv[1:] != ["--reports"]:
        record()
    for path in REPORTS.glob("report.*"):
        path.unlink()
    names = [f"Recordings/{session.tape}.tape" for session in SESSIONS]
    reprise(["report", *names, "-o", "Reports", "--format", "text,json,markdown,html"])


def record() -> None:
    with StandIn("ago", "--token", TOKEN, "--port", str(PORT)) as stand_in:
        # `Recordings/demo` and whatever else a person keeps there stay.
        for tape in RECORDINGS.glob("ago-*.tape"):
            tape.unlink()
        recorder = Recorder(stand_in, RECORDINGS)
        print(f"In what follows, AGO='{' '.join(recorder.service())}'.")
        tapes = [recorder.record(session) for session in SESSIONS]
    for tape in tapes:
        reprise(["replay", str(tape.relative_to(ROOT)), "--check"])
    write_readme()


def write_readme() -> None:
    rows = []
    for session in SESSIONS:
        told = f"`{session.wishes}`" if session.wishes else "nothing"
        rows.append(f"| `{session.tape}` | {session.mode} | {session.what} | {told} |\n")
    (RECORDINGS / "README.md").write_text(PREFACE + "".join(rows), "utf-8")


main()
