"""Runs the stories beside this file as programs of their own, as their readers would, and checks what they printed."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx

HERE = Path(__file__).parent
RPC = HERE.parents[1] / "docs" / "rpc.md"
JS = HERE / "js"

AMOUNT = 2 * 10**18 + 7
"""Wei of the one milestone in every agreement here; the bond is a tenth of it, cut downwards."""
BOND = 2 * 10**17


def python(script: str, *arguments: str) -> dict[str, Any]:
    """What a story with genlayer-py printed."""
    return _printed([sys.executable, str(HERE / script), *arguments])


def javascript(script: str, *arguments: str) -> dict[str, Any]:
    """What a story with genlayer-js printed."""
    return _printed(["node", str(JS / script), *arguments])


def _printed(command: list[str]) -> dict[str, Any]:
    """It must have ended well and complained about nothing."""
    ended = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (ended.returncode, ended.stderr) == (0, ""), ended.stderr[-3000:] + ended.stdout[-3000:]
    printed: dict[str, Any] = json.loads(ended.stdout)
    return printed


def install_javascript() -> None:
    """The client in tests/clients/js/node_modules, as its lock says; installed when the lock has changed."""
    npm = shutil.which("npm")
    assert npm is not None, "these tests need Node 20 or newer"
    done = JS / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < (JS / "package-lock.json").stat().st_mtime:
        subprocess.run([npm, "ci"], cwd=JS, check=True, capture_output=True, timeout=300)


def check_calls_are_documented(url: str, *clients: str) -> None:
    """Every method that a network at this URL was asked for is said, in docs/rpc.md, to be called by these clients."""
    figures = httpx.get(url.removesuffix("/api") + "/metrics", timeout=20).text
    asked = set(re.findall(r'^foreman_rpc_requests_total\{method="(\w+)"', figures, re.MULTILINE)) - {"unknown"}
    assert "eth_sendRawTransaction" in asked
    callers = dict(re.findall(r"^### (\w+) .*?^Called by: (.*?)$", RPC.read_text("utf-8"), re.MULTILINE | re.DOTALL))
    names = (*clients, "every client")
    untold = {method: callers[method] for method in asked if not any(name in callers[method] for name in names)}
    assert untold == {}, untold


def check_overturned(told: dict[str, Any]) -> None:
    """The provider was rejected, appealed and won: every wei of the agreement and of the bond is where it belongs.

    Amounts are numbers or decimal strings, as the client gives them.
    """
    assert told["verdicts"] == [[1, "REJECT", [1]], [2, "APPROVE", []]]
    assert int(told["bond"]) == BOND
    wei = {who: int(amount) for who, amount in told["during"].items()}
    assert wei == {"payer": -AMOUNT, "provider": -BOND, "escrowed": AMOUNT + BOND}, "while the second ruling is open"
    assert int(told["credit"]) == AMOUNT + BOND
    assert {who: int(amount) for who, amount in told["earned"].items()} == {"payer": -AMOUNT, "provider": AMOUNT}
    assert int(told["escrowed"]) == 0
