"""Writes an answer: the events of one stream, with the gap before each."""

from chatbase.plan import OUTPUT, Call
from peerkit import corpus
from peerkit.events import Events
from peerkit.service import dumped

#: So many words come before the calls of a stream that waits for them.
LEAD_IN = 6


class Answer:
    """One stream of a turn. `parts` is what the assistant said and called, for the history."""

    def __init__(self, wishes: dict[str, str], calls: list[Call], ids: dict[str, str | None],
                 other_id: str, echo: str):
        self._wishes, self._calls, self._ids = wishes, calls, ids
        self._other_id, self._echo = other_id, echo
        self.events = Events(wishes)
        self.parts: list[dict] = []
        count = int(wishes["chunks"]) if "chunks" in wishes else None
        self._words = corpus.words(wishes["stream"], count)
        if self.waits and count is None:
            self._words = self._words[:LEAD_IN]
        self._gap = self._words[0].gap_ns if self._words else 0
        self._texts = 0
        self._write()

    @property
    def waits(self) -> bool:
        """Whether the turn goes on when the app has submitted its results."""
        return any(not call.is_server for call in self._calls)

    @property
    def reason(self) -> str:
        if "error" in self._wishes:
            return self._wishes.get("reason", "error")
        return self._wishes.get("reason", "tool-calls" if self.waits else "stop")

    @property
    def usage(self) -> dict | None:
        credits = self._wishes.get("credits", "1")
        if credits == "none":
            return None
        usage = {"credits": float(credits) if "." in credits else int(credits)}
        if "tokens" in self._wishes:
            read, written = map(int, self._wishes["tokens"].split("+"))
            usage |= {"inputTokens": read, "outputTokens": written}
        return usage

    def metadata(self) -> dict:
        """The facts of the end."""
        facts = dict(self._ids)
        if "other-conversation" in self._wishes:
            facts["conversationId"] = self._other_id
        if "no-conversation" in self._wishes:
            del facts["conversationId"]
        if self._wishes.get("finish") != "top":
            facts["finishReason"] = self.reason
        if self.usage is not None:
            facts["usage"] = self.usage
        return facts

    def _write(self) -> None:
        self._start()
        self._step("start")
        if self.waits or not self._calls:
            self._text()
            self._call()
        else:
            # The server has run them, and the agent goes on in a step of its own.
            self._call()
            self._step("finish")
            self._step("start")
            self._text()
        self._lone()
        self._step("finish")
        if "flat" == self._wishes.get("finish"):
            self._event("message-metadata", **self.metadata())
        self._finish()

    def _start(self) -> None:
        how = self._wishes.get("start")
        if how == "late":
            self._event("text-delta", id="t-0", delta="")
        if how == "none":
            return
        facts = {} if how == "no-id" else {"messageId": self._ids["messageId"]}
        kind = "message-start" if how == "message-start" else "start"
        self._event(kind, self._gap // 2, **facts)
        if how == "twice":
            self._event(kind, **facts)

    def _step(self, edge: str) -> None:
        if self._wishes.get("steps") != "none":
            self._event(f"{edge}-step")

    def _text(self) -> None:
        form = self._wishes.get("text", "parts")
        if form == "none":
            return self._middle(None)
        self._texts += 1
        part = {"id": f"t-{self._texts}"}
        if form == "parts":
            self._event("text-start", **part)
        said = ""
        for index, word in enumerate(self._words):
            if index == len(self._words) // 2:
                said += self._middle(part)
            said += word.text
            self._event("text-delta", word.gap_ns, **part, delta=word.text)
        if form == "parts":
            self._event("text-end", **part)
        if "after-end" in self._wishes:
            self._event("text-delta", **part, delta=" One more thing.")
        self.parts.append({"type": "text", "text": said})

    def _middle(self, part: dict | None) -> str:
        """What goes wrong inside the text; returns what it adds to it."""
        wishes = self._wishes
        self.events.break_as_wished(wishes)
        if "unknown" in wishes:
            self._event("data-mood", id="d-1", data={"mood": "sunny"})
        if "no-type" in wishes:
            self.events.data('{"delta":"nothing says what this is"}')
        if part is None:
            return ""
        if "wrong-type" in wishes:
            self._event("text-delta", **part, delta=7)
        if "no-delta" in wishes:
            self._event("text-delta", **part)
        if "error" in wishes:
            self._error(wishes["error"])
        said = ""
        if "echo" in wishes:
            said = f" {self._echo} "
            self._event("text-delta", **part, delta=said)
        return said

    def _error(self, form: str) -> None:
        text = "The model gave up"
        facts = {"nested": {"error": {"message": text}}, "flat": {"message": text}}
        self._event("error", **facts.get(form, {"errorText": text}))

    def _finish(self) -> None:
        wishes = self._wishes
        for _ in range({"none": 0, "twice": 2}.get(wishes.get("finish"), 1)):
            self._event("finish", self._gap, **self._end())
        if "after-finish" in wishes:
            self._event("text-delta", id="t-1", delta=" One more thing.")
        if "late-metadata" in wishes:
            self._event("message-metadata", messageMetadata={"userId": self._ids["userId"]})
        if wishes.get("done") != "none":
            self.events.data("[DONE]")

    def _end(self) -> dict:
        """What `finish` says, and where."""
        form = self._wishes.get("finish")
        top = {} if form == "nested" else {"finishReason": self.reason}
        if form in ("bare", "flat"):
            return top
        key = "metadata" if form == "metadata" else "messageMetadata"
        return top | {key: self.metadata()}

    def _call(self) -> None:
        for call in self._calls:
            self._input(call)
            if "twice-call" in self._wishes and call is self._calls[0]:
                self._available(call)
            if call.is_server:
                self._output(call)

    def _input(self, call: Call) -> None:
        called = {"toolCallId": call.id}
        text = dumped(call.input)
        if self._wishes.get("input", "deltas") == "deltas":
            self._event("tool-input-start", self._gap, **called, toolName=call.name)
            if self._wishes.get("args") == "wrong":
                text = text[:-1] + ',"more":1}'
            for at in range(0, len(text), 9):
                self._event("tool-input-delta", self._gap // 8, **called,
                            inputTextDelta=text[at:at + 9])
        self._available(call)
        self.parts.append({"type": "tool-call", **called, "toolName": call.name,
                           "input": call.input})

    def _available(self, call: Call) -> None:
        facts = {} if "no-call-id" in self._wishes else {"toolCallId": call.id}
        facts["toolName"] = call.name
        if self._wishes.get("args") != "none":
            facts["input"] = call.input
        self._event("tool-input-available", **facts)

    def _output(self, call: Call) -> None:
        call.output = {"error": "The tool broke"} if call.is_failure else dict(OUTPUT)
        if "big-output" in self._wishes:
            call.output["filler"] = "x" * 20480
        for _ in range(2 if "twice-output" in self._wishes else 1):
            self._event("tool-output-available", self._gap, toolCallId=call.id,
                        output=call.output)
        self.parts.append({"type": "tool-result", "toolCallId": call.id, "toolName": call.name,
                           "output": call.output})

    def _lone(self) -> None:
        if "lone-delta" in self._wishes:
            self._event("tool-input-delta", toolCallId="tc-none", inputTextDelta="{}")
        if "lone-output" in self._wishes:
            self._event("tool-output-available", toolCallId="tc-none", output={})

    def _event(self, kind: str, gap_ns: int = 0, **facts) -> None:
        name = kind if "names" in self._wishes else None
        self.events.data(dumped({"type": kind} | facts), gap_ns, name)
