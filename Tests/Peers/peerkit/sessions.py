"""Sessions of the command `reprise` with a stand-in, for the demo and the recordings that ship."""

import base64
import json
import os
import re
import shlex
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

    def thread(self) -> str:
        """The conversation that was spoken of last, in an answer that was not compressed."""
        pieces = (json.loads(line) for line in self._log.read_text("utf-8").splitlines())
        said = b"".join(base64.b64decode(piece["base64"]) for piece in pieces
                        if piece["event"] == "piece")
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

    def command(self, port: int, thread: str | None, tape: Path) -> list[str]:
        verb, *rest = (thread if word == "{thread}" else word for word in self.arguments)
        who = ["--jwt-env", "AGO_JWT"] if self.mode == "jwt" else ["--widget"]
        if self.mode == "widget+email":
            who += ["--email", "ann@example.com"]
        return ["ago", verb, "--base-url", f"http://127.0.0.1:{port}/api/sdk/v1",
                "--origin", ORIGIN, *who, "--widget-id", WIDGET,
                "--tape", os.path.relpath(tape, ROOT), *rest]


@dataclass
class Recorder:
    """Runs sessions one after another, as one installation of one user."""

    stand_in: StandIn
    folder: Path
    threads: dict[str, str] = field(default_factory=dict)

    def record(self, session: Session) -> Path:
        tape = self.folder / f"{session.tape}.tape"
        who = session.mode.partition("+")[0]
        if session.wishes:
            self.stand_in.tell(f"next {session.wishes}")
        print(f"\n— {session.what}")
        command = session.command(self.stand_in.port, self.threads.get(who), tape)
        reprise(command, status=session.status)
        if who not in self.threads and session.status == 0:
            self.threads[who] = self.stand_in.thread()
        return tape


def reprise(arguments: list[str], status: int | None = 0, show: bool = True) -> str:
    """Runs the command in the package's folder; any exit status but `status` ends the script."""
    if show:
        print(f"$ reprise {shlex.join(arguments)}", flush=True)
    with tempfile.TemporaryDirectory() as home:
        variables = {"PATH": os.environ["PATH"], "HOME": home, "AGO_JWT": TOKEN}
        done = subprocess.run(
            [str(REPRISE), *arguments], cwd=ROOT, env=variables, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
    if show and done.stdout:
        print(done.stdout.rstrip("\n"), flush=True)
    if status is not None and done.returncode != status:
        if not show:
            print(done.stdout)
        raise SystemExit(f"reprise {arguments[0]} exited {done.returncode}, not {status}")
    return done.stdout
