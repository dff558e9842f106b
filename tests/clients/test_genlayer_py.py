"""genlayer-py 0.18, unmodified, against a running network: a whole order, reverts, and seats that do not agree."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from foreman.fetch.replay import Scripted as Pages
from foreman.judges.scripted import Scripted, payout
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.ports import Judge
from foreman.settings import Settings

HERE = Path(__file__).parent
CONTRACT = HERE.parents[1] / "contracts" / "foreman.py"
PAGES = {"http://work.example/gauge.json": '{"ok": true}'}


def network(folder: Path, judges: Sequence[Judge] | None = None) -> Running:
    """A network that serves one evidence page; five offline judges unless others are given."""
    settings = Settings(state_dir=folder, port=0, allow_contracts=True)
    return Running(build(settings, fetchers=[Pages(PAGES)], judges=judges))


def run(script: str, *arguments: str) -> dict[str, Any]:
    """What a client script printed; it must have ended well and written no warning."""
    ended = subprocess.run(
        [sys.executable, str(HERE / script), *arguments], capture_output=True, text=True, timeout=120, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    printed: dict[str, Any] = json.loads(ended.stdout)
    return printed


def test_an_order_lives_from_deployment_to_verdict(tmp_path: Path) -> None:
    with network(tmp_path) as running:
        shown = run("order_life.py", running.url, str(CONTRACT))
    order, consensus = shown["order"], shown["verdict"]["consensus_data"]
    assert (order["status"], order["payout_percent"]) == ("completed", 100)
    assert order["criteria_results"] == [{"criterion": "is valid JSON", "met": True}]
    assert shown["earned"] == GEN
    assert list(consensus["votes"].values()) == ["agree"] * 5
    assert len(consensus["validators"]) == 4
    assert consensus["leader_receipt"][0]["result"]["status"] == "return"
    assert "submit_deliverable" in shown["verdict"]["data"]["calldata"]["readable"]
    (answer,) = consensus["leader_receipt"][0]["eq_outputs"].values()
    assert answer["status"] == "return"


def test_what_is_refused_reaches_the_caller_in_words(tmp_path: Path) -> None:
    """The judges of this network never come within 15 points of each other."""
    judges = [Scripted(payout(20 * seat), name=f"apart:{seat}") for seat in range(5)]
    with network(tmp_path, judges) as running:
        shown = run("refusals.py", running.url, running.node.contracts()["foreman"])
    own = shown["own_claim"]["consensus_data"]["leader_receipt"][0]
    assert (shown["own_claim"]["status_name"], own["execution_result"]) == ("FINALIZED", "ERROR")
    assert "own order" in own["result"]["payload"], own
    assert shown["undetermined"]["status_name"] == "UNDETERMINED"
    assert shown["undetermined"]["consensus_data"]["leader_receipt"][0]["execution_result"] == "ERROR"
    assert shown["status"] == "claimed"
    assert "unknown order" in shown["view"]
    assert "contract not found" in shown["nowhere"]
    assert "Traceback" not in shown["broken_source"]
    assert "line 2" in shown["broken_source"]
    assert "no appeals" in shown["appeal"]
    assert shown["simulated"]["execution_result"] == "ERROR", "it is claimed already"
    assert shown["schema"]["methods"]["create_order"]["payable"] is True
    assert shown["nonce"] == 2
    assert shown["balance"] == 9 * GEN
