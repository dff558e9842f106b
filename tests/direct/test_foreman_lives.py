"""The lives of `contracts/lifecycle.json`, which the web app plays, played on the contract itself."""

import json
from pathlib import Path

import pytest

from tests.direct.orders import CONTEXT, DAY, GEN, NOTE, PAGE, verdict
from tests.direct.panel import Seat, Undetermined, decide

pytestmark = [pytest.mark.needs_rollback, pytest.mark.needs_balances]

LIFE = json.loads((Path(__file__).parents[2] / "contracts" / "lifecycle.json").read_text("utf-8"))["contracts"][
    "foreman"
]
ENDS = ("completed", "rejected", "cancelled", "expired")


def wei(gen):
    whole, _, fraction = gen.partition(".")
    return int(whole) * GEN + int(fraction.ljust(18, "0") or 0)


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
        assert (desk.refusal(acts[step["do"]]) is not None) is bool(step.get("refused"))


@pytest.mark.parametrize("life", LIFE["scenarios"], ids=[life["id"] for life in LIFE["scenarios"]])
def test_a_life_is_what_the_contract_does(desk, direct_accounts, life):
    cast = {"client": desk.client, "provider": desk.provider, "anyone": desk.stranger}
    cast["second_provider"] = direct_accounts[0]
    for step in life["steps"]:
        play(desk, step, cast)
        order, money = desk.order(), {name: wei(gen) for name, gen in step["money_gen"].items()}
        assert order["status"] == step["to"], step["say"]
        assert (order["paid_wei"], order["refunded_wei"]) == (money["provider"], money["client"]), step["say"]
        assert (0 if order["status"] in ENDS else order["escrow_wei"]) == money["escrow"], step["say"]


def test_the_states_and_moves_are_the_contracts():
    states = {name: state for name, state in LIFE["states"].items() if name != "none"}
    assert {name for name, state in states.items() if state["terminal"]} == set(ENDS)
    assert {name for name, state in states.items() if state["holds_money"]} == {"open", "claimed"}
    from tests.direct.test_foreman import ALLOWED

    moves = {move["method"].split("_")[0]: set(move["from"]) for move in LIFE["transitions"]}
    assert moves.pop("create") == {"none"}
    assert moves == ALLOWED


def test_every_move_is_played_in_some_life():
    played = {step["do"] for life in LIFE["scenarios"] for step in life["steps"]}
    assert played == {move["method"] for move in LIFE["transitions"]}
