"""genlayer-test 0.29 in integration mode, unmodified, against `foreman up`: the stories in tests/clients/gltest/, as
its users run them there. It needs an older genlayer-py than ours, so it lives in an environment of its own.
"""

import fcntl
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.clients.stories import check_calls_are_documented
from tests.mortal import Node

HERE = Path(__file__).parent / "gltest"
ENVIRONMENT = Path(__file__).parents[2] / ".build" / "gltest"

pytestmark = pytest.mark.timeout(600)  # the first test installs the client


def installed() -> Path:
    """The client of tests/clients/gltest/requirements.txt, installed once into .build; another process waits."""
    ENVIRONMENT.mkdir(parents=True, exist_ok=True)
    found = ENVIRONMENT / "env" / "bin" / "gltest"
    with open(ENVIRONMENT / "lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = (HERE / "requirements.txt").read_bytes()
        stamp = ENVIRONMENT / "installed"
        if not found.exists() or not stamp.exists() or stamp.read_bytes() != wanted:
            subprocess.run([sys.executable, "-m", "venv", "--clear", ENVIRONMENT / "env"], check=True, timeout=100)
            pip: list[str | Path] = [
                ENVIRONMENT / "env" / "bin" / "python",
                "-m",
                "pip",
                "install",
                "--quiet",
                "--no-input",
            ]
            ended = subprocess.run(
                [*pip, "--disable-pip-version-check", "--require-hashes", "-r", HERE / "requirements.txt"],
                capture_output=True,
                text=True,
                timeout=500,
                check=False,
            )
            assert ended.returncode == 0, f"genlayer-test could not be installed: {ended.stderr}"
            stamp.write_bytes(wanted)
    return found


def gltest(stories: str, network: Node) -> str:
    """What `gltest` prints; all of its tests must have passed."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    ended = subprocess.run(
        [installed(), stories, "-q", "--rpc-url", network.url],
        cwd=HERE,
        env=clean,
        capture_output=True,
        text=True,
        timeout=110,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout[-5000:] + ended.stderr[-2000:]
    return ended.stdout


def test_an_order_and_an_agreement_with_an_appeal_live_as_on_any_network(tmp_path: Path) -> None:
    network = Node(tmp_path / "state", "--allow-contracts")
    try:
        assert "2 passed" in gltest("lives.py", network)
    finally:
        network.kill()


def test_mock_validators_pages_dates_and_snapshots_work_where_doubles_are_taken(tmp_path: Path) -> None:
    network = Node(tmp_path / "state", "--allow-contracts", "--test-doubles")
    try:
        assert "3 passed" in gltest("doubles.py", network)
        check_calls_are_documented(network.url, "genlayer-test", "genlayer-py")
    finally:
        network.kill()
