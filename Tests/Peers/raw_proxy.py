"""An HTTP proxy of the simplest kind: CONNECT, and http URLs in absolute form.

    raw_proxy.py [--log FILE] [--require USER:PASSWORD] [--refuse]

Prints `port N` and ends with its standard input. `--require` answers 407 to requests without
these credentials, `--refuse` answers 403 to each CONNECT. The log has each request's head
(`request`, with its fields in order).
"""

import argparse
import base64
import json
import os
import socket
import sys
import threading
import time
import urllib.parse


def pump(source, sink):
    try:
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class Proxy:
    def __init__(self, options):
        self.options = options
        self.lock = threading.Lock()
        self.log = open(options.log, "w", buffering=1, encoding="utf-8") if options.log else None
        self.count = 0

    def note(self, method, target, headers):
        with self.lock:
            self.count += 1
            if self.log:
                line = {"event": "request", "t_ns": time.monotonic_ns(), "request": self.count,
                        "method": method, "target": target, "headers": headers}
                self.log.write(json.dumps(line) + "\n")

    def serve(self, sock):
        with sock:
            data = b""
            while b"\r\n\r\n" not in data:
                more = sock.recv(65536)
                if not more:
                    return
                data += more
            head, rest = data.split(b"\r\n\r\n", 1)
            lines = head.decode("latin-1").split("\r\n")
            method, target, _ = lines[0].split(" ")
            headers = [[part.strip() for part in line.split(":", 1)] for line in lines[1:]]
            self.note(method, target, headers)
            answer = self.objection(method, dict((k.lower(), v) for k, v in headers))
            if answer:
                sock.sendall(f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\n\r\n".encode())
                return
            self.forward(sock, method, target, lines, rest)

    def objection(self, method, headers):
        if self.options.refuse and method == "CONNECT":
            return "403 Forbidden"
        if self.options.require:
            wanted = "Basic " + base64.b64encode(self.options.require.encode()).decode()
            if headers.get("proxy-authorization") != wanted:
                return "407 Proxy Authentication Required"
        return None

    def forward(self, sock, method, target, lines, rest):
        if method == "CONNECT":
            host, port = target.rsplit(":", 1)
        else:
            url = urllib.parse.urlsplit(target)
            host, port = url.hostname, url.port or 80
            path = (url.path or "/") + (f"?{url.query}" if url.query else "")
            kept = [line for line in lines[1:] if not line.lower().startswith("proxy-")]
            rest = "\r\n".join([f"{method} {path} HTTP/1.1", *kept, "", ""]).encode() + rest
        with socket.create_connection((host, int(port))) as server:
            if method == "CONNECT":
                sock.sendall(b"HTTP/1.1 200 Connection established\r\nVia: 1.1 test\r\n\r\n")
            server.sendall(rest)
            back = threading.Thread(target=pump, args=(server, sock), daemon=True)
            back.start()
            pump(sock, server)
            back.join()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--log")
    parser.add_argument("--require")
    parser.add_argument("--refuse", action="store_true")
    proxy = Proxy(parser.parse_args())
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(64)

    def accept():
        while True:
            sock, _ = listener.accept()
            threading.Thread(target=proxy.serve, args=(sock,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    print(f"port {listener.getsockname()[1]}", flush=True)
    sys.stdin.read()
    os._exit(0)


main()
