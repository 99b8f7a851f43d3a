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
    """One user's session; all that happens in it is given to `show`, as an object each."""

    def __init__(self, rest, socket, show, token="a-token", deflate="on", patience=5.0,
                 path=""):
        self._rest, self._socket, self._show = rest, socket, show
        self._token, self._deflate, self._patience = token, deflate, patience
        self._path = path
        self._jwt = ""
        self._persisted = 0

    def call(self, method, path, body=None):
        request = urllib.request.Request(
            f"http://127.0.0.1:{self._rest}/v3.0{path}", method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"appId": "app", "authToken": self._token, "resource": DEVICE,
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

    async def run(self, messages, persisted=None, back=False):
        """Sends the messages and stays until so many replies are persisted."""
        me = self.call("PUT", "/me")
        if "error" in me:
            return self._show({"refused": me["error"]["code"]})
        self._jwt = me["data"]["jwt"]
        await self._visit(messages, len(messages) if persisted is None else persisted)
        if back:
            await self._visit([], 1)
            missed = self.call("GET", "/users/agent-7/messages?affix=append&id=101")
            for message in missed["data"]:
                self._show({"missed": message})

    async def _visit(self, messages, persisted):
        try:
            async with self._connection() as socket:
                await self._talk(socket, messages, persisted)
        except ConnectionClosed as error:
            received = error.rcvd
            return self._show({"end": received.code if received else None,
                               "sent": error.sent.code if error.sent else None})
        except InvalidHandshake as error:
            return self._show({"handshake": type(error).__name__, "why": str(error)})
        self._show({"end": "mine"})

    def _connection(self):
        bits = int(self._deflate) if self._deflate.isdigit() else None
        extensions = None if self._deflate == "off" else [ClientPerMessageDeflateFactory(
            server_max_window_bits=bits, client_max_window_bits=bits or True)]
        return connect(f"ws://127.0.0.1:{self._socket}/{self._path}", compression=None,
                       extensions=extensions, max_size=1 << 26)

    async def _talk(self, socket, messages, persisted):
        await socket.send(json.dumps({"type": "auth", "appId": "app", "deviceId": DEVICE, "body": {
            "auth": self._jwt, "deviceId": DEVICE}}))
        self._show({"frame": json.loads(await socket.recv()),
                    "agreed": [str(item) for item in socket.protocol.extensions]})
        await socket.send('{"action":"ping","ack":true}')
        for message in messages:
            self._show({"answer": await asyncio.to_thread(self.say, message)})
        self._persisted = 0
        # What comes behind the last message comes at once; where none comes, a run may have pauses.
        patience = 0.05 if persisted else 0.5
        has_come = False
        while True:
            is_due = self._persisted < persisted or not has_come
            try:
                text = await asyncio.wait_for(
                    socket.recv(), self._patience if is_due else patience)
            except TimeoutError:
                return
            has_come = True
            self._take(text)

    def _take(self, text):
        try:
            frame = json.loads(text)
        except ValueError:
            return self._show({"not-json": repr(text)})
        self._show({"frame": frame})
        body = frame.get("body", {})
        if frame.get("type") == "message":
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
    options = parser.parse_intermixed_args()
    client = Client(options.rest, options.socket, show, options.token, options.deflate,
                    options.patience)
    asyncio.run(client.run(options.message, back=options.back))
