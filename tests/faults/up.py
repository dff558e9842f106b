"""A real `foreman up` in a process of its own, with real pages and a real chat server that misbehave on order.

Hosts of evidence are names that the host map leads to loopback servers; the judges are five models behind one
OpenAI-compatible server, which sees from the title of an order how to behave.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType

import httpx

from foreman.judges.scripted import payout
from tests.faults.callers import Wire
from tests.faults.server import ROOT
from tests.fetch.servers import Line, Seen
from tests.judges.test_chat import spoken

SEATS = 5
PERCENT = 80

Manner = Callable[[Line, int, str], None]
"""How the chat server treats a question: the line, the seat that asks, the prompt."""


class Up:
    """One life of the node."""

    def __init__(self, state: Path, hosts: Mapping[str, int], chat: int, *more: str, **environment: str) -> None:
        """`hosts` are loopback ports by name; `chat` is the port of the models' server."""
        words = ["up", "--port", "0", "--state", str(state), "--no-samples", *more]
        for name, port in hosts.items():
            words += ["--resolve", f"{name}:443:127.0.0.1:{port}", "--resolve", f"{name}:80:127.0.0.1:{port}"]
        for seat in range(SEATS):
            words += ["--judge", f"compatible:seat-{seat}"]
        settings = {"FOREMAN_COMPATIBLE_URL": f"http://127.0.0.1:{chat}/v1", "PYTHONPATH": str(ROOT / "src")}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "foreman.cli.main", *words],
            env=os.environ | settings | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        found = None
        for line in self.process.stdout:
            found = re.search(r"RPC +(http://\S+)/api", line) or found
            if line.startswith("Listening"):
                break
        assert found is not None, "the network does not start"
        self.origin = found[1]
        self.contract: str = httpx.get(f"{self.origin}/config.json").json()["contracts"]["foreman"]

    def wire(self) -> Wire:
        return Wire(f"{self.origin}/api", self.contract)

    def health(self) -> str:
        return str(httpx.get(f"{self.origin}/health", timeout=20).json()["status"])

    def kill(self) -> None:
        self.process.kill()
        self.process.wait(20)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def __enter__(self) -> "Up":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.kill()


def memory(process: int) -> int:
    """Bytes a process holds in memory."""
    (pages,) = re.findall(r"VmRSS:\s+(\d+) kB", Path(f"/proc/{process}/status").read_text())
    return int(pages) * 1024


def chat(manners: Sequence[tuple[str, Manner]]) -> Callable[[Line, Seen], None]:
    """A server of models: the first manner whose word stands in the prompt; without one it pays `PERCENT`."""

    def answer(line: Line, seen: Seen) -> None:
        asked = json.loads(seen.body)
        seat = int(asked["model"].removeprefix("seat-"))
        prompt = asked["messages"][0]["content"]
        for word, manner in manners:
            if word in prompt:
                manner(line, seat, prompt)
                return
        line.send(spoken(payout(PERCENT)))

    return answer
