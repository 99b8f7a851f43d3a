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
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
REPRISE = ROOT / ".build" / "release" / "reprise"
ORIGIN = "https://app.example.com"
TOKEN = "a-token-that-is-on-no-tape"
WIDGET = "5f1c7a1e-2b7c-4e61-9a54-5d0d3c1f9a11"


class StandIn:
    """A stand-in that runs while the `with` block does."""

    def __init__(self, name: str, *arguments: str):
        folder = Path(__file__).resolve().parent.parent / name
        self._folder = tempfile.TemporaryDirectory()
        self._log = Path(self._folder.name) / "log.jsonl"
        self._process = subprocess.Popen(
            [sys.executable, str(folder), "--log", str(self._log), *arguments], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        line = self._process.stdout.readline()
        if not line.startswith("port "):
            raise SystemExit(f"the stand-in {name} did not start")
        self.port = int(line.split()[1])

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

    def thread(self) -> str:
        """The conversation that was spoken of last, in an answer that was not compressed."""
        said = b"".join(piece["data"] for piece in self.log("piece"))
        return re.findall(rb'"thread":{"id":"([^"]+)"', said)[-1].decode()

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
    #: The verb and what follows the options; `{thread}` is a conversation the user has had.
    arguments: tuple[str, ...]
    #: What the stand-in is told for its next request.
    wishes: str = ""
    #: The exit status of the client: 1 where the session is to fail.
    status: int = 0
    #: The client is killed when it has shown that many bytes of the answer.
    killed_at: int | None = None

    def command(self, thread: str | None, tape: Path) -> list[str]:
        """The words of the command, but for where the service is (`$AGO`)."""
        verb, *rest = (thread if word == "{thread}" else word for word in self.arguments)
        who = ["--jwt-env", "AGO_JWT"] if self.mode == "jwt" else ["--widget"]
        if self.mode == "widget+email":
            who += ["--email", "ann@example.com"]
        return ["ago", verb, "$AGO", *who, "--tape", os.path.relpath(tape, ROOT), *rest]


@dataclass
class Recorder:
    """Runs sessions one after another, as one installation."""

    stand_in: StandIn
    folder: Path
    threads: dict[str, str] = field(default_factory=dict)

    def service(self) -> list[str]:
        """What `$AGO` stands for in the commands that are shown."""
        return ["--base-url", f"http://127.0.0.1:{self.stand_in.port}/api/sdk/v1",
                "--origin", ORIGIN, "--widget-id", WIDGET]

    def record(self, session: Session) -> Path:
        tape = self.folder / f"{session.tape}.tape"
        who = session.mode.partition("+")[0]
        if session.wishes:
            self.stand_in.tell(f"next {session.wishes}")
        print(f"\n— {session.what}")
        command = session.command(self.threads.get(who), tape)
        if session.killed_at is None:
            reprise(command, status=session.status, service=self.service())
        else:
            kill_reprise(command, session.killed_at, self.service())
        if who not in self.threads and session.status == 0:
            self.threads[who] = self.stand_in.thread()
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
    """A running command; `$AGO` among its words stands for `service`."""
    print(f"$ reprise {' '.join(map(quoted, arguments))}", flush=True)
    words = [part for word in arguments
             for part in (service or [] if word == "$AGO" else [word])]
    with tempfile.TemporaryDirectory() as home:
        variables = {"PATH": os.environ["PATH"], "HOME": home, "AGO_JWT": TOKEN}
        yield subprocess.Popen([str(REPRISE), *words], cwd=ROOT, env=variables,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def quoted(word: str) -> str:
    return word if word == "$AGO" else shlex.quote(word)
