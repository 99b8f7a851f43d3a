"""`make recordings`: renews the tapes that ship and the reports made from them.

With `--reports` (`make reports`) only the reports; with names of kits, such as `cometchat`, only
their tapes and the reports.
"""

import sys
from pathlib import Path

from peerkit.sessions import (
    AGO, CHATBASE, COMETCHAT, ROOT, TOKEN, Kit, Recorder, Session, StandIn, of, reprise)

RECORDINGS = ROOT / "Recordings"
REPORTS = ROOT / "Reports"
#: Tapes hold the address, so it is the same each time; below the ports that connections get.
PORTS = {AGO.name: ("--port", "18910"), CHATBASE.name: ("--port", "18911"),
         COMETCHAT.name: ("--port", "18912", "--socket-port", "18913")}

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

TOOLS = (("get_weather", """echo '{"celsius": 21.5}'"""), ("find_order", "exit 3"))
CHATBASE_SESSIONS = of(CHATBASE, [
    Session("chatbase-tools", "A turn of three streams: the service runs a tool, then the app runs "
            "two, one of which fails; each result comes too early once", "device",
            ("send", "Where is my umbrella?"), "tools=search!+get_weather/find_order,not-ready=1",
            tools=TOOLS),
    Session("chatbase-send-gzip", "A second turn; the stream is gzip-compressed, a flush per event",
            "device", ("send", "--conversation", "{thread}", "And my hat?"), "coding=gzip"),
    Session("chatbase-retry", "The first turn is answered again", "device",
            ("retry", "{thread}", "{message}"), tools=TOOLS),
    Session("chatbase-conversations", "The list of conversations", "device", ("conversations",)),
    Session("chatbase-messages", "The messages of one conversation", "device",
            ("messages", "{thread}")),
    Session("chatbase-user-send", "A signed-in user asks; cuts are inside characters and JSON",
            "user", ("send", "Which colours has it?"), "cuts=hard"),
    Session("chatbase-limit", "The agent calls tools without end", "device",
            ("send", "--max-steps", "2", "Try everything"), "tools=get_weather,loop", status=1,
            tools=TOOLS),
    Session("chatbase-out-of-order", "A stream without start, with text outside its part, an "
            "unknown part and arguments that are not the input, and without [DONE]", "device",
            ("send", "Tell me more"),
            "tools=search!,start=none,after-end,unknown,args=wrong,done=none"),
    Session("chatbase-cut", "The connection is reset in the middle of an answer", "device",
            ("send", "Tell me more"), "cut=700,rst", status=1),
    Session("chatbase-402", "The credits are used up", "device", ("send", "Tell me more"),
            "status=402", status=1),
])

COMETCHAT_SESSIONS = of(COMETCHAT, [
    Session("cometchat-weather", "A run with a tool and two cards, then its persisted messages; "
            "frames are deflated, with one context for all", "user",
            ("send", "What is the weather in Zürich?"), "tools=get_weather,cards=2"),
    Session("cometchat-two-runs", "Another device of the user asks, too: the runs share the socket, "
            "event by event in turn", "user", ("send", "And in Basel?"),
            "runs=2,tools=find_store,cards=1,text=around"),
    Session("cometchat-moderated", "A message that moderation looks at first; presence, receipts "
            "and an echo on the socket, and no context takeover", "user",
            ("send", "Is it warm?"), "moderation=approved,noise,deflate=forget"),
    Session("cometchat-disapproved", "A message that moderation holds back: no run follows", "user",
            ("send", "Something rude"), "moderation=disapproved", status=1),
    Session("cometchat-fragments", "Each message in three fragments, a ping between them and cuts "
            "inside frames; windows of 512 bytes", "user", ("send", "Which colours has it?"),
            "cards=1,deflate=9,fragments=3,between,split"),
    Session("cometchat-cut", "The connection is reset in the middle of two runs; it is opened "
            "again, and what was persisted meanwhile is fetched", "user", ("send", "Tell me more"),
            "runs=2,tools=get_weather,cards=1,drop=rst", status=1),
    Session("cometchat-out-of-order", "A run without its beginning, with a result before its call "
            "ended, a card twice, arguments that are not the streamed ones, and a persisted text "
            "that is not what was streamed", "user", ("send", "Tell me more"),
            "start=none,tools=get_weather,tool-result=early,args=wrong,cards=1,card-body=twice,"
            "other-text"),
    Session("cometchat-bad-deflate", "A frame that does not inflate, in the middle of a run",
            "user", ("send", "Tell me more"), "frame=bad-deflate", status=1),
    Session("cometchat-401", "The token is refused", "user", ("send", "Tell me more"),
            "status=401", status=1),
])

ALL = SESSIONS + CHATBASE_SESSIONS + COMETCHAT_SESSIONS

PREFACE = """# Recordings

Tapes that ship, so that reading, replaying and reporting can be tried and tested without a service.
`make recordings` makes them anew, and the reports in `Reports/` from them.

**Provenance.** Each was recorded by `reprise ago …`, `reprise chatbase …` or `reprise cometchat …`
from live connections on the loopback interface, HTTP or WebSockets, at the pace of the stream. The
other end was the stand-in of that name in `Tests/Peers`, not the vendor's service, which needs an
account: the shape of their events follows what the vendors publish, documents and SDKs. The words of
the answers and the gaps between them are those of SmolLM2-135M-Instruct (Apache-2.0) under llama.cpp,
from the streams in `Tests/Peers/corpus`; they do not answer the questions. The tools that the app ran
are commands of the shell. Names, addresses, ids and the masked tokens were made up. Nobody's data is
here.

| tape | mode | what happens | the stand-in was told |
| --- | --- | --- | --- |
"""


def main() -> None:
    if sys.argv[1:] != ["--reports"]:
        record(sys.argv[1:])
    for path in REPORTS.glob("report.*"):
        path.unlink()
    names = [f"Recordings/{session.tape}.tape" for session in ALL]
    reprise(["report", *names, "-o", "Reports", "--format", "text,json,markdown,html"])


def record(names: list[str]) -> None:
    for kit in (AGO, CHATBASE, COMETCHAT):
        if names and kit.name not in names:
            continue
        for tape in record_kit(kit, [session for session in ALL if session.kit is kit]):
            reprise(["replay", str(tape.relative_to(ROOT)), "--check"])
    write_readme()


def record_kit(kit: Kit, sessions: list[Session]) -> list[Path]:
    with StandIn(kit, "--token", TOKEN, *PORTS[kit.name]) as stand_in:
        # `Recordings/demo` and whatever else a person keeps there stay.
        for tape in RECORDINGS.glob(f"{kit.name}-*.tape"):
            tape.unlink()
        recorder = Recorder(stand_in, RECORDINGS)
        recorder.introduce()
        return [recorder.record(session) for session in sessions]


def write_readme() -> None:
    rows = []
    for session in ALL:
        told = f"`{session.wishes}`" if session.wishes else "nothing"
        rows.append(f"| `{session.tape}` | {session.mode} | {session.what} | {told} |\n")
    (RECORDINGS / "README.md").write_text(PREFACE + "".join(rows), "utf-8")


main()
