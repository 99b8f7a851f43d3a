"""Words and gaps of real model streams, read from the recordings in `Tests/Peers/corpus`."""

import json
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "corpus"
NAMES = ("openai-responses", "anthropic-messages", "openai-chat")


@dataclass(frozen=True)
class Word:
    """A piece of text, and how long the model took to say it after the one before."""

    gap_ns: int
    text: str


def load(name: str) -> list[Word]:
    """The words of one recording; several of one read have a gap of 0 but for the first."""
    if name not in NAMES:
        raise ValueError(f"no stream named {name!r}; there are {', '.join(NAMES)}")
    words: list[Word] = []
    last_ns = 0
    for line in (FOLDER / f"{name}.jsonl").read_text("utf-8").splitlines():
        read = json.loads(line)
        # Bytes are written as code points 0 to 255.
        data = read.get("bytes", "").encode("latin-1").decode("utf-8", "replace")
        for text in filter(None, map(_text, data.split("\n"))):
            words.append(Word(read["t_ns"] - last_ns, text))
            last_ns = read["t_ns"]
    return words


def _text(line: str) -> str | None:
    if not line.startswith("data: {"):
        return None
    event = json.loads(line[len("data: "):])
    if event.get("choices"):
        return event["choices"][0]["delta"].get("content")
    if event.get("type") == "content_block_delta":
        return event["delta"].get("text")
    if event.get("type") == "response.output_text.delta":
        return event["delta"]
    return None


def words(name: str, count: int | None = None) -> list[Word]:
    """The words of `name`, repeated or cut to `count` where one is given."""
    once = load(name)
    if count is None:
        return once
    return [once[i % len(once)] for i in range(count)]
