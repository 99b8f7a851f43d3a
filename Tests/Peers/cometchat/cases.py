"""What each wish breaks: `--cases` prints them as JSON lines, for tests to go through."""

from dataclasses import asdict, dataclass


@dataclass(frozen=True)
class Case:
    """One message's wishes, and what they are to be found by.

    The rules of CometChat have their number only, without the letter of the part; those of the wire
    are whole. `end` is how the socket ends, and `code` what is wrong with it.
    """

    wishes: str
    rules: tuple[str, ...] = ()
    end: str = "complete"
    code: str | None = None
    #: What the socket is told beforehand.
    socket: str = ""


def _events(wishes: str, *rules: str) -> Case:
    return Case(wishes, tuple(rule if "." in rule else f"cometchat.{rule}" for rule in rules))


def _violation(name: str, rule: str | None, code: str, socket: str = "") -> Case:
    """Inside a run, which is not finished then: of what the client gives up, no more is told."""
    by_peer = rule in (None, "ws.W2a", "ws.W3b")
    rules = (("cometchat.C9",) if by_peer else ()) + ((rule,) if rule else ())
    return Case(f"frame={name}", rules, "failed", f"websocket.{code}", socket)


TOOL, CARD = "tools=get_weather", "cards=1"

#: Nothing is wrong.
RIGHT = [
    _events(""),
    _events("tools=get_weather,cards=2"),
    _events("tools=get_weather+find_store+search,cards=1,text=around"),
    _events("runs=2,tools=get_weather,cards=2"),
    _events("runs=3,text=around,cards=1"),
    _events("order=assistant+result+arguments,tools=get_weather"),
    _events("moderation=approved,noise"),
    _events("hasty"),
    _events("chunks=400"),
    _events("cards=1,large=60000"),
    _events("cards=1,deep=100"),
    _events("elements=none,cards=1"),
    _events("binary"),
    _events("ping"),
    Case("frame=in-parts"), Case("frame=pong"), Case("frame=alone"),
    Case("", socket="deflate=off"), Case("", socket="deflate=forget"),
    Case("tools=get_weather,cards=2", socket="deflate=9"),
    Case("tools=get_weather,cards=2", socket="deflate=12,fragments=3,between"),
    Case("cards=1,large=20000", socket="fragments=2,split"),
    Case("", socket="deflate=off,fragments=5"),
]

#: Wrong events. Where several rules are named, one cannot be broken without the others.
WRONG = [
    _events("start=none", "C1"), _events("start=late", "C1"), _events("start=twice", "C2"),
    _events("finish=none", "C9"), _events("finish=none,messages=unsent", "C9"),
    _events("finish=twice", "C3"),
    _events("finish=early", "C3", "C8"), _events("after-finish", "C3"),
    _events("text-start=none", "C4"), _events("text-start=twice", "C4"),
    _events("text-start=late", "C4"),
    _events("text-end=none", "C8"), _events("text-end=twice", "C4"),
    _events("text-end=late", "C3", "C8"), _events("after-end", "C4"),
    _events(f"{TOOL},tool-start=none", "C5"), _events(f"{TOOL},tool-start=twice", "C5"),
    _events(f"{TOOL},tool-start=late", "C5"),
    _events(f"{TOOL},tool-end=none", "C6"),
    _events(f"{TOOL},tool-end=none,tool-result=none", "C8"),
    _events(f"{TOOL},tool-end=twice", "C5"), _events(f"{TOOL},tool-end=late", "C6"),
    _events(f"{TOOL},tool-result=none", "C12"), _events(f"{TOOL},tool-result=twice", "C6"),
    _events(f"{TOOL},tool-result=early", "C6"), _events(f"{TOOL},tool-result=stray", "C6"),
    _events(f"{TOOL},args=wrong", "C11"), _events(f"{TOOL},args=broken", "C11"),
    _events(f"{CARD},card-start=none", "C7"), _events(f"{CARD},card-start=twice", "C7"),
    _events(f"{CARD},card-start=late", "C7"),
    _events(f"{CARD},card-body=twice", "C7"), _events(f"{CARD},card-body=late", "C7"),
    _events(f"{CARD},card-end=none", "C8"), _events(f"{CARD},card-end=twice", "C7"),
    _events(f"{CARD},text=none", "C10"),
    _events("other-text", "C13"), _events("other-card", "C13"),
    _events("early-messages", "C14"),
    _events("unknown", "C15"), _events("no-data", "C15"), _events("empty-delta", "C15"),
    _events("mixed", "C15"),
    _events("run-id", "C16"), _events("thread-id", "C16"),
    _events(f"{CARD},elements=reversed", "P3"),
    _events("not-json", "json.J1"), _events("no-type", "json.J2"),
    _events("no-body", "json.J2"), _events("wrong-type", "json.J2"),
]

#: Sockets that end, inside a run but where `at` says otherwise.
ENDS = [
    Case("drop=fin", ("cometchat.C9",), "reset", "transport.closed"),
    Case("drop=rst", ("cometchat.C9",), "reset", "transport.reset"),
    Case("drop=half", ("cometchat.C9",), "reset", "transport.closed"),
    Case("drop=half-rst", ("cometchat.C9",), "reset", "transport.reset"),
    Case("drop=fin,at=last", ("ws.W2c",), "reset", "transport.closed"),
    *(Case(f"close={code}", ("cometchat.C9",))
      for code in ("1000", "1001", "1008", "1011", "1012", "3000", "4999", "none")),
    *(Case(f"close={code}", ("cometchat.C9", "ws.W2a"), "failed", "websocket.closeCode")
      for code in ("999", "1004", "1005", "1006", "1015", "2999", "5000")),
]

#: Frames that are none.
VIOLATIONS = [
    _violation("rsv1", "ws.W5b", "deflateCorrupt"),
    _violation("rsv1", "ws.W5a", "deflateNotNegotiated", "deflate=off"),
    _violation("rsv1-continuation", "ws.W5a", "deflateMisplaced"),
    _violation("bad-deflate", "ws.W5b", "deflateCorrupt"),
    _violation("cut-deflate", "ws.W5b", "deflateCorrupt"),
    _violation("far-deflate", "ws.W5b", "deflateCorrupt", "deflate=9"),
    _violation("rsv2", "ws.W1a", "reservedBits"), _violation("rsv3", "ws.W1a", "reservedBits"),
    _violation("opcode", "ws.W1a", "reservedOpcode"),
    _violation("masked", "ws.W1b", "masked"),
    _violation("long-form", "ws.W1c", "lengthForm"), _violation("huge", "ws.W1c", "lengthBits"),
    _violation("control-long", "ws.W1c", "controlTooLong"),
    _violation("control-part", "ws.W1d", "controlFragmented"),
    _violation("continuation", "ws.W1d", "nothingToContinue"),
    _violation("interrupted", "ws.W1d", "messageInterrupted"),
    _violation("too-large", None, "frameTooLarge"),
    _violation("bad-utf8", "ws.W3a", "invalidText"),
    _violation("cut-utf8", "ws.W3a", "invalidText"),
    _violation("surrogate", "ws.W3a", "invalidText"),
    _violation("close-reason", "ws.W3b", "invalidReason"),
    _violation("close-short", "ws.W2a", "closeTooShort"),
]

CASES = RIGHT + WRONG + ENDS + VIOLATIONS


def lines() -> list[dict]:
    return [asdict(case) for case in CASES]
