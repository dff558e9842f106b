"""The genlayer CLI as a person uses it: in a terminal, since it asks before it makes a key and for passwords."""

import fcntl
import os
import pty
import re
import select
import shutil
import struct
import subprocess
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
LOCK = Path(__file__).parent / "cli"
HERE = ROOT / ".build" / "genlayer-cli"

PASSWORD = "correct horse"
NEW_ACCOUNT = [("create it", ""), ("encrypt your keystore", PASSWORD), ("Confirm password", PASSWORD)]
"""What the first command that signs asks, and what a newcomer answers."""
UNLOCK = [("decrypt keystore", PASSWORD)]

_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b[()][A-Z0-9]|\r")


def genlayer() -> Path:
    """The CLI of tests/clients/cli/package-lock.json, installed once into .build; another process waits meanwhile."""
    HERE.mkdir(parents=True, exist_ok=True)
    with open(HERE / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (LOCK / "package-lock.json").read_bytes()
        stamp = HERE / "installed"
        if not stamp.exists() or stamp.read_bytes() != wanted:
            for name in ("package.json", "package-lock.json"):
                shutil.copy(LOCK / name, HERE / name)
            command = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"]
            subprocess.run(command, cwd=HERE, check=True, capture_output=True, timeout=500)
            stamp.write_bytes(wanted)
    return HERE / "node_modules" / ".bin" / "genlayer"


def converse(
    command: Sequence[str | Path],
    answers: Sequence[tuple[str, str]] = (),
    *,
    cwd: Path,
    env: Mapping[str, str],
    seconds: float = 100.0,
) -> tuple[int, str]:
    """Run a command in a terminal of its own; each answer is typed, with Enter, when its question appears.

    Returns the exit code and what was shown, without colours. A command that is not over in time is ended, and fails.
    """
    ours, its = pty.openpty()
    fcntl.ioctl(its, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))  # without a width the spinner never ends
    process = subprocess.Popen(
        [str(part) for part in command], cwd=cwd, env=dict(env), stdin=its, stdout=its, stderr=its, close_fds=True
    )
    os.close(its)
    shown, answered, open_questions = "", 0, list(answers)
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline:
            if not select.select([ours], [], [], 0.2)[0]:
                continue
            try:
                part = os.read(ours, 65_536)
            except OSError:  # how Linux says that nobody writes any more
                break
            shown = _ESCAPES.sub("", shown + part.decode("utf-8", "replace"))
            if open_questions and open_questions[0][0] in shown[answered:]:
                answered = len(shown)
                os.write(ours, open_questions.pop(0)[1].encode() + b"\r")
        else:
            process.kill()
            raise AssertionError(f"not over after {seconds:g} s; it showed: {shown[-2000:]}")
        return process.wait(timeout=10), shown
    finally:
        process.kill()
        process.wait()
        os.close(ours)
