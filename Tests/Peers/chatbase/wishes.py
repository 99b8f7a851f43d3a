"""What the stand-in can be told to do; `--help` prints this table."""

from peerkit.wishes import COMMON

#: How a turn goes, whatever breaks in it.
SHAPE = {
    "tools": "NAME…: what the streams of the turn call, as a+b/c: a and b in the first stream, c "
             "in the second, none in the third; NAME! is run by the server, NAME!! fails there",
    "loop": "every stream calls what the first one does, without end",
    "input": "deltas or whole: whether arguments come piece by piece",
    "text": "parts, bare or none: text between text-start and text-end, without them, no text",
    "steps": "none: no start-step and finish-step",
    "names": "each event has an `event:` line with its type",
    "credits": "NUMBER or none: what each stream costs",
    "tokens": "IN+OUT: counts of tokens beside the credits",
}

#: What breaks, in each stream of the turn or in that of the wish `on`.
FAULTS = {
    "on": "N: only the Nth stream of the turn is so",
    "start": "message-start, none, twice, no-id or late",
    "finish": "none, twice, bare (no metadata), metadata, flat, top or nested (where its facts are)",
    "done": "none: no [DONE]",
    "reason": "TEXT: the reason of finish",
    "error": "text, nested or flat: an error in the middle, in that form",
    "unknown": "an event of a type that no client knows",
    "no-type": "an event without a type",
    "wrong-type": "a text-delta whose delta is a number",
    "no-delta": "a text-delta without its delta",
    "no-call-id": "tool-input-available without the call's id",
    "after-end": "text after text-end",
    "after-finish": "text after finish",
    "late-metadata": "a message-metadata after finish, which is allowed",
    "lone-delta": "arguments of a call that was not started",
    "lone-output": "an output of a call that was not made",
    "twice-call": "the first call is made twice",
    "twice-output": "the first output comes twice",
    "args": "wrong or none: arguments that are not the input, no input",
    "big-output": "outputs of the server have more than 20 KB",
    "other-conversation": "finish names another conversation",
    "no-conversation": "finish names no conversation",
}

#: What becomes of tool results and of the conversation.
RESULTS = {
    "not-ready": "N: the first N tool results are answered with 404",
    "result-status": "a number: the status of every tool result",
    "result-lost": "the first tool result is taken, and its answer is lost",
    "result-refused": "tool results are answered with success: false",
    "hasty": "a turn may go on without its tool results",
    "ended": "the conversation has ended behind this turn",
    "code": "TEXT: the code of an error; one that the service has brings the error about",
    "details": "an error has details",
}

TABLE = COMMON | SHAPE | FAULTS | RESULTS

#: What also holds for the streams that `on` does not mean, and for a turn that is tried again.
ALWAYS = {*SHAPE, *RESULTS, "stream", "chunks", "pace", "gap", "coding", "members", "cuts", "crlf",
          "delimit", "code", "details"}


def of_stream(wishes: dict[str, str], number: int) -> dict[str, str]:
    """The wishes that hold for the Nth stream of a turn."""
    if wishes.get("on", str(number)) == str(number):
        return dict(wishes)
    return lasting(wishes)


def lasting(wishes: dict[str, str]) -> dict[str, str]:
    return {name: value for name, value in wishes.items() if name in ALWAYS}
