"""Users, messages and ids, in memory. All is drawn from the seed, times from a fixed day."""

import base64
import hashlib
import json
from dataclasses import dataclass, field

from peerkit.service import Ids

#: 2026-01-05 09:00 UTC, in seconds.
DAY = 1767603600


@dataclass
class User:
    uid: str
    name: str
    token: str
    jwt: str
    #: All that was written to the user and by it, in order.
    messages: list[dict] = field(default_factory=list)

    def facts(self) -> dict:
        return {"uid": self.uid, "name": self.name, "status": "online", "role": "default",
                "lastActiveAt": DAY, "createdAt": DAY}


class Store:
    def __init__(self, seed: str):
        self.ids = Ids(seed)
        self._seed = seed
        self._users: dict[str, User] = {}
        self._messages, self._runs = 100, 9000

    def user(self, token: str, uid: str | None = None) -> User:
        """Whose token it is; `uid` where nobody had it before."""
        if token not in self._users:
            number = len(self._users)
            names = ("Ann", "Bo", "Cleo", "Dan")
            name = uid or (names[number] if number < len(names) else f"User {number}")
            uid = uid or f"u-{name.lower().replace(' ', '-')}"
            self._users[token] = User(uid, name, token, self._jwt(uid, token))
        return self._users[token]

    def by_jwt(self, jwt: str) -> User | None:
        return next((user for user in self._users.values() if user.jwt == jwt), None)

    def message_id(self) -> int:
        self._messages += 1
        return self._messages

    def run_id(self) -> int:
        self._runs += 1
        return self._runs

    def now(self) -> int:
        """Each message is a second later than the one before."""
        return DAY + self._messages

    def _jwt(self, uid: str, token: str) -> str:
        """Something of a JWT's form; nobody verifies it."""
        signature = hashlib.sha256(f"{self._seed}/{token}".encode()).digest()
        parts = (dumped({"alg": "HS256", "typ": "JWT"}), dumped({"uid": uid}), signature)
        return ".".join(base64.urlsafe_b64encode(part).decode().rstrip("=") for part in parts)


def dumped(body) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()
