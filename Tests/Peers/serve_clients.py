"""Clients of other makers, for what a server that replays puts on the wire.

    serve_clients.py raw PORT [PATIENCE]
                                       the request is on standard input; every byte that comes, until
                                       none has for that many seconds
    serve_clients.py talk PORT COUNT HEX
                                       the same, and says these bytes once so many have come behind
                                       the head
    serve_clients.py httpx URL [BODY]  the response through httpx
    serve_clients.py aiohttp URL [BODY]
    serve_clients.py many URL COUNT    that many requests at once, through aiohttp
    serve_clients.py websockets URL COMPRESSION MESSAGE...
                                       sends each and reads a message behind each, through websockets;
                                       then reads to the end, or closes behind a last `close`
    serve_clients.py listen URL COMPRESSION
                                       reads to the end through websockets, or until nothing has come
                                       for a second

Prints one JSON object. A BODY makes it a POST of JSON. Bytes are Base64, times milliseconds since
the request was sent.
"""

import asyncio
import base64
import json
import socket
import sys
import time


def encoded(data: bytes) -> str:
    return base64.b64encode(data).decode()


class Seen:
    """What came, in pieces with their times, and how it ended."""

    def __init__(self):
        self._start = time.monotonic()
        self.report = {"pieces": [], "times": [], "error": None}

    def piece(self, data: bytes):
        self.report["pieces"].append(encoded(data))
        self.report["times"].append((time.monotonic() - self._start) * 1000)

    def end(self, error: BaseException | None = None):
        if error is not None:
            self.report["error"] = type(error).__name__
        self.report["end"] = (time.monotonic() - self._start) * 1000


def raw(port: str, patience: str | None = None) -> Seen:
    request = sys.stdin.buffer.read()
    with socket.create_connection(("127.0.0.1", int(port))) as connection:
        connection.sendall(request)
        connection.settimeout(float(patience) if patience else None)
        seen = Seen()
        try:
            while data := connection.recv(1 << 16):
                seen.piece(data)
            seen.end()
        except OSError as error:
            seen.end(error)
    return seen


def talk_raw(port: str, count: str, answer: str) -> Seen:
    request = sys.stdin.buffer.read()
    with socket.create_connection(("127.0.0.1", int(port))) as connection:
        connection.sendall(request)
        seen = Seen()
        come, waits = b"", True
        try:
            while data := connection.recv(1 << 16):
                seen.piece(data)
                come += data
                if waits and len(come.partition(b"\r\n\r\n")[2]) >= int(count):
                    waits = False
                    connection.sendall(bytes.fromhex(answer))
            seen.end()
        except OSError as error:
            seen.end(error)
    return seen


def with_httpx(url: str, body: str | None = None) -> Seen:
    import httpx

    options = {}
    if body is not None:
        options = {"content": body, "headers": {"Content-Type": "application/json"}}
    with httpx.Client(trust_env=False, timeout=30) as client:
        seen = Seen()
        with client.stream("GET" if body is None else "POST", url, **options) as response:
            seen.report["status"] = response.status_code
            seen.report["headers"] = [
                [name.decode("latin-1"), value.decode("latin-1")] for name, value in response.headers.raw
            ]
            try:
                for data in response.iter_raw():
                    seen.piece(data)
                seen.end()
            except httpx.HTTPError as error:
                seen.end(error)
    return seen


async def with_aiohttp(url: str, body: str | None = None) -> Seen:
    import aiohttp

    async with aiohttp.ClientSession(auto_decompress=False) as session:
        options = {}
        if body is not None:
            options = {"data": body, "headers": {"Content-Type": "application/json"}}
        seen = Seen()
        async with session.request("GET" if body is None else "POST", url, **options) as response:
            seen.report["status"] = response.status
            seen.report["headers"] = [
                [name.decode("latin-1"), value.decode("latin-1")] for name, value in response.raw_headers
            ]
            try:
                # What is read may be the half of a chunk, never more than one.
                chunk = b""
                async for data, is_end in response.content.iter_chunks():
                    chunk += data
                    if is_end and chunk:
                        seen.piece(chunk)
                        chunk = b""
                if chunk:
                    seen.piece(chunk)
                seen.end()
            except aiohttp.ClientError as error:
                if chunk:
                    seen.piece(chunk)
                seen.end(error)
    return seen


async def many(url: str, count: str) -> dict:
    import aiohttp

    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def one():
            async with session.get(url) as response:
                return response.status, encoded(await response.read())

        answers = await asyncio.gather(*(one() for _ in range(int(count))))
    kinds = sorted(set(answers))
    return {"answers": [[status, body, answers.count((status, body))] for status, body in kinds]}


async def talk(url: str, compression: str, *messages: str) -> dict:
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed, InvalidStatus

    report = {"messages": [], "code": None, "reason": None, "extensions": None, "status": 101}
    try:
        async with connect(
            url, compression=None if compression == "none" else compression, proxy=None
        ) as connection:
            report["extensions"] = connection.response.headers.get("Sec-WebSocket-Extensions")
            try:
                for message in messages:
                    if message == "close":
                        await connection.close()
                        break
                    await connection.send(message)
                    report["messages"].append(await connection.recv())
                while messages[-1] != "close":
                    report["messages"].append(await connection.recv())
            except ConnectionClosed:
                pass
            report["code"], report["reason"] = connection.close_code, connection.close_reason
    except InvalidStatus as error:
        report["status"] = error.response.status_code
        report["reason"] = error.response.body.decode()
    return report


async def listen(url: str, compression: str) -> dict:
    from websockets.asyncio.client import connect
    from websockets.exceptions import ConnectionClosed, InvalidStatus, InvalidMessage

    report = {"messages": [], "code": None, "reason": None, "isSilent": False, "status": 101}
    try:
        async with connect(
            url, compression=None if compression == "none" else compression, proxy=None
        ) as connection:
            try:
                while True:
                    report["messages"].append(await asyncio.wait_for(connection.recv(), 1))
            except TimeoutError:
                report["isSilent"] = True
                connection.transport.abort()
                return report
            except ConnectionClosed as error:
                report["code"], report["reason"] = connection.close_code, connection.close_reason
                # What the client finds wrong. Text is decoded when it is read: a close frame behind
                # it may have come before.
                if isinstance(error.__cause__, UnicodeDecodeError):
                    report["code"] = 1007
                elif error.sent and error.sent.code == 1002:
                    report["code"] = 1002
    except InvalidStatus as error:
        report["status"] = error.response.status_code
        report["reason"] = error.response.body.decode()
    except (InvalidMessage, OSError):
        report["status"] = 0
    return report


def main():
    kind, *arguments = sys.argv[1:]
    match kind:
        case "raw":
            report = raw(*arguments).report
        case "talk":
            report = talk_raw(*arguments).report
        case "httpx":
            report = with_httpx(*arguments).report
        case "aiohttp":
            report = asyncio.run(with_aiohttp(*arguments)).report
        case "many":
            report = asyncio.run(many(*arguments))
        case "websockets":
            report = asyncio.run(talk(*arguments))
        case "listen":
            report = asyncio.run(listen(*arguments))
        case _:
            sys.exit(__doc__)
    print(json.dumps(report))


main()
