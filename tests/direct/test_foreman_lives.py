"""The lives of `contracts/lifecycle.json`, which the web app plays, played on Foreman itself."""

from typing import Any

import pytest

from tests.direct.lives import CONTRACTS, counted, follows, judged, wei
from tests.direct.orders import CONTEXT, DAY, NOTE, PAGE, verdict
from tests.direct.panel import Seat, Undetermined, decide

pytestmark = [pytest.mark.needs_rollback, pytest.mark.needs_balances]

LIFE = CONTRACTS["foreman"]
ENDS = ("completed", "rejected", "cancelled", "expired")


def play(desk, step, cast):
    """One step, as its row tells it: first time passes, then somebody acts, and may be refused or find no majority."""
    desk.at(desk.time + step.get("wait_days", 0) * DAY)
    desk.world(verdict(step.get("percent", 80)), status=404 if step.get("evidence") == "gone" else 200)
    who, url = cast[step["by"]], step.get("url", PAGE)
    acts = {
        "create_order": lambda: desk.create(wei(step["value_gen"]), step["deadline_days"], who=who),
        "claim_order": lambda: desk.claim(who=who),
        "submit_deliverable": lambda: desk.submit(0, url, NOTE, who=who),
        "appeal_delivery": lambda: desk.appeal(0, wei(step["value_gen"]), CONTEXT, who=who),
        "extend_deadline": lambda: desk.extend(0, step["extra_days"], who=who),
        "abandon_claim": lambda: desk.abandon(who=who),
        "cancel_order": lambda: desk.cancel(who=who),
        "expire_order": lambda: desk.expire(who=who),
    }
    if step.get("undetermined"):
        seats = [Seat(percent) for percent in (0, 25, 50, 75, 100)]
        desk.vm.decide = lambda block: decide(seats, block)
        with pytest.raises(Undetermined):
            acts[step["do"]]()
        desk.vm.decide = lambda block: block.lead(desk.vm.mocks)
    else:
        with counted(desk.vm) as asked:
            assert (desk.refusal(acts[step["do"]]) is not None) is bool(step.get("refused"))
        assert bool(asked) is (judged(LIFE, step["do"]) and not step.get("refused")), "the seats are asked as told"


@pytest.mark.parametrize("life", LIFE["scenarios"], ids=[life["id"] for life in LIFE["scenarios"]])
def test_a_life_is_what_the_contract_does(desk, direct_accounts, life):
    cast = {"client": desk.client, "provider": desk.provider, "anyone": desk.stranger}
    cast["second_provider"] = direct_accounts[0]
    at = "none"
    for step in life["steps"]:
        assert follows(LIFE, at, step), step["say"]
        play(desk, step, cast)
        order, money = desk.order(), {name: wei(gen) for name, gen in step["money_gen"].items()}
        assert order["status"] == step["to"], step["say"]
        assert (order["paid_wei"], order["refunded_wei"]) == (money["provider"], money["client"]), step["say"]
        assert (0 if order["status"] in ENDS else order["escrow_wei"]) == money["escrow"], step["say"]
        if "percent" in step:
            assert order["payout_percent"] == step["percent"], step["say"]
        at = step["to"]


def test_the_states_and_moves_are_the_contracts():
    states = {name: state for name, state in LIFE["states"].items() if name != "none"}
    assert {name for name, state in states.items() if state["terminal"]} == set(ENDS)
    assert {name for name, state in states.items() if state["holds_money"]} == {"open", "claimed"}
    from tests.direct.test_foreman import ALLOWED

    moves = {move["method"].split("_")[0]: set(move["from"]) for move in LIFE["transitions"]}
    assert moves.pop("create") == {"none"}
    assert moves == ALLOWED


def test_what_takes_money_is_told_as_taking_money():
    from tests.direct.test_foreman_static import PAYABLE

    assert {move["method"] for move in LIFE["transitions"] if move["payable"]} == set(PAYABLE)


def test_every_move_is_played_in_some_life():
    played = {step["do"] for life in LIFE["scenarios"] for step in life["steps"]}
    assert played == {move["method"] for move in LIFE["transitions"]}


@pytest.mark.parametrize(
    ("at", "step"),
    [
        ("open", {"do": "submit_deliverable", "to": "completed"}),
        ("claimed", {"do": "submit_deliverable", "to": "open"}),
        ("claimed", {"do": "extend_deadline", "to": "open"}),
        ("claimed", {"do": "submit_deliverable", "to": "completed", "refused": True}),
        ("completed", {"do": "claim_order", "to": "completed", "undetermined": True}),
    ],
    ids=["wrong start", "wrong end", "has to stay", "a refusal that moves", "no such move from here"],
)
def test_a_step_against_the_table_is_noticed(at: str, step: dict[str, Any]):
    assert not follows(LIFE, at, step)
