"""genlayer-js 1.2 from Node, unmodified, against a running network: an order, what is refused, a cancelled
transaction.
"""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from foreman.judges.scripted import HANG, Scripted, payout
from tests.clients.test_genlayer_py import CONTRACT, network

JS = Path(__file__).parent / "js"


@pytest.fixture(scope="session", autouse=True)
def _installed() -> None:
    """The client in tests/clients/js/node_modules, as its lock says; installed when the lock has changed."""
    npm = shutil.which("npm")
    assert npm is not None, "these tests need Node 20 or newer"
    done = JS / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < (JS / "package-lock.json").stat().st_mtime:
        subprocess.run([npm, "ci"], cwd=JS, check=True, capture_output=True, timeout=300)


def run(script: str, *arguments: str) -> dict[str, Any]:
    """What a client script printed; it must have ended well and complained about nothing."""
    ended = subprocess.run(
        ["node", str(JS / script), *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    printed: dict[str, Any] = json.loads(ended.stdout)
    return printed


def outcome(receipt: dict[str, Any]) -> tuple[str, str]:
    """How a transaction ended, as the client shows it."""
    return receipt["statusName"], receipt["consensus_data"]["leader_receipt"][0]["execution_result"]


def test_an_order_lives_from_deployment_to_verdict_and_refusals_have_words(tmp_path: Path) -> None:
    with network(tmp_path) as running:
        shown = run("order_life.mjs", running.url, str(CONTRACT))
    receipts, order = shown["receipts"], shown["order"]
    assert outcome(receipts["verdict"]) == ("FINALIZED", "SUCCESS")
    assert list(receipts["verdict"]["consensus_data"]["votes"].values()) == ["agree"] * 5
    assert outcome(receipts["own_claim"]) == ("FINALIZED", "ERROR")
    assert "own order" in receipts["own_claim"]["consensus_data"]["leader_receipt"][0]["result"]["payload"]
    assert (order["status"], order["payout_percent"]) == ("completed", 100)
    assert order["escrow_wei"] == str(10**18), "beyond 2**53 the client gives decimal strings"
    assert order["criteria_results"] == [{"criterion": "is valid JSON", "met": True}], "no map came back empty"
    assert shown["earned"] == str(10**18)
    assert shown["nonce"] == "0x3"
    assert receipts["created"]["value"] == str(10**18)
    assert "unknown order" in shown["view"]
    assert "contract not found" in shown["nowhere"]
    assert "no appeals" in shown["appeal"]
    assert "cannot claim" in shown["simulated"]
    assert shown["code"] is True
    assert shown["schema"]["methods"]["appeal_delivery"]["payable"] is True


def test_seats_that_do_not_agree_are_no_success(tmp_path: Path) -> None:
    judges = [Scripted(payout(20 * seat), name=f"apart:{seat}") for seat in range(5)]
    with network(tmp_path, judges) as running:
        shown = run("order_life.mjs", running.url, str(CONTRACT))
    assert outcome(shown["receipts"]["verdict"]) == ("UNDETERMINED", "ERROR")
    assert (shown["order"]["status"], shown["earned"]) == ("claimed", "0")


def test_a_waiting_transaction_is_taken_back_by_its_sender_alone(tmp_path: Path) -> None:
    judge = Scripted([HANG], name="hanging", concurrency=100)
    with network(tmp_path, [judge]) as running:
        shown = run("cancel.mjs", running.url, running.node.contracts()["foreman"])
        judge.release()
    assert (shown["after"], shown["judged"]) == ("CANCELED", "PROPOSING")
    assert shown["cancelled"]["status"] == "CANCELED"
    assert "did not send" in shown["refused"]
