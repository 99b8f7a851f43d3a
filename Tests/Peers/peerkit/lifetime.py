"""The life of a stand-in: it says its port, obeys its standard input, and ends with it."""

import asyncio
import sys
from collections.abc import Callable


def announce(*ports: int) -> None:
    """The one line that whoever started the stand-in waits for."""
    print("port", *ports, flush=True)


async def obey_stdin(command: Callable[[str], str]) -> None:
    """Answers each line of standard input with a line, until it ends.

    Standard input is a pipe held by the parent, so it ends when the parent does, however that
    happens: a stand-in is never left behind.
    """
    reader = asyncio.StreamReader()
    loop = asyncio.get_running_loop()
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    while line := await reader.readline():
        try:
            answer = command(line.decode("utf-8").strip())
        except ValueError as error:
            answer = f"error {error}"
        print(answer, flush=True)
