"""Every sentence with which VerdictEscrow refuses is on record, word by word: people read them, programs match them."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from tests.direct.agreements import (
    APPROVE,
    ARBITER,
    CLAIM,
    CRITERIA,
    GEN,
    GROUNDS,
    PAGE,
    REASON,
    STALL,
    WINDOW,
    Play,
    is_refusal,
    plain,
)
from tests.direct.test_verdict_escrow_guards import METHODS, STATES


def sentence(play: Play, who: Any, method: str, *args: Any, value: int = 0) -> str:
    """What the contract says to a call, or that it does as told."""
    try:
        play.do(who, method, *args, value=value)
    except Exception as error:
        if not is_refusal(error):
            raise
        return str(error).removeprefix("UserError(message=").removesuffix(")")[1:-1]
    return "(done)"


def test_the_sentences_about_states_are_on_record(play: Play, golden: Callable[[str, str], None]) -> None:
    """Each method in each state, by who may call it where it works."""
    play.judge("I cannot say.")
    lines = []
    for state, build in STATES.items():
        for method, (who, args, value, _) in METHODS.items():
            n = build(play)
            lines.append(
                f"{state}, {method}: {sentence(play, getattr(play, who), method, *args(play, n), value=value)}"
            )
    golden("contracts/verdict_escrow_states.txt", "\n".join(lines) + "\n")


def test_the_sentences_about_callers_are_on_record(play: Play, golden: Callable[[str, str], None]) -> None:
    """A stranger tries each method where it would work for somebody."""
    play.judge("I cannot say.")
    lines = []
    for method, (_, args, value, states) in METHODS.items():
        n = STATES[min(states)](play)
        lines.append(f"{method}: {sentence(play, play.stranger, method, *args(play, n), value=value)}")
    golden("contracts/verdict_escrow_callers.txt", "\n".join(lines) + "\n")


def situations(play: Play) -> SimpleNamespace:
    """Agreements in every state that the calls below are made on; their ids follow from the order."""
    at = SimpleNamespace(provider=plain(play.provider), arbiter=plain(play.arbiter))
    at.draft, at.live, at.ruled, at.deadlock = play.draft(), play.active(), play.ruled(APPROVE), play.escalated()
    at.late = play.active(due=1)
    at.review = play.submit(play.active())
    at.empty, at.last, at.stale = play.draft(), play.ruled(APPROVE, APPROVE, APPROVE), play.draft()
    play.milestone(at.stale, due=2)
    at.due = play.hour + 99
    at.full = play.draft()
    for _ in range(20):
        play.milestone(at.full)
    play.wait(2)
    return at


def drafting(play: Play, at: SimpleNamespace) -> list[tuple[Any, ...]]:
    """One call for each thing that can be wrong about what a draft is made of."""
    return [
        (play.payer, "create_agreement", "nobody", at.arbiter, "Work", ["example.com"]),
        (play.payer, "create_agreement", at.provider, "nobody", "Work", ["example.com"]),
        (play.payer, "create_agreement", at.provider, at.provider, "Work", ["example.com"]),
        (play.payer, "create_agreement", at.provider, at.arbiter, "", ["example.com"]),
        (play.payer, "create_agreement", at.provider, at.arbiter, "Work", []),
        (play.payer, "create_agreement", at.provider, at.arbiter, "Work", ["example.com", "example.com"]),
        (play.payer, "create_agreement", at.provider, at.arbiter, "Work", ["co.uk"]),
        (play.payer, "add_milestone", at.draft, "", CRITERIA, GEN, at.due),
        (play.payer, "add_milestone", at.draft, "Part", [], GEN, at.due),
        (play.payer, "add_milestone", at.draft, "Part", ["short"], GEN, at.due),
        (play.payer, "add_milestone", at.draft, "Part", ["Twice the same"] * 2, GEN, at.due),
        (play.payer, "add_milestone", at.draft, "Part", CRITERIA, 1, at.due),
        (play.payer, "add_milestone", at.draft, "Part", CRITERIA, GEN, 0),
        (play.payer, "add_milestone", at.full, "Part", CRITERIA, GEN, at.due),
        (play.payer, "fund_and_activate", at.empty),
        (play.payer, "fund_and_activate", at.stale),
        (play.payer, "fund_and_activate", at.full),
    ]


def going_on(play: Play, at: SimpleNamespace) -> list[tuple[Any, ...]]:
    """The same for everything after the funding, and for the views."""
    return [
        (play.provider, "submit_evidence", at.live, 0, "short", [PAGE]),
        (play.provider, "submit_evidence", at.live, 0, CLAIM, []),
        (play.provider, "submit_evidence", at.live, 0, CLAIM, [PAGE, PAGE]),
        (play.provider, "submit_evidence", at.live, 0, CLAIM, ["https://evil.org/"]),
        (play.provider, "submit_evidence", at.live, 0, CLAIM, ["nonsense"]),
        (play.provider, "submit_evidence", at.late, 0, CLAIM, [PAGE]),
        (play.payer, "appeal", at.ruled, 0, "unfair"),
        (play.payer, "appeal", at.ruled, 0, GROUNDS),
        (play.payer, "escalate_to_arbiter", at.last, 0, GROUNDS),
        (play.stranger, "finalize", at.ruled, 0),
        (play.payer, "cancel_overdue", at.live, 0),
        (play.payer, "resolve_stalled_review", at.review, 0),
        (play.payer, "resolve_absent_arbiter", at.deadlock, 0),
        (play.arbiter, "arbiter_ruling", at.deadlock, 0, 1, REASON),
        (play.arbiter, "arbiter_ruling", at.deadlock, 0, True, "because"),
        (play.arbiter, "arbiter_ruling", at.deadlock, 0, True, None),
        (play.stranger, "withdraw"),
        (play.stranger, "get_agreement", 999),
        (play.stranger, "get_milestone", at.live, 9),
        (play.stranger, "get_agreements_page", "0", 5),
        (play.stranger, "get_agreements_by_party", "nobody", 0, 5),
        (play.stranger, "credit_of", "nobody"),
    ]


def test_the_sentences_about_inputs_are_on_record(play: Play, golden: Callable[[str, str], None]) -> None:
    at = situations(play)
    lines = [f"{call[1]}: {sentence(play, *call)}" for call in drafting(play, at) + going_on(play, at)]
    play.wait(WINDOW + 1)
    ruled, last = 3, play.contract.get_agreement_count() - 1
    for call in (
        (play.payer, "appeal", ruled, 0, GROUNDS),
        (play.payer, "accept_ruling", ruled, 0),
        (play.payer, "escalate_to_arbiter", last, 0, GROUNDS),
    ):
        lines.append(f"{call[1]}, too late: {sentence(play, *call)}")
    play.wait(ARBITER + STALL)
    lines.append(f"arbiter_ruling, too late: {sentence(play, play.arbiter, 'arbiter_ruling', 4, 0, True, REASON)}")
    assert "(done)" not in "".join(lines)
    golden("contracts/verdict_escrow_inputs.txt", "\n".join(lines) + "\n")


@pytest.mark.parametrize("reason", ["boom", "the judge gave no usable ruling"])
def test_the_sentence_about_a_judge_without_a_ruling(play: Play, reason: str) -> None:
    n = play.submit(play.active())
    play.judge(reason)
    assert sentence(play, play.stranger, "adjudicate", n, 0) == "the judge gave no usable ruling"
