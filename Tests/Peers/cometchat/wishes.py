"""What the stand-in can be told to do; `--help` prints this table."""

from peerkit.wishes import COMMON

#: What becomes of a socket. In a message or with `next`, they hold for the next one that is opened;
#: as the path of the socket's URL, for each that is opened there.
SOCKET = {
    "deflate": "off, forget (no context takeover) or N: permessage-deflate, with windows of N bits",
    "fragments": "N: each message in N fragments",
    "between": "a ping between the fragments of a message",
    "split": "each frame in two writes",
    "upgrade": "a number: the handshake is refused with that status",
    "accept": "wrong: the handshake's Sec-WebSocket-Accept is another's",
    "unasked": "the handshake agrees to an extension that nobody offered",
    "auth": "refused, none or close: what becomes of the auth frame",
    "no-pong": "the app's own pings are not answered",
    "mute": "pings of the protocol are not answered",
}

#: How a message is answered.
SHAPE = {
    "tools": "NAME…: the tools that the run calls, as a+b",
    "cards": "N: the cards that the run makes",
    "text": "after, around or none: where the text is, beside the cards",
    "runs": "N: the message is answered by N runs, event by event in turn",
    "together": "N: the run waits until N messages do, and they are answered in turn",
    "hasty": "the run begins before the message's own answer",
    "moderation": "approved or disapproved: the message is pending at first",
    "noise": "presence, typing, receipts, and the message itself with its deviceId",
    "messages": "none, unsent or assistant: what is persisted; unsent is in the history only",
    "order": "NAME…: the persisted messages as assistant+result+arguments",
    "deep": "N: a card of N levels",
    "large": "N: a card of N bytes",
    "resume": "a run that was cut goes on over the next socket",
}

#: What breaks in the events of a run.
EVENTS = {
    "start": "none, twice or late: run_started",
    "finish": "none, twice or early: run_finished",
    "text-start": "none, twice or late: text_message_start",
    "text-end": "none, twice or late: text_message_end",
    "tool-start": "none, twice or late: tool_call_start",
    "tool-end": "none, twice or late: tool_call_end",
    "tool-result": "none, twice, early or stray: tool_call_result, or one of an unknown call",
    "args": "wrong, broken or none: deltas that are not the arguments, are no JSON, do not come",
    "card-start": "none, twice or late: card_start",
    "card-body": "none, twice or late: card",
    "card-end": "none, twice or late: card_end",
    "after-end": "text after text_message_end",
    "after-finish": "text after run_finished",
    "mixed": "a tool is called inside the text",
    "unknown": "an event of a type that no client knows",
    "unknown-frame": "a frame of a type that no client knows",
    "no-type": "an event without a type",
    "no-data": "an event without data",
    "no-body": "a frame without a body",
    "wrong-type": "a delta that is a number",
    "empty-delta": "a delta without text",
    "not-json": "a text frame that is no JSON",
    "binary": "a binary frame, which clients ignore",
    "run-id": "the run's id changes in the middle",
    "thread-id": "the thread's id changes in the middle",
    "early-messages": "the persisted messages come before run_finished",
    "other-text": "the persisted text is not the streamed one",
    "other-card": "the persisted elements have a card that was not streamed",
    "elements": "reversed or none: the persisted elements",
    "leak": "whole or split: the credential of the request is in the text, or across two deltas",
}

#: What breaks on the socket, at the event that the wish `at` says.
FAULTS = {
    "at": "N, middle or last: behind N events, inside the text, behind all",
    "drop": "fin, rst, half or half-rst: the connection ends; halves end inside a frame",
    "close": "CODE or none: a close frame with that code, or without",
    "frame": "NAME: something that is no frame, or not here",
    "silence": "MS: nothing is said; 0 is until the client goes",
    "ping": "the protocol's ping",
}

TABLE = {name: what for name, what in COMMON.items()
         if name not in ("crlf", "stall", "bad-json", "bad-utf8", "members")}
TABLE |= SOCKET | SHAPE | EVENTS | FAULTS


def of_sockets(wishes: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in wishes.items() if name in SOCKET}
