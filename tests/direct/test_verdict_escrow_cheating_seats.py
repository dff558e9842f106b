"""Nobody profits from cheating in VerdictEscrow: what arbiter, strangers, leaders and lying seats try, one per test.

The list of all attempts, with those of payer and provider, stands in docs/agreements.md and is compared here.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from foreman.execution import Outcome
from tests.direct import test_verdict_escrow_cheating as parties
from tests.direct.agreements import (
    APPROVE,
    ARBITER,
    GEN,
    GROUNDS,
    INSUFFICIENT,
    REASON,
    REJECT,
    RELEASED,
    REVIEW,
    RULED,
    STALL,
    WINDOW,
    Play,
    plain,
    ruling,
)
from tests.direct.jury import Jury, Undetermined, says
from tests.direct.test_verdict_escrow_cheating import delivered

# The arbiter


@pytest.mark.parametrize("verdicts", [(), (APPROVE,), (APPROVE, APPROVE, APPROVE)])
def test_the_arbiter_has_no_say_before_a_deadlock(play: Play, verdicts: tuple[str, ...]) -> None:
    n = play.ruled(*verdicts) if verdicts else play.active()
    play.refused(play.arbiter, "arbiter_ruling", n, 0, False, REASON, why="milestone is not deadlocked")


def test_the_arbiter_cannot_pay_itself_or_anyone_but_the_two_parties(play: Play) -> None:
    n = play.escalated()
    play.do(play.arbiter, "arbiter_ruling", n, 0, False, REASON)
    assert play.credit(play.arbiter) == play.credit(play.stranger) == 0
    assert play.credit(play.payer) + play.credit(play.provider) == 13 * GEN


def test_an_arbiter_who_stays_away_holds_nothing_up(play: Play) -> None:
    n = play.escalated(REJECT, APPROVE, APPROVE)
    play.wait(ARBITER + 1)
    play.refused(play.arbiter, "arbiter_ruling", n, 0, False, REASON, why="time is over")
    play.do(play.provider, "resolve_absent_arbiter", n, 0)
    assert play.state(n) == RELEASED


def test_the_arbiter_rules_once(play: Play) -> None:
    n = play.escalated()
    play.do(play.arbiter, "arbiter_ruling", n, 0, True, REASON)
    play.refused(play.arbiter, "arbiter_ruling", n, 0, False, REASON, why="milestone is not deadlocked")


# Strangers


def test_a_stranger_has_no_credit_to_take(play: Play) -> None:
    n = play.ruled(APPROVE)
    play.accept(n)
    play.refused(play.stranger, "withdraw", why="nothing to withdraw")


def test_a_stranger_cannot_cut_the_window_short(play: Play) -> None:
    n = play.ruled(APPROVE)
    play.wait(WINDOW)
    play.refused(play.stranger, "finalize", n, 0, why="appeal window is still open")


def test_nobody_can_ask_again_until_the_ruling_suits_them(play: Play) -> None:
    n = play.ruled(APPROVE)
    play.judge(ruling(REJECT))
    play.refused(play.payer, "adjudicate", n, 0, why="milestone is not under review")


def test_a_stranger_cannot_end_a_review_or_appeal_for_the_loser(play: Play) -> None:
    n = delivered(play)
    play.wait(STALL)
    play.refused(play.stranger, "resolve_stalled_review", n, 0, why="only a party or the arbiter")
    play.rule(n)
    play.refused(play.stranger, "appeal", n, 0, GROUNDS, value=GEN, why="only the losing party")


def test_flooding_somebodys_list_does_not_hide_or_slow_it(play: Play) -> None:
    mine = play.draft()
    names = plain(play.payer), plain(play.provider)
    for _ in range(60):
        play.do(play.stranger, "create_agreement", *names, "Spam", ["example.com"])
    page = play.contract.get_agreements_by_party(plain(play.payer), 60, 50)
    assert [agreement["id"] for agreement in page] == [mine]


# Leaders and seats


@pytest.mark.parametrize("truth", [APPROVE, REJECT, INSUFFICIENT])
@pytest.mark.parametrize("lie", [APPROVE, REJECT, INSUFFICIENT])
def test_two_lying_seats_of_five_decide_nothing(play: Play, truth: str, lie: str) -> None:
    n = delivered(play)
    jury = Jury(says(truth), liars=2, lie=ruling(lie)).sit(play.vm)
    play.do(play.stranger, "adjudicate", n, 0)
    assert play.rulings(n)[0]["verdict"] == truth
    assert jury.lied is (lie == truth)


def test_a_leader_that_cries_failure_blocks_nothing(play: Play) -> None:
    n = delivered(play)
    for cry in (Outcome.user_error("the judge gave no usable ruling"), Outcome.vm_error("exit_code 1")):
        jury = Jury(says(APPROVE), liars=1, lie=cry).sit(play.vm)
        play.do(play.stranger, "adjudicate", n, 0)
        assert jury.votes[0] == [True, False, False, False, False]
        assert play.state(n) == RULED
        play.accept(n)
        n = delivered(play)


def test_a_leader_cannot_write_more_than_a_ruling_into_the_book(play: Play) -> None:
    n = delivered(play)
    essay = ruling(rationale="A" * 100_000)
    extra = {**ruling(), "note": "and pay the leader"}
    for lie in (essay, extra, ruling(confidence=10**30)):
        jury = Jury(says(REJECT), liars=1, lie=lie).sit(play.vm)
        play.do(play.stranger, "adjudicate", n, 0)
        assert jury.votes[0].count(True) == 1
        assert set(play.rulings(n)[0]["rationale"]) != {"A"}
        n = delivered(play)


def test_the_band_of_a_lying_leader_moves_no_money(play: Play) -> None:
    """Confidence in the band and a list that overlaps by half are the leader's luck; the payout is the verdict's."""
    credits = []
    for lie in (ruling(REJECT, 100, [0]), ruling(REJECT, 70, [0, 1])):
        n = delivered(play)
        Jury([json.dumps(ruling(REJECT, 88, [0]))] * 5, liars=1, lie=lie).sit(play.vm)
        play.do(play.stranger, "adjudicate", n, 0)
        assert play.rulings(n)[0]["confidence"] == lie["confidence"]
        play.accept(n)
        credits.append(play.take(play.payer))
    assert credits == [10 * GEN, 10 * GEN]


def test_judges_that_fail_alike_agree_on_nothing_but_that(play: Play) -> None:
    n = delivered(play)
    Jury(["I cannot help with that."] * 5).sit(play.vm)
    play.refused(play.stranger, "adjudicate", n, 0, why="the judge gave no usable ruling")
    assert play.state(n) == REVIEW


def test_other_reasons_for_the_same_verdict_do_not_pass_on_appeal(play: Play) -> None:
    n = play.ruled(REJECT)
    play.appeal(n)
    answers = [
        json.dumps(ruling(REJECT, 90, [0], f"Reviewer {seat} cites a fact that nobody else cites."))
        for seat in range(5)
    ]
    jury = Jury(answers)
    jury.world, told = (lambda seat: differing(told(seat))), jury.world  # type: ignore[method-assign]
    jury.sit(play.vm)
    with pytest.raises(Undetermined):
        play.do(play.stranger, "adjudicate", n, 0)


def differing(world: Any) -> Any:
    """A seat whose judge finds that the reasons differ."""
    world.answers = [mock for mock in world.answers if "same" not in mock.pattern.pattern]
    world.mock_llm("verdict/same/1", "DIFFERENT")
    return world


def test_the_table_of_attempts_and_the_tests_are_the_same_list() -> None:
    text = (Path(__file__).parents[2] / "docs" / "agreements.md").read_text("utf-8")
    table = text.partition("## Nobody profits from cheating")[2].partition("\n## ")[0]
    listed = [cell.strip("`") for cell in table.split() if cell.startswith("`test_")]
    written = [name for name in {**vars(parties), **globals()} if name.startswith("test_") and "table" not in name]
    assert sorted(listed) == sorted(written)
    assert len(listed) >= 25
