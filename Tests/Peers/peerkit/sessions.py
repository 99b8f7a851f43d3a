"""Sessions of the command `reprise` with a stand-in, for the demo and the recordings that ship."""

import base64
import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass, field, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
REPRISE = ROOT / ".build" / "release" / "reprise"
ORIGIN = "https://app.example.com"
TOKEN = "a-token-that-is-on-no-tape"
WIDGET = "5f1c7a1e-2b7c-4e61-9a54-5d0d3c1f9a11"
DEVICE = "3d0c2b4e-7a51-4c1f-8f0e-6b9d2a7e5c10"


@dataclass(frozen=True)
class Kit:
    """What the commands of one vendor's client have in common."""

    #: Of the verb, and of the stand-in's folder.
    name: str
    #: The path of the service.
    base: str
    #: Options of every command.
    options: tuple[str, ...]
    #: The options of each kind of user.
    modes: dict[str, tuple[str, ...]]
    #: Where an answer names its conversation.
    thread: bytes
    #: How many requests come before the one that is asked for, by kind of user.
    leading: dict[str, int] = field(default_factory=dict)

    @property
    def variable(self) -> str:
        """What stands for the service in the commands that are shown."""
        return f"${self.name.upper()}"


AGO = Kit(
    "ago", "/api/sdk/v1", ("--origin", ORIGIN, "--widget-id", WIDGET),
    {"jwt": ("--jwt-env", "AGO_JWT"), "widget": ("--widget",),
     "widget+email": ("--widget", "--email", "ann@example.com")},
    rb'"thread":{"id":"([^"]+)"')
CHATBASE = Kit(
    "chatbase", "/api/sdk", ("--agent", "a-1", "--device-id", DEVICE),
    {"device": (), "user": ("--user-token-env", "CHATBASE_TOKEN")},
    rb'"conversationId":"([^"]+)","messageId":"([^"]+)"', {"user": 1})
COMETCHAT = Kit(
    "cometchat", "/v3.0", ("--app-id", "app-1", "--agent", "agent-7"),
    {"user": ("--auth-token-env", "COMETCHAT_TOKEN")},
    rb'"conversationId":"([^"]+)"', {"user": 1})
SERVICES = {kit.variable for kit in (AGO, CHATBASE, COMETCHAT)}


class StandIn:
    """A stand-in that runs while the `with` block does."""

    def __init__(self, kit: Kit, *arguments: str):
        self.kit = kit
        folder = Path(__file__).resolve().parent.parent / kit.name
        self._folder = tempfile.TemporaryDirectory()
        self._log = Path(self._folder.name) / "log.jsonl"
        self._process = subprocess.Popen(
            [sys.executable, str(folder), "--log", str(self._log), *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line.startswith("port "):
            raise SystemExit(f"the stand-in {kit.name} did not start")
        self.port, *others = map(int, line.split()[1:])
        #: Where its WebSockets are, if it has any.
        self.socket_port = others[0] if others else None

    def tell(self, line: str) -> None:
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        answer = self._process.stdout.readline().strip()
        if answer != "ok":
            raise SystemExit(f"the stand-in answered “{line}” with “{answer}”")

    def log(self, event: str) -> list[dict]:
        """What the log tells of one kind of event; bytes are in `data`."""
        entries = map(json.loads, self._log.read_text("utf-8").splitlines())
        return [entry | {"data": base64.b64decode(entry.get("base64", ""))}
                for entry in entries if entry["event"] == event]

    def spoken(self) -> dict[str, str]:
        """The conversation that was spoken of last and the message in it, in an answer that was
        not compressed: what `{thread}` and `{message}` stand for."""
        said = b"".join(piece["data"] for piece in self.log("piece"))
        *_, found = re.finditer(self.kit.thread, said)
        return {name: text.decode() for name, text in zip(("{thread}", "{message}"), found.groups())}

    def __enter__(self):
        return self

    def __exit__(self, *_) -> None:
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()


@dataclass(frozen=True)
class Session:
    """One run of a client, recorded to one tape."""

    tape: str
    what: str
    mode: str
    #: The verb and what follows the options; `{thread}` is a conversation the user has had, and
    #: `{message}` one of the agent's in it.
    arguments: tuple[str, ...]
    #: What the stand-in is told for the request that is asked for.
    wishes: str = ""
    #: The exit status of the client: 1 where the session is to fail.
    status: int = 0
    #: The client is killed when it has shown that many bytes of the answer.
    killed_at: int | None = None
    kit: Kit = AGO
    #: Tools of the app by name: commands of the shell.
    tools: tuple[tuple[str, str], ...] = ()

    def command(self, spoken: dict[str, str], tape: Path) -> list[str]:
        """The words of the command, but for where the service is (`$AGO`)."""
        verb, *rest = (spoken.get(word, word) for word in self.arguments)
        tools = [word for name, line in self.tools for word in ("--tool", f"{name}={line}")]
        return [self.kit.name, verb, self.kit.variable, *self.kit.modes[self.mode],
                "--tape", os.path.relpath(tape, ROOT), *tools, *rest]


def of(kit: Kit, sessions: list[Session]) -> list[Session]:
    """The same sessions of another kit."""
    return [replace(session, kit=kit) for session in sessions]


@dataclass
class Recorder:
    """Runs sessions one after another, as one installation."""

    stand_in: StandIn
    folder: Path
    #: What each kind of user has spoken of, in its first conversation.
    spoken: dict[str, dict[str, str]] = field(default_factory=dict)

    def service(self) -> list[str]:
        """What `$AGO` stands for in the commands that are shown."""
        kit, port = self.stand_in.kit, self.stand_in.socket_port
        sockets = ["--socket-url", f"ws://127.0.0.1:{port}"] if port else []
        return ["--base-url", f"http://127.0.0.1:{self.stand_in.port}{kit.base}", *sockets,
                *kit.options]

    def introduce(self) -> None:
        variable = self.stand_in.kit.variable.removeprefix("$")
        print(f"In what follows, {variable}='{' '.join(self.service())}'.")

    def wish(self, session: Session) -> None:
        """Tells the stand-in what the session is to meet."""
        if session.wishes:
            for _ in range(session.kit.leading.get(session.mode, 0)):
                self.stand_in.tell("next ")
            self.stand_in.tell(f"next {session.wishes}")

    def record(self, session: Session) -> Path:
        tape = self.folder / f"{session.tape}.tape"
        who = session.mode.partition("+")[0]
        self.wish(session)
        print(f"\n— {session.what}")
        command = session.command(self.spoken.get(who, {}), tape)
        if session.killed_at is None:
            reprise(command, status=session.status, service=self.service())
        else:
            kill_reprise(command, session.killed_at, self.service())
        if who not in self.spoken and session.status == 0:
            self.spoken[who] = self.stand_in.spoken()
        return tape


def reprise(arguments: list[str], status: int = 0, service: list[str] | None = None) -> str:
    """Runs the command in the package's folder and shows what it says; any exit status but
    `status` ends the script."""
    with started(arguments, service) as process:
        output, errors = process.communicate()
    print(output.decode("utf-8", "replace") + errors.decode("utf-8", "replace"), end="", flush=True)
    if process.returncode != status:
        raise SystemExit(f"reprise {arguments[0]} exited {process.returncode}, not {status}")
    return output.decode("utf-8", "replace")


def kill_reprise(arguments: list[str], after: int, service: list[str]) -> None:
    """Runs the command and kills it when it has written `after` bytes."""
    with started(arguments, service) as process:
        output = process.stdout.read(after)
        process.kill()
        output += process.communicate()[0]
    print(output.decode("utf-8", "replace") + "\nkilled", flush=True)
    if process.returncode != -signal.SIGKILL:
        raise SystemExit(f"reprise {arguments[0]} exited before it was killed")


@contextlib.contextmanager
def started(arguments: list[str], service: list[str] | None):
    """A running command; a word like `$AGO` among its words stands for `service`."""
    print(f"$ reprise {' '.join(map(quoted, arguments))}", flush=True)
    words = [part for word in arguments
             for part in (service or [] if word in SERVICES else [word])]
    with tempfile.TemporaryDirectory() as home:
        variables = {"PATH": os.environ["PATH"], "HOME": home, "AGO_JWT": TOKEN,
                     "CHATBASE_TOKEN": TOKEN, "COMETCHAT_TOKEN": TOKEN}
        yield subprocess.Popen([str(REPRISE), *words], cwd=ROOT, env=variables,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def quoted(word: str) -> str:
    return word if word in SERVICES else shlex.quote(word)
