"""No money is ever stuck in VerdictEscrow: whoever leaves for good, from every state there is a way to an end."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.direct.agreements import (
    AG_CLOSED,
    APPROVE,
    ARBITER,
    AWAITING,
    CLAIM,
    DEADLOCKED,
    GEN,
    INSUFFICIENT,
    PAGE,
    REASON,
    REFUNDED,
    REJECT,
    RELEASED,
    REVIEW,
    RULED,
    STALL,
    WINDOW,
    Play,
    is_refusal,
    ruling,
)

STARTS: dict[str, Callable[[Play], int]] = {
    "draft": lambda p: (n := p.draft(), p.milestone(n))[0],
    "awaiting evidence": lambda p: p.active(),
    "awaiting again": lambda p: p.accept(p.ruled(INSUFFICIENT)),
    "first review": lambda p: p.submit(p.active()),
    "review of the last attempt": lambda p: last_attempt(p),
    "review of an appeal": lambda p: p.appeal(p.ruled(APPROVE)),
    "review of a second appeal": lambda p: p.appeal(p.ruled(REJECT, APPROVE)),
    "approved": lambda p: p.ruled(APPROVE),
    "rejected": lambda p: p.ruled(REJECT),
    "inconclusive": lambda p: p.ruled(INSUFFICIENT),
    "approved in the last round": lambda p: p.ruled(APPROVE, REJECT, APPROVE),
    "escalated": lambda p: p.escalated(REJECT, APPROVE, APPROVE),
    "stalled deadlock": lambda p: p.stalled(APPROVE),
    "stalled deadlock without a ruling": lambda p: p.stalled(),
}
GONE = ["payer", "provider", "arbiter", "validators", "nobody", "arbiter and validators"]
RESTING = (AWAITING, REVIEW, RULED, DEADLOCKED)


def last_attempt(play: Play) -> int:
    n = play.active()
    for _ in (1, 2):
        play.submit(n)
        play.rule(n, verdict=INSUFFICIENT)
        play.accept(n)
    play.submit(n)
    return n


def tries(play: Play, n: int, gone: str) -> list[tuple[Any, str, tuple[Any, ...], int]]:
    """What those who are left would try; a stranger may help where anyone may."""
    left = [who for who in ("payer", "provider", "arbiter", "stranger") if who not in gone]
    calls: list[tuple[str, tuple[Any, ...], int]] = [
        ("abandon_draft", (n,), 0),
        ("cancel_overdue", (n, 0), 0),
        ("arbiter_ruling", (n, 0, False, REASON), 0),
        ("resolve_absent_arbiter", (n, 0), 0),
        ("finalize", (n, 0), 0),
        ("resolve_stalled_review", (n, 0), 0),
    ]
    if "validators" not in gone:
        calls.append(("adjudicate", (n, 0), 0))
    if "payer" in gone:  # a provider who can still win by delivering does
        calls.append(("submit_evidence", (n, 0, CLAIM, [PAGE]), 0))
    return [(getattr(play, who), *call) for call in calls for who in left]


@pytest.mark.parametrize("gone", GONE)
@pytest.mark.parametrize("start", STARTS)
def test_whoever_is_left_reaches_an_end_given_time(play: Play, start: str, gone: str) -> None:
    n = STARTS[start](play)
    patience = 120  # days
    while play.agreement(n)["state"] != AG_CLOSED and (start, gone) != (
        "draft",
        "payer",
    ):  # an empty draft holds nothing
        play.judge(ruling(APPROVE))
        if not any(succeeds(play, *call) for call in tries(play, n, gone)):
            play.wait(24)
            patience -= 1
        play.books()
        assert patience > 0, f"stuck in state {play.state(n)}"
    assert play.agreement(n)["escrowed"] == "0"
    assert all(play.state(n, i) not in RESTING for i in range(play.agreement(n)["milestone_count"]))


def succeeds(play: Play, who: Any, method: str, args: tuple[Any, ...], value: int) -> bool:
    try:
        play.do(who, method, *args, value=value)
    except Exception as refusal:
        if not is_refusal(refusal):
            raise
        return False
    return True


def test_the_payer_alone_is_refunded_when_provider_arbiter_and_network_are_gone(play: Play) -> None:
    """The worst case from the middle of a second appeal, with the only calls the payer has."""
    n = STARTS["review of a second appeal"](play)
    play.wait(STALL)
    play.do(play.payer, "resolve_stalled_review", n, 0)
    play.wait(ARBITER + 1)
    play.do(play.payer, "resolve_absent_arbiter", n, 0)
    assert (play.state(n), play.credit(play.provider)) == (RELEASED, 11 * GEN), "the last ruling was an approval"
    assert play.credit(play.payer) == GEN, "a stall takes nobody's bond"
    play.books()


def test_the_longest_a_provider_can_hold_the_money_without_proof_is_bounded(play: Play) -> None:
    """Three attempts that prove nothing, every window used to its end: the payer's wait is known in advance."""
    n = play.active(due=24)
    begun = play.hour
    for attempt in (1, 2, 3):
        play.at(play.look(n)["due_hour"])
        play.submit(n)
        for round_no in (1, 2, 3):
            play.wait(STALL - 1)
            play.rule(n, verdict=INSUFFICIENT)
            play.wait(WINDOW)
            if round_no < 3:
                play.appeal(n)
        if attempt < 3:
            play.wait(1)
            play.do(play.payer, "finalize", n, 0)
    play.appeal(n, method="escalate_to_arbiter")
    play.wait(ARBITER + 1)
    play.do(play.payer, "resolve_absent_arbiter", n, 0)
    assert play.state(n) == REFUNDED
    assert play.credit(play.payer) == 13 * GEN
    assert play.hour - begun == 3 * (24 + 3 * (STALL - 1 + WINDOW)) + 2 + ARBITER + 1
