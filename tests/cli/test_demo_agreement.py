"""The agreements' demo: every exit of a milestone is played, proves its sums, and one other page turns it red."""

import io
import json
import shutil
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import pytest

from foreman.cli import main as command
from foreman.cli.exits import Exit
from foreman.cli.stage.deals import DEALS
from foreman.cli.stage.evidence import PAGES
from foreman.money import GEN
from tests.cli.conftest import amounts_read


def tell(*arguments: str) -> tuple[int, dict[str, Any]]:
    """Exit code and document of `foreman demo agreement --json`."""
    out = io.StringIO()
    with redirect_stdout(out):
        code = command.main(["demo", "agreement", "--json", *arguments])
    found: dict[str, Any] = amounts_read(json.loads(out.getvalue()))
    return code, found


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    code, found = tell()
    assert code == Exit.OK
    return found


def test_everything_goes_as_it_should_in_under_fifteen_seconds(told: dict[str, Any]) -> None:
    assert told["ok"]
    assert [step for step in told["steps"] if not step["ok"]] == []
    assert len(told["steps"]) > 90
    assert told["seconds"] < 15


@pytest.mark.parametrize("number", range(len(DEALS)), ids=[deal.shows for deal in DEALS])
def test_each_milestone_ends_as_planned_and_amount_and_bonds_went_to_somebody(
    told: dict[str, Any], number: int
) -> None:
    ended, deal = told["orders"][number], DEALS[number]
    assert (ended["id"], ended["status"], ended["payout_percent"]) == (number + 1, deal.status, deal.percent)
    assert ended["paid_wei"] + ended["refunded_wei"] == deal.escrow_wei + ended["deposit_wei"]
    assert ended["judges"] == ["offline"] * 5
    assert ended["votes"].count("agree") >= 3


def test_bonds_are_a_tenth_of_the_amount_and_are_posted_where_a_ruling_is_contested(told: dict[str, Any]) -> None:
    contested = {ended["id"]: ended["deposit_wei"] // (ended["escrow_wei"] // 10) for ended in told["orders"]}
    assert contested == {1: 0, 2: 1, 3: 1, 4: 0, 5: 3, 6: 3, 7: 0}


def test_every_wei_is_accounted_for(told: dict[str, Any]) -> None:
    before, after = told["balances_before"], told["balances_after"]
    assert told["conserved"]
    assert before == {"payer": 100 * GEN, "provider": 100 * GEN, "arbiter": 0, "contract": 0}
    assert sum(before.values()) == sum(after.values())
    assert after["contract"] == after["arbiter"] == 0


def test_another_page_changes_the_ruling_and_the_exit_code(tmp_path: Path) -> None:
    pages = tmp_path / "pages"
    shutil.copytree(PAGES, pages)
    gauge = pages / "gauge.json"
    gauge.write_text(gauge.read_text().replace('"cm"', '"in"'))
    code, found = tell("--pages", str(pages))
    assert code == Exit.FAILED
    assert not found["ok"]
    assert found["conserved"], "money is conserved all the same"
    assert found["orders"][0]["status"] != "released"
