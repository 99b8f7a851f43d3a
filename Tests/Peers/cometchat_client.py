"""A client of the CometChat stand-in, on urllib and the package websockets.

    cometchat_client.py REST_PORT SOCKET_PORT [--deflate off|BITS] [--token TOKEN] [--back] MESSAGE…

Logs in, opens a socket, sends the messages, and prints what comes over the socket, one JSON text a
line, until each run has ended and its persisted message is there, or the socket has. With `--back` it
comes back once after an end, and prints the history that it missed. Last comes a line with the end.
"""

import argparse
import asyncio
import json
import urllib.error
import urllib.request

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.extensions.permessage_deflate import ClientPerMessageDeflateFactory

DEVICE = "device-1"


class Client:
    def __init__(self, options):
        self._options = options
        self._jwt = ""
        self._runs, self._persisted = 0, 0

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._options.rest}/v3.0{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"appId": "app", "authToken": self._options.token, "resource": DEVICE,
                     "Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            return json.load(error)

    def say(self, message):
        return self.call("POST", "/messages", {
            "receiver": "agent-7", "receiverType": "user", "category": "message", "type": "text",
            "data": {"text": message}})

    async def run(self):
        me = self.call("PUT", "/me")
        if "error" in me:
            return show({"refused": me["error"]["code"]})
        self._jwt = me["data"]["jwt"]
        await self.visit(self._options.message)
        if self._options.back:
            await self.visit([])
            missed = self.call("GET", "/users/agent-7/messages?affix=append&id=101")
            for message in missed["data"]:
                show({"missed": message})

    async def visit(self, messages):
        try:
            async with self.connection() as socket:
                await self.talk(socket, messages)
        except ConnectionClosed as error:
            received = error.rcvd
            return show({"end": received.code if received else None,
                         "sent": error.sent.code if error.sent else None})
        except InvalidHandshake as error:
            return show({"handshake": type(error).__name__, "why": str(error)})
        show({"end": "mine"})

    def connection(self):
        deflate = self._options.deflate
        bits = int(deflate) if deflate.isdigit() else None
        extensions = None if deflate == "off" else [ClientPerMessageDeflateFactory(
            server_max_window_bits=bits, client_max_window_bits=bits or True)]
        return connect(f"ws://127.0.0.1:{self._options.socket}", compression=None,
                       extensions=extensions, max_size=1 << 26)

    async def talk(self, socket, messages):
        await socket.send(json.dumps({"type": "auth", "appId": "app", "deviceId": DEVICE, "body": {
            "auth": self._jwt, "deviceId": DEVICE}}))
        show({"frame": json.loads(await socket.recv()),
              "agreed": [str(item) for item in socket.protocol.extensions]})
        await socket.send('{"action":"ping","ack":true}')
        for message in messages:
            show({"answer": await asyncio.to_thread(self.say, message)})
        while not messages or self._persisted < len(messages):
            try:
                text = await asyncio.wait_for(socket.recv(), self._options.patience)
            except TimeoutError:
                return
            self.take(text)

    def take(self, text):
        try:
            frame = json.loads(text)
        except ValueError:
            return show({"not-json": repr(text)})
        show({"frame": frame})
        body = frame.get("body", {})
        if frame["type" if "type" in frame else "action"] == "message":
            self._persisted += body["type"] == "assistant"


def show(line):
    print(json.dumps(line, ensure_ascii=False), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("rest", type=int)
    parser.add_argument("socket", type=int)
    parser.add_argument("--deflate", default="on")
    parser.add_argument("--token", default="a-token")
    parser.add_argument("--back", action="store_true")
    parser.add_argument("--patience", type=float, default=5)
    parser.add_argument("message", nargs="*")
    asyncio.run(Client(parser.parse_intermixed_args()).run())
