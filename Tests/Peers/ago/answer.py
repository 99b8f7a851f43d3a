"""Writes an answer: the chunks of one stream, with the gap before each."""

from peerkit import corpus
from peerkit.events import Events
from peerkit.service import dumped

AGENT = {"id": "ag-1", "name": "helper", "display_name": "Helper"}
FOLLOW_UPS = ["And on Android?", "How long does it take?", "Can I talk to someone?"]
SOURCES = [
    {"id": "ks-1", "position": 1, "knowledge_document": {
        "id": "doc-1", "title": "Getting started", "use_external_link": True,
        "external_link_url": "https://help.example.com/start",
        "internal_link_url": "https://kb.example.com/1"}},
    {"id": "ks-2", "position": 2, "knowledge_document": {
        "id": "doc-2", "title": "Questions & answers – ‘FAQ’", "use_external_link": False,
        "internal_link_url": "https://kb.example.com/2"}},
]
FUNCTION = {"function_name": "get_weather", "arguments": {"city": "Zürich", "days": 2}}


class Answer:
    """The stream of one answer. `content` is what the assistant said, for the history."""

    def __init__(self, wishes: dict[str, str], message_id: str, thread_id: str,
                 title: str | None, tool_call_id: str, other_id: str, echo: str):
        self._wishes, self._title, self._echo = wishes, title, echo
        self.message_id = message_id
        self._ids = {"message_id": message_id, "thread": {"id": thread_id}}
        self._tool_call_id, self._other_id = tool_call_id, other_id
        self.events = Events(wishes)
        self.content = ""
        self._words = corpus.words(
            wishes.get("stream", corpus.NAMES[0]),
            int(wishes["chunks"]) if "chunks" in wishes else None)
        self._write()

    def _write(self) -> None:
        wishes = self._wishes
        first, last_gap = self._words[0].gap_ns, self._words[-1].gap_ns
        self._beat("comment", 0)
        for _ in range(int(wishes.get("slow") or 0)):
            self._beat("data" if len(self.events.pieces) % 2 else "comment", first)
        opening = {"status": "IN_PROGRESS"}
        if wishes.get("agent") != "none":
            opening["agent"] = AGENT
        self._chunk(first // 2, opening)
        if "early" == wishes.get("title"):
            self._chunk(0, {"title": self._title}, ids=False)
        if "tool" in wishes or "waiting" in wishes:
            self._tools(first)
        self._text()
        if "full" in wishes:
            wrong = " (edited)" if wishes["full"] == "wrong" else ""
            self._chunk(0, {"full_content": self.content + wrong})
        self._sources(last_gap)
        self._close(last_gap)

    def message(self) -> dict:
        """The answer as the history has it."""
        sources = [{"id": item["id"], "knowledge_document": item["knowledge_document"]}
                   for item in SOURCES[:self._count("sources")]]
        agent = {key: AGENT[key] for key in ("id", "name")}
        return {"id": self.message_id, "content": self.content, "role": "assistant",
                "agent": agent, "knowledge_sources": sources}

    def _count(self, wish: str) -> int:
        wished = self._wishes.get(wish)
        return 0 if wished == "none" else int(wished or 2)

    def _text(self) -> None:
        middle = len(self._words) // 2
        for index, word in enumerate(self._words):
            if index == middle:
                self._middle()
            self.content += word.text
            self._chunk(word.gap_ns, {"content": word.text})

    def _middle(self) -> None:
        self._beat("data", 0)
        if "echo" in self._wishes:
            self._chunk(0, {"content": f" {self._echo} "})
            self.content += f" {self._echo} "
        self.events.break_as_wished(self._wishes)
        if "new-id" in self._wishes:
            self._ids["message_id"] = self._other_id

    def _tools(self, gap: int) -> None:
        call = {"tool_call_data": True, "id": self._tool_call_id, "tool_name": "get_weather",
                "tool_display_name": "Weather"}
        self._chunk(gap, call | {"type": "status_message", "message": "Looking at the sky"})
        # A client function comes twice: a bare state object, then the event that has its id.
        self._chunk(0, {"type": "client_function"} | FUNCTION)
        self._chunk(0, call | {"type": "client_function", "status": "waiting_input"} | FUNCTION)

    def _sources(self, gap: int) -> None:
        count = self._count("sources")
        if count:
            # In a stream a source has a position, in a history an id.
            listed = [{key: item[key] for key in ("position", "knowledge_document")}
                      for item in SOURCES[:count]]
            self._chunk(gap, {"knowledge_sources": listed})

    def _close(self, gap: int) -> None:
        wishes = self._wishes
        if "unknown-status" in wishes:
            self._chunk(gap, {"status": "PONDERING"})
        if "waiting" in wishes:
            self._chunk(gap, {"status": "WAITING_CLIENT",
                              "waiting_tool_call_ids": [self._tool_call_id]})
            return
        if "no-status" not in wishes:
            self._chunk(gap, {"status": "ERROR" if "error" in wishes else "DONE"})
        if "two-statuses" in wishes:
            self._chunk(0, {"status": "ERROR"})
        if "after-done" in wishes:
            self.content += " One more thing."
            self._chunk(gap, {"content": " One more thing."})
        follow_ups = self._count("follow-ups")
        if follow_ups and "error" not in wishes:
            self._chunk(gap, {"follow_up_replies": FOLLOW_UPS[:follow_ups]})
        if self._title is not None and wishes.get("title", "late") == "late":
            self._chunk(gap, {"title": self._title}, ids=False)

    def _chunk(self, gap_ns: int, fields: dict, ids: bool = True) -> None:
        whole = (self._ids if ids else {"thread": self._ids["thread"]}) | fields
        self.events.data(dumped(whole), gap_ns)

    def _beat(self, form: str, gap_ns: int) -> None:
        wanted = self._wishes.get("heartbeat", "both")
        if wanted in ("both", form) or "slow" in self._wishes:
            say = self.events.comment if form == "comment" else self.events.data
            say("heartbeat", gap_ns)
