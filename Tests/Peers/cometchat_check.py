"""Tests the CometChat stand-in: each of its cases breaks what it says, and nothing else.

    cometchat_check.py

Goes through `cometchat --cases` with a client on the package websockets and a small checker of its
own, and prints each case that is not as it says. Exits with 1 if there is one.
"""

import asyncio
import json
import subprocess
import sys
from pathlib import Path

from cometchat_client import Client

FOLDER = Path(__file__).resolve().parent / "cometchat"
#: So many cases are gone through at once.
WIDTH = 16
KINDS = {"run_started", "run_finished", "text_message_start", "text_message_content",
         "text_message_end", "tool_call_start", "tool_call_args", "tool_call_end",
         "tool_call_result", "card_start", "card", "card_end"}
CALLS = {"tool_call_start": "start", "tool_call_args": "args", "tool_call_end": "end",
         "tool_call_result": "result"}
CARDS = {"card_start": "start", "card": "body", "card_end": "end"}
TEXTS = {"text_message_start": "start", "text_message_content": "delta", "text_message_end": "end"}


class Run:
    """What was heard of one run."""

    def __init__(self, broken: set[str]):
        self._broken = broken
        self.open, self.finished, self._was_early = False, False, False
        self._thread: str | None = None
        self._open: dict[str, str] = {}
        self._ended: set[str] = set()
        self._answered: set[str] = set()
        self._carded: set[str] = set()
        self._args: dict[str, str] = {}
        self._text: str | None = None
        self._order: list[str] = []

    def hear(self, kind: str, data: dict) -> None:
        if kind == "run_started":
            return self._start()
        if self.finished:
            return self._find("C3")
        if not self.open:
            self._find("C1")
            self.open = True
        if self._thread not in (None, data["threadId"]):
            self._find("C16")
        self._thread = data["threadId"]
        if kind in CALLS:
            self._call(CALLS[kind], data)
        elif kind in CARDS:
            self._card(CARDS[kind], data)
        elif kind in TEXTS:
            self._say(TEXTS[kind], data)
        else:
            self._finish()

    def _start(self) -> None:
        if self.finished:
            self._find("C3")
        elif self.open and "cometchat.C1" not in self._broken:
            self._find("C2")
        self.open = True

    def _say(self, edge: str, data: dict) -> None:
        key = data["streamMessageId"]
        if edge == "start":
            if key in self._open or key in self._ended:
                self._find("C4")
            if key not in self._order:
                self._order.append(key)
            self._text = self._text or ""
            self._open[key] = "text"
            return
        if self._open.get(key) != "text":
            self._find("C4")
        if edge == "end":
            self._ended.add(key)
            return self._open.pop(key, None)
        if not isinstance(data["delta"], str):
            return self._broken.add("json.J2")
        if key not in self._order:
            self._order.append(key)
        if not data["delta"]:
            self._find("C15")
        self._text = (self._text or "") + data["delta"]

    def _call(self, edge: str, data: dict) -> None:
        key = data["toolCallId"]
        if edge == "start":
            if key in self._open or key in self._args:
                self._find("C5")
            if "text" in self._open.values():
                self._find("C15")
            self._open[key] = "tool"
            return self._args.setdefault(key, "")
        if edge == "result":
            if key not in self._ended or key in self._answered:
                self._find("C6")
            return self._answered.add(key)
        if self._open.get(key) != "tool":
            self._find("C5")
        if edge == "args":
            self._args[key] = self._args.get(key, "") + data["delta"]
            return
        self._open.pop(key, None)
        self._ended.add(key)
        streamed = self._args.get(key)
        if streamed not in (None, "", data["arguments"]) or not is_json(data["arguments"]):
            self._find("C11")

    def _card(self, edge: str, data: dict) -> None:
        key = data["cardId"]
        if edge == "start":
            if key in self._open or key in self._carded:
                self._find("C7")
            self._open[key] = "card"
            return
        if self._open.get(key) != "card" or (edge == "body") == (key in self._carded):
            self._find("C7")
        if edge == "body":
            if key not in self._carded:
                self._order.append(key)
            self._carded.add(key)
        else:
            self._open.pop(key, None)

    def _finish(self) -> None:
        self.finished = True
        # A call that is answered is done with.
        if self._open.keys() - self._answered:
            self._find("C8")
        if self._text is None:
            self._find("C10")
        calls = {key for key in self._ended if key in self._args}
        if calls - self._answered:
            self._find("C12")

    def persist(self, message: dict) -> None:
        self._was_early |= not self.finished
        if message["type"] != "assistant":
            return
        data = message["data"]
        if data["text"] != (self._text or ""):
            self._find("C13")
        elements = data.get("elements", [])
        cards = [item["value"]["cardId"] for item in elements if item["type"] == "card"]
        if set(cards) - self._carded:
            self._find("C13")
        kinds = ["card" if key in self._carded else "text" for key in self._order]
        if elements and not set(cards) - self._carded and kinds != [
                item["type"] for item in elements]:
            self._find("P3")

    def end(self) -> None:
        if self.open and not self.finished:
            self._find("C9")
        elif self._was_early:
            self._find("C14")

    def _find(self, rule: str) -> None:
        self._broken.add(f"cometchat.{rule}")


class Checker:
    """What is wrong with what a client saw."""

    def __init__(self):
        self.broken: set[str] = set()
        self._runs: dict[int, Run] = {}
        self._keys: dict[int, int] = {}
        self.end: object = None
        self.late: list[dict] = []

    def show(self, line: dict) -> None:
        if "not-json" in line:
            # A binary message is none of the service's.
            if not line["not-json"].startswith("b"):
                self.broken.add("json.J1")
        elif "frame" in line:
            self._frame(line["frame"])
        elif "end" in line:
            self.end = line
            for run in self._runs.values():
                run.end()

    def _frame(self, frame: dict) -> None:
        if frame.get("type") == "streamed_message":
            if "body" not in frame or "type" not in frame["body"]:
                return self.broken.add("json.J2")
            self._event(frame["body"])
        elif frame.get("type") == "message" and frame["body"]["category"] == "agentic":
            self.late.append(frame["body"])
            self._run(frame["body"]["data"]["runId"]).persist(frame["body"])

    def _event(self, body: dict) -> None:
        if body["type"] not in KINDS or "data" not in body:
            return self.broken.add("cometchat.C15")
        key = body["data"]["runId"]
        if key not in self._runs and body["id"] in self._runs:
            self.broken.add("cometchat.C16")
            key = body["id"]
        self._run(key).hear(body["type"], body["data"])

    def _run(self, key: int) -> Run:
        return self._runs.setdefault(key, Run(self.broken))


def is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def ends_as_said(case: dict, end: dict) -> bool:
    """Whether a client that is right ended the socket so, or saw it end."""
    codes = {"invalidText": 1007, "invalidReason": 1007, "frameTooLarge": 1009}
    if case["wishes"] in ("frame=long-form", "frame=far-deflate"):
        # The package lets them pass.
        return end["end"] == "mine"
    if case["wishes"] == "frame=huge":
        return end["sent"] == 1009
    if case["end"] == "reset":
        return end["end"] is None and end["sent"] in (None, 1006)
    if case["end"] == "failed":
        return end["end"] is None and end["sent"] == codes.get(case["code"].split(".")[1], 1002)
    asked = next((word[6:] for word in case["wishes"].split(",") if word.startswith("close=")), None)
    return end["end"] == ("mine" if asked is None else 1005 if asked == "none" else int(asked))


async def check(case: dict, number: int, ports: list[int]) -> str | None:
    words = dict(word.partition("=")[::2] for word in case["wishes"].split(",") if word)
    deflate = case["socket"].partition("deflate=")[2].partition(",")[0]
    checker = Checker()
    client = Client(*ports, checker.show, token=f"token-{number}", patience=3,
                    deflate=deflate if deflate.isdigit() else "on", path=case["socket"])
    runs = int(words.get("runs", 1))
    silent = words.get("messages") in ("none", "unsent")
    message = f"Tell me. peer:{case['wishes']}" if case["wishes"] else "Tell me."
    await client.run([message], persisted=0 if silent else runs)
    # What ends a socket is told by its code; the checker sees no frames.
    expected = {rule for rule in case["rules"] if not rule.startswith("ws.")}
    if case["end"] == "failed":
        # A run that the client's own end cut short.
        expected.add("cometchat.C9")
    if checker.broken != expected:
        return f"broke {sorted(checker.broken)}, not {sorted(expected)}"
    if not ends_as_said(case, checker.end):
        return f"ended with {checker.end}"
    return None


async def main() -> int:
    listed = subprocess.run([sys.executable, str(FOLDER), "--cases"], capture_output=True,
                            check=True, text=True).stdout
    cases = [json.loads(line) for line in listed.splitlines()]
    process = subprocess.Popen([sys.executable, str(FOLDER), "--pace", "0"], text=True,
                               stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    ports = [int(word) for word in process.stdout.readline().split()[1:]]
    failures = 0
    for at in range(0, len(cases), WIDTH):
        some = cases[at:at + WIDTH]
        found = await asyncio.gather(
            *(check(case, at + number, ports) for number, case in enumerate(some)))
        for case, wrong in zip(some, found):
            if wrong is not None:
                failures += 1
                print(f"{case['wishes']} ({case['socket']}): {wrong}")
    process.stdin.close()
    process.wait()
    print(f"{len(cases) - failures} of {len(cases)} cases are as they say")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
