"""The conversations, in memory. Ids are drawn from the seed, times from a fixed day."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone

from peerkit.service import Ids

DAY = datetime(2026, 1, 5, 9, 0, tzinfo=timezone.utc)


@dataclass
class Conversation:
    id: str
    owner: str
    title: str | None = None
    last: str = ""
    messages: list[dict] = field(default_factory=list)

    def listed(self) -> dict:
        return {"id": self.id, "title": self.title, "last_message_date": self.last}

    def enveloped(self) -> dict:
        return {"id": self.id, "title": self.title, "created_at": self.last,
                "last_message_at": self.last}


class Store:
    def __init__(self, seed: str):
        self._ids = Ids(seed)
        self.conversations: dict[str, Conversation] = {}

    def new_id(self, prefix: str) -> str:
        return self._ids.new(prefix)

    def now(self) -> str:
        """Each thing happens a minute after the one before."""
        moment = DAY + timedelta(minutes=self._ids.drawn)
        return moment.strftime("%Y-%m-%dT%H:%M:%SZ")

    def open(self, owner: str, wanted: str | None) -> Conversation | None:
        """The conversation `wanted`, or a new one; None where it is not the owner's."""
        if wanted is None:
            made = Conversation(self.new_id("th"), owner)
            self.conversations[made.id] = made
            return made
        found = self.conversations.get(wanted)
        return found if found is not None and found.owner == owner else None

    def of(self, owner: str) -> list[Conversation]:
        mine = [item for item in self.conversations.values() if item.owner == owner]
        return sorted(mine, key=lambda item: item.last, reverse=True)
