"""The conversations, in memory. Ids are drawn from the seed, times from a fixed day."""

from dataclasses import dataclass, field

from chatbase.plan import Call
from peerkit.service import Ids

#: 2026-01-05 09:00 UTC, in seconds.
DAY = 1767603600


@dataclass
class Turn:
    """What a user asked once, with the streams that answer it."""

    user_message: str
    wishes: dict[str, str]
    streams: int = 0


@dataclass
class Conversation:
    id: str
    owner: str
    user: str | None
    title: str | None = None
    created: int = 0
    updated: int = 0
    status: str = "ongoing"
    messages: list[dict] = field(default_factory=list)
    #: By the id of the user's message.
    turns: dict[str, Turn] = field(default_factory=dict)
    turn: Turn | None = None
    #: The calls of all its turns, by id.
    calls: dict[str, Call] = field(default_factory=dict)

    def listed(self) -> dict:
        return {"id": self.id, "title": self.title, "createdAt": self.created,
                "updatedAt": self.updated, "userId": self.user, "status": self.status}

    def pending(self) -> list[Call]:
        """Calls that wait for a result."""
        return [call for call in self.calls.values() if call.output is None]

    def index(self, message: str) -> int | None:
        found = [at for at, item in enumerate(self.messages) if item["id"] == message]
        return found[0] if found else None


class Store:
    def __init__(self, seed: str):
        self.ids = Ids(seed)
        self.conversations: dict[str, Conversation] = {}

    def now(self) -> int:
        """Each thing happens a minute after the one before."""
        return DAY + 60 * self.ids.drawn

    def begin(self, owner: str, user: str | None) -> Conversation:
        made = Conversation(self.ids.new("cv"), owner, user, created=self.now())
        self.conversations[made.id] = made
        return made

    def of(self, owner: str) -> list[Conversation]:
        mine = [item for item in self.conversations.values() if item.owner == owner]
        return sorted(mine, key=lambda item: item.updated, reverse=True)
