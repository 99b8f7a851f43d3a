"""A log of what was received and sent, in JSON lines, written as it happens.

Times are nanoseconds of the system's monotonic clock, which every process here shares.
"""

import asyncio
import base64
import json
import time
from pathlib import Path


class Log:
    """Writes to a file, or nowhere."""

    def __init__(self, path: str | None):
        # Line-buffered: a line is with the kernel when the bytes are.
        self._file = Path(path).open("w", buffering=1, encoding="utf-8") if path else None

    def write(self, event: str, **fields) -> None:
        if self._file is None:
            return
        line = {"event": event, "t_ns": time.monotonic_ns()}
        for key, value in fields.items():
            if isinstance(value, (bytes, bytearray, memoryview)):
                line["base64"] = base64.b64encode(bytes(value)).decode("ascii")
            else:
                line[key] = value
        self._file.write(json.dumps(line, ensure_ascii=False) + "\n")


class TappedTransport(asyncio.Transport):
    """Hands everything on to the real transport and logs what is written."""

    def __init__(self, inner: asyncio.Transport, log: Log, connection: int):
        super().__init__()
        self._inner, self._log, self._connection = inner, log, connection

    def write(self, data) -> None:
        self._log.write("sent", connection=self._connection, data=data)
        self._inner.write(data)

    def writelines(self, parts) -> None:
        self.write(b"".join(parts))

    def __getattribute__(self, name):
        if name in ("write", "writelines", "_inner", "_log", "_connection"):
            return object.__getattribute__(self, name)
        return getattr(object.__getattribute__(self, "_inner"), name)


class Tap(asyncio.Protocol):
    """Stands between a connection and its protocol, and logs the bytes of both directions."""

    count = 0

    def __init__(self, inner: asyncio.Protocol, log: Log):
        self._inner, self._log = inner, log
        Tap.count += 1
        self._connection = Tap.count

    def connection_made(self, transport) -> None:
        self._log.write("opened", connection=self._connection)
        self._inner.connection_made(TappedTransport(transport, self._log, self._connection))

    def data_received(self, data: bytes) -> None:
        self._log.write("received", connection=self._connection, data=data)
        self._inner.data_received(data)

    def eof_received(self):
        return self._inner.eof_received()

    def connection_lost(self, error) -> None:
        self._log.write("closed", connection=self._connection)
        self._inner.connection_lost(error)

    def pause_writing(self) -> None:
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        self._inner.resume_writing()
