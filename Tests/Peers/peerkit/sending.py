"""Sends an answer as it is wished for, and says in the log what went out."""

import asyncio
import socket
import struct
import time

from aiohttp import web

from peerkit.coding import Encoder, negotiate, recut
from peerkit.log import Log


class Sender:
    """One streamed response."""

    def __init__(self, request: web.Request, number: int, headers: dict[str, str],
                 wishes: dict[str, str], log: Log):
        self._request, self._number, self._headers = request, number, headers
        self._wishes, self._log = wishes, log
        self._sent = 0
        coding = negotiate(
            request.headers.get("Accept-Encoding", ""), wishes.get("coding", "identity"))
        self._encoder = Encoder(coding, "members" in wishes)
        self._response: web.StreamResponse | None = None
        self._until_close = wishes.get("delimit") == "close"

    async def send(self, pieces: list[tuple[int, bytes]], pace: float) -> web.StreamResponse:
        cut = recut(pieces, self._wishes.get("cuts", "events"))
        for index, (_, data) in enumerate(cut):
            self._log.write("said", request=self._number, index=index, data=data)
        coded = self._coded(cut)
        self._response = self._head(sum(len(data) for _, data in coded))
        if self._until_close:
            self._write_raw_head()
        else:
            await self._response.prepare(self._request)
        how = "complete"
        try:
            for index, (gap_ns, data) in enumerate(coded):
                await self._wait(gap_ns, pace, index == len(coded) // 2)
                if not await self._write(index, data):
                    how = "cut"
                    break
            else:
                await self._finish()
        except ConnectionError:
            how = "gone"
        self._log.write("end", request=self._number, how=how, bytes=self._sent)
        return self._response

    def _head(self, length: int) -> web.StreamResponse:
        response = web.StreamResponse(headers={
            "Content-Type": self._wishes.get("type") or "text/event-stream",
            "Cache-Control": "no-cache"} | self._headers)
        if self._encoder.header:
            response.headers["Content-Encoding"] = self._encoder.header
            response.headers["Vary"] = "Accept-Encoding"
        if self._wishes.get("delimit") == "length":
            response.content_length = length
        if self._until_close:
            response.headers["Connection"] = "close"
        self._log.write("response", request=self._number, status=200,
                        headers=[list(item) for item in response.headers.items()])
        return response

    def _write_raw_head(self) -> None:
        """aiohttp sends a body without a length in chunks only, so this head is ours."""
        lines = [f"{name}: {value}\r\n" for name, value in self._response.headers.items()]
        head = "HTTP/1.1 200 OK\r\n" + "".join(lines) + "\r\n"
        self._request.transport.write(head.encode("latin-1"))

    async def _finish(self) -> None:
        if self._until_close:
            hang_up(self._request, reset=False)
        else:
            await self._response.write_eof()

    def _coded(self, pieces: list[tuple[int, bytes]]) -> list[tuple[int, bytes]]:
        out = [(gap, self._encoder.piece(data)) for gap, data in pieces]
        out.append((0, self._encoder.end()))
        if "corrupt" in self._wishes:
            gap, data = out[len(out) // 2]
            out[len(out) // 2] = (gap, b"\xff" * len(data))
        if "cut-coding" in self._wishes:
            out[-1] = (0, out[-1][1][:-6])
        if "trailing" in self._wishes:
            out.append((0, b"trailing bytes"))
        return [(gap, data) for gap, data in out if data]

    async def _wait(self, gap_ns: int, pace: float, middle: bool) -> None:
        if "stall" in self._wishes and middle:
            milliseconds = int(self._wishes["stall"] or 0)
            await self._silence(milliseconds / 1000 if milliseconds else None)
        gap = int(self._wishes["gap"]) / 1000 if "gap" in self._wishes else gap_ns / 1e9 * pace
        if gap > 0:
            await asyncio.sleep(gap)

    async def _silence(self, seconds: float | None) -> None:
        """Says nothing for a time, or until the client has gone."""
        waited = 0.0
        while seconds is None or waited < seconds:
            transport = self._request.transport
            if transport is None or transport.is_closing():
                raise ConnectionResetError
            await asyncio.sleep(0.01)
            waited += 0.01

    async def _write(self, index: int, data: bytes) -> bool:
        """Sends one piece, or its part before the cut; false where the stream was cut."""
        left = int(self._wishes["cut"]) - self._sent if "cut" in self._wishes else len(data) + 1
        part = data[:left]
        transport = self._request.transport
        if transport is None or transport.is_closing():
            raise ConnectionResetError
        before = time.monotonic_ns()
        if self._until_close:
            transport.write(part)
        elif len(part) < len(data) and "Transfer-Encoding" in self._response.headers:
            # An HTTP chunk that promises all of the piece.
            transport.write(f"{len(data):x}\r\n".encode() + part)
        elif part:
            await self._response.write(part)
        self._sent += len(part)
        self._log.write("piece", t_ns=before, request=self._number, index=index, data=part)
        if left <= len(data):
            hang_up(self._request, "rst" in self._wishes)
            return False
        return True


def hang_up(request: web.Request, reset: bool) -> None:
    """Ends the connection with a FIN, or with a RST."""
    transport = request.transport
    if transport is None:
        return
    if not reset:
        transport.close()
        return
    linger = struct.pack("ii", 1, 0)
    transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    transport.abort()
