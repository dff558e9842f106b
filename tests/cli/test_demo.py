"""The demo is the main job: it plays to the end, proves its sums, and one other byte of evidence turns it red."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foreman.cli import main as command
from foreman.cli import show
from foreman.cli.exits import Exit
from foreman.cli.stage.evidence import PAGES
from foreman.cli.stage.jobs import JOBS
from foreman.money import GEN
from tests.cli.conftest import amounts_read

Play = Callable[..., tuple[int, str]]


@pytest.fixture
def play(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Play:
    """Run `foreman demo`; exit code and stdout. Nothing may be said on stderr."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str) -> tuple[int, str]:
        show.out.cache_clear()
        show.err.cache_clear()
        code = command.main(["demo", *arguments])
        out, err = capsys.readouterr()
        assert err == ""
        return code, out

    return call


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What one demo tells programs, for all tests that only look at it."""
    import io
    from contextlib import redirect_stdout

    out = io.StringIO()
    with redirect_stdout(out):
        assert command.main(["demo", "--json"]) == 0
    found: dict[str, Any] = amounts_read(json.loads(out.getvalue()))
    return found


def test_everything_goes_as_it_should_in_under_fifteen_seconds(told: dict[str, Any]) -> None:
    assert told["ok"]
    assert [step for step in told["steps"] if not step["ok"]] == []
    assert len(told["steps"]) > 50
    assert told["seconds"] < 15


@pytest.mark.parametrize("number", range(len(JOBS)))
def test_each_order_ends_as_planned(told: dict[str, Any], number: int) -> None:
    order, job = told["orders"][number], JOBS[number]
    assert (order["id"], order["status"], order["payout_percent"]) == (number, job.status, job.percent)
    assert order["escrow_wei"] == job.escrow_wei
    if order["deposit_wei"]:
        assert order["paid_wei"] + order["refunded_wei"] == 2 * job.escrow_wei
    else:
        assert order["paid_wei"] == job.escrow_wei * job.percent // 100
        assert order["paid_wei"] + order["refunded_wei"] == job.escrow_wei
    judged = bool(job.page)
    assert order["judges"] == ["offline"] * 5 * judged
    assert order["votes"].count("agree") >= 3 * judged


def test_every_wei_is_accounted_for(told: dict[str, Any]) -> None:
    before, after = told["balances_before"], told["balances_after"]
    assert told["conserved"]
    assert before == {"client": 100 * GEN, "provider": 0, "contract": 0}
    assert sum(before.values()) == sum(after.values())
    assert after["contract"] == 0
    assert after["provider"] == sum(order["paid_wei"] for order in told["orders"])
    books = told["books"]
    assert told["minted_wei"] == books["balances_wei"] + books["reserved_wei"] + books["in_flight_wei"]


def test_into_a_pipe_it_prints_lines_the_table_and_the_proof(play: Play) -> None:
    code, out = play()
    assert code == 0
    for number, job in enumerate(JOBS):
        assert f"#{number} {job.title} ({job.gen} GEN): {job.shows}" in out
    assert out.count("(offline): agree") >= 7 * 3
    assert "past the deadline; the expiry waits" in out
    assert "WRONG" not in out
    assert "\x1b" not in out
    assert "together" in out
    assert "every wei is accounted for" in out


TAMPERED = [
    pytest.param("gauge.json", b'"cm"', b'"cn"', 0, 80, id="a unit"),
    pytest.param("notes.html", b"Added", b"Addet", 1, 40, id="a heading"),
    pytest.param("calibration.json", b'"max_error": 0.03', b'"max_error": 0.08', 6, 75, id="a measurement"),
]


@pytest.mark.parametrize(("page", "true", "false", "number", "percent"), TAMPERED)
def test_one_other_byte_of_evidence_changes_verdict_table_and_exit_code(
    page: str, true: bytes, false: bytes, number: int, percent: int, play: Play, tmp_path: Path
) -> None:
    shutil.copytree(PAGES, tmp_path / "pages")
    changed = tmp_path / "pages" / page
    content = changed.read_bytes()
    assert content.count(true) == 1
    assert sum(one != other for one, other in zip(true, false, strict=True)) == 1
    changed.write_bytes(content.replace(true, false))
    code, out = play("--json", "--pages", str(tmp_path / "pages"))
    found = json.loads(out)
    assert code == Exit.FAILED
    assert not found["ok"]
    assert found["conserved"], "money is conserved whatever the verdict"
    assert found["orders"][number]["payout_percent"] == percent
    assert not found["orders"][number]["ok"]


def test_a_wrong_verdict_is_told_to_people_too(play: Play, tmp_path: Path) -> None:
    shutil.copytree(PAGES, tmp_path / "pages")
    (tmp_path / "pages" / "gauge.json").write_text("{}")
    code, out = play("--pages", str(tmp_path / "pages"))
    assert code == Exit.FAILED
    assert "✗ order 0: ends at 100 %" in out
    assert "every wei is accounted for" not in out


def test_a_page_that_is_not_there_fails_its_order_and_no_other(play: Play, tmp_path: Path) -> None:
    shutil.copytree(PAGES, tmp_path / "pages")
    (tmp_path / "pages" / "notice.html").unlink()
    code, out = play("--json", "--pages", str(tmp_path / "pages"))
    found = json.loads(out)
    assert code == Exit.FAILED
    assert [order["id"] for order in found["orders"] if not order["ok"]] == [3]
    assert found["conserved"]


def test_more_seats_judge_when_asked(play: Play) -> None:
    code, out = play("--json", "--seats", "7")
    assert code == 0
    assert len(json.loads(out)["orders"][0]["votes"]) == 7


def test_a_judge_that_rejects_everything_is_not_a_success(play: Play) -> None:
    code, out = play("--json", "--judge", "scripted:0")
    found = json.loads(out)
    assert code == Exit.FAILED
    assert {order["judges"][0] for order in found["orders"] if order["judges"]} == {"scripted:0"}
    assert found["conserved"]
