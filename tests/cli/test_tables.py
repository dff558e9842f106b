"""What the command knows of states and verbs is what `contracts/lifecycle.json` says, which contract tests play."""

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import pytest

from foreman.cli.turn import AGREEMENT_TAKES, MILESTONE_TAKES, ORDER_TAKES
from foreman.cli.waiting import MILESTONE_LEADS, ORDER_LEADS

LIVES = json.loads((Path(__file__).parents[2] / "contracts" / "lifecycle.json").read_text("utf-8"))["contracts"]
ORDER_METHODS = {
    "claim": "claim_order", "deliver": "submit_deliverable", "abandon": "abandon_claim", "cancel": "cancel_order",
    "extend": "extend_deadline", "expire": "expire_order", "appeal": "appeal_delivery",
}  # fmt: skip
MILESTONE_METHODS = {
    "submit": "submit_evidence", "adjudicate": "adjudicate", "accept": "accept_ruling", "appeal": "appeal",
    "escalate": "escalate_to_arbiter", "finalize": "finalize", "rule": "arbiter_ruling",
    "cancel-overdue": "cancel_overdue", "resolve-stalled": "resolve_stalled_review",
    "resolve-absent": "resolve_absent_arbiter",
    "add-milestone": "add_milestone", "fund": "fund_and_activate",
}  # fmt: skip


def taken(contract: str, method: str) -> set[str]:
    """The states in which a method is taken, in the command's words."""
    rows: list[dict[str, Any]] = LIVES[contract]["transitions"]
    return {word.replace("_", " ") for row in rows if row["method"] == method for word in row["from"]}


def moves(contract: str) -> set[tuple[str, str]]:
    """Every change of state, in the words of `--until`."""
    rows: list[dict[str, Any]] = LIVES[contract]["transitions"]
    pairs = {(old, new) for row in rows for old in row["from"] for new in row["to"] if old != new}
    return {(old.replace("_", "-"), new.replace("_", "-")) for old, new in pairs if "none" not in (old, new)}


@pytest.mark.parametrize("verb", ORDER_METHODS)
def test_a_verb_of_an_order_takes_the_states_of_its_method(verb: str) -> None:
    assert set(ORDER_TAKES[verb]) == taken("foreman", ORDER_METHODS[verb])


@pytest.mark.parametrize("verb", MILESTONE_METHODS)
def test_a_verb_of_an_agreement_takes_the_state_of_its_method(verb: str) -> None:
    word = {**AGREEMENT_TAKES, **MILESTONE_TAKES}[verb].removeprefix("a ")
    assert {word} == taken("verdict_escrow", MILESTONE_METHODS[verb])


@pytest.mark.parametrize(("leads", "contract"), [(ORDER_LEADS, "foreman"), (MILESTONE_LEADS, "verdict_escrow")])
def test_waiting_knows_every_way_on_and_no_other(leads: Mapping[str, Collection[str]], contract: str) -> None:
    told = {(old, new) for old, all_new in leads.items() for new in all_new}
    assert told == {move for move in moves(contract) if "abandoned" not in move}  # a draft that ends has no milestones
