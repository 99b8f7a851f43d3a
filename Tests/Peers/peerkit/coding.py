"""Content codings with a flush per piece, and re-cutting of a stream of bytes."""

import zlib


class Encoder:
    """Codes piece by piece, so that each piece can be decoded when it has come."""

    WINDOW = {"gzip": 31, "deflate": 15, "raw-deflate": -15}

    def __init__(self, coding: str, member_per_piece: bool = False):
        self.coding = coding
        self.member_per_piece = member_per_piece
        self._stream = self._new()

    @property
    def header(self) -> str | None:
        """The value of Content-Encoding; both forms of deflate share one name."""
        return {"identity": None, "raw-deflate": "deflate"}.get(self.coding, self.coding)

    def _new(self):
        if self.coding == "identity":
            return None
        return zlib.compressobj(6, zlib.DEFLATED, self.WINDOW[self.coding])

    def piece(self, data: bytes) -> bytes:
        if self._stream is None:
            return data
        coded = self._stream.compress(data)
        if self.member_per_piece:
            coded += self._stream.flush(zlib.Z_FINISH)
            self._stream = self._new()
            return coded
        return coded + self._stream.flush(zlib.Z_SYNC_FLUSH)

    def end(self) -> bytes:
        if self._stream is None or self.member_per_piece:
            return b""
        return self._stream.flush(zlib.Z_FINISH)


def negotiate(accept: str, offered: str) -> str:
    """`offered` where the client accepts it, else identity."""
    if offered == "identity":
        return offered
    wanted = "deflate" if offered == "raw-deflate" else offered
    for item in accept.lower().split(","):
        name, _, parameters = item.strip().partition(";")
        if name.strip() in (wanted, "*") and parameters.replace(" ", "") not in ("q=0", "q=0.0"):
            return offered
    return "identity"


def recut(pieces: list[tuple[int, bytes]], how: str) -> list[tuple[int, bytes]]:
    """Moves the cuts of `(gap, bytes)` pieces; the bytes stay what they are.

    - `events`: as they are, one event each.
    - `hard`: as many pieces as before, each cut inside the next event: inside a character of
      several bytes where it has one, else in the middle of its JSON.
    - `every:N`: pieces of N bytes.
    """
    if how == "events":
        return pieces
    if how.startswith("every:"):
        size = int(how.removeprefix("every:"))
        out = []
        for gap, data in pieces:
            parts = [data[i:i + size] for i in range(0, len(data), size)]
            out += [(gap if i == 0 else 0, part) for i, part in enumerate(parts)]
        return out
    if how != "hard":
        raise ValueError(f"no way to cut named {how!r}")
    out, carried = [], b""
    for index, (gap, data) in enumerate(pieces):
        at = len(data) if index == len(pieces) - 1 else _inside(data)
        out.append((gap, carried + data[:at]))
        carried = data[at:]
    return out


def _inside(data: bytes) -> int:
    """An offset inside the last character of several bytes, else in the middle."""
    for at in range(len(data) - 1, 0, -1):
        if data[at] & 0xC0 == 0x80:
            return at
    return max(1, len(data) // 2)
