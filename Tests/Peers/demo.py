"""`make demo`: live sessions against stand-ins, recorded, replayed and reported."""

import shutil
import time
from pathlib import Path

from peerkit.latency import measure
from peerkit.sessions import (
    AGO, CHATBASE, COMETCHAT, ROOT, TOKEN, Kit, Recorder, Session, StandIn, of, reprise)

RECORDINGS = ROOT / "Recordings" / "demo"
REPORTS = ROOT / "Reports" / "demo"
TICKET = ("ticket", "--subject", "Locked out", "--typology", "question", "--priority", "high",
          "--body", "The reset link does not work.")

SESSIONS = [
    Session("jwt-1-send", "A signed-in user asks", "jwt", ("send", "How do I reset my password?")),
    Session("jwt-2-send", "… and asks again; the answer comes gzip-compressed", "jwt",
            ("send", "--thread", "{thread}", "And on a phone?"), "coding=gzip"),
    Session("jwt-3-conversations", "… lists the conversations", "jwt", ("conversations",)),
    Session("jwt-4-conversation", "… reads one", "jwt", ("conversation", "{thread}")),
    Session("jwt-5-ticket", "… and opens a ticket", "jwt",
            (*TICKET, "--conversation", "{thread}")),
    Session("widget-1-send", "Someone unknown asks in the widget, and tools run", "widget+email",
            ("send", "What is the weather in Zürich?"), "tool"),
    Session("widget-2-send", "… and asks again; the cuts are inside characters", "widget+email",
            ("send", "--thread", "{thread}", "Which colours has it?"), "cuts=hard,coding=deflate"),
    Session("widget-3-conversations", "… lists the conversations", "widget+email",
            ("conversations",)),
    Session("widget-4-conversation", "… reads one", "widget+email", ("conversation", "{thread}")),
    Session("widget-5-ticket", "… and opens a ticket", "widget+email", TICKET),
    Session("cut-send", "The service dies in the middle of an answer", "jwt",
            ("send", "Tell me more"), "cut=1500,rst", status=1),
]
TOOLS = (("get_weather", """echo '{"celsius": 21.5}'"""), ("find_order", "exit 3"))
CHATBASE_SESSIONS = of(CHATBASE, [
    Session("chatbase-1-send", "An app asks Chatbase; the service runs a tool, then the app runs "
            "two, one of which fails", "device", ("send", "Where is my umbrella?"),
            "tools=search!+get_weather/find_order,not-ready=1", tools=TOOLS),
    Session("chatbase-2-send", "… and asks again; the answer comes gzip-compressed", "device",
            ("send", "--conversation", "{thread}", "And my hat?"), "coding=gzip"),
    Session("chatbase-3-retry", "… and has it answered again", "device",
            ("retry", "{thread}", "{message}"), tools=TOOLS),
    Session("chatbase-4-conversations", "… lists the conversations", "device", ("conversations",)),
    Session("chatbase-5-messages", "… reads one", "device", ("messages", "{thread}")),
    Session("chatbase-6-send", "A signed-in user asks; the cuts are inside characters", "user",
            ("send", "Which colours has it?"), "cuts=hard,coding=deflate"),
])
COMETCHAT_SESSIONS = of(COMETCHAT, [
    Session("cometchat-1-weather", "A user asks a CometChat agent, which calls a tool and makes two "
            "cards; what is streamed is persisted behind it", "user",
            ("send", "What is the weather in Zürich?"), "tools=get_weather,cards=2"),
    Session("cometchat-2-two-runs", "Another device of the user asks, too: two runs come over one "
            "socket, event by event in turn", "user", ("send", "And in Basel?"),
            "runs=2,tools=find_store,cards=1,text=around"),
    Session("cometchat-3-moderated", "A message that moderation looks at first", "user",
            ("send", "Is it warm?"), "moderation=approved,noise,deflate=forget"),
    Session("cometchat-4-cut", "The connection is reset in the middle of a run; what was persisted "
            "is fetched when it is back", "user", ("send", "Tell me more"),
            "runs=2,tools=get_weather,cards=1,drop=rst", status=1),
])
LONG = Session("long-send", "A long answer", "jwt", ("send", "Tell me everything"),
               "chunks=200,gap=5,cuts=hard,coding=gzip,stream=anthropic-messages")


def main() -> None:
    began = time.monotonic()
    for folder in (RECORDINGS, REPORTS):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    print("Recording live sessions against stand-ins for the services, on the loopback.")
    tapes = record(CHATBASE, CHATBASE_SESSIONS) + record(COMETCHAT, COMETCHAT_SESSIONS)
    with StandIn(AGO, "--token", TOKEN) as stand_in:
        recorder = Recorder(stand_in, RECORDINGS)
        recorder.introduce()
        tapes += [recorder.record(session) for session in SESSIONS]
        print("\n— A long answer, compressed and cut inside characters; each chunk is timed")
        times = measure(recorder, LONG)
        tapes.append(RECORDINGS / f"{LONG.tape}.tape")
    print(f"{len(times)} chunks went from the service to standard output, while being recorded, in "
          f"{percentile(times, 50):.2f} ms at the median, {percentile(times, 99):.2f} ms at p99.")
    print("\nThe stand-ins are gone. Each tape again, without a network:\n")
    for tape in tapes:
        reprise(["replay", str(tape.relative_to(ROOT)), "--check"])
    print("\nWhat happened in them:\n")
    recordings, reports = RECORDINGS.relative_to(ROOT), REPORTS.relative_to(ROOT)
    reprise(["report", str(recordings), "-o", str(reports), "--format", "text,json,markdown,html"])
    print()
    # The cut answers are errors, and the only ones.
    found = reprise(["check", str(recordings)], status=1)
    if "ago.A2" not in found or "cometchat.C9" not in found:
        raise SystemExit("the cut answers were not found")
    summarise(len(tapes), time.monotonic() - began)


def record(kit: Kit, sessions: list[Session]) -> list[Path]:
    with StandIn(kit, "--token", TOKEN) as stand_in:
        recorder = Recorder(stand_in, RECORDINGS)
        recorder.introduce()
        return [recorder.record(session) for session in sessions]


def percentile(times: list[int], percent: int) -> float:
    """In milliseconds, of nanoseconds in ascending order."""
    return times[min(len(times) - 1, len(times) * percent // 100)] / 1e6


def summarise(tapes: int, seconds: float) -> None:
    written = sorted(REPORTS.iterdir())
    text = (REPORTS / "report.txt").read_text("utf-8")
    # The verdict and the summary; the whole of it is in the file.
    print(f"\n{text.partition(chr(10) + 'Latency')[0].rstrip()}\n")
    print("The failed turns are the answers that the stand-ins were told to cut.")
    print(f"{tapes} sessions were recorded, replayed and reported in {seconds:.1f} s.")
    print(f"  tapes    {RECORDINGS.relative_to(ROOT)}/")
    for path in written:
        print(f"  report   {path.relative_to(ROOT)}")


main()
