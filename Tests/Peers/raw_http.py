"""An HTTP/1.1 server that says exactly the bytes it is told, on plain sockets or TLS.

    raw_http.py [--log FILE] [--cert FILE --key FILE]

Prints `port N`, obeys its standard input, and ends with it. A line is a command, answered by `ok`
or by what is wrong:

    script {"path": "/p", "steps": [...]}   what to do for a request to /p; a list of lists gives
                                            the first, second, ... request its own, the last stays
    go /p                                   lets one `wait` step of requests to /p pass
    gone N                                  waits until connection N was closed by the client
    stuck                                   waits until a flood makes no progress, and is not done
    sends N                                 waits until N floods are done

Steps: {"send": text} (and "times": n), {"bytes": [numbers]}, {"wait": true}, {"pause": seconds}, {"fin": true} (over
TLS with an alert), {"cut": true} (without), {"rst": true}, {"hang": true} (until the client is gone), {"flood": [chunks, size]} (HTTP chunks),
{"frames": [count, size]} (binary frames of a WebSocket), {"drip": [chunks, milliseconds]} (HTTP chunks `0;`, `1;`, ... each that long after the last).
A pipelined or unread request body is read by Content-Length before the script runs. After its
steps the connection waits for the next request. Without a script the answer is 404.

The log is the one of the other stand-ins: `opened`, `closed`, `received`, `sent`, `request`.
"""

import argparse
import base64
import json
import os
import socket
import ssl
import struct
import sys
import threading
import time


class Gone(Exception):
    """The client closed the connection."""


class Log:
    def __init__(self, path):
        self._lock = threading.Lock()
        self._file = open(path, "w", buffering=1, encoding="utf-8") if path else None

    def write(self, event, **fields):
        if self._file is None:
            return
        line = {"event": event, "t_ns": time.monotonic_ns()}
        for key, value in fields.items():
            if isinstance(value, (bytes, bytearray)):
                line["base64"] = base64.b64encode(bytes(value)).decode("ascii")
            else:
                line[key] = value
        with self._lock:
            self._file.write(json.dumps(line) + "\n")


class State:
    """What the commands and the connections share."""

    def __init__(self, log):
        self.log = log
        self.changed = threading.Condition()
        self.scripts = {}
        self.permits = {}
        self.closed = set()
        self.progress = 0
        self.floods_done = 0
        self.connections = 0
        self.requests = 0

    def wait(self, ready, seconds=10):
        with self.changed:
            return self.changed.wait_for(ready, seconds)

    def steps(self, path):
        with self.changed:
            script = self.scripts.get(path)
            if not script:
                return None
            return script.pop(0) if len(script) > 1 else script[0]


class Connection:
    def __init__(self, state, sock, number):
        self.state, self.sock, self.number = state, sock, number
        self.buffer = b""

    def run(self):
        self.state.log.write("opened", connection=self.number)
        try:
            while self.answer():
                pass
        except (Gone, OSError):
            pass
        finally:
            self.sock.close()
            self.state.log.write("closed", connection=self.number)
            with self.state.changed:
                self.state.closed.add(self.number)
                self.state.changed.notify_all()

    def read(self):
        data = self.sock.recv(65536)
        if not data:
            raise Gone
        self.state.log.write("received", connection=self.number, data=data)
        self.buffer += data

    def send(self, data):
        self.state.log.write("sent", connection=self.number, data=data)
        self.sock.sendall(data)

    def answer(self):
        while b"\r\n\r\n" not in self.buffer:
            self.read()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.split(b"\r\n")
        length = 0
        for line in lines[1:]:
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        while len(self.buffer) < length:
            self.read()
        self.buffer = self.buffer[length:]
        method, target = lines[0].decode("latin-1").split(" ")[:2]
        with self.state.changed:
            self.state.requests += 1
            number = self.state.requests
        self.state.log.write(
            "request", connection=self.number, request=number, method=method, target=target)
        self.path = target.partition("?")[0]
        steps = self.state.steps(self.path)
        if steps is None:
            steps = [{"send": "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"}]
        return all(self.step(step) for step in steps)

    def step(self, step):
        """Does it; false where the connection is over."""
        if "send" in step:
            self.send(step["send"].encode("utf-8") * step.get("times", 1))
        elif "bytes" in step:
            self.send(bytes(step["bytes"]))
        elif "wait" in step:
            if not self.state.wait(lambda: self.state.permits.get(self.path, 0) > 0):
                return False
            with self.state.changed:
                self.state.permits[self.path] -= 1
        elif "pause" in step:
            time.sleep(step["pause"])
        elif "hang" in step:
            while True:
                self.read()
        elif "flood" in step:
            self.flood(*step["flood"])
        elif "frames" in step:
            self.flood(*step["frames"], frame=True)
        elif "drip" in step:
            count, milliseconds = step["drip"]
            for index in range(count):
                piece = f"{index};".encode()
                self.send(b"%x\r\n%b\r\n" % (len(piece), piece))
                time.sleep(milliseconds / 1000)
        elif "fin" in step:
            if isinstance(self.sock, ssl.SSLSocket):
                self.sock = self.sock.unwrap()
            return False
        elif "cut" in step:
            return False
        elif "rst" in step:
            linger = struct.pack("ii", 1, 0)
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
            return False
        return True

    def flood(self, chunks, size, frame=False):
        for index in range(chunks):
            body = (b"%08d" % index) * (size // 8)
            if frame:
                self.sock.sendall(struct.pack("!BBH", 0x82, 126, len(body)) + body)
            else:
                self.sock.sendall(b"%x\r\n%b\r\n" % (len(body), body))
            with self.state.changed:
                self.state.progress += 1
        with self.state.changed:
            self.state.floods_done += 1
            self.state.changed.notify_all()


def obey(state, line):
    verb, _, rest = line.partition(" ")
    if verb == "script":
        script = json.loads(rest)
        steps = script["steps"]
        with state.changed:
            state.scripts[script["path"]] = steps if steps and isinstance(
                steps[0], list) else [steps]
        return "ok"
    if verb == "go":
        with state.changed:
            state.permits[rest] = state.permits.get(rest, 0) + 1
            state.changed.notify_all()
        return "ok"
    if verb == "gone":
        ok = state.wait(lambda: int(rest) in state.closed)
        return "ok" if ok else f"connection {rest} is still open"
    if verb == "stuck":
        last, since = -1, time.monotonic()
        while time.monotonic() - since < 0.75:
            if state.progress != last:
                last, since = state.progress, time.monotonic()
            time.sleep(0.01)
        return "ok" if last > 0 and state.floods_done == 0 else f"{last} chunks, not stuck"
    if verb == "sends":
        ok = state.wait(lambda: state.floods_done >= int(rest), 30)
        return "ok" if ok else "the flood is not over"
    return f"error: no command {verb}"


def serve(state, listener, context):
    while True:
        sock, _ = listener.accept()
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        state.connections += 1
        threading.Thread(
            target=greet, args=(state, sock, state.connections, context), daemon=True).start()


def greet(state, sock, number, context):
    if context is not None:
        try:
            sock = context.wrap_socket(sock, server_side=True)
        except (OSError, ssl.SSLError):
            sock.close()
            return
    Connection(state, sock, number).run()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log")
    parser.add_argument("--cert")
    parser.add_argument("--key")
    options = parser.parse_args()
    context = None
    if options.cert:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(options.cert, options.key)
        context.suppress_ragged_eofs = False
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 0))
    listener.listen(512)
    state = State(Log(options.log))
    threading.Thread(target=serve, args=(state, listener, context), daemon=True).start()
    print(f"port {listener.getsockname()[1]}", flush=True)
    for line in sys.stdin:
        try:
            answer = obey(state, line.strip())
        except (ValueError, KeyError) as error:
            answer = f"error {error}"
        print(answer, flush=True)
    os._exit(0)


main()
