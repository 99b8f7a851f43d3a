"""How long a chunk takes from the service to the standard output of `reprise ago send`."""

import json
import os
import time

from peerkit.sessions import Recorder, Session, started


def measure(recorder: Recorder, session: Session) -> list[int]:
    """Records `session` and returns the nanoseconds from the sending of each piece that completes
    some text to that text's arrival, in ascending order."""
    recorder.wish(session)
    command = session.command({}, recorder.folder / f"{session.tape}.tape")
    arrived: list[tuple[int, int]] = []
    with started(command, recorder.service()) as process:
        length = 0
        while data := os.read(process.stdout.fileno(), 65536):
            length += len(data)
            arrived.append((time.monotonic_ns(), length))
        errors = process.communicate()[1]
    if process.returncode != session.status:
        raise SystemExit(errors.decode("utf-8", "replace"))
    pieces = recorder.stand_in.log("piece")
    mine = [piece for piece in pieces if piece["request"] == pieces[-1]["request"]]
    said = [piece["data"] for piece in recorder.stand_in.log("said")
            if piece["request"] == pieces[-1]["request"]]
    found = []
    for sent, length in zip(mine, _text_lengths(said)):
        when = next((when for when, end in arrived if end >= length), None)
        if length and when is not None:
            found.append(when - sent["t_ns"])
    return sorted(found)


def _text_lengths(pieces: list[bytes]) -> list[int]:
    """The bytes of text that are complete with each piece; 0 where it completes none."""
    lengths, stream, text = [], b"", 0
    for piece in pieces:
        *events, stream = (stream + piece).split(b"\n\n")
        new = [json.loads(event.removeprefix(b"data: ")).get("content", "")
               for event in events if event.startswith(b"data: {")]
        text += len("".join(new).encode())
        lengths.append(text if any(new) else 0)
    return lengths
