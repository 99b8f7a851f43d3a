"""Writes a run: its events, the persisted messages, and what breaks between them."""

import json
from collections.abc import Callable
from dataclasses import dataclass, field

from peerkit import corpus
from peerkit.service import dumped

#: By name: how it is shown, what is said meanwhile, its arguments and its result.
TOOLS = {
    "get_weather": ("Weather", "Looking at the sky over Zürich…",
                    {"city": "Zürich", "days": 2, "units": {"temperature": "°C"}},
                    '{"celsius":21.5,"sky":"clear"}'),
    "find_store": ("Store finder", "Looking nearby…", {"zip": "8001", "within": [1, 2.5, None]},
                   "2 stores: “Straße & Co.”, Café 🦆"),
}


@dataclass
class Step:
    """A frame, or a fault by its name in place of one, after a gap."""

    gap_ns: int
    frame: dict | str | None = None
    #: A message that is in the history from here on.
    message: dict | None = None
    fault: str | None = None
    value: str = ""


@dataclass
class Context:
    """Who speaks with whom."""

    app: str
    uid: str
    agent: str
    conversation: str
    run: int
    new_id: Callable[[str], str]
    credential: str = ""
    thread: str = field(init=False)

    def __post_init__(self):
        self.thread = self.new_id("th")

    def frame(self, kind: str, body: dict | None, sender: str | None = None,
              receiver: str | None = None, **more) -> dict:
        envelope = {"type": kind, "appId": self.app, "receiver": receiver or self.uid,
                    "receiverType": "user", "sender": sender or self.agent} | more
        return envelope if body is None else envelope | {"body": body}


class Run:
    """All steps of one run, in order."""

    def __init__(self, wishes: dict[str, str], context: Context):
        self._wishes, self._context = wishes, context
        self.steps: list[Step] = []
        self._late: list[tuple[str, dict]] = []
        self._ids = {"runId": context.run, "threadId": context.thread}
        self._calls: list[dict] = []
        self._results: list[tuple[str, str]] = []
        self._elements: list[dict] = []
        self._said = ""
        count = int(wishes["chunks"]) if "chunks" in wishes else None
        self._words = corpus.words(wishes["stream"], count)
        self._gap = self._words[0].gap_ns if self._words else 0
        self._write()

    # The events in their order.

    def _write(self) -> None:
        wishes = self._wishes
        self._edge("start", "run_started", self._gap // 2, streamMessageId=self._new("sm"),
                   role="assistant")
        text = wishes.get("text", "after")
        half = len(self._words) // 2 if text == "around" else 0
        if text == "around":
            self._text(self._words[:half], None)
        for name in [] if "mixed" in wishes else self._tools():
            self._tool(name)
        for number in range(int(wishes.get("cards", 0))):
            self._card(number)
        if text != "none":
            self._text(self._words[half:], (len(self._words) - half) // 2)
        else:
            self._middle({})
        if "early-messages" in wishes:
            self._messages()
        if wishes.get("finish") != "early":
            self._edge("finish", "run_finished", self._gap)
        if "after-finish" in wishes:
            self._event("text_message_content", streamMessageId=self._new("sm"), delta=" More.")
        if "early-messages" not in wishes:
            self._messages()
        self._place_fault()

    def _tools(self) -> list[str]:
        return [name for name in self._wishes.get("tools", "").split("+") if name]

    def _text(self, words: list[corpus.Word], middle: int | None) -> None:
        part = {"streamMessageId": self._new("sm")}
        self._edge("text-start", "text_message_start", self._gap, **part, role="assistant")
        said = ""
        for index, word in enumerate(words):
            if index == middle:
                said += self._middle(part)
            self._event("text_message_content", word.gap_ns, **part, delta=word.text)
            said += word.text
        if not words and middle is not None:
            said += self._middle(part)
        if middle is not None and self._wishes.get("finish") == "early":
            self._event("run_finished", self._gap)
        self._edge("text-end", "text_message_end", **part,
                   messageId=part["streamMessageId"], type="text")
        if "after-end" in self._wishes:
            said += " One more thing."
            self._event("text_message_content", **part, delta=" One more thing.")
        self._said += said
        self._elements.append({"type": "text", "value": said})

    def _middle(self, part: dict) -> str:
        """What is inside the text beside its words; returns what it adds to them."""
        wishes, context = self._wishes, self._context
        self.steps.append(Step(0, fault="middle"))
        if "unknown" in wishes:
            self._event("agent_mood", mood="sunny")
        if "unknown-frame" in wishes:
            self._frame(context.frame("agent_mood", {"mood": "sunny"}))
        if "no-type" in wishes:
            self._frame(context.frame("streamed_message", {
                "id": context.run, "conversationId": context.conversation,
                "data": self._ids | {"delta": "nothing says what this is"}}))
        if "no-data" in wishes:
            self._frame(context.frame("streamed_message", {
                "type": "text_message_content", "id": context.run,
                "conversationId": context.conversation}))
        if "no-body" in wishes:
            self._frame(context.frame("streamed_message", None))
        if "not-json" in wishes:
            self._frame('{"type":"streamed_message","body":{"type"')
        if "binary" in wishes:
            self.steps.append(Step(0, fault="binary"))
        if "mixed" in wishes:
            for name in self._tools() or ["get_weather"]:
                self._tool(name)
        if "run-id" in wishes:
            self._ids["runId"] += 1000
        if "thread-id" in wishes:
            self._ids["threadId"] = self._new("th")
        return self._odd_deltas(part) if part else ""

    def _odd_deltas(self, part: dict) -> str:
        said = ""
        deltas = []
        if "empty-delta" in self._wishes:
            deltas.append("")
        if "wrong-type" in self._wishes:
            self._event("text_message_content", **part, delta=7)
        leak = self._wishes.get("leak")
        if leak is not None:
            secret = f" {self._context.credential} "
            half = len(secret) // 2
            deltas += [secret[:half], secret[half:]] if leak == "split" else [secret]
        for delta in deltas:
            self._event("text_message_content", **part, delta=delta)
            said += delta
        return said

    def _tool(self, name: str) -> None:
        display, doing, arguments, output = TOOLS.get(
            name, (name.title(), f"Running {name}…", {"topic": name.replace("_", " ")}, "done"))
        call = self._new("tc")
        shown = {"toolCallName": name, "displayName": display, "executionText": doing}
        text, deltas = self._arguments(arguments)
        self._edge("tool-start", "tool_call_start", self._gap, toolCallId=call, **shown,
                   streamParentMessageId=self._new("sm"))
        for delta in deltas:
            self._event("tool_call_args", self._gap // 8, toolCallId=call, delta=delta)
        how = self._wishes.get("tool-result", "once")
        result = {"toolCallId": call, "streamMessageId": self._new("sm"), "role": "tool",
                  "content": output, "toolCallName": name}
        if how == "early":
            self._event("tool_call_result", self._gap, **result)
        self._edge("tool-end", "tool_call_end", 0, toolCallId=call, **shown, arguments=text)
        if how not in ("early", "none"):
            self._edge("tool-result", "tool_call_result", self._gap, **result)
        if how == "stray":
            self._event("tool_call_result", **result | {"toolCallId": "tc-none"})
        self._calls.append({"id": call, "type": "function", "displayName": display,
                            "executionText": doing, "function": {"name": name, "arguments": text}})
        self._results.append((call, output))

    def _arguments(self, arguments: dict) -> tuple[str, list[str]]:
        """What tool_call_end says, and the deltas before it."""
        how = self._wishes.get("args")
        text = dumped(arguments)
        if how == "broken":
            text = text[:-1]
        streamed = text[:-1] + ',"more":1}' if how == "wrong" else text
        if how == "none":
            return text, []
        return text, [streamed[at:at + 9] for at in range(0, len(streamed), 9)]

    def _card(self, number: int) -> None:
        owner = {"streamMessageId": self._new("sm"), "cardId": self._new("cd")}
        card = self._made_card(number)
        self._edge("card-start", "card_start", self._gap, **owner,
                   executionText=f"Building card {number + 1}…")
        self._edge("card-body", "card", self._gap, **owner, card=card)
        self._edge("card-end", "card_end", 0, **owner)
        if self._wishes.get("card-body") != "none":
            self._elements.append(
                {"type": "card", "value": {"cardId": owner["cardId"], "card": card}})

    def _made_card(self, number: int) -> dict:
        body: object = [{"type": "text", "text": f"Zürich, day {number + 1}: 21.5 °C ☀️"},
                        {"type": "image", "url": "https://img.example.com/sky.png", "alt": None}]
        if "large" in self._wishes:
            # Something that deflate cannot make much smaller.
            size = int(self._wishes["large"])
            body = [{"type": "text", "text": _noise(size)}]
        for _ in range(int(self._wishes.get("deep", 0))):
            body = [body]
        return {"version": "1.0", "body": body, "fallbackText": f"Day {number + 1}"}

    # The persisted messages.

    def _messages(self) -> None:
        wanted = self._wishes.get("messages", "all")
        if wanted == "none":
            return
        order = ["assistant"] if wanted == "assistant" else \
            self._wishes.get("order", "arguments+result+assistant").split("+")
        made = {"arguments": self._argument_messages, "result": self._result_messages,
                "assistant": self._assistant_messages}
        for name in order:
            for kind, data in made[name]():
                message = self._message(kind, data)
                frame = self._context.frame("message", message)
                self.steps.append(
                    Step(self._gap // 4, None if wanted == "unsent" else frame, message))

    def _argument_messages(self) -> list[tuple[str, dict]]:
        return [("tool-arguments", {"toolCalls": self._calls})] if self._calls else []

    def _result_messages(self) -> list[tuple[str, dict]]:
        return [("tool-result", {"toolCallId": call, "text": output})
                for call, output in self._results]

    def _assistant_messages(self) -> list[tuple[str, dict]]:
        wishes, elements = self._wishes, list(self._elements)
        text = self._said
        if "other-text" in wishes:
            text = text.rstrip() + " And that is all."
            elements = [element if element["type"] != "text" else
                        {"type": "text", "value": element["value"].rstrip() + " And that is all."}
                        for element in elements]
        if "other-card" in wishes:
            elements.append({"type": "card", "value": {
                "cardId": "cd-none", "card": self._made_card(9)}})
        if wishes.get("elements") == "reversed":
            elements.reverse()
        data = {"text": text}
        if wishes.get("elements") != "none":
            data["elements"] = elements
        return [("assistant", data)]

    def _message(self, kind: str, data: dict) -> dict:
        context = self._context
        facts = {"runId": context.run, "threadId": context.thread}
        entities = {"sender": {"entityType": "user", "entity": {
                        "uid": context.agent, "name": "Weather agent", "role": "@agentic"}},
                    "receiver": {"entityType": "user", "entity": {"uid": context.uid}}}
        # It gets its id and its time when it is written down.
        return {"id": None, "conversationId": context.conversation, "category": "agentic",
                "type": kind, "sender": context.agent, "receiver": context.uid,
                "receiverType": "user", "sentAt": None, "updatedAt": None,
                "data": facts | data | {"entities": entities}}

    # Steps.

    def _edge(self, wish: str, kind: str, gap_ns: int = 0, **data) -> None:
        """An event that a wish can take away, double, or send behind the next one."""
        how = self._wishes.get(wish)
        if how == "none":
            return
        if how == "late":
            self._late.append((kind, data))
            return
        for _ in range(2 if how == "twice" else 1):
            self._event(kind, gap_ns, **data)

    def _event(self, kind: str, gap_ns: int = 0, **data) -> None:
        context = self._context
        self._frame(context.frame("streamed_message", {
            "type": kind, "id": context.run, "conversationId": context.conversation,
            "parentId": "", "data": self._ids | data}), gap_ns)
        late, self._late = self._late, []
        for kind, data in late:
            self._event(kind, **data)

    def _frame(self, frame: dict | str, gap_ns: int = 0) -> None:
        self.steps.append(Step(gap_ns, frame))

    def _place_fault(self) -> None:
        """Puts the fault of the socket, where there is one, in its place."""
        middle = next(at for at, step in enumerate(self.steps) if step.fault == "middle")
        del self.steps[middle]
        found = [(name, self._wishes[name]) for name in ("silence", "ping", "frame", "close", "drop")
                 if name in self._wishes]
        where = self._wishes.get("at", "middle")
        at = {"middle": middle, "last": len(self.steps)}.get(where)
        if at is None:
            at = min(int(where), len(self.steps))
        self.steps[at:at] = [Step(0, fault=name, value=value) for name, value in found]

    def _new(self, prefix: str) -> str:
        return self._context.new_id(prefix)


def _noise(size: int) -> str:
    state, out = 1, []
    for _ in range(size):
        state = state * 1103515245 + 12345 & 0x7FFFFFFF
        out.append("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+/"[state >> 16 & 63])
    return "".join(out)


def interleaved(runs: list[list[Step]]) -> list[Step]:
    """The steps of several runs, one of each in turn; the first one's messages come last, so that
    whoever waits for them hears all."""
    steps: list[Step] = []
    for at in range(max(map(len, runs))):
        steps += [run[at] for run in runs if at < len(run)]
    last = [step for step in runs[0] if step.message is not None] if len(runs) > 1 else []
    return [step for step in steps if step not in last] + last


def serialized(frame: dict | str) -> str:
    return frame if isinstance(frame, str) else json.dumps(
        frame, ensure_ascii=False, separators=(",", ":"))
