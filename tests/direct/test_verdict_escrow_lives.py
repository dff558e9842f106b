"""The lives of `contracts/lifecycle.json`, which the web app plays, played on VerdictEscrow itself."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.direct.agreements import (
    AG_CLOSED,
    APPROVE,
    CLAIM,
    GROUNDS,
    INSUFFICIENT,
    PAGE,
    REASON,
    REJECT,
    Play,
    is_refusal,
    plain,
)
from tests.direct.jury import Jury, Undetermined, says
from tests.direct.lives import CONTRACTS, counted, follows, judged, wei
from tests.direct.test_verdict_escrow_guards import METHODS
from tests.direct.test_verdict_escrow_source import PAYABLE

pytestmark = [pytest.mark.needs_rollback, pytest.mark.needs_balances]

LIFE = CONTRACTS["verdict_escrow"]
NUMBERS = {name: state.get("number") for name, state in LIFE["states"].items()}
TOLD = {  # the states of the table, as the tests of the guards call them
    "draft": {"draft"},
    "awaiting_evidence": {"awaiting"},
    "under_review": {"review"},
    "ruled": {"ruled", "ruled in round 3"},
    "deadlocked": {"deadlocked"},
}


def arguments(play: Play, step: dict[str, Any]) -> tuple[Any, ...]:
    """What the step leaves out because it does not matter to the story."""
    if step["do"] == "create_agreement":
        return plain(play.provider), plain(play.arbiter), "The report", ["example.com"]
    if step["do"] == "add_milestone":
        due = play.hour + 24 * step["due_days"]
        return 1, "The report", ["The report lists five sources"], wei(step["amount_gen"]), due
    given: dict[str, tuple[Any, ...]] = {
        "fund_and_activate": (),
        "abandon_draft": (),
        "submit_evidence": (0, CLAIM, [step.get("url", PAGE)]),
        "appeal": (0, GROUNDS),
        "escalate_to_arbiter": (0, GROUNDS),
        "arbiter_ruling": (0, step.get("approve") is True, REASON),
    }
    return (1, *given.get(step["do"], (0,)))


def acting(play: Play, step: dict[str, Any]) -> Callable[[], Any]:
    """The step's call, ready to be made."""
    if step["do"] == "adjudicate" and not step.get("undetermined"):
        return lambda: play.rule(1, verdict=step["verdict"])
    who = play.stranger if step["by"] == "anyone" else getattr(play, step["by"])
    return lambda: play.do(who, step["do"], *arguments(play, step), value=wei(step.get("value_gen", "0")))


def take(play: Play, step: dict[str, Any]) -> None:
    """One step, as its row tells it: first time passes, then somebody acts, and may be refused or find no majority."""
    play.wait(step.get("wait_hours", 0))
    act = acting(play, step)
    if step.get("undetermined"):
        usual = play.vm.decide
        Jury([says(word)[0] for word in (APPROVE, REJECT, INSUFFICIENT, APPROVE, REJECT)]).sit(play.vm)
        with pytest.raises(Undetermined):
            act()
        play.vm.decide = usual
    elif step.get("refused"):
        before = play.picture()
        with pytest.raises(Exception, match=r".") as caught:
            act()
        assert is_refusal(caught.value), "a crash is no refusal"
        assert play.picture() == before
    else:
        with counted(play.vm) as asked:
            act()
        assert bool(asked) is judged(LIFE, step["do"]), "the seats are asked as told"


def money(play: Play) -> dict[str, int]:
    escrow = int(play.agreement(1)["escrowed"])
    return {"escrow": escrow, "payer": play.credit(play.payer), "provider": play.credit(play.provider)}


@pytest.mark.parametrize("life", LIFE["scenarios"], ids=lambda life: life["id"])
def test_a_life_is_what_the_contract_does(play: Play, life: dict[str, Any]) -> None:
    at = "none"
    for step in life["steps"]:
        assert follows(LIFE, at, step), step["say"]
        take(play, step)
        assert money(play) == {name: wei(amount) for name, amount in step["money_gen"].items()}, step["say"]
        if step["to"] == "abandoned":
            assert play.agreement(1)["state"] == AG_CLOSED
        elif play.agreement(1)["milestone_count"]:
            assert play.state(1) == NUMBERS[step["to"]], step["say"]
        if "verdict" in step:
            assert play.rulings(1)[-1]["verdict"] == step["verdict"], step["say"]
        at = step["to"]
    play.books()


def test_the_moves_are_the_contracts() -> None:
    moves = {move["method"]: set().union(*(TOLD[state] for state in move["from"])) for move in LIFE["transitions"][1:]}
    told = {name: states for name, (_, _, _, states) in METHODS.items()}
    # An appeal needs a round to go to, and an escalation needs the last one: `when` tells that, `from` cannot.
    assert moves.pop("appeal") >= told.pop("appeal")
    assert moves.pop("escalate_to_arbiter") >= told.pop("escalate_to_arbiter")
    assert moves == told
    assert LIFE["transitions"][0]["method"] == "create_agreement"
    assert LIFE["transitions"][0]["from"] == ["none"]


def test_what_takes_money_is_told_as_taking_money() -> None:
    assert {move["method"] for move in LIFE["transitions"] if move["payable"]} == PAYABLE


def test_every_move_is_played_in_some_life() -> None:
    played = {step["do"] for life in LIFE["scenarios"] for step in life["steps"]}
    assert played == {move["method"] for move in LIFE["transitions"]}
