"""The stand-in's endpoints, on aiohttp."""

import argparse
import base64
import json
import re

from aiohttp import web

from chatbase import plan, wishes as wishing
from chatbase.answer import Answer
from chatbase.store import Conversation, Store, Turn
from peerkit import corpus, service
from peerkit.log import Log
from peerkit.service import Refusal, dumped

#: The app's surface and the one for servers, which take the same paths.
APP, REST = "/api/sdk", "/api/v2"
#: The most bytes of a tool's output.
OUTPUT_LIMIT = 20 * 1024
#: The codes of each status; the first is that of an error that has none of its own. The service's
#: documents name some families by their beginning alone (AUTH_OWNERSHIP…, SUBSCRIPTION_*).
CODES = {
    400: ["VALIDATION_INVALID_BODY", "VALIDATION_INVALID_JSON", "CHAT_RETRY_NO_USER_MESSAGE"],
    401: ["AUTH_INVALID_JWT", "AUTH_MISSING_API_KEY", "AUTH_INVALID_API_KEY",
          "AUTH_EXPIRED_API_KEY"],
    402: ["CHAT_CREDITS_EXHAUSTED", "CHAT_AGENT_CREDITS_EXHAUSTED"],
    403: ["AUTH_INSUFFICIENT_PERMISSIONS", "AUTH_OWNERSHIP_MISMATCH", "SUBSCRIPTION_REQUIRED",
          "SUBSCRIPTION_EXPIRED", "SUBSCRIPTION_LIMIT_REACHED", "CHAT_MODEL_NOT_ALLOWED"],
    404: ["RESOURCE_NOT_FOUND", "AGENT_NOT_FOUND", "RESOURCE_MESSAGE_NOT_FOUND",
          "RESOURCE_TOOL_CALL_NOT_FOUND", "CHAT_RETRY_MESSAGE_NOT_FOUND"],
    409: ["CHAT_CONVERSATION_NOT_ONGOING", "CHAT_CONVERSATION_MISMATCH",
          "RESOURCE_MESSAGE_NOT_ASSISTANT", "CHAT_STREAMING_ERROR"],
    429: ["RATE_LIMIT_TOO_MANY_REQUESTS"],
    500: ["INTERNAL_SERVER_ERROR"],
}
STATUS = {code: status for status, codes in CODES.items() for code in codes}


class Service(service.Service):
    name = "chatbase"
    table = wishing.TABLE
    stream_headers = {"x-vercel-ai-ui-message-stream": "v1"}

    def __init__(self, options: argparse.Namespace, log: Log):
        super().__init__(options, log)
        self._store = Store(options.seed)
        self._streams = 0

    def routes(self, router: web.UrlDispatcher) -> None:
        for base in (APP, REST):
            agent = f"{base}/agents/{{agent}}"
            router.add_post(f"{agent}/chat", self._chat)
            router.add_post(f"{agent}/conversations/{{id}}/retry", self._retry)
            router.add_post(f"{agent}/conversations/{{id}}/tool-result", self._result)
            router.add_get(f"{agent}/conversations", self._list)
            router.add_get(f"{agent}/conversations/{{id}}/messages", self._messages)
            router.add_post(f"{agent}/verify", self._verify)

    def authenticate(self, request: web.Request) -> str:
        """The token's user or the device; of the servers' surface the account."""
        agent = request.match_info.get("agent")
        if agent is not None and self._options.agent not in (None, agent):
            raise Refusal(404, "There is no such agent", "AGENT_NOT_FOUND")
        if request.path.startswith(f"{REST}/"):
            return self._authenticate_account(request)
        token = request.headers.get("X-User-Token")
        if token is not None:
            return f"user {self._user(token)}"
        device = request.headers.get("X-Device-Id")
        if not device:
            raise Refusal(401, "There is neither a device nor a token", "AUTH_INVALID_JWT")
        return f"device {device}"

    def _authenticate_account(self, request: web.Request) -> str:
        scheme, _, key = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or not key:
            raise Refusal(401, "The API key is missing", "AUTH_MISSING_API_KEY")
        if self._options.api_key not in (None, key):
            raise Refusal(401, "The API key is invalid", "AUTH_INVALID_API_KEY")
        return "account"

    def _user(self, token: str) -> str:
        """Whose token it is: a JWT says so."""
        if self._options.token not in (None, token):
            raise Refusal(401, "The token is invalid or has expired", "AUTH_INVALID_JWT")
        try:
            body = token.split(".")[1]
            claims = json.loads(base64.urlsafe_b64decode(body + "=" * (-len(body) % 4)))
            return str(claims.get("user_id") or claims["sub"])
        except (IndexError, KeyError, ValueError, AttributeError):
            return "u-ann"

    def credential(self, request: web.Request) -> str:
        key = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return request.headers.get("X-User-Token") or key or request.headers.get("X-Device-Id", "")

    def refuse_as_wished(self, request: web.Request) -> None:
        super().refuse_as_wished(request)
        if status := STATUS.get(request["wishes"].get("code")):
            raise Refusal(status, "This error was asked for")

    def error(self, refusal: Refusal, wishes: dict[str, str]) -> dict:
        usual = CODES.get(refusal.status, ["UNKNOWN_ERROR"])[0]
        code = wishes.get("code") or refusal.about or usual
        error = {"code": code, "message": refusal.message}
        if "details" in wishes:
            error["details"] = {"message": "is too long", "stream": "is no boolean"}
        return {"error": error}

    def error_headers(self, refusal: Refusal) -> dict[str, str]:
        headers = {"x-request-id": self._store.ids.new("req")}
        return headers | ({"Retry-After": "1"} if refusal.status == 429 else {})

    async def _body(self, request: web.Request, *keys: str) -> dict:
        try:
            body = json.loads(await request.read())
        except ValueError:
            raise Refusal(400, "The body is no JSON", "VALIDATION_INVALID_JSON") from None
        if not isinstance(body, dict):
            raise Refusal(400, "The body is no object")
        if more := sorted(body.keys() - set(keys)):
            raise Refusal(400, f"The body has unknown keys: {', '.join(more)}")
        return body

    def _conversation(self, request: web.Request, wanted) -> Conversation:
        found = self._store.conversations.get(wanted)
        if found is None:
            raise Refusal(404, "There is no such conversation")
        if found.owner != request["owner"]:
            raise Refusal(403, "It is somebody else's", "CHAT_CONVERSATION_MISMATCH")
        return found

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        body = await self._body(request, "message", "conversationId", "stream", "userId")
        said, wanted = body.get("message"), body.get("conversationId")
        if said is None:
            if wanted is None:
                raise Refusal(400, "There is neither a message nor a conversation")
            return await self._continue(request, self._conversation(request, wanted), body)
        if not isinstance(said, str) or not said:
            raise Refusal(400, "The message is no text")
        if wanted is None:
            thread = self._store.begin(request["owner"], self._user_of(request, body))
        else:
            thread = self._conversation(request, wanted)
        if thread.status != "ongoing":
            raise Refusal(409, f"The conversation is {thread.status}")
        try:
            said = self.hear(request, said)
        except ValueError as error:
            raise Refusal(400, str(error)) from None
        turn = self._begin(thread, said, request["wishes"])
        return await self._stream(request, thread, turn, body)

    def _user_of(self, request: web.Request, body: dict) -> str | None:
        kind, _, owner = request["owner"].partition(" ")
        if kind == "user":
            return owner
        user = body.get("userId")
        if user is not None and not re.fullmatch(r"[A-Za-z0-9._-]{1,128}", str(user)):
            raise Refusal(400, "The user's id has other characters than letters, digits, . _ -")
        return user

    def _begin(self, thread: Conversation, said: str, wishes: dict[str, str]) -> Turn:
        identifier = self._store.ids.new("m")
        thread.title = thread.title or " ".join(said.split()[:4]) or None
        thread.messages.append({
            "id": identifier, "role": "user", "parts": [{"type": "text", "text": said}],
            "createdAt": self._store.now()})
        thread.turn = thread.turns[identifier] = Turn(identifier, dict(wishes))
        if "ended" in wishes:
            thread.status = "ended"
        return thread.turn

    async def _continue(
        self, request: web.Request, thread: Conversation, body: dict
    ) -> web.StreamResponse:
        turn = thread.turn
        if turn is None or turn.streams == 0:
            raise Refusal(400, "There is no turn to go on with")
        if thread.pending() and "hasty" not in turn.wishes:
            missing = ", ".join(call.id for call in thread.pending())
            raise Refusal(400, f"There is no tool result for {missing}")
        return await self._stream(request, thread, turn, body)

    async def _stream(
        self, request: web.Request, thread: Conversation, turn: Turn, body: dict
    ) -> web.StreamResponse:
        turn.streams += 1
        wishes = wishing.of_stream(turn.wishes | request["wishes"], turn.streams)
        request["wishes"] = wishes
        self.refuse_as_wished(request)
        wishes.setdefault("stream", corpus.NAMES[self._streams % len(corpus.NAMES)])
        self._streams += 1
        calls = plan.calls(wishes, turn.streams, self._store.ids.new)
        ids = {"conversationId": thread.id, "messageId": self._store.ids.new("m")}
        if turn.streams == 1:
            ids["userMessageId"] = turn.user_message
        ids["userId"] = thread.user
        answer = Answer(
            wishes, calls, ids, self._store.ids.new("cv"), self.credential(request))
        thread.calls |= {call.id: call for call in calls}
        thread.updated = self._store.now()
        thread.messages.append({
            "id": ids["messageId"], "role": "assistant", "parts": answer.parts,
            "createdAt": thread.updated, "feedback": None, "metadata": {"score": 0.75}})
        if body.get("stream", True):
            return await self.send(request, answer.events.timed())
        message = {"id": ids["messageId"], "role": "assistant", "parts": answer.parts,
                   "metadata": answer.metadata()}
        return await self.answer(request, {"data": message})

    async def _retry(self, request: web.Request) -> web.StreamResponse:
        body = await self._body(request, "messageId", "stream")
        thread = self._conversation(request, request.match_info["id"])
        at = thread.index(body.get("messageId"))
        if at is None:
            raise Refusal(404, "There is no such message", "CHAT_RETRY_MESSAGE_NOT_FOUND")
        if thread.messages[at]["role"] != "assistant":
            raise Refusal(400, "It is not the agent's message", "RESOURCE_MESSAGE_NOT_ASSISTANT")
        asked = [item for item in thread.messages[:at] if item["role"] == "user"]
        if not asked:
            raise Refusal(400, "Nobody asked for it", "CHAT_RETRY_NO_USER_MESSAGE")
        question = asked[-1]["id"]
        del thread.messages[thread.index(question) + 1:]
        thread.calls.clear()
        thread.turn = Turn(question, wishing.lasting(thread.turns[question].wishes))
        return await self._stream(request, thread, thread.turn, body)

    async def _result(self, request: web.Request) -> web.StreamResponse:
        body = await self._body(request, "toolCallId", "output")
        if not isinstance(body.get("toolCallId"), str):
            raise Refusal(400, "toolCallId is missing")
        thread = self._conversation(request, request.match_info["id"])
        wishes = (thread.turn.wishes if thread.turn else {}) | request["wishes"]
        if "result-status" in wishes:
            raise Refusal(int(wishes["result-status"]), "This error was asked for")
        if len(dumped(body.get("output")).encode()) > OUTPUT_LIMIT:
            raise Refusal(400, "The output has more than 20 KB")
        call = thread.calls.get(body["toolCallId"])
        if call is None or call.refused < int(wishes.get("not-ready", 0)):
            if call is not None:
                call.refused += 1
            raise Refusal(404, "There is no such tool call", "RESOURCE_TOOL_CALL_NOT_FOUND")
        self._take(thread, call, body)
        if "result-lost" in wishes and call.submissions == 1:
            return self.drop(request)
        return await self.answer(request, {"data": {"success": "result-refused" not in wishes}})

    def _take(self, thread: Conversation, call: plan.Call, body: dict) -> None:
        call.submissions += 1
        if call.output is None:
            thread.messages[-1]["parts"].append({
                "type": "tool-result", "toolCallId": call.id, "toolName": call.name,
                "output": body.get("output")})
        call.output = body.get("output") or {}

    async def _list(self, request: web.Request) -> web.StreamResponse:
        mine = [item.listed() for item in self._store.of(request["owner"])]
        return await self.answer(request, page(request, mine))

    async def _messages(self, request: web.Request) -> web.StreamResponse:
        thread = self._conversation(request, request.match_info["id"])
        return await self.answer(request, page(request, thread.messages))

    async def _verify(self, request: web.Request) -> web.StreamResponse:
        body = await self._body(request, "token")
        if not isinstance(body.get("token"), str) or not body["token"]:
            raise Refusal(400, "The token is missing")
        return await self.answer(request, {"data": {"userId": self._user(body["token"])}})


def page(request: web.Request, items: list) -> dict:
    """A page of a list: a cursor is the place of its first item."""
    try:
        start = int(request.query.get("cursor", 0))
        limit = int(request.query.get("limit", 20))
    except ValueError:
        raise Refusal(400, "The cursor or the limit is wrong") from None
    if start < 0 or not 0 < limit <= 100:
        raise Refusal(400, "The cursor or the limit is out of range")
    end = start + limit
    more = end < len(items)
    return {"data": items[start:end], "pagination": {
        "cursor": str(end) if more else None, "hasMore": more, "total": len(items)}}


def main() -> None:
    parser = service.parser(Service, "a Chatbase service")
    parser.add_argument("--agent", help="the one agent there is; any is there without it")
    parser.add_argument("--api-key", help="the one valid API key; any is valid without it")
    service.run(Service, parser.parse_args())
