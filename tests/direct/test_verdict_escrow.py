"""VerdictEscrow: what every method does, whom it refuses, and each limit at its edge."""

from collections.abc import Callable

import pytest

from tests.direct.agreements import (
    AG_ACTIVE,
    AG_CLOSED,
    AG_DRAFT,
    APPROVE,
    ARBITER,
    AWAITING,
    CLAIM,
    CRITERIA,
    DEADLOCKED,
    GEN,
    GROUNDS,
    INSUFFICIENT,
    NOON,
    PAGE,
    REASON,
    REFUNDED,
    REJECT,
    RELEASED,
    RETRY,
    REVIEW,
    RULED,
    STALL,
    WINDOW,
    Play,
    plain,
    timeline,
)


def ending(play: Play, n: int, i: int = 0) -> tuple[str, str]:
    """The last moment of a milestone's timeline."""
    last = play.look(n, i)["timeline"][-1]
    return last["event"], last["detail"]


def test_an_agreement_lives_from_draft_to_withdrawal(play: Play) -> None:
    n = play.draft()
    assert n == 1
    assert play.milestone(n, amount=7 * GEN) == 0
    assert play.milestone(n, amount=3 * GEN) == 1
    assert play.agreement(n)["state"] == AG_DRAFT
    play.fund(n)
    assert play.agreement(n)["state"] == AG_ACTIVE
    assert [play.state(n, 0), play.state(n, 1)] == [AWAITING, AWAITING]
    play.submit(n)
    assert play.state(n) == REVIEW
    play.rule(n)
    assert play.state(n) == RULED
    play.accept(n)
    assert play.state(n) == RELEASED
    assert play.credit(play.provider) == 7 * GEN
    assert play.agreement(n)["state"] == AG_ACTIVE
    assert play.agreement(n)["escrowed"] == str(3 * GEN)
    play.wait(169)
    play.do(play.payer, "cancel_overdue", n, 1)
    assert play.state(n, 1) == REFUNDED
    assert ending(play, n, 1) == ("refunded", "overdue")
    assert play.agreement(n)["state"] == AG_CLOSED
    assert play.agreement(n)["escrowed"] == "0"
    play.books()
    assert play.take(play.provider) == 7 * GEN
    assert play.take(play.payer) == 3 * GEN
    play.books()
    assert play.held == 0


def test_ids_count_from_one_and_indices_from_zero(play: Play) -> None:
    assert [play.draft(), play.draft(), play.draft()] == [1, 2, 3]
    assert [play.milestone(2), play.milestone(2), play.milestone(3)] == [0, 1, 0]
    assert play.contract.get_agreement_count() == 3


def test_a_draft_can_be_abandoned_and_is_then_closed_for_good(play: Play) -> None:
    n = play.draft()
    play.milestone(n)
    play.do(play.payer, "abandon_draft", n)
    assert play.agreement(n)["state"] == AG_CLOSED
    play.refused(play.payer, "abandon_draft", n, why="agreement is not a draft")
    play.refused(play.payer, "fund_and_activate", n, value=10 * GEN, why="already active or abandoned")
    play.refused(play.payer, "add_milestone", n, "More", CRITERIA, GEN, NOON + 9, why="no longer editable")
    play.refused(play.provider, "submit_evidence", n, 0, CLAIM, [PAGE], why="not awaiting evidence")


def test_a_loser_who_accepts_settles_at_once(play: Play) -> None:
    n = play.ruled(REJECT)
    play.do(play.provider, "accept_ruling", n, 0)
    assert play.state(n) == REFUNDED
    assert play.credit(play.payer) == 10 * GEN
    play.books()


def test_anyone_finalizes_a_ruling_that_nobody_contested(play: Play) -> None:
    n = play.ruled(APPROVE)
    play.wait(WINDOW)
    play.refused(play.stranger, "finalize", n, 0, why="appeal window is still open")
    play.wait(1)
    play.do(play.stranger, "finalize", n, 0)
    assert play.state(n) == RELEASED
    assert play.credit(play.provider) == 10 * GEN


def test_an_appeal_takes_a_tenth_as_bond_and_opens_the_next_round(play: Play) -> None:
    n = play.ruled(APPROVE)
    assert play.look(n)["appeal_bond"] == str(GEN)
    play.do(play.payer, "appeal", n, 0, GROUNDS, value=GEN)
    m = play.look(n)
    assert (m["state"], m["round_no"], m["appeal_grounds"]) == (REVIEW, 2, GROUNDS)
    assert (m["payer_bond"], m["provider_bond"]) == (str(GEN), "0")
    assert m["last_appellant"].lower() == plain(play.payer)
    assert play.agreement(n)["escrowed"] == str(11 * GEN)
    play.books()


MONEY = [
    # verdicts in order; then amounts in tenths of a milestone (of 10) for payer and provider
    pytest.param((APPROVE,), 0, 10, id="approved"),
    pytest.param((REJECT,), 10, 0, id="rejected"),
    pytest.param((APPROVE, APPROVE), 0, 11, id="the payer's appeal fails and the bond is forfeit"),
    pytest.param((APPROVE, REJECT), 11, 0, id="the payer's appeal flips and the bond returns"),
    pytest.param((REJECT, APPROVE), 0, 11, id="the provider's appeal flips and the bond returns"),
    pytest.param((REJECT, REJECT), 11, 0, id="the provider's appeal fails and the bond is forfeit"),
    pytest.param((REJECT, APPROVE, REJECT), 12, 0, id="both appealed, the payer wins both bonds"),
    pytest.param((REJECT, APPROVE, APPROVE), 0, 12, id="both appealed, the provider wins both bonds"),
    pytest.param((REJECT, REJECT, APPROVE), 0, 12, id="the provider's second appeal wins both own bonds back"),
    pytest.param((APPROVE, APPROVE, APPROVE), 0, 12, id="the payer appealed twice and loses both bonds"),
]


@pytest.mark.parametrize(("verdicts", "payer", "provider"), MONEY)
@pytest.mark.parametrize("end", ["accepted", "left standing"])
def test_who_gets_what(play: Play, verdicts: tuple[str, ...], payer: int, provider: int, end: str) -> None:
    n = play.ruled(*verdicts)
    if end == "accepted":
        play.accept(n)
    else:
        play.wait(WINDOW + 1)
        play.do(play.stranger, "finalize", n, 0)
    assert (play.credit(play.payer), play.credit(play.provider)) == (payer * GEN, provider * GEN)
    assert play.state(n) == (RELEASED if verdicts[-1] == APPROVE else REFUNDED)
    assert play.look(n)["timeline"][-1]["detail"] == end
    play.books()


@pytest.mark.parametrize("approve", [True, False])
def test_the_arbiter_settles_a_deadlock_at_once_and_for_good(play: Play, approve: bool) -> None:
    n = play.escalated()
    play.do(play.arbiter, "arbiter_ruling", n, 0, approve, REASON)
    assert play.state(n) == (RELEASED if approve else REFUNDED)
    last = play.rulings(n)[-1]
    assert last["by_arbiter"] is True
    assert last["confidence"] == 100
    assert last["verdict"] == (APPROVE if approve else REJECT)
    assert last["unmet"] == ([] if approve else [0, 1, 2])
    assert last["rationale"] == REASON
    assert ending(play, n) == ("released" if approve else "refunded", "arbiter")
    assert (play.credit(play.payer), play.credit(play.provider)) == ((0, 13 * GEN) if approve else (13 * GEN, 0))
    play.refused(play.arbiter, "arbiter_ruling", n, 0, not approve, REASON, why="not deadlocked")
    play.books()


def test_an_inconclusive_ruling_returns_both_bonds_and_gives_another_attempt(play: Play) -> None:
    n = play.ruled(REJECT, APPROVE, INSUFFICIENT)  # the provider appealed, then the payer
    assert play.agreement(n)["escrowed"] == str(12 * GEN)
    play.accept(n)
    m = play.look(n)
    assert (play.credit(play.payer), play.credit(play.provider)) == (GEN, GEN)
    assert (m["state"], m["round_no"], m["evidence"], m["appeal_grounds"]) == (AWAITING, 0, [], "")
    assert (m["payer_bond"], m["provider_bond"], m["submissions"]) == ("0", "0", 1)
    assert play.agreement(n)["escrowed"] == str(10 * GEN)
    assert len(play.rulings(n)) == 3, "rulings are append-only"
    play.books()


def test_the_third_inconclusive_attempt_refunds_the_payer(play: Play) -> None:
    n = play.active()
    for attempt in (1, 2, 3):
        assert play.state(n) == AWAITING
        play.submit(n)
        play.rule(n, verdict=INSUFFICIENT)
        play.accept(n)
        assert play.look(n)["submissions"] == attempt
    assert play.state(n) == REFUNDED
    assert play.credit(play.payer) == 10 * GEN
    play.books()


def test_the_provider_loses_the_bond_when_the_last_attempt_proves_nothing(play: Play) -> None:
    n = play.active()
    for _ in (1, 2):
        play.submit(n)
        play.rule(n, verdict=INSUFFICIENT)
        play.accept(n)
    play.submit(n)
    play.rule(n, verdict=REJECT)
    play.appeal(n)
    play.rule(n, verdict=INSUFFICIENT)
    play.accept(n)
    assert play.credit(play.payer) == 11 * GEN
    play.books()


@pytest.mark.parametrize(("left", "due"), [(RETRY - 1, RETRY), (RETRY, RETRY), (RETRY + 1, RETRY + 1), (-5, RETRY)])
def test_another_attempt_has_a_day_at_the_least(play: Play, left: int, due: int) -> None:
    n = play.active(due=100)
    play.submit(n)
    play.wait(100 - left if left >= 0 else 105)
    play.rule(n, verdict=INSUFFICIENT)
    play.accept(n)
    assert play.look(n)["due_hour"] == play.hour + due


def test_an_arbiters_ruling_after_a_stall_moves_bonds_like_any_other(play: Play) -> None:
    n = play.stalled(APPROVE)  # the payer's appeal stalled
    play.do(play.arbiter, "arbiter_ruling", n, 0, True, REASON)
    assert play.credit(play.provider) == 11 * GEN
    play.books()


def test_a_stalled_first_round_gives_the_attempt_back_and_moves_no_money(play: Play) -> None:
    n = play.active(due=168)
    due = play.look(n)["due_hour"]
    play.wait(10)
    play.submit(n)
    play.wait(STALL + 7)
    play.do(play.provider, "resolve_stalled_review", n, 0)
    m = play.look(n)
    assert (m["state"], m["submissions"], m["round_no"], m["evidence"]) == (AWAITING, 1, 0, [])
    assert m["due_hour"] == due + STALL + 7
    assert play.agreement(n)["escrowed"] == str(10 * GEN)
    assert ending(play, n) == ("reopened", "stalled")
    play.books()


def test_a_delivery_in_its_last_hour_that_stalls_still_gets_a_day(play: Play) -> None:
    """Else the payer could cancel one hour after a stall that proves nothing."""
    n = play.active(due=10)
    play.wait(10)
    play.submit(n)
    play.wait(STALL)
    play.do(play.payer, "resolve_stalled_review", n, 0)
    assert play.look(n)["due_hour"] == play.hour + RETRY


def test_the_third_attempt_that_stalls_is_a_deadlock(play: Play) -> None:
    n = play.stalled()
    m = play.look(n)
    assert (m["state"], m["submissions"], m["escalated"]) == (DEADLOCKED, 3, False)
    assert ending(play, n) == ("stalled", "")
    play.wait(ARBITER + 1)
    play.do(play.provider, "resolve_absent_arbiter", n, 0)
    assert play.credit(play.payer) == 10 * GEN, "no ruling, no release"
    play.books()


ABSENT = [
    # how the deadlock came about, then tenths for payer and provider
    pytest.param(lambda p: p.stalled(APPROVE), 1, 10, id="stalled appeal of an approval: its bond returns"),
    pytest.param(lambda p: p.stalled(REJECT), 10, 1, id="stalled appeal of a rejection: its bond returns"),
    pytest.param(lambda p: p.stalled(INSUFFICIENT), 10, 1, id="stalled appeal of an inconclusive ruling"),
    pytest.param(lambda p: p.stalled(REJECT, APPROVE), 1, 11, id="stalled third round: each bond to its poster"),
    pytest.param(lambda p: p.escalated(REJECT, REJECT, REJECT), 13, 0, id="escalated rejection: bonds are forfeit"),
    pytest.param(lambda p: p.escalated(REJECT, APPROVE, APPROVE), 0, 13, id="escalated approval: bonds are forfeit"),
    pytest.param(lambda p: p.escalated(REJECT, APPROVE, INSUFFICIENT), 11, 2, id="inconclusive: bonds return"),
]


@pytest.mark.parametrize(("deadlock", "payer", "provider"), ABSENT)
@pytest.mark.parametrize("who", ["payer", "provider"])
def test_without_the_arbiter_the_last_ruling_decides(
    play: Play, deadlock: Callable[[Play], int], payer: int, provider: int, who: str
) -> None:
    n = deadlock(play)
    play.wait(ARBITER)
    play.refused(getattr(play, who), "resolve_absent_arbiter", n, 0, why="the arbiter still has time")
    play.wait(1)
    play.refused(play.arbiter, "arbiter_ruling", n, 0, True, REASON, why="the arbiter's time is over")
    play.do(getattr(play, who), "resolve_absent_arbiter", n, 0)
    assert ending(play, n)[1] == "arbiter absent"
    assert (play.credit(play.payer), play.credit(play.provider)) == (payer * GEN, provider * GEN)
    play.books()


def test_an_escalated_inconclusive_last_attempt_forfeits_the_bond(play: Play) -> None:
    """As if the ruling had been accepted: with no attempt left the provider has lost."""
    n = play.active()
    for _ in (1, 2):
        play.submit(n)
        play.rule(n, verdict=INSUFFICIENT)
        play.accept(n)
    play.submit(n)
    for round_no in (1, 2, 3):
        play.rule(n, verdict=INSUFFICIENT)
        play.appeal(n, method="appeal" if round_no < 3 else "escalate_to_arbiter")
    play.wait(ARBITER + 1)
    play.do(play.payer, "resolve_absent_arbiter", n, 0)
    assert (play.credit(play.payer), play.credit(play.provider)) == (13 * GEN, 0)
    play.books()


def test_the_longest_life_fits_its_timeline_and_every_change_of_state_is_in_it(play: Play) -> None:
    n = play.active()
    for attempt in (1, 2, 3):
        play.submit(n)
        for round_no in (1, 2, 3):
            play.rule(n, verdict=INSUFFICIENT)
            if round_no < 3:
                play.appeal(n)
        if attempt < 3:
            play.accept(n)
    play.appeal(n, method="escalate_to_arbiter")
    play.do(play.arbiter, "arbiter_ruling", n, 0, True, REASON)
    m = play.look(n)
    attempt_of = ["submitted", "ruled", "appealed", "ruled", "appealed", "ruled"]
    thrice = [*attempt_of, "reopened", *attempt_of, "reopened", *attempt_of]
    assert timeline(m) == ["added", "funded", *thrice, "escalated", "ruled", "released"]
    assert len(m["timeline"]) == 25
    assert len(play.rulings(n)) == 10
    assert m["timeline"][2] == {
        "t": NOON * 3600 + 1800,
        "event": "submitted",
        "actor": m["timeline"][2]["actor"],
        "detail": "attempt 1",
    }
    assert m["timeline"][2]["actor"].lower() == plain(play.provider)


def test_withdrawing_empties_the_credit_once(play: Play) -> None:
    n = play.ruled(APPROVE)
    play.accept(n)
    play.refused(play.payer, "withdraw", why="nothing to withdraw")
    assert play.take(play.provider) == 10 * GEN
    play.refused(play.provider, "withdraw", why="nothing to withdraw")
    assert play.credit(play.provider) == 0


def test_credits_of_several_milestones_add_up(play: Play) -> None:
    n = play.ruled(APPROVE, milestones=2)
    play.accept(n)
    play.submit(n, 1)
    play.rule(n, 1)
    play.accept(n, 1)
    assert play.credit(play.provider) == 20 * GEN
    play.books()
