"""The stand-in's WebSockets, on the package websockets."""

import asyncio
import fcntl
import json
import socket
import struct
import termios
from collections.abc import Callable

from websockets.asyncio.server import ServerConnection
from websockets.extensions.permessage_deflate import ServerPerMessageDeflateFactory
from websockets.frames import Close, Frame, Opcode
from websockets.protocol import State

from cometchat import frames
from peerkit.log import Log, Tap, TappedTransport
from peerkit.witness import Witness


class Connection(ServerConnection):
    """One socket, with its wishes."""

    log: Log
    #: What a connection to that path is to be like; ValueError where that says nothing.
    draw: Callable[[str], dict[str, str]]

    def __init__(self, protocol, server, **options):
        super().__init__(protocol, server, **options)
        self.wishes: dict[str, str] = {}
        self.number = 0
        self.uid: str | None = None
        self.device = ""
        self._turn = asyncio.Lock()
        self._holds = False
        self._send_frame = protocol.send_frame
        protocol.send_frame = self._send_unless_mute

    def connection_made(self, transport) -> None:
        Tap.count += 1
        self.number = Tap.count
        self.log.write("opened", connection=self.number)
        super().connection_made(TappedTransport(transport, self.log, self.number))

    def data_received(self, data: bytes) -> None:
        self.log.write("received", connection=self.number, data=data)
        super().data_received(data)

    def connection_lost(self, error) -> None:
        self.log.write("closed", connection=self.number)
        super().connection_lost(error)

    def send_data(self) -> None:
        # What the library answers by itself waits while a frame is being written in parts.
        if not self._holds:
            super().send_data()

    def _send_unless_mute(self, frame: Frame) -> None:
        if not (frame.opcode is Opcode.PONG and "mute" in self.wishes):
            self._send_frame(frame)

    # The handshake.

    def settle(self, request):
        """Takes the wishes; returns a refusal where that is one."""
        try:
            self.wishes = self.draw(request.path)
        except ValueError as error:
            return self.respond(404, f"{error}\n")
        self.protocol.available_extensions = self._extensions()
        status = self.wishes.get("upgrade")
        if status is None:
            return None
        code = {"401": "AUTH_ERR_AUTH_TOKEN_NOT_FOUND", "429": "ERR_TOO_MANY_REQUESTS"}.get(
            status, "ERR_SERVICE_UNAVAILABLE")
        response = self.respond(int(status), json.dumps(
            {"error": {"code": code, "message": "This error was asked for"}}))
        del response.headers["Content-Type"]
        response.headers["Content-Type"] = "application/json"
        if status in ("429", "503"):
            response.headers["Retry-After"] = "1"
        return response

    def _extensions(self):
        how = self.wishes.get("deflate")
        if how == "off":
            return None
        forgets = how == "forget" or None
        bits = int(how) if how and how.isdigit() else None
        return [_Deflate(forgets, bits)]

    def answered(self, request, response):
        """Looks at the answer to the handshake before it goes out."""
        del response.headers["Date"]
        del response.headers["Server"]
        response.headers["Server"] = "cometchat-stand-in"
        agreed = response.headers.get("Sec-WebSocket-Extensions", "")
        if "unasked" in self.wishes:
            response.headers["Sec-WebSocket-Extensions"] = "x-nobody-offered"
        if "accept" in self.wishes:
            del response.headers["Sec-WebSocket-Accept"]
            response.headers["Sec-WebSocket-Accept"] = "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="
        if response.status_code == 101:
            self.protocol.extensions.append(Witness(self.log, self.number))
        self.log.write("upgrade", connection=self.number, target=request.path,
                       status=response.status_code, agreed=agreed,
                       headers=[list(item) for item in request.headers.raw_items()])
        return response

    # Sending.

    @property
    def is_open(self) -> bool:
        return self.protocol.state is State.OPEN and not self.transport.is_closing()

    async def say(self, text: str | bytes) -> None:
        """Sends a message, in the fragments and writes that are wished for."""
        opcode = Opcode.BINARY if isinstance(text, bytes) else Opcode.TEXT
        data = text if isinstance(text, bytes) else text.encode()
        async with self._turn:
            if not self.is_open:
                return
            self.log.write("message", connection=self.number, by="server", data=data)
            count = max(1, int(self.wishes.get("fragments", 1)))
            size = -(-len(data) // count) or 1
            parts = [data[at:at + size] for at in range(0, len(data), size)] or [b""]
            for index, part in enumerate(parts):
                kind = Opcode.CONT if index else opcode
                await self._put(Frame(kind, part, index == len(parts) - 1))
                if "between" in self.wishes and index < len(parts) - 1:
                    await self._put(Frame(Opcode.PING, b"between"))
            await self.drain()

    async def _put(self, frame: Frame) -> None:
        if "split" not in self.wishes:
            self.protocol.send_frame(frame)
            return self.send_data()
        data = frames.serialized(self._encoded(frame))
        self._holds = True
        half = max(1, len(data) // 2)
        self.transport.write(data[:half])
        await asyncio.sleep(0.001)
        self.transport.write(data[half:])
        self._holds = False
        self.send_data()

    def _encoded(self, frame: Frame) -> Frame:
        for extension in self.protocol.extensions:
            frame = extension.encode(frame)
        return frame

    # What breaks.

    async def ask(self) -> None:
        async with self._turn:
            self.protocol.send_frame(Frame(Opcode.PING, b"are you there?"))
            self.send_data()

    async def write(self, data: bytes) -> None:
        """Writes bytes, whatever they are."""
        async with self._turn:
            if self.is_open:
                self.transport.write(data)
                await self.drain()

    async def end(self, code: str) -> None:
        """Begins the closing handshake with a code that may be none that is allowed."""
        async with self._turn:
            if not self.is_open:
                return
            reason = b"" if code == "none" else f"asked to close with {code}".encode()
            data = b"" if code == "none" else struct.pack("!H", int(code)) + reason
            self.protocol.send_frame(Frame(Opcode.CLOSE, data))
            self.protocol.close_sent = Close(int(code) if data else 1005, reason.decode())
            self.protocol.state = State.CLOSING
            self.send_data()
        # A peer that does not answer is left.
        asyncio.get_running_loop().call_later(2, self.transport.close)

    async def cut(self, how: str, next_text: str | None) -> None:
        """Ends the connection without a close frame."""
        async with self._turn:
            if not self.is_open:
                return
            if how.startswith("half"):
                text = next_text or frames.SAMPLE.decode()
                data = frames.serialized(self._encoded(Frame(Opcode.TEXT, text.encode())))
                self.transport.write(data[:max(3, len(data) // 2)])
                await self.drain()
            if how.endswith("rst"):
                await self._arrival()
                linger = struct.pack("ii", 1, 0)
                self.transport.get_extra_info("socket").setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, linger)
                self.transport.abort()
            else:
                self.transport.close()


    async def _arrival(self) -> None:
        """Waits until the peer's system has all that was sent: a reset drops the rest."""
        descriptor = self.transport.get_extra_info("socket").fileno()
        for _ in range(500):
            left = fcntl.ioctl(descriptor, termios.TIOCOUTQ, b"\0" * 4)
            if not any(left) and self.transport.get_write_buffer_size() == 0:
                return
            await asyncio.sleep(0.001)


class _Deflate:
    """Agrees to permessage-deflate as wished, as far as the offer allows it."""

    name = ServerPerMessageDeflateFactory.name

    def __init__(self, forgets: bool | None, bits: int | None):
        self._forgets, self._bits = forgets, bits

    def process_request_params(self, params, accepted):
        client = self._bits if any(name == "client_max_window_bits" for name, _ in params) else None
        return ServerPerMessageDeflateFactory(
            server_no_context_takeover=bool(self._forgets),
            client_no_context_takeover=bool(self._forgets),
            server_max_window_bits=self._bits, client_max_window_bits=client,
        ).process_request_params(params, accepted)
