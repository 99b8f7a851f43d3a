"""What a stand-in is told to do: `name` or `name=value`, separated by commas or spaces.

Wishes come with the command line (for every request), with a line `next WISHES` on standard
input (for the next request), or inside a message, as words that begin with `peer:`. So a client
needs nothing that a real service would not see.
"""

PREFIX = "peer:"

#: Wishes of every stand-in, with what they take and do.
COMMON = {
    "stream": "NAME: whose words and pacing the answer has",
    "chunks": "N: that many content chunks",
    "pace": "FACTOR: scales the gaps of the stream; 0 is at once",
    "gap": "MS: a gap of that many milliseconds before each piece, whatever the stream had",
    "coding": "identity, gzip, deflate or raw-deflate, where the client accepts it",
    "members": "a gzip member of its own for each piece",
    "cuts": "events, hard or every:N: where the stream is cut before it is coded",
    "crlf": "lines end in CR LF",
    "status": "a number: the HTTP status, with an error for a body",
    "body": "structured, plain or empty: the body of that error",
    "echo": "the credential of the request comes back, in the text or in the error",
    "retry-after": "SECONDS: with a status",
    "type": "a media type for the stream",
    "empty": "a 200 without a byte of body",
    "cut": "N: the connection ends after N bytes of body",
    "rst": "the cut is a reset, not a close",
    "reset": "the connection ends before any answer",
    "stall": "MS: silence in the middle; 0 is until the client goes",
    "bad-json": "a line of data in the middle that is no JSON",
    "bad-utf8": "a line of data in the middle that is no UTF-8",
    "corrupt": "a wrong byte in the middle of the coded stream",
    "cut-coding": "the coded stream ends early, the HTTP message does not",
    "trailing": "bytes after the end of the coded stream",
    "delimit": "chunked, length or close: what ends the body",
}


def parse(text: str, table: dict[str, str]) -> dict[str, str]:
    """Reads a list of the wishes that `table` knows."""
    wishes: dict[str, str] = {}
    for word in text.replace(",", " ").split():
        name, _, value = word.partition("=")
        if name not in table:
            raise ValueError(f"no wish named {name!r}")
        wishes[name] = value
    return wishes


def inside(message: str, table: dict[str, str]) -> tuple[str, dict[str, str]]:
    """A message without its wishes, and the wishes."""
    words = message.split(" ")
    wishes: dict[str, str] = {}
    for word in words:
        if word.startswith(PREFIX):
            wishes |= parse(word.removeprefix(PREFIX), table)
    return " ".join(word for word in words if not word.startswith(PREFIX)), wishes
