"""The stand-in's endpoints, on aiohttp, and what happens on its sockets."""

import argparse
import asyncio
import json
from urllib.parse import unquote

from aiohttp import web
from websockets.asyncio.server import serve
from websockets.exceptions import ConnectionClosed

from cometchat import cases, frames, wishes as wishing
from cometchat.run import Context, Run, Step, interleaved, serialized
from cometchat.sockets import Connection
from cometchat.store import Store, User
from peerkit import corpus, service
from peerkit.log import Log
from peerkit.service import Refusal
from peerkit.wishes import inside

BASE = "/v3.0"
CODES = {400: "ERR_BAD_REQUEST", 401: "AUTH_ERR_AUTH_TOKEN_NOT_FOUND", 404: "ERR_UID_NOT_FOUND",
         429: "ERR_TOO_MANY_REQUESTS", 500: "ERR_INTERNAL_SERVER_ERROR"}


class Service(service.Service):
    name = "cometchat"
    table = wishing.TABLE

    def __init__(self, options: argparse.Namespace, log: Log):
        super().__init__(options, log)
        self._store = Store(options.seed)
        self._sockets: list[Connection] = []
        self._next_sockets: list[dict[str, str]] = []
        self._arrival = asyncio.Event()
        self._waiting: list[list[Step]] = []
        self._tasks: set[asyncio.Task] = set()
        self._runs = 0

    # Life.

    async def open(self) -> list[int]:
        Connection.log, Connection.draw = self._log, staticmethod(self._draw)
        self._server = await serve(
            self._talk, "127.0.0.1", self._options.socket_port, create_connection=Connection,
            process_request=lambda connection, request: connection.settle(request),
            process_response=lambda connection, request, response:
                connection.answered(request, response),
            compression=None, ping_interval=None, max_size=None, close_timeout=2)
        return [self._server.sockets[0].getsockname()[1]]

    async def shut(self) -> None:
        for task in self._tasks:
            task.cancel()
        self._server.close(close_connections=False)
        for connection in self._sockets:
            connection.transport.abort()

    def command(self, line: str) -> str:
        """`socket WISHES` is for the next socket; `next` may speak of it, too."""
        verb, _, rest = line.partition(" ")
        if verb == "socket":
            self._next_sockets.append(self._parsed(rest))
            return "ok"
        if verb == "next":
            self._keep(self._parsed(rest))
        return super().command(line)

    def _keep(self, wishes: dict[str, str]) -> None:
        wanted = wishing.of_sockets(wishes)
        if wanted:
            self._next_sockets.append(wanted)

    def _draw(self, path: str) -> dict[str, str]:
        told = self._next_sockets.pop(0) if self._next_sockets else {}
        here = self._parsed(unquote(path).lstrip("/"))
        return wishing.of_sockets(self._always | here) | told

    # REST.

    def routes(self, router: web.UrlDispatcher) -> None:
        router.add_put(f"{BASE}/me", self._me)
        router.add_get(f"{BASE}/me", self._me)
        router.add_delete(f"{BASE}/me", self._leave)
        router.add_post(f"{BASE}/users/{{uid}}/auth_tokens", self._enter)
        router.add_post(f"{BASE}/messages", self._message)
        router.add_post(f"{BASE}/messages/{{parent:[0-9]+}}/thread", self._message)
        router.add_get(f"{BASE}/users/{{uid}}/messages", self._history)
        for name, answer in COPILOT.items():
            router.add_get(f"{BASE}/ai/{name}/users/{{uid}}", self._copilot(answer))

    def authenticate(self, request: web.Request) -> User:
        if not request.headers.get("appId"):
            raise Refusal(400, "The header appId is missing")
        if self._options.app_id not in (None, request.headers["appId"]):
            raise Refusal(404, "There is no such app", "ERR_APP_NOT_FOUND")
        key = request.headers.get("apikey")
        if key is not None and request.path.endswith("/auth_tokens"):
            if self._options.key not in (None, key):
                raise Refusal(401, "The key is not valid", "AUTH_ERR_APIKEY_NOT_FOUND")
            return self._store.user(self._options.token or "token-of-a-key",
                                    request.match_info["uid"])
        token = request.headers.get("authToken")
        if not token or self._options.token not in (None, token):
            raise Refusal(401, "The auth token is missing or not valid")
        return self._store.user(token)

    def credential(self, request: web.Request) -> str:
        return request.headers.get("authToken") or request.headers.get("apikey", "")

    def error(self, refusal: Refusal, wishes: dict[str, str]) -> dict:
        code = refusal.about or CODES.get(refusal.status, "ERR_UNKNOWN")
        error = {"code": code, "message": refusal.message}
        if refusal.status == 400:
            error["details"] = {"data.text": ["This field may not be empty."]}
        return {"error": error}

    def error_headers(self, refusal: Refusal) -> dict[str, str]:
        return {"Retry-After": "1"} if refusal.status == 429 else {}

    async def _me(self, request: web.Request) -> web.StreamResponse:
        user: User = request["owner"]
        facts = user.facts() | {"authToken": user.token, "jwt": user.jwt}
        return await self.answer(request, {"data": facts})

    async def _enter(self, request: web.Request) -> web.StreamResponse:
        user: User = request["owner"]
        return await self.answer(request, {"data": {"uid": user.uid, "authToken": user.token}})

    async def _leave(self, request: web.Request) -> web.StreamResponse:
        return await self.answer(request, {"data": {
            "success": True, "message": "The session is over."}})

    async def _message(self, request: web.Request) -> web.StreamResponse:
        body = await self._body(request)
        user: User = request["owner"]
        text = body["data"].get("text", "")
        try:
            said = self.hear(request, text)
        except ValueError as error:
            raise Refusal(400, str(error)) from None
        wishes = request["wishes"]
        if wishes.get("frame", "alone") not in frames.NAMED:
            raise Refusal(400, f"There is no frame {wishes['frame']!r}")
        # Those that came otherwise are kept already.
        self._keep(inside(text, self.table)[1])
        message = self._keep_message(user, body, said, request)
        asked = body["receiverType"] == "user" and self._is_agent(body["receiver"]) \
            and body["type"] == "text"
        work = self._respond(user, message, dict(wishes), request) if asked else None
        if work is not None and "hasty" in wishes:
            self._start(work)
            await asyncio.sleep(0.02)
        answered = await self.answer(request, {"data": message})
        if work is not None and "hasty" not in wishes:
            self._start(work)
        return answered

    async def _body(self, request: web.Request) -> dict:
        try:
            body = json.loads(await request.read())
        except ValueError:
            raise Refusal(400, "The body is no JSON") from None
        if not isinstance(body, dict) or not isinstance(body.get("data"), dict):
            raise Refusal(400, "The body is no message")
        for name in ("receiver", "receiverType", "category", "type"):
            if not isinstance(body.get(name), str) or not body[name]:
                raise Refusal(400, f"{name} is missing")
        text = body["data"].get("text")
        if body["type"] == "text" and (not isinstance(text, str) or not text.strip()):
            raise Refusal(400, "The text is missing")
        if body["receiverType"] not in ("user", "group"):
            raise Refusal(400, "The receiver is neither a user nor a group")
        self._find(body["receiver"])
        return body

    def _find(self, uid: str) -> None:
        known = self._options.agent
        if uid.startswith("nobody") or (known and uid not in known):
            raise Refusal(404, f"There is no user {uid}")

    def _is_agent(self, uid: str) -> bool:
        return uid in self._options.agent if self._options.agent else uid.startswith("agent")

    def _keep_message(self, user: User, body: dict, said: str, request: web.Request) -> dict:
        identifier, now = self._store.message_id(), self._store.now()
        status = "pending" if "moderation" in request["wishes"] else "approved"
        data = body["data"] | ({"text": said} if "text" in body["data"] else {}) | {
            "resource": request.headers.get("resource", ""), "moderation": {"status": status},
            "entities": {"sender": {"entityType": "user", "entity": user.facts()},
                         "receiver": {"entityType": "user", "entity": {"uid": body["receiver"]}}}}
        message = {"id": identifier}
        message |= {"muid": body["muid"]} if "muid" in body else {}
        message |= {"conversationId": f"{body['receiver']}_user_{user.uid}", "sender": user.uid}
        message |= {name: body[name] for name in
                    ("receiver", "receiverType", "category", "type", "tags") if name in body}
        message |= {"sentAt": now, "updatedAt": now, "data": data}
        if "parent" in request.match_info:
            message["parentId"] = int(request.match_info["parent"])
        user.messages.append(message)
        return message

    async def _history(self, request: web.Request) -> web.StreamResponse:
        self._find(request.match_info["uid"])
        uid = request.match_info["uid"]
        messages = [item for item in request["owner"].messages
                    if uid in (item["sender"], item["receiver"])]
        try:
            count = int(request.query.get("per_page", request.query.get("limit", 30)))
            cursor = int(request.query["id"]) if "id" in request.query else None
            since = int(request.query["sentAt"]) if "sentAt" in request.query else None
        except ValueError:
            raise Refusal(400, "per_page, id or sentAt is no number") from None
        affix = request.query.get("affix", "prepend")
        if affix not in ("append", "prepend") or not 0 < count <= 100:
            raise Refusal(400, "per_page or affix is out of range")
        if cursor is not None:
            messages = [item for item in messages if
                        (item["id"] > cursor if affix == "append" else item["id"] < cursor)]
        if since is not None:
            messages = [item for item in messages if
                        (item["sentAt"] > since if affix == "append" else item["sentAt"] < since)]
        page = messages[:count] if affix == "append" else messages[-count:]
        return await self.answer(request, {"data": page, "meta": {
            "affix": affix, "current": {"limit": count, "count": len(page)}}})

    def _copilot(self, answer):
        async def handle(request: web.Request) -> web.StreamResponse:
            self._find(request.match_info["uid"])
            return await self.answer(request, {"data": answer})
        return handle

    # Runs.

    def _respond(self, user: User, message: dict, wishes: dict[str, str], request: web.Request):
        """What follows the message, as a coroutine."""
        made = [self._run(user, message, wishes, request)
                for _ in range(int(wishes.get("runs", 1)))]
        envelope = {"appId": request.headers["appId"], "receiver": message["receiver"],
                    "receiverType": "user", "sender": user.uid,
                    "deviceId": request.headers.get("resource", "")}
        return self._follow(user, message, wishes, envelope, interleaved(made))

    def _run(self, user: User, message: dict, wishes: dict[str, str],
             request: web.Request) -> list[Step]:
        wishes = dict(wishes)
        wishes.setdefault("stream", corpus.NAMES[self._runs % len(corpus.NAMES)])
        self._runs += 1
        context = Context(
            request.headers["appId"], user.uid, message["receiver"], message["conversationId"],
            self._store.run_id(), self._store.ids.new, self.credential(request))
        return Run(wishes, context).steps

    async def _follow(self, user: User, message: dict, wishes: dict[str, str], frame: dict,
                      steps: list[Step]) -> None:
        pace = float(wishes.get("pace", self._options.pace))
        if "noise" in wishes:
            await self._broadcast(user, {"type": "message"} | frame | {"body": message})
        status = wishes.get("moderation")
        if status is not None:
            await asyncio.sleep(0.15 * pace)
            message["data"]["moderation"] = {"status": status}
            moderated = {"type": "on_moderation_status_changed"} | frame | {"body": message}
            await self._broadcast(user, moderated)
            if status == "disapproved":
                return
        if "noise" in wishes:
            await self._make_noise(user, message, frame)
        if "together" in wishes:
            self._waiting.append(steps)
            if len(self._waiting) < int(wishes["together"]):
                return
            steps, self._waiting = interleaved(self._waiting), []
        await self._perform(user, wishes, steps, pace)

    async def _make_noise(self, user: User, message: dict, frame: dict) -> None:
        agent = message["receiver"]
        theirs = frame | {"receiver": user.uid, "sender": agent}
        del theirs["deviceId"]
        await self._broadcast(user, {"type": "presence"} | theirs | {
            "body": {"action": "online", "user": {"uid": agent, "name": "Weather agent"}}})
        await self._broadcast(user, {"type": "receipts"} | theirs | {"messageSender": user.uid} | {
            "body": {"action": "read", "messageId": str(message["id"])}})
        await self._broadcast(user, {"type": "typing_indicator"} | theirs | {
            "body": {"action": "started"}})

    async def _perform(self, user: User, wishes: dict[str, str], steps: list[Step],
                       pace: float) -> None:
        for index, step in enumerate(steps):
            gap = int(wishes["gap"]) / 1000 if "gap" in wishes else step.gap_ns / 1e9 * pace
            if gap > 0:
                await asyncio.sleep(gap)
            if step.message is not None:
                self._write_down(user, step.message)
            if step.fault is not None:
                following = next((item.frame for item in steps[index:] if item.frame), None)
                if _ends(step) and "resume" not in wishes:
                    # Whoever comes back finds them in the history.
                    for item in steps[index:]:
                        if item.message is not None:
                            self._write_down(user, item.message)
                    await self._break(user, step, following)
                    return
                await self._break(user, step, following)
            elif step.frame is not None:
                await self._broadcast(user, step.frame)

    def _write_down(self, user: User, message: dict) -> None:
        message["id"] = self._store.message_id()
        message["sentAt"] = message["updatedAt"] = self._store.now()
        user.messages.append(message)

    async def _break(self, user: User, step: Step, following: dict | str | None) -> None:
        """What the wish says; then, after an end, waits for the next socket."""
        for connection in self._of(user):
            if step.fault == "drop":
                await connection.cut(step.value, following and serialized(following))
            elif step.fault == "close":
                await connection.end(step.value)
            elif step.fault == "frame":
                await connection.write(frames.NAMED[step.value])
            elif step.fault == "ping":
                await connection.ask()
            elif step.fault == "binary":
                await connection.say(b"\x00\x01\x02 no text")
            elif step.fault == "silence":
                await self._be_silent(connection, int(step.value or 0))
        if step.fault in ("drop", "close"):
            self._arrival.clear()
            await self._arrival.wait()

    async def _be_silent(self, connection: Connection, milliseconds: int) -> None:
        if milliseconds:
            await asyncio.sleep(milliseconds / 1000)
        else:
            await connection.wait_closed()

    def _start(self, work) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    # Sockets.

    def _of(self, user: User) -> list[Connection]:
        return [item for item in self._sockets if item.uid == user.uid and item.is_open]

    async def _broadcast(self, user: User, frame: dict | str) -> None:
        for connection in self._of(user):
            await connection.say(serialized(frame))

    async def _talk(self, connection: Connection) -> None:
        try:
            async for text in connection:
                await self._hear(connection, text)
        except ConnectionClosed:
            pass
        finally:
            if connection in self._sockets:
                self._sockets.remove(connection)

    async def _hear(self, connection: Connection, text: str | bytes) -> None:
        data = text if isinstance(text, bytes) else text.encode()
        self._log.write("message", connection=connection.number, by="client", data=data)
        try:
            frame = json.loads(text)
            kind = frame.get("type", frame.get("action"))
        except (ValueError, AttributeError):
            return await connection.end("1007")
        if kind == "auth":
            await self._admit(connection, frame)
        elif "ping" in (kind, frame.get("action")):
            if "no-pong" not in connection.wishes:
                await connection.say(serialized({"action": "pong", "ack": True}))

    async def _admit(self, connection: Connection, frame: dict) -> None:
        how = connection.wishes.get("auth")
        body = frame.get("body") if isinstance(frame.get("body"), dict) else {}
        user = self._store.by_jwt(body.get("auth") or "")
        if how == "none":
            return
        if how == "close":
            return await connection.end("1008")
        device = str(frame.get("deviceId") or body.get("deviceId") or "")
        answer = {"type": "auth", "appId": frame.get("appId"), "deviceId": device}
        if user is None or how == "refused":
            answer["body"] = {"code": 401, "status": "AUTH_ERR_JWT_INVALID"}
            await connection.say(serialized(answer))
            return await connection.end("1008")
        connection.device = device
        answer |= {"receiver": user.uid, "receiverType": "user"}
        answer["body"] = {"code": 200, "status": "OK"}
        await connection.say(serialized(answer))
        connection.uid = user.uid
        self._sockets.append(connection)
        self._arrival.set()


def _ends(step: Step) -> bool:
    """Whether a client hears nothing behind it."""
    return step.fault in ("drop", "close") or (
        step.fault == "frame" and step.value not in frames.RIGHT)


COPILOT = {
    "smart-replies": {"positive": "Yes, gladly!", "neutral": "Let me look.",
                      "negative": "No, thank you."},
    "conversation-starter": ["How is the weather in Zürich?", "Shall I bring an umbrella? ☂️"],
    "conversation-summary": "Ann asked about the weather; the agent answered that it is fine.",
}


def main() -> None:
    parser = service.parser(Service, "a CometChat service")
    parser.add_argument("--socket-port", type=int, default=0, help="of the WebSockets; 0 for any")
    parser.add_argument("--app-id", help="the one app there is; any is there without it")
    parser.add_argument("--agent", action="append", default=[],
                        help="a user that is an agent; without it, all whose uid begins with agent")
    parser.add_argument("--key", help="the one valid key for logging in by uid; any without it")
    parser.add_argument("--cases", action="store_true",
                        help="print what each wish breaks, as JSON lines, and end")
    options = parser.parse_args()
    if options.cases:
        return print(*map(serialized, cases.lines()), sep="\n")
    service.run(Service, options)
