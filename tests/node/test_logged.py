"""What the node says of its work: one event per decision, per verdict, per turn for the worse and for the better."""

import logging
from pathlib import Path
from typing import Any

import pytest

from foreman.errors import JudgeError
from foreman.judges.scripted import Scripted
from foreman.money import GEN
from foreman.node import measures
from foreman.receipt import Status
from tests.node.network import ALICE, TOY, Network


def events(caplog: pytest.LogCaptureFixture, said: str) -> list[dict[str, Any]]:
    return [getattr(record, "fields", {}) for record in caplog.records if record.getMessage() == said]


@pytest.fixture(autouse=True)
def heard(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "foreman")


def test_a_decision_is_one_event_with_its_hash_and_seconds(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    with Network(tmp_path) as net:
        caplog.clear()
        paid = net.do(ALICE, ["write", "k", "v"], value=GEN)
        refused = net.do(ALICE, ["revert", "no\nforged"])
    first, second = events(caplog, "transaction decided")
    assert first["hash"] == f"0x{paid.transaction.hash.hex()}"
    assert (first["status"], first["result"], first["block"]) == ("ACCEPTED", "RETURN", paid.block)
    assert (first["from"], first["to"]) == (f"0x{ALICE.address.hex()}", f"0x{TOY.hex()}")
    assert first["value_wei"] == str(GEN)
    assert first["seconds"] >= 0
    assert "reason" not in first
    assert (second["hash"], second["result"]) == (f"0x{refused.transaction.hash.hex()}", "USER_ERROR")
    assert "no" in second["reason"]


def test_a_verdict_is_one_event_with_its_votes(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    judges = [Scripted("yes", name=f"j{number}") for number in range(4)]
    judges.append(Scripted([JudgeError("bad_answer", "gone")], name="j4"))
    with Network(tmp_path, judges=judges) as net:
        record = net.do(ALICE, ["ask", "how good?"])
    (told,) = events(caplog, "block judged")
    assert told == {
        "hash": f"0x{record.transaction.hash.hex()}",
        "question": 0,
        "status": "ACCEPTED",
        "rounds": told["rounds"],
        "agree": 4,
        "idle": 1,
    }


def test_a_judge_that_goes_and_comes_back_is_told_once_each(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    works = False

    def answer(prompt: str) -> str | JudgeError:
        return "yes" if works else JudgeError("unavailable", "gone")

    judges = [Scripted("yes", name="steady"), Scripted("yes", name="as well"), Scripted(answer, name="moody")]
    with Network(tmp_path, judges=judges, seats=3) as net:
        for number in range(6):
            net.do(ALICE, ["ask", f"q{number}"])
        works = True
        net.do(ALICE, ["ask", "last"])
    assert events(caplog, "a judge does not answer") == [{"judge": "moody", "ending": "unavailable"}]
    assert events(caplog, "a judge answers again") == [{"judge": "moody", "ending": "ok"}]


def test_a_slow_commit_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Network(tmp_path) as net:
        net.do(ALICE, ["write", "k", "v"])
        assert events(caplog, "a slow commit") == []
        monkeypatch.setattr(measures, "SLOW_COMMIT", 0.0)
        assert net.do(ALICE, ["write", "k", "w"]).status is Status.FINALIZED
    assert events(caplog, "a slow commit")
