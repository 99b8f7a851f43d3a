"""What the stand-in can be told to do; `--help` prints this table."""

from peerkit.wishes import COMMON

TABLE = COMMON | {
    "heartbeat": "comment, data, both or none",
    "agent": "none: no agent",
    "sources": "none, or N sources",
    "tool": "a tool's status message, a form, and a client function, before the text",
    "waiting": "ends with WAITING_CLIENT for its client function",
    "full": "right or wrong: a `full_content` at the end",
    "title": "late, early or none",
    "follow-ups": "none, or N of them after DONE",
    "slow": "N heartbeats, one per gap, and only then the answer",
    "no-status": "no terminal status",
    "error": "the status ERROR in place of DONE",
    "unknown-status": "a status that no client knows, before DONE",
    "two-statuses": "ERROR after DONE",
    "after-done": "content after DONE",
    "new-id": "another message id in the middle",
    "envelope": "the list of conversations in its other form",
}
