"""Both ends of a WebSocket on the package websockets, deflated as told.

    websockets_peer.py [--log FILE] [--cert FILE --key FILE]

Prints `port N`, where a server sends every message back (over TLS with a certificate), and obeys its
standard input, with which it ends. Some messages it does not send back but obeys:

    peer:flood COUNT SIZE    sends that many texts of SIZE random digits as fast as they go, then `done`
    peer:tick COUNT PAUSE    sends the time that many times, PAUSE seconds apart; nanoseconds of the
                             monotonic clock
    peer:close CODE REASON   closes
    peer:die                 closes the socket without a close frame
    peer:reset               resets the connection
    peer:raw HEX             sends these bytes as they are

At `/refuse` it opens no WebSocket. The log has each frame of the server's connections as `frame`. A
line is a command, answered by `ok` or by what is wrong:

    use SETTING ...   how to deflate from here on: `off`, or any of `server_bits=N`, `client_bits=N`,
                      `server_forgets`, `client_forgets`
    call PORT         opens a connection to a server at 127.0.0.1:PORT that sends every message back,
                      and checks that it agrees to the setting and does so
"""

import argparse
import asyncio
import itertools
import random
import socket
import ssl
import struct
import sys
import time

from websockets.asyncio.client import connect
from websockets.asyncio.server import serve
from websockets.extensions.permessage_deflate import (
    ClientPerMessageDeflateFactory,
    ServerPerMessageDeflateFactory,
)

from peerkit.log import Log
from peerkit.witness import Witness


class Setting:
    """How to deflate; a server's extension factory that follows it."""

    name = ServerPerMessageDeflateFactory.name

    def __init__(self):
        self.use([])

    def use(self, words):
        fields = dict(word.split("=") if "=" in word else (word, True) for word in words)
        self.off = fields.pop("off", False)
        self.options = {
            "server_no_context_takeover": fields.pop("server_forgets", False),
            "client_no_context_takeover": fields.pop("client_forgets", False),
            "server_max_window_bits": self._bits(fields, "server_bits"),
            "client_max_window_bits": self._bits(fields, "client_bits"),
        }
        if fields:
            raise ValueError(f"unknown: {' '.join(fields)}")

    @staticmethod
    def _bits(fields, name):
        bits = fields.pop(name, None)
        return None if bits is None else int(bits)

    def process_request_params(self, params, accepted):
        return ServerPerMessageDeflateFactory(**self.options).process_request_params(
            params, accepted
        )

    def offer(self):
        """The offer that asks for the setting."""
        options = self.options | {
            "client_max_window_bits": self.options["client_max_window_bits"] or True
        }
        return ClientPerMessageDeflateFactory(**options)


class Peer:
    def __init__(self, options):
        self.setting = Setting()
        self.log = Log(options.log)
        self.numbers = itertools.count(1)
        self.context = None
        if options.cert:
            self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.context.load_cert_chain(options.cert, options.key)

    async def echo(self, connection):
        async for message in connection:
            if isinstance(message, str) and message.startswith("peer:"):
                await self.do(connection, *message[5:].split(" ", 2))
            elif len(message) > 1000:
                half = len(message) // 2
                await connection.send([message[:half], message[half:]])
            else:
                await connection.send(message)

    async def do(self, connection, verb, first="", second=""):
        if verb == "flood":
            digits = random.Random(7)
            for _ in range(int(first)):
                await connection.send(str(digits.getrandbits(int(int(second) * 3.33))))
            await connection.send("done")
        elif verb == "tick":
            for _ in range(int(first)):
                await asyncio.sleep(float(second))
                await connection.send(str(time.monotonic_ns()))
        elif verb == "close":
            await connection.close(int(first), second)
        elif verb == "die":
            connection.transport.close()
        elif verb == "reset":
            linger = struct.pack("ii", 1, 0)
            connection.transport.get_extra_info("socket").setsockopt(
                socket.SOL_SOCKET, socket.SO_LINGER, linger
            )
            connection.transport.abort()
        elif verb == "raw":
            connection.transport.write(bytes.fromhex(first))

    async def obey(self, line):
        command, *words = line.split()
        if command == "use":
            self.setting.use(words)
        elif command == "call":
            await self.call(int(words[0]))
        else:
            return f"there is no command {command!r}"
        return "ok"

    async def call(self, port):
        extensions = None if self.setting.off else [self.setting.offer()]
        async with connect(
            f"ws://127.0.0.1:{port}", compression=None, extensions=extensions, max_size=None
        ) as connection:
            agreed = connection.protocol.extensions
            if bool(agreed) == self.setting.off:
                raise ValueError(f"agreed on {agreed}")
            for message in self.messages():
                await connection.send(message)
                if isinstance(message, list):
                    message = type(message[0])().join(message)
                answer = await connection.recv()
                if answer != message:
                    raise ValueError(f"{message[:40]!r} came back as {answer[:40]!r}")
                await (await connection.ping())
        if connection.close_code != 1000:
            raise ValueError(f"closed with {connection.close_code}")

    @staticmethod
    def messages():
        for number in range(4):
            yield f'{{"type":"streamed_message","delta":"größer 🦆","n":{number}}}'
        yield ""
        yield b""
        yield bytes(number * number % 251 for number in range(20_000))
        yield ["größer ", "", "🦆" * 1000, "!"]
        yield "ab🦆" * 20_000
        yield "done"

    async def run(self):
        def prepare(connection, request):
            available = None if self.setting.off else [self.setting]
            connection.protocol.available_extensions = available
            if request.path == "/refuse":
                return connection.respond(403, "not here\n")

        def witness(connection, request, response):
            connection.protocol.extensions.append(Witness(self.log, next(self.numbers)))

        async with serve(
            self.echo, "127.0.0.1", 0, compression=None, extensions=[self.setting], max_size=None,
            ssl=self.context, process_response=witness, ping_interval=None,
            process_request=prepare,
        ) as server:
            print(f"port {server.sockets[0].getsockname()[1]}", flush=True)
            while line := await asyncio.to_thread(sys.stdin.readline):
                try:
                    answer = await self.obey(line)
                except Exception as error:
                    answer = f"{type(error).__name__}: {error}".replace("\n", " ")
                print(answer, flush=True)


if __name__ == "__main__":
    sys.set_int_max_str_digits(0)
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--log")
    parser.add_argument("--cert")
    parser.add_argument("--key")
    asyncio.run(Peer(parser.parse_args()).run())
