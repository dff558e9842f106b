"""VerdictEscrow: whom each method refuses, in which states, and every limit on what it is given, at its edge."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.direct.agreements import (
    APPROVE,
    ARBITER,
    CLAIM,
    CRITERIA,
    GEN,
    GROUNDS,
    INSUFFICIENT,
    NOON,
    PAGE,
    REASON,
    REJECT,
    STALL,
    WINDOW,
    Play,
    plain,
    ruling,
)

STATES: dict[str, Callable[[Play], int]] = {
    "draft": lambda p: (n := p.draft(), p.milestone(n))[0],
    "awaiting": lambda p: p.active(),
    "review": lambda p: p.submit(p.active()),
    "ruled": lambda p: p.ruled(APPROVE),
    "ruled in round 3": lambda p: p.ruled(APPROVE, APPROVE, APPROVE),
    "released": lambda p: p.accept(p.ruled(APPROVE)),
    "refunded": lambda p: p.accept(p.ruled(REJECT)),
    "deadlocked": lambda p: p.escalated(REJECT, APPROVE, APPROVE),
    "abandoned": lambda p: (n := p.draft(), p.milestone(n), p.do(p.payer, "abandon_draft", n))[0],
}

METHODS: dict[str, tuple[str, Callable[[Play, int], tuple[Any, ...]], int, set[str]]] = {
    # method: who may, arguments, value, the states it works in
    "submit_evidence": ("provider", lambda p, n: (n, 0, CLAIM, [PAGE]), 0, {"awaiting"}),
    "cancel_overdue": ("payer", lambda p, n: (n, 0), 0, {"awaiting"}),
    "adjudicate": ("stranger", lambda p, n: (n, 0), 0, {"review"}),
    "resolve_stalled_review": ("payer", lambda p, n: (n, 0), 0, {"review"}),
    "appeal": ("payer", lambda p, n: (n, 0, GROUNDS), GEN, {"ruled"}),
    "escalate_to_arbiter": ("payer", lambda p, n: (n, 0, GROUNDS), GEN, {"ruled in round 3"}),
    "accept_ruling": ("payer", lambda p, n: (n, 0), 0, {"ruled", "ruled in round 3"}),
    "finalize": ("stranger", lambda p, n: (n, 0), 0, {"ruled", "ruled in round 3"}),
    "arbiter_ruling": ("arbiter", lambda p, n: (n, 0, True, REASON), 0, {"deadlocked"}),
    "resolve_absent_arbiter": ("provider", lambda p, n: (n, 0), 0, {"deadlocked"}),
    "abandon_draft": ("payer", lambda p, n: (n,), 0, {"draft"}),
    "fund_and_activate": ("payer", lambda p, n: (n,), 10 * GEN, {"draft"}),
    "add_milestone": ("payer", lambda p, n: (n, "More", CRITERIA, GEN, p.hour + 500), 0, {"draft"}),
}

WRONG_STATE = re.compile(
    r"milestone (is not|has no)|nothing to appeal|only the losing party|agreement (is|already)|rounds.* exhausted"
)
LATER = {"cancel_overdue": 400, "resolve_stalled_review": STALL, "finalize": WINDOW + 1}
LATER["resolve_absent_arbiter"] = ARBITER + 1


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("method", METHODS)
def test_each_method_works_in_its_states_and_in_no_other(play: Play, method: str, state: str) -> None:
    who, args, value, allowed = METHODS[method]
    n = STATES[state](play)
    if method in LATER:
        play.wait(LATER[method])
    play.judge(ruling(REJECT, unmet=[1]))
    if state in allowed:
        play.do(getattr(play, who), method, *args(play, n), value=value)
    else:
        play.refused(getattr(play, who), method, *args(play, n), value=value, why=WRONG_STATE)
    play.books()


# Strangers are tried on every method in a state where the right caller would succeed.
WRONG = [
    (method, next(iter(sorted(METHODS[method][3]))), who)
    for method, callers in {
        "submit_evidence": ("payer", "arbiter", "stranger"),
        "cancel_overdue": ("provider", "arbiter", "stranger"),
        "resolve_stalled_review": ("stranger",),
        "appeal": ("provider", "arbiter", "stranger"),
        "escalate_to_arbiter": ("provider", "arbiter", "stranger"),
        "accept_ruling": ("provider", "arbiter", "stranger"),
        "arbiter_ruling": ("payer", "provider", "stranger"),
        "resolve_absent_arbiter": ("arbiter", "stranger"),
        "abandon_draft": ("provider", "arbiter", "stranger"),
        "fund_and_activate": ("provider", "arbiter", "stranger"),
        "add_milestone": ("provider", "arbiter", "stranger"),
    }.items()
    for who in callers
]


@pytest.mark.parametrize(("method", "state", "who"), WRONG)
def test_nobody_else_may(play: Play, method: str, state: str, who: str) -> None:
    _, args, value, _ = METHODS[method]
    n = STATES[state](play)
    if method in LATER:
        play.wait(LATER[method])
    play.refused(getattr(play, who), method, *args(play, n), value=value, why="only ")


@pytest.mark.parametrize("who", ["payer", "provider", "arbiter"])
def test_each_of_the_three_can_end_a_stall(play: Play, who: str) -> None:
    n = STATES["review"](play)
    play.wait(STALL - 1)
    play.refused(getattr(play, who), "resolve_stalled_review", n, 0, why="stalled after 48 hours")
    play.wait(1)
    play.do(getattr(play, who), "resolve_stalled_review", n, 0)
    play.books()


@pytest.mark.parametrize(("verdict", "who"), [(APPROVE, "payer"), (REJECT, "provider"), (INSUFFICIENT, "provider")])
def test_the_loser_is_who_the_ruling_went_against(play: Play, verdict: str, who: str) -> None:
    n = play.ruled(verdict)
    other = play.provider if who == "payer" else play.payer
    play.refused(other, "appeal", n, 0, GROUNDS, value=GEN, why="only the losing party may appeal")
    play.refused(other, "accept_ruling", n, 0, why="only the losing party can waive")
    play.do(getattr(play, who), "appeal", n, 0, GROUNDS, value=GEN)


# Time, each limit at its last good hour and its first bad one.


@pytest.mark.parametrize(("hours", "good"), [(168, True), (169, False)])
def test_evidence_is_taken_through_the_due_hour(play: Play, hours: int, good: bool) -> None:
    n = play.active(due=168)
    play.at(NOON + hours, minute=59)
    if good:
        play.refused(play.payer, "cancel_overdue", n, 0, why="milestone is not overdue")
        play.submit(n)
    else:
        play.refused(play.provider, "submit_evidence", n, 0, CLAIM, [PAGE], why="deadline has passed")
        play.do(play.payer, "cancel_overdue", n, 0)


@pytest.mark.parametrize("method", ["appeal", "escalate_to_arbiter", "accept_ruling"])
@pytest.mark.parametrize(("hours", "good"), [(WINDOW, True), (WINDOW + 1, False)])
def test_the_window_is_open_through_its_last_hour(play: Play, method: str, hours: int, good: bool) -> None:
    n = STATES["ruled in round 3" if method == "escalate_to_arbiter" else "ruled"](play)
    _, args, value, _ = METHODS[method]
    play.at(NOON + hours, minute=59)
    if good:
        play.do(play.payer, method, *args(play, n), value=value)
    else:
        play.refused(play.payer, method, *args(play, n), value=value, why="appeal window has closed")


@pytest.mark.parametrize(("hours", "good"), [(ARBITER, True), (ARBITER + 1, False)])
def test_the_arbiter_has_fourteen_days(play: Play, hours: int, good: bool) -> None:
    n = STATES["deadlocked"](play)
    play.at(NOON + hours, minute=59)
    if good:
        play.do(play.arbiter, "arbiter_ruling", n, 0, True, REASON)
    else:
        play.refused(play.arbiter, "arbiter_ruling", n, 0, True, REASON, why="the arbiter's time is over")


@pytest.mark.parametrize(("due", "good"), [(0, False), (1, True)])
def test_every_milestone_is_due_in_the_future_when_it_is_funded(play: Play, due: int, good: bool) -> None:
    n = play.draft()
    play.milestone(n)
    play.milestone(n, due=due)
    if good:
        play.fund(n)
    else:
        play.refused(play.payer, "fund_and_activate", n, value=20 * GEN, why="due in the future")


# Money that must be exact.


@pytest.mark.parametrize("value", [0, 20 * GEN - 1, 20 * GEN + 1])
def test_funding_takes_exactly_the_sum(play: Play, value: int) -> None:
    n = play.draft()
    play.milestone(n)
    play.milestone(n)
    play.refused(play.payer, "fund_and_activate", n, value=value, why=f"send exactly {20 * GEN} wei")


def test_a_draft_without_milestones_cannot_be_funded(play: Play) -> None:
    n = play.draft()
    play.refused(play.payer, "fund_and_activate", n, value=GEN, why="add at least one milestone first")


@pytest.mark.parametrize("value", [0, GEN - 1, GEN + 1])
@pytest.mark.parametrize("method", ["appeal", "escalate_to_arbiter"])
def test_a_bond_is_exact(play: Play, method: str, value: int) -> None:
    n = STATES["ruled in round 3" if method == "escalate_to_arbiter" else "ruled"](play)
    word = "appeal" if method == "appeal" else "escalation"
    play.refused(play.payer, method, n, 0, GROUNDS, value=value, why=f"{word} bond is exactly {GEN} wei")


@pytest.mark.parametrize(("amount", "bond"), [(10**15, 10**14), (10**15 + 9, 10**14), (10**15 + 10, 10**14 + 1)])
def test_a_bond_is_a_tenth_cut_downwards(play: Play, amount: int, bond: int) -> None:
    n = play.active(amount=amount)
    play.submit(n)
    play.rule(n)
    assert play.look(n)["appeal_bond"] == str(bond)
    play.do(play.payer, "appeal", n, 0, GROUNDS, value=bond)
    play.books()


# What a draft may say.


def long(count: int) -> str:
    return "x" * count


TITLES = [
    pytest.param("", False, id="empty"),
    pytest.param("  \n ", False, id="blank"),
    pytest.param(" x ", True, id="one character"),
    pytest.param(long(120), True, id="120"),
    pytest.param("  " + long(120) + " ", True, id="120 after trimming"),
    pytest.param(long(121), False, id="121"),
    pytest.param("two\nlines", False, id="two lines"),
    pytest.param("hid\u200bden", False, id="zero width"),
    pytest.param("right\u202eto left", False, id="bidi"),
    pytest.param("bell\x07", False, id="control"),
    pytest.param("Ünïcödé 報告 🧾", True, id="any script"),
    pytest.param(7, False, id="a number"),
    pytest.param(None, False, id="nothing"),
]


@pytest.mark.parametrize(("title", "good"), TITLES)
def test_titles(play: Play, title: Any, good: bool) -> None:
    names = plain(play.provider), plain(play.arbiter)
    n = play.draft()
    if good:
        agreement = play.do(play.payer, "create_agreement", *names, title, ["example.com"])
        assert play.agreement(agreement)["title"] == title.strip()
        play.do(play.payer, "add_milestone", n, title, CRITERIA, GEN, NOON + 9)
        assert play.look(n)["title"] == title.strip()
    else:
        play.refused(play.payer, "create_agreement", *names, title, ["example.com"], why="title required; 1 to 120")
        play.refused(play.payer, "add_milestone", n, title, CRITERIA, GEN, NOON + 9, why="title required; 1 to 120")


CRITERIA_ROWS = [
    pytest.param([], False, id="none"),
    pytest.param(["12345678"], True, id="eight characters"),
    pytest.param(["1234567"], False, id="seven"),
    pytest.param([" 1234567 "], False, id="seven after trimming"),
    pytest.param([long(300)], True, id="300"),
    pytest.param([long(301)], False, id="301"),
    pytest.param([f"criterion {i}" for i in range(12)], True, id="twelve"),
    pytest.param([f"criterion {i}" for i in range(13)], False, id="thirteen"),
    pytest.param(["The same one", " The same one "], False, id="twice the same"),
    pytest.param(["Looks fine\n[1] a second one smuggled in"], False, id="a line that would be numbered"),
    pytest.param(["hid\u2060den words"], False, id="invisible"),
    pytest.param(["a good criterion", 5], False, id="a number"),
    pytest.param("a good criterion", False, id="text, not a list"),
    pytest.param(None, False, id="nothing"),
]


@pytest.mark.parametrize(("criteria", "good"), CRITERIA_ROWS)
def test_criteria(play: Play, criteria: Any, good: bool) -> None:
    n = play.draft()
    call = (play.payer, "add_milestone", n, "The report", criteria, GEN, NOON + 9)
    if good:
        play.do(*call)
        assert play.look(n)["criteria"] == criteria
    else:
        play.refused(*call, why="criteri")


@pytest.mark.parametrize(
    ("amount", "good"),
    [
        *[(10**15 - 1, False), (10**15, True), (2**128 - 1, True), (2**128, False), (0, False), (-1, False)],
        *[(True, False), ("1000000000000000", False), (None, False)],
    ],
)
def test_amounts(play: Play, amount: Any, good: bool) -> None:
    n = play.draft()
    call = (play.payer, "add_milestone", n, "The report", CRITERIA, amount, NOON + 9)
    if good:
        play.do(*call)
        assert play.look(n)["amount"] == str(amount)
    else:
        play.refused(*call, why="milestone amount must be non-zero")


@pytest.mark.parametrize(
    ("due", "good"),
    [(0, False), (1, True), (2**40, True), (2**40 + 1, False), (-1, False), (True, False), ("500100", False)],
)
def test_due_hours(play: Play, due: Any, good: bool) -> None:
    n = play.draft()
    call = (play.payer, "add_milestone", n, "The report", CRITERIA, GEN, due)
    if good:
        play.do(*call)
        assert play.look(n)["due_hour"] == due
    else:
        play.refused(*call, why="due_hour must be a whole hour")


def test_twenty_milestones_and_no_more(play: Play) -> None:
    n = play.draft()
    for i in range(20):
        assert play.milestone(n, amount=2**128 - 1) == i
    play.refused(play.payer, "add_milestone", n, "More", CRITERIA, GEN, NOON + 9, why="at most 20 milestones")
    play.fund(n)
    assert play.agreement(n)["escrowed"] == str(20 * (2**128 - 1))
    play.books()


# Who may be in an agreement.

ZERO = "0x" + "00" * 20


@pytest.mark.parametrize(
    ("provider", "arbiter", "why"),
    [
        pytest.param("payer", "arbiter", "provider must differ from payer", id="provider is payer"),
        pytest.param("provider", "payer", "arbiter from both", id="arbiter is payer"),
        pytest.param("provider", "provider", "arbiter from both", id="arbiter is provider"),
        pytest.param("provider", ZERO, "arbiter from both", id="zero arbiter"),
        pytest.param(ZERO, "arbiter", "arbiter from both", id="zero provider"),
        pytest.param("provider", "this", "arbiter from both", id="arbiter is this contract"),
        pytest.param("this", "arbiter", "arbiter from both", id="provider is this contract"),
        pytest.param("", "arbiter", "the provider is not an address", id="empty"),
        pytest.param("0x1234", "arbiter", "the provider is not an address", id="short"),
        pytest.param("provider", "0x" + "zz" * 20, "the arbiter is not an address", id="not hex"),
        pytest.param("provider", " 0x" + "11" * 20, "the arbiter is not an address", id="a space in front"),
        pytest.param(5, "arbiter", "the provider is not an address", id="a number"),
        pytest.param("provider", None, "the arbiter is not an address", id="nothing"),
    ],
)
def test_parties(play: Play, provider: Any, arbiter: Any, why: str) -> None:
    def name(who: Any) -> Any:
        if who == "this":
            return plain(play.contract.address)
        return plain(getattr(play, who)) if who in ("payer", "provider", "arbiter") else who

    names = name(provider), name(arbiter)
    play.refused(play.payer, "create_agreement", *names, "Quarterly report", ["example.com"], why=why)
