"""What the streams of a turn call."""

from dataclasses import dataclass

#: What the tools are asked; any other name is asked about its topic.
INPUTS = {
    "get_weather": {"city": "Zürich", "days": 2, "units": {"temperature": "°C"}},
    "find_order": {"no": "A-17", "lines": [1, 2.5, None], "express": True},
}
OUTPUT = {"found": 2, "text": "Straße & Co. – “2 results”"}


@dataclass
class Call:
    """A call of a tool."""

    id: str
    name: str
    is_server: bool = False
    is_failure: bool = False
    #: What the tool returned; None while nobody said.
    output: object = None
    #: How often its result was asked to wait.
    refused: int = 0
    submissions: int = 0

    @property
    def input(self) -> dict:
        return INPUTS.get(self.name, {"topic": self.name.replace("_", " ")})


def calls(wishes: dict[str, str], stream: int, new_id) -> list[Call]:
    """What the Nth stream of a turn calls, counted from 1."""
    rounds = wishes.get("tools", "").split("/")
    if "loop" in wishes:
        stream = 1
    names = rounds[stream - 1] if stream <= len(rounds) else ""
    return [_call(name, new_id("tc")) for name in names.split("+") if name]


def _call(name: str, identifier: str) -> Call:
    marks = len(name) - len(name.rstrip("!"))
    return Call(identifier, name.rstrip("!"), is_server=marks > 0, is_failure=marks > 1)
