"""Frames of a WebSocket by hand, and such as are none."""

import struct
import zlib

from websockets.frames import Frame, Opcode

TEXT, CONT, BINARY, CLOSE, PING = (
    Opcode.TEXT, Opcode.CONT, Opcode.BINARY, Opcode.CLOSE, Opcode.PING)
SAMPLE = b'{"type":"presence","appId":"app","sender":"u-bo","body":{"action":"online"}}'


def packed(opcode: int, data: bytes, fin: bool = True, rsv: int = 0, mask: bytes | None = None,
           length: bytes | None = None) -> bytes:
    """The bytes of a frame; `length` in place of the shortest form of it."""
    if length is None:
        size = len(data)
        length = (bytes([size]) if size < 126 else struct.pack("!BH", 126, size)
                  if size < 1 << 16 else struct.pack("!BQ", 127, size))
    head = bytes([(0x80 if fin else 0) | rsv << 4 | opcode])
    if mask is None:
        return head + length + data
    masked = bytes(byte ^ mask[at % 4] for at, byte in enumerate(data))
    return head + bytes([length[0] | 0x80]) + length[1:] + mask + masked


def serialized(frame: Frame) -> bytes:
    rsv = frame.rsv1 << 2 | frame.rsv2 << 1 | frame.rsv3
    return packed(frame.opcode, bytes(frame.data), frame.fin, rsv)


def deflated(data: bytes, bits: int = 15) -> bytes:
    """A message that stands alone, without the end that permessage-deflate leaves out."""
    stream = zlib.compressobj(6, zlib.DEFLATED, -bits)
    return (stream.compress(data) + stream.flush(zlib.Z_SYNC_FLUSH))[:-4]


def _far() -> bytes:
    """Deflated with a reference of more than 8 KB back."""
    letters = b"abcdefghijklmnopqrstuvwxyzABCDEF"
    block = b"".join(letters[at * at % 31:][:1] for at in range(200))
    filler = bytes(letters[(at * 7919 >> 3) % 32] for at in range(9000))
    return deflated(b'{"action":"' + block + filler + block + b'"}')


#: What the wish `frame` sends, by name: each breaks one thing.
WRONG = {
    # Its first bits name a kind of block that there is not.
    "rsv1": packed(TEXT, b"null", rsv=4),
    "rsv2": packed(TEXT, SAMPLE, rsv=2),
    "rsv3": packed(TEXT, SAMPLE, rsv=1),
    "opcode": packed(0xB, b""),
    "masked": packed(TEXT, SAMPLE, mask=b"\x12\x34\x56\x78"),
    "long-form": packed(TEXT, SAMPLE, length=struct.pack("!BH", 126, len(SAMPLE))),
    "huge": packed(TEXT, SAMPLE, length=struct.pack("!BQ", 127, 1 << 63 | len(SAMPLE))),
    "too-large": packed(TEXT, SAMPLE, length=struct.pack("!BQ", 127, 1 << 40)),
    "control-long": packed(PING, b"x" * 126),
    "control-part": packed(PING, b"x", fin=False),
    "continuation": packed(CONT, SAMPLE),
    "interrupted": packed(TEXT, SAMPLE[:20], fin=False) + packed(TEXT, SAMPLE),
    "bad-deflate": packed(TEXT, b"\xff" * 12, rsv=4),
    "cut-deflate": packed(TEXT, deflated(SAMPLE)[:-9], rsv=4),
    "far-deflate": packed(TEXT, _far(), rsv=4),
    "rsv1-continuation": packed(TEXT, deflated(SAMPLE)[:9], fin=False, rsv=4)
                         + packed(CONT, deflated(SAMPLE)[9:], rsv=4),
    "bad-utf8": packed(TEXT, b'{"delta":"\xff\xfe"}'),
    "cut-utf8": packed(TEXT, '{"delta":"ü'.encode()[:-1]),
    "surrogate": packed(TEXT, b'{"delta":"\xed\xa0\x80"}'),
    "close-short": packed(CLOSE, b"\x03"),
    "close-reason": packed(CLOSE, struct.pack("!H", 1000) + b"\xff\xfe"),
}

#: Frames that are right, and rare.
RIGHT = {
    "alone": packed(TEXT, SAMPLE),
    "empty": packed(TEXT, b""),
    "in-parts": packed(TEXT, SAMPLE[:9], fin=False) + packed(CONT, b"", fin=False)
                + packed(PING, b"between") + packed(CONT, SAMPLE[9:]),
    "pong": packed(Opcode.PONG, b"nobody asked"),
}

NAMED = WRONG | RIGHT
