"""The stand-in's endpoints, on aiohttp."""

import argparse
import asyncio
import json

from aiohttp import web

from ago import wishes as wishing
from ago.answer import Answer
from ago.sending import Sender, hang_up
from ago.store import Conversation, Store
from peerkit import corpus, lifetime
from peerkit.log import Log, Tap

BASE = "/api/sdk/v1"
TICKET_FIELDS = ("subject", "typology", "priority", "body")
CODES = {400: "invalid_request", 401: "invalid_token", 403: "origin_not_allowed",
         404: "not_found", 409: "turn_moved_on", 429: "rate_limited", 500: "internal_error"}


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str, param: str | None = None):
        super().__init__(message)
        self.status, self.message, self.param = status, message, param

    def body(self) -> dict:
        error = {"type": "api_error" if self.status >= 500 else "request_error",
                 "code": CODES.get(self.status, "error"), "message": self.message}
        return {"error": error | ({"param": self.param} if self.param else {})}


class Service:
    def __init__(self, options: argparse.Namespace, log: Log):
        self._options, self._log = options, log
        self._store = Store(options.seed)
        self._always = wishing.parse(options.wishes)
        self._next: list[dict[str, str]] = []
        self._requests = 0
        self._turns = 0

    def command(self, line: str) -> str:
        """A line of standard input."""
        verb, _, rest = line.partition(" ")
        if verb == "next":
            self._next.append(wishing.parse(rest))
        elif verb == "clear":
            self._next.clear()
        else:
            raise ValueError(f"no command named {verb!r}; there are next and clear")
        return "ok"

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._around])
        app.router.add_get(f"{BASE}/conversations", self._list)
        app.router.add_get(f"{BASE}/conversations/{{id}}", self._conversation)
        app.router.add_post(f"{BASE}/messages", self._message)
        app.router.add_post(f"{BASE}/tickets", self._ticket)
        return app

    @web.middleware
    async def _around(self, request: web.Request, handler) -> web.StreamResponse:
        self._requests += 1
        number = self._requests
        request["number"] = number
        request["wishes"] = self._always | (self._next.pop(0) if self._next else {})
        self._log.write("request", request=number, method=request.method, target=request.path_qs,
                        headers=[list(item) for item in request.headers.items()])
        try:
            request["owner"] = self._authenticate(request)
            self._refuse_as_wished(request)
            return await handler(request)
        except Refusal as refusal:
            return self._refused(request, refusal)
        except web.HTTPException as error:
            return self._refused(request, Refusal(error.status, error.reason))

    def _authenticate(self, request: web.Request) -> str:
        """Who asks: the token's user, or the installation."""
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

    def _refuse_as_wished(self, request: web.Request) -> None:
        wishes = request["wishes"]
        if "status" in wishes:
            told = f": {credential(request)}" if "echo" in wishes else ""
            raise Refusal(int(wishes["status"]), f"This error was asked for{told}")

    def _refused(self, request: web.Request, refusal: Refusal) -> web.Response:
        wishes = request["wishes"]
        headers = {"Server": "ago-stand-in"}
        if "retry-after" in wishes:
            headers["Retry-After"] = wishes["retry-after"]
        form = wishes.get("body", "structured")
        if form == "plain":
            response = web.Response(
                status=refusal.status, text=f"{refusal.message}\n", headers=headers)
        elif form == "empty":
            response = web.Response(status=refusal.status, headers=headers)
        else:
            response = answered(refusal.body(), refusal.status, headers)
        return self._logged(request, response)

    def _logged(self, request: web.Request, response: web.Response) -> web.Response:
        number = request["number"]
        self._log.write("response", request=number, status=response.status,
                        headers=[list(item) for item in response.headers.items()])
        if response.body:
            self._log.write("piece", request=number, index=0, data=response.body)
        self._log.write("end", request=number, how="complete", bytes=len(response.body or b""))
        return response

    async def _list(self, request: web.Request) -> web.StreamResponse:
        mine = self._store.of(request["owner"])
        if "envelope" in request["wishes"]:
            body = {"data": [item.enveloped() for item in mine], "has_more": False,
                    "total": len(mine)}
        else:
            body = [item.listed() for item in mine]
        return await self._json(request, body)

    async def _conversation(self, request: web.Request) -> web.StreamResponse:
        found = self._store.open(request["owner"], request.match_info["id"])
        if found is None:
            raise Refusal(404, "There is no such conversation")
        return await self._json(
            request, {"messages": found.messages, "thread": found.listed()})

    async def _message(self, request: web.Request) -> web.StreamResponse:
        try:
            asked = json.loads(await request.read())
            said = asked["content"]
            wanted = (asked.get("thread") or {}).get("id") or asked.get("conversation_id")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Refusal(400, "The body is not a message", "content") from None
        try:
            said, wishes = wishing.inside(said)
        except ValueError as error:
            raise Refusal(400, str(error), "content") from None
        request["wishes"] |= wishes
        self._refuse_as_wished(request)
        thread = self._store.open(request["owner"], wanted)
        if thread is None:
            raise Refusal(404, "There is no such conversation", "thread")
        answer = self._answer(request, thread, said)
        return await self._send(
            request, [(piece.gap_ns, piece.data) for piece in answer.pieces])

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
                        self._store.new_id("tc"), self._store.new_id("msg"), credential(request))
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
        return await self._json(request, {
            "id": identifier, "ticket_url": f"https://desk.example.com/tickets/{identifier}"})

    async def _json(self, request: web.Request, body) -> web.StreamResponse:
        text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
        request["wishes"].setdefault("type", "application/json")
        request["wishes"].setdefault("delimit", "length")
        return await self._send(request, [(0, text.encode())])

    async def _send(self, request: web.Request, pieces) -> web.StreamResponse:
        wishes = request["wishes"]
        if "reset" in wishes:
            hang_up(request, "rst" in wishes)
            self._log.write("end", request=request["number"], how="cut", bytes=0)
            return web.Response()
        if "empty" in wishes:
            pieces = []
        sender = Sender(request, request["number"], wishes, self._log)
        return await sender.send(pieces, float(wishes.get("pace", self._options.pace)))


def credential(request: web.Request) -> str:
    """What the request proves itself with."""
    token = request.headers.get("Authorization", "").removeprefix("Bearer ")
    return token or request.headers.get("X-User-Anon-Id", "")


def answered(body, status: int, headers: dict[str, str]) -> web.Response:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return web.Response(
        status=status, body=text.encode(), headers=headers, content_type="application/json")


def options() -> argparse.Namespace:
    table = "\n".join(f"  {name:<15} {what}" for name, what in wishing.TABLE.items())
    parser = argparse.ArgumentParser(
        prog="ago", formatter_class=argparse.RawDescriptionHelpFormatter,
        description="A stand-in for an AGO service. Prints `port N` when it is ready, and ends "
        "with its standard input.",
        epilog=f"wishes (also in a message, as peer:NAME=VALUE, or as `next WISHES` on standard "
        f"input):\n{table}")
    parser.add_argument("--port", type=int, default=0, help="0 for any (the default)")
    parser.add_argument("--log", metavar="FILE", help="log what crosses the wire, as JSON lines")
    parser.add_argument("--token", help="the one valid token; any is valid without it")
    parser.add_argument("--origin", action="append", help="an allowed origin; may be repeated")
    parser.add_argument("--pace", type=float, default=1, help="scales all gaps; 0 is at once")
    parser.add_argument("--seed", default="reprise", help="what ids are drawn from")
    parser.add_argument("--wishes", default="", help="wishes for every request")
    chosen = parser.parse_args()
    chosen.origin = chosen.origin or ["https://app.example.com"]
    return chosen


async def serve(chosen: argparse.Namespace) -> None:
    log = Log(chosen.log)
    service = Service(chosen, log)
    runner = web.AppRunner(service.application(), access_log=None)
    await runner.setup()
    server = await asyncio.get_running_loop().create_server(
        lambda: Tap(runner.server(), log), "127.0.0.1", chosen.port)
    lifetime.announce(server.sockets[0].getsockname()[1])
    await lifetime.obey_stdin(service.command)
    server.close()
    await runner.cleanup()


def main() -> None:
    try:
        asyncio.run(serve(options()))
    except KeyboardInterrupt:
        pass
