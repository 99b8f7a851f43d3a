"""Server-sent events in the making: pieces, each with the gap before it."""

from dataclasses import dataclass


@dataclass
class Piece:
    """What is sent in one go, after a gap."""

    gap_ns: int
    data: bytes


class Events:
    """Pieces of one stream, in order."""

    def __init__(self, wishes: dict[str, str]):
        self._line_end = "\r\n" if "crlf" in wishes else "\n"
        self.pieces: list[Piece] = []

    def data(self, text: str, gap_ns: int = 0, name: str | None = None) -> None:
        """An event, with a type where it has a `name`."""
        self.lines([f"event: {name}"] * (name is not None) + [f"data: {text}"], gap_ns)

    def comment(self, text: str, gap_ns: int = 0) -> None:
        self.lines([f": {text}"], gap_ns)

    def lines(self, lines: list[str], gap_ns: int = 0) -> None:
        """Lines, and the blank one behind them."""
        text = "".join(line + self._line_end for line in [*lines, ""])
        self.pieces.append(Piece(gap_ns, text.encode()))

    def break_as_wished(self, wishes: dict[str, str]) -> None:
        """Lines that cannot be read."""
        if "bad-json" in wishes:
            self.data('{"content":"lost","status"')
        if "bad-utf8" in wishes:
            self.pieces.append(Piece(0, b'data: {"content":"\xff\xfe"}\n\n'))

    def timed(self) -> list[tuple[int, bytes]]:
        return [(piece.gap_ns, piece.data) for piece in self.pieces]
