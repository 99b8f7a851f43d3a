"""The stand-in's endpoints, on aiohttp."""

import argparse
import json

from aiohttp import web

from ago.answer import Answer
from ago.store import Conversation, Store
from ago.wishes import TABLE
from peerkit import corpus, service
from peerkit.log import Log
from peerkit.service import Refusal

BASE = "/api/sdk/v1"
TICKET_FIELDS = ("subject", "typology", "priority", "body")
CODES = {400: "invalid_request", 401: "invalid_token", 403: "origin_not_allowed",
         404: "not_found", 409: "turn_moved_on", 429: "rate_limited", 500: "internal_error"}


class Service(service.Service):
    name = "ago"
    table = TABLE

    def __init__(self, options: argparse.Namespace, log: Log):
        super().__init__(options, log)
        self._store = Store(options.seed)
        self._turns = 0

    def routes(self, router: web.UrlDispatcher) -> None:
        router.add_get(f"{BASE}/conversations", self._list)
        router.add_get(f"{BASE}/conversations/{{id}}", self._conversation)
        router.add_post(f"{BASE}/messages", self._message)
        router.add_post(f"{BASE}/tickets", self._ticket)

    def authenticate(self, request: web.Request) -> str:
        """The token's user, or the installation."""
        origin = request.headers.get("Origin")
        if origin not in self._options.origin:
            raise Refusal(403, "This origin is not in the list of allowed domains")
        anonymous = request.headers.get("X-User-Anon-Id")
        authorization = request.headers.get("Authorization")
        if authorization is None:
            if anonymous is None:
                raise Refusal(401, "Neither a token nor an anonymous id was sent")
            return f"widget {anonymous}"
        scheme, _, token = authorization.partition(" ")
        if scheme != "Bearer" or not token or self._options.token not in (None, token):
            raise Refusal(401, "The token is invalid or has expired")
        return f"user {token}"

    def credential(self, request: web.Request) -> str:
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return token or request.headers.get("X-User-Anon-Id", "")

    def error(self, refusal: Refusal, wishes: dict[str, str]) -> dict:
        error = {"type": "api_error" if refusal.status >= 500 else "request_error",
                 "code": CODES.get(refusal.status, "error"), "message": refusal.message}
        return {"error": error | ({"param": refusal.about} if refusal.about else {})}

    async def _list(self, request: web.Request) -> web.StreamResponse:
        mine = self._store.of(request["owner"])
        if "envelope" in request["wishes"]:
            body = {"data": [item.enveloped() for item in mine], "has_more": False,
                    "total": len(mine)}
        else:
            body = [item.listed() for item in mine]
        return await self.answer(request, body)

    async def _conversation(self, request: web.Request) -> web.StreamResponse:
        found = self._store.open(request["owner"], request.match_info["id"])
        if found is None:
            raise Refusal(404, "There is no such conversation")
        return await self.answer(
            request, {"messages": found.messages, "thread": found.listed()})

    async def _message(self, request: web.Request) -> web.StreamResponse:
        try:
            asked = json.loads(await request.read())
            said = asked["content"]
            wanted = (asked.get("thread") or {}).get("id") or asked.get("conversation_id")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Refusal(400, "The body is not a message", "content") from None
        try:
            said = self.hear(request, said)
        except ValueError as error:
            raise Refusal(400, str(error), "content") from None
        self.refuse_as_wished(request)
        thread = self._store.open(request["owner"], wanted)
        if thread is None:
            raise Refusal(404, "There is no such conversation", "thread")
        answer = self._answer(request, thread, said)
        return await self.send(request, answer.events.timed())

    def _answer(self, request: web.Request, thread: Conversation, said: str) -> Answer:
        wishes = request["wishes"]
        wishes.setdefault("stream", corpus.NAMES[self._turns % len(corpus.NAMES)])
        self._turns += 1
        title = None
        if thread.title is None and wishes.get("title") != "none":
            title = thread.title = " ".join(said.split()[:4]) or "Untitled"
        thread.messages.append(
            {"id": self._store.new_id("msg"), "content": said, "role": "user"})
        answer = Answer(wishes, self._store.new_id("msg"), thread.id, title,
                        self._store.new_id("tc"), self._store.new_id("msg"),
                        self.credential(request))
        thread.last = self._store.now()
        thread.messages.append(answer.message())
        return answer

    async def _ticket(self, request: web.Request) -> web.StreamResponse:
        if not request.content_type.startswith("multipart/form-data"):
            raise Refusal(400, "A ticket is sent as multipart/form-data")
        fields = await request.post()
        for name in TICKET_FIELDS:
            if not str(fields.get(name, "")).strip():
                raise Refusal(400, f"A ticket needs a {name}", name)
        identifier = self._store.new_id("tk")
        return await self.answer(request, {
            "id": identifier, "ticket_url": f"https://desk.example.com/tickets/{identifier}"})


def main() -> None:
    parser = service.parser(Service, "an AGO service")
    parser.add_argument("--origin", action="append", help="an allowed origin; may be repeated")
    options = parser.parse_args()
    options.origin = options.origin or ["https://app.example.com"]
    service.run(Service, options)
