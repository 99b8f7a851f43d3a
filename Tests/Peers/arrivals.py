"""`make bench`: how far from its recorded time each chunk and frame of `reprise serve --pace original`
arrives.

    arrivals.py [COUNT]

COUNT chunks of a response and COUNT frames of a WebSocket (by default 1500), 2 to 20 ms apart, some of
them at one time. Beside them stands what any server meets on the machine in the same minute: a
process that sleeps until the same times (`clock_nanosleep`) and notes how late it is, and what it
writes at them to a socket, read as the chunks are. All are milliseconds, from when the request was
sent; a negative one is early.
"""

import base64
import contextlib
import ctypes
import json
import multiprocessing
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMAND = os.environ.get("REPRISE", str(ROOT / ".build" / "release" / "reprise"))
KEY = base64.b64encode(b"sixteen bytes ok").decode()
HANDSHAKE = [["Host", "a.example"], ["Upgrade", "websocket"], ["Connection", "Upgrade"],
             ["Sec-WebSocket-Key", KEY], ["Sec-WebSocket-Version", "13"]]
MARK = b"~"


def offsets(count: int) -> list[int]:
    """When what is recorded came, in nanoseconds since the request."""
    draw = random.Random(7)
    times, now = [], 50_000_000
    while len(times) < count:
        now += draw.randrange(2_000_000, 20_000_000)
        times += [now] * draw.choice([1, 1, 1, 2, 3])
    return times[:count]


def tape(times: list[int], is_socket: bool) -> str:
    """A recording of one exchange, each piece of which has one mark."""
    lines = [{"kind": "session", "x": 0, "t": 0, "version": 1, "session": "00000000000000aa",
              "wall": "2026-11-30T06:06:00.000000000Z", "recorder": "reprise/0.1.0"}]
    transport, scheme = ("websocket", "ws") if is_socket else ("http", "http")
    lines += [
        {"kind": "request", "x": 1, "t": 0, "transport": transport, "method": "GET",
         "url": f"{scheme}://a.example/x", "headers": HANDSHAKE if is_socket else []},
        {"kind": "requestEnd", "x": 1, "t": 0}]
    head = {"kind": "response", "x": 1, "t": 1_000_000, "version": "1.1"}
    if is_socket:
        lines.append(head | {"status": 101, "headers": [
            ["Upgrade", "websocket"], ["Connection", "Upgrade"], ["Sec-WebSocket-Accept", "x"]]})
    else:
        lines.append(head | {"status": 200, "headers": [
            ["Content-Type", "text/event-stream"], ["Transfer-Encoding", "chunked"]]})
    for time_ in times:
        text = "data: " + "some words of an answer " * 4 + MARK.decode() + "\n\n"
        if is_socket:
            lines.append({"kind": "socketFrame", "x": 1, "t": time_, "from": "server", "opcode": "text",
                          "fin": True, "text": text})
        else:
            lines.append({"kind": "responseBody", "x": 1, "t": time_, "text": text})
    end = times[-1] + 1_000_000
    lines.append({"kind": "end", "x": 1, "t": end, "how": "reset", "code": "transport.closed",
                  "message": "the peer closed the connection"} if is_socket else
                 {"kind": "end", "x": 1, "t": end, "how": "complete", "framing": "chunked"})
    return "".join(json.dumps(line) + "\n" for line in lines)


@contextlib.contextmanager
def served(path: Path):
    """`reprise serve`, as its port."""
    process = subprocess.Popen(
        [COMMAND, "serve", str(path), "--listen", "127.0.0.1:0", "--pace", "original", "--once"],
        stdout=subprocess.PIPE, text=True)
    try:
        yield int(process.stdout.readline().rsplit(":", 1)[1])
        process.communicate(timeout=30)
    finally:
        process.kill()
        process.wait()


def arrivals(connection: socket.socket, count: int) -> list[int]:
    """When each mark came."""
    found: list[int] = []
    while len(found) < count and (data := connection.recv(1 << 16)):
        found += [time.monotonic_ns()] * data.count(MARK)
    return found


def errors(port: int, times: list[int], is_socket: bool) -> list[int]:
    fields = HANDSHAKE if is_socket else [["Host", "a.example"]]
    request = "GET /x HTTP/1.1\r\n" + "".join(f"{n}: {v}\r\n" for n, v in fields) + "\r\n"
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        start = time.monotonic_ns()
        connection.sendall(request.encode())
        came = arrivals(connection, len(times))
        if len(came) != len(times):
            raise SystemExit(f"{len(came)} of {len(times)} came")
        connection.recv(1 << 16)
    return [when - start - time_ for when, time_ in zip(came, times)]


class Instant(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


def sleeper(connection: socket.socket, start: int, times: list[int], results):
    """Sleeps until each time, writes a mark, and gives how late it woke."""
    library = ctypes.CDLL(None)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    late = []
    for time_ in times:
        moment = Instant(*divmod(start + time_, 1_000_000_000))
        # CLOCK_MONOTONIC, TIMER_ABSTIME
        library.clock_nanosleep(1, 1, ctypes.byref(moment), None)
        late.append(time.monotonic_ns() - start - time_)
        connection.sendall(MARK)
    results.send(late)


def reader(connection: socket.socket, start: int, times: list[int], results):
    came = arrivals(connection, len(times))
    results.send([when - start - time_ for when, time_ in zip(came, times)])


def beside(times: list[int]):
    """What a plain sleep, and a plain sleep and a socket, come to; started now, as a function that
    waits for it."""
    listener = socket.create_server(("127.0.0.1", 0))
    far = socket.create_connection(listener.getsockname())
    near, _ = listener.accept()
    start = time.monotonic_ns() + 20_000_000
    waits = []
    for work, end in ((sleeper, near), (reader, far)):
        receiver, sender = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=work, args=(end, start, times, sender))
        process.start()
        waits.append((process, receiver))

    def result():
        found = []
        for process, receiver in waits:
            found.append(receiver.recv())
            process.join()
        return found

    return result


def row(name: str, values: list[int]):
    ordered = sorted(values)

    def at(share: float) -> str:
        return f"{ordered[min(len(ordered) - 1, int(len(ordered) * share))] / 1e6:8.3f}"

    print(f"{name:<34}{at(0)}{at(0.5)}{at(0.99)}{at(1)}", flush=True)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    times = offsets(count)
    print(f"{count} arrivals each, load {os.getloadavg()[0]:.2f} on {os.cpu_count()} processors")
    print(f"{'error in ms':<34}{'min':>8}{'p50':>8}{'p99':>8}{'max':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, is_socket in (("HTTP chunks", False), ("WebSocket frames", True)):
            path = Path(folder) / "bench.jsonl"
            path.write_text(tape(times, is_socket))
            with served(path) as port:
                rest = beside(times)
                found = errors(port, times, is_socket)
            slept, written = rest()
            row(name, found)
            row("  a plain sleep meanwhile", slept)
            row("  a plain sleep, write and read", written)


main()
