"""A stand-in's life as an HTTP service on aiohttp, whatever it stands in for."""

import argparse
import asyncio
import hashlib
import json

from aiohttp import web

from peerkit import lifetime, wishes as wishing
from peerkit.log import Log, Tap
from peerkit.sending import Sender, hang_up


class Refusal(Exception):
    """A request that is answered with an error."""

    def __init__(self, status: int, message: str, about: str | None = None):
        super().__init__(message)
        self.status, self.message, self.about = status, message, about


class Ids:
    """Ids drawn from a seed: two runs with the same requests say the same."""

    def __init__(self, seed: str):
        self._seed = seed
        self.drawn = 0

    def new(self, prefix: str) -> str:
        self.drawn += 1
        digest = hashlib.sha256(f"{self._seed}/{self.drawn}".encode()).hexdigest()
        return f"{prefix}-{digest[:12]}"


class Service:
    """What stand-ins do alike; a vendor adds its endpoints and its errors."""

    name = ""
    table: dict[str, str] = {}
    #: Headers of an event stream, beside those of every answer.
    stream_headers: dict[str, str] = {}

    def __init__(self, options: argparse.Namespace, log: Log):
        self._options, self._log = options, log
        self._always = self._parsed(options.wishes)
        self._next: list[dict[str, str]] = []
        self._requests = 0

    def routes(self, router: web.UrlDispatcher) -> None:
        """Adds the endpoints."""
        raise NotImplementedError

    def authenticate(self, request: web.Request) -> str:
        """Who asks."""
        raise NotImplementedError

    def credential(self, request: web.Request) -> str:
        """What the request proves itself with."""
        raise NotImplementedError

    def error(self, refusal: Refusal, wishes: dict[str, str]) -> dict:
        """The body of an error."""
        raise NotImplementedError

    def error_headers(self, refusal: Refusal) -> dict[str, str]:
        """Headers of an error, beside those of every answer."""
        return {}

    def command(self, line: str) -> str:
        """A line of standard input."""
        verb, _, rest = line.partition(" ")
        if verb == "next":
            self._next.append(self._parsed(rest))
        elif verb == "clear":
            self._next.clear()
        else:
            raise ValueError(f"no command named {verb!r}; there are next and clear")
        return "ok"

    async def open(self) -> list[int]:
        """Begins what is served beside the endpoints; returns the ports of it."""
        return []

    async def shut(self) -> None:
        """Ends what `open` began."""

    def application(self) -> web.Application:
        app = web.Application(middlewares=[self._around])
        self.routes(app.router)
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
            request["owner"] = self.authenticate(request)
            self.refuse_as_wished(request)
            return await handler(request)
        except Refusal as refusal:
            return self._refused(request, refusal)
        except web.HTTPException as error:
            return self._refused(request, Refusal(error.status, error.reason))

    def hear(self, request: web.Request, message: str) -> str:
        """Takes the wishes out of a message."""
        said, wishes = wishing.inside(message, self.table)
        request["wishes"] |= wishes
        return said

    def refuse_as_wished(self, request: web.Request) -> None:
        wishes = request["wishes"]
        if "status" in wishes:
            told = f": {self.credential(request)}" if "echo" in wishes else ""
            raise Refusal(int(wishes["status"]), f"This error was asked for{told}")

    def _parsed(self, text: str) -> dict[str, str]:
        return wishing.parse(text, self.table)

    def _refused(self, request: web.Request, refusal: Refusal) -> web.Response:
        wishes = request["wishes"]
        headers = {"Server": f"{self.name}-stand-in"} | self.error_headers(refusal)
        if "retry-after" in wishes:
            headers["Retry-After"] = wishes["retry-after"]
        form = wishes.get("body", "structured")
        if form == "plain":
            response = web.Response(
                status=refusal.status, text=f"{refusal.message}\n", headers=headers)
        elif form == "empty":
            response = web.Response(status=refusal.status, headers=headers)
        else:
            response = web.Response(
                status=refusal.status, body=dumped(self.error(refusal, wishes)).encode(),
                headers=headers, content_type="application/json")
        return self._logged(request, response)

    def _logged(self, request: web.Request, response: web.Response) -> web.Response:
        number = request["number"]
        self._log.write("response", request=number, status=response.status,
                        headers=[list(item) for item in response.headers.items()])
        if response.body:
            self._log.write("piece", request=number, index=0, data=response.body)
        self._log.write("end", request=number, how="complete", bytes=len(response.body or b""))
        return response

    async def answer(self, request: web.Request, body) -> web.StreamResponse:
        """Answers with one JSON text."""
        request["wishes"].setdefault("type", "application/json")
        request["wishes"].setdefault("delimit", "length")
        return await self.send(request, [(0, dumped(body).encode())])

    def drop(self, request: web.Request) -> web.Response:
        """Ends the connection without an answer."""
        hang_up(request, "rst" in request["wishes"])
        self._log.write("end", request=request["number"], how="cut", bytes=0)
        return web.Response()

    async def send(self, request: web.Request, pieces) -> web.StreamResponse:
        """Answers with `(gap, bytes)` pieces."""
        wishes = request["wishes"]
        if "reset" in wishes:
            return self.drop(request)
        if "empty" in wishes:
            pieces = []
        headers = {"Server": f"{self.name}-stand-in"}
        if "type" not in wishes:
            headers |= self.stream_headers
        sender = Sender(request, request["number"], headers, wishes, self._log)
        return await sender.send(pieces, float(wishes.get("pace", self._options.pace)))


def dumped(body) -> str:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"))


def parser(service: type[Service], about: str) -> argparse.ArgumentParser:
    """The options of every stand-in."""
    table = "\n".join(f"  {name:<17} {what}" for name, what in service.table.items())
    made = argparse.ArgumentParser(
        prog=service.name, formatter_class=argparse.RawDescriptionHelpFormatter,
        description=f"A stand-in for {about}. Prints `port N` when it is ready, with another port "
        "behind it where it serves WebSockets, and ends with its standard input.",
        epilog=f"wishes (also in a message, as peer:NAME=VALUE, or as `next WISHES` on standard "
        f"input):\n{table}")
    made.add_argument("--port", type=int, default=0, help="0 for any (the default)")
    made.add_argument("--log", metavar="FILE", help="log what crosses the wire, as JSON lines")
    made.add_argument("--token", help="the one valid token; any is valid without it")
    made.add_argument("--pace", type=float, default=1, help="scales all gaps; 0 is at once")
    made.add_argument("--seed", default="reprise", help="what ids are drawn from")
    made.add_argument("--wishes", default="", help="wishes for every request")
    return made


def run(service: type[Service], options: argparse.Namespace) -> None:
    """Serves until standard input ends."""
    try:
        asyncio.run(_serve(service, options))
    except KeyboardInterrupt:
        pass


async def _serve(kind: type[Service], options: argparse.Namespace) -> None:
    log = Log(options.log)
    service = kind(options, log)
    runner = web.AppRunner(service.application(), access_log=None)
    await runner.setup()
    server = await asyncio.get_running_loop().create_server(
        lambda: Tap(runner.server(), log), "127.0.0.1", options.port)
    lifetime.announce(server.sockets[0].getsockname()[1], *await service.open())
    await lifetime.obey_stdin(service.command)
    await service.shut()
    server.close()
    await runner.cleanup()
