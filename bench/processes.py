"""Nodes and load generators as processes of their own, and how long it takes until a node answers."""

import http.client
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'src'}"}
COMMAND = [sys.executable, "-c", "from foreman.cli.main import run; run()"]
"""The `foreman` command, also where it is not installed."""


class Server:
    """A node that runs: where it answers, and the processor time it has used."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        assert process.stdout is not None
        self.process = process
        told = process.stdout.readline()
        if not told:
            raise RuntimeError("the node did not start")
        self.address: dict[str, Any] = json.loads(told)

    def cpu_seconds(self) -> float:
        """Of all its threads, so far; 0.0 where the system does not tell."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self) -> float:
        try:
            lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        except OSError:
            return 0.0
        return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024

    def load(self, work: str, **asked: Any) -> dict[str, Any]:
        """Run the load generator against it; its figures."""
        contract = self.address["agreements" if work == "rulings" else "contract"]
        request = json.dumps({"url": self.address["url"], "contract": contract, "work": work, **asked})
        done = subprocess.run(
            [sys.executable, "-m", "bench.work", request], cwd=ROOT, capture_output=True, text=True, check=False
        )
        if done.returncode:
            raise RuntimeError(f"the load generator failed: {done.stderr.strip().splitlines()[-1]}")
        found: dict[str, Any] = json.loads(done.stdout)
        return found


@contextmanager
def server(**asked: Any) -> Iterator[Server]:
    """A node with scripted judges and pages; see server.py for what may be asked."""
    command = [sys.executable, "-m", "bench.server", json.dumps(asked)]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield Server(process)
        finally:
            assert process.stdin is not None
            process.stdin.close()
            process.wait(30)


@contextmanager
def evidence() -> Iterator[int]:
    """A server of evidence on loopback; its port."""
    command = [sys.executable, "-m", "bench.pages"]
    with subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.stdin.close()
            process.wait(30)


def floor(orders: int) -> dict[str, float]:
    """The same work in one thread, in a process of its own; see floor.py."""
    command = [sys.executable, "-m", "bench.floor", str(orders)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found


def seconds_to_first_answer(state: Path, port: int) -> float:
    """From the start of `foreman up` as a process until it answers a request."""
    command = [*COMMAND, "up", "--state", str(state), "--port", str(port), "--no-samples"]
    began = time.perf_counter()
    with subprocess.Popen(command, env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while not _answers(port):
                if process.poll() is not None:
                    raise RuntimeError("foreman up has ended by itself")
                time.sleep(0.005)
            return time.perf_counter() - began
        finally:
            process.terminate()
            process.wait(30)


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        body = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId","params":[]}'
        connection.request("POST", "/api", body, {"Content-Type": "application/json"})
        return b"result" in connection.getresponse().read()
    except OSError:
        return False
    finally:
        connection.close()


def seconds_of(*arguments: str) -> float:
    """How long a `foreman` command takes, process and all."""
    began = time.perf_counter()
    subprocess.run([*COMMAND, *arguments], env=ENVIRONMENT, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began
