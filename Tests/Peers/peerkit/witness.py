"""Frames of the package websockets, as they are on the wire."""

from websockets.extensions import Extension
from websockets.frames import Frame

from peerkit.log import Log


class Witness(Extension):
    """Tells the log of each frame as it is on the wire, but for the mask: the innermost of a
    connection's extensions, so that frames are deflated here."""

    name = "witness"

    def __init__(self, log: Log, connection: int):
        self._log, self._connection = log, connection

    def decode(self, frame: Frame, *, max_size: int | None = None) -> Frame:
        self._tell("client", frame)
        return frame

    def encode(self, frame: Frame) -> Frame:
        self._tell("server", frame)
        return frame

    def _tell(self, side: str, frame: Frame) -> None:
        self._log.write("frame", connection=self._connection, by=side, opcode=int(frame.opcode),
                        fin=frame.fin, rsv=frame.rsv1 << 2 | frame.rsv2 << 1 | frame.rsv3,
                        data=bytes(frame.data))
