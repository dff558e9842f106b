"""Money in VerdictEscrow under any sequence of moves: conserved, never stuck, and really moved.

A jury of five sits in every ruling. Up to two of its seats lie: they propose what they like and agree with each other.
The nightly profile is FOREMAN_HYPOTHESIS=nightly.
"""

import json
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from foreman.localnet.direct import DirectVM, deploy
from tests.direct.agreements import (
    AG_DRAFT,
    APPROVE,
    ARBITER,
    AWAITING,
    CLAIM,
    DEADLOCKED,
    DRAFT,
    GROUNDS,
    INSUFFICIENT,
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
    is_refusal,
    plain,
    ruling,
)
from tests.direct.jury import Jury, Undetermined, says

pytestmark = [pytest.mark.needs_balances, pytest.mark.timeout(3600)]

LIVES = json.loads((Path(__file__).parents[2] / "contracts" / "lifecycle.json").read_text("utf-8"))
NUMBER = {name: state.get("number") for name, state in LIVES["contracts"]["verdict_escrow"]["states"].items()}
MOVES = {
    (row["method"], NUMBER[start], NUMBER[end])
    for row in LIVES["contracts"]["verdict_escrow"]["transitions"]
    for start in row["from"]
    for end in row["to"]
    if NUMBER[start] is not None and NUMBER[end] is not None
}
"""Every change of a milestone's state that the published table allows."""

ACCOUNTS = [bytes([number]) * 20 for number in range(1, 7)]
VERDICTS = st.sampled_from([APPROVE, APPROVE, REJECT, INSUFFICIENT])
HOURS = st.sampled_from([1, 23, RETRY, RETRY + 1, STALL - 1, STALL, WINDOW, WINDOW + 1, ARBITER, ARBITER + 1])
LIES: list[Any] = [
    {**ruling(), "pay": "me"},
    ruling(APPROVE, 100, [0]),
    ruling(REJECT, 100, []),
    ruling(REJECT, "100"),
    ruling("approve"),
    ruling(rationale="short"),
    {"verdict": APPROVE},
    "APPROVE",
    None,
    [],
]


TRIES: dict[str, tuple[Any, ...]] = {
    "submit_evidence": (CLAIM, [PAGE]),
    "cancel_overdue": (),
    "accept_ruling": (),
    "finalize": (),
    "appeal": (GROUNDS,),
    "escalate_to_arbiter": (GROUNDS,),
    "arbiter_ruling": (True, REASON),
    "resolve_stalled_review": (),
    "resolve_absent_arbiter": (),
}


class Watched(Play):
    """A play that looks at a thing once between two calls that change it, and that knows all six accounts."""

    def __init__(self, vm: DirectVM) -> None:
        self.seen: dict[object, Any] = {}
        super().__init__(vm, lambda path: deploy(vm, path), ACCOUNTS[:4])

    def do(self, who: Any, method: str, *args: Any, value: int = 0) -> Any:
        self.seen.clear()
        return super().do(who, method, *args, value=value)

    def once(self, key: object, look: Callable[[], Any]) -> Any:
        if key not in self.seen:
            self.seen[key] = look()
        return self.seen[key]

    def agreement(self, n: int) -> dict[str, Any]:
        shown: dict[str, Any] = self.once(n, lambda: self.contract.get_agreement(n))
        return shown

    def look(self, n: int, i: int = 0) -> dict[str, Any]:
        shown: dict[str, Any] = self.once((n, i), lambda: self.contract.get_milestone(n, i))
        return shown

    def credit(self, who: Any) -> int:
        return int(self.once(who, lambda: self.contract.credit_of(plain(who))))

    def cast(self) -> tuple[Any, ...]:
        return tuple(ACCOUNTS)


PULSE: Counter[Any] = Counter()
"""What happened in all runs: (state, method, state) that succeeded, and how many steps, runs, withdrawals."""


class Agreements(RuleBasedStateMachine):
    """A few agreements between six accounts in changing roles, and a clock."""

    @initialize()
    def begin(self) -> None:
        self.vm = DirectVM()
        for account in ACCOUNTS:
            self.vm.deal(account, 10**24)
        self.play = Watched(self.vm)
        self.roles: dict[int, tuple[bytes, bytes, bytes]] = {}
        self.open([0, 1, 2, 3], [10**15 + 7, 10**18])
        PULSE["runs"] += 1

    def do(self, who: bytes, method: str, n: int, *args: Any, value: int = 0, i: int | None = 0) -> bool:
        """Try a call; check that what it changed was its to change."""
        before, credits = self.looks(n), [self.play.credit(account) for account in ACCOUNTS]
        try:
            self.play.do(who, method, n, *(() if i is None else (i,)), *args, value=value)
        except Undetermined:
            PULSE["undetermined"] += 1
            return False
        except Exception as refusal:
            if not is_refusal(refusal):
                raise
            assert self.looks(n) == before
            return False
        for at, now in enumerate(self.looks(n)):
            was = before[at]["state"] if at < len(before) else DRAFT
            if was != now["state"]:
                assert (method, was, now["state"]) in MOVES
                PULSE[method, was, now["state"]] += 1
        gained = [account for account, had in zip(ACCOUNTS, credits, strict=True) if self.play.credit(account) != had]
        assert set(gained) <= set(self.roles[n][:2]), "only payer and provider are ever credited"
        return True

    def looks(self, n: int) -> list[dict[str, Any]]:
        return [self.play.look(n, i) for i in range(self.play.agreement(n)["milestone_count"])]

    # The moves

    @precondition(lambda self: len(self.roles) < 6 and len(self.live()) < 3)
    @rule(order=st.permutations(range(6)), amounts=st.lists(st.integers(10**15, 10**19), min_size=1, max_size=2))
    def open(self, order: list[int], amounts: list[int]) -> None:
        payer, provider, arbiter = (ACCOUNTS[place] for place in order[:3])
        n = self.play.do(payer, "create_agreement", plain(provider), plain(arbiter), "Work", ["example.com"])
        self.roles[n] = payer, provider, arbiter
        for amount in amounts:
            due = self.play.hour + 600
            self.do(payer, "add_milestone", n, "Part", ["The first thing", "The second thing"], amount, due, i=None)
        if order[3] % 6:
            assert self.do(payer, "fund_and_activate", n, value=sum(amounts), i=None)

    @precondition(lambda self: self.live())
    @rule(data=st.data(), moves=st.integers(1, 12))
    def advance(self, data: st.DataObject, moves: int) -> None:
        """Several moves that the states of milestones allow to somebody, at once or each when its time has come."""
        for _ in range(min(moves, 12 * len(self.live()))):
            n, i = self.any_milestone(data)
            if self.play.state(n, i) == REVIEW and data.draw(st.integers(0, 3)):
                self.sit(data, n, i)
            else:
                self.go_on(data, n, i, patient=data.draw(st.booleans()))
            self.conserved()

    def sit(self, data: st.DataObject, n: int, i: int) -> None:
        """A jury sits: up to two lie, one may dissent or refuse."""
        lies = [*LIES, *(ruling(verdict) for verdict in (APPROVE, REJECT, INSUFFICIENT)), ruling(confidence=100)]
        answer, lie, liars = data.draw(VERDICTS), data.draw(st.sampled_from(lies)), data.draw(st.integers(0, 2))
        dissent = data.draw(st.sampled_from([None, "I cannot say.", json.dumps(ruling(REJECT, 5, [1]))]))
        jury = Jury(says(answer, dissent), liars, lie, data.draw(st.integers(0, 4)))
        self.vm.decide = jury.decide
        if self.do(ACCOUNTS[5], "adjudicate", n, i=i):
            assert self.play.rulings(n, i)[-1]["verdict"] == answer, "two liars of five decided a ruling"
            PULSE["lie agreed with"] += jury.lied

    def loser(self, n: int, m: dict[str, Any]) -> bytes:
        return self.roles[n][0 if m["verdict"] == APPROVE else 1]

    def go_on(self, data: st.DataObject, n: int, i: int, patient: bool) -> None:
        payer, provider, arbiter = self.roles[n]
        m = self.play.look(n, i)
        contest = "appeal" if m["round_no"] < 3 else "escalate_to_arbiter"
        moves: dict[int, list[tuple[Any, ...]]] = {
            DRAFT: [(0, payer, "abandon_draft")],
            AWAITING: [
                *[(0, provider, "submit_evidence", CLAIM, [PAGE])] * 2,
                (m["due_hour"] + 1 - self.play.hour, payer, "cancel_overdue"),
            ],
            REVIEW: [(STALL, who, "resolve_stalled_review") for who in (payer, provider, arbiter)],
            RULED: [
                *[(0, self.loser(n, m), contest, GROUNDS)] * 3,
                (0, self.loser(n, m), "accept_ruling"),
                (WINDOW + 1, ACCOUNTS[5], "finalize"),
            ],
            DEADLOCKED: [
                *[(ARBITER + 1, who, "resolve_absent_arbiter") for who in (payer, provider)],
                *[(0, arbiter, "arbiter_ruling", approve, REASON) for approve in (True, False)],
            ],
        }
        if m["state"] in moves:
            hours, who, method, *args = data.draw(st.sampled_from(moves[m["state"]]))
            if patient:
                self.play.wait(max(0, hours))
            value = int(m["appeal_bond"]) if method == contest else 0
            self.do(who, method, n, *args, value=value, i=None if method == "abandon_draft" else i)

    @precondition(lambda self: self.roles)
    @rule(data=st.data(), who=st.sampled_from(ACCOUNTS), method=st.sampled_from(sorted(TRIES)), value=st.integers(0, 2))
    def meddle(self, data: st.DataObject, who: bytes, method: str, value: int) -> None:
        """Anybody tries anything."""
        n, i = self.any_milestone(data)
        payable = method in ("appeal", "escalate_to_arbiter")
        bond = int(self.play.look(n, i)["appeal_bond"])
        self.do(who, method, n, *TRIES[method], value=(0, bond, bond - 1)[value] if payable else 0, i=i)

    @precondition(lambda self: self.roles)
    @rule(hours=HOURS)
    def wait(self, hours: int) -> None:
        self.play.wait(hours)

    @precondition(lambda self: self.roles)
    @rule(who=st.sampled_from(ACCOUNTS))
    def withdraw(self, who: bytes) -> None:
        credit, held = self.play.credit(who), self.vm.balance_of(who)
        if credit:
            assert self.play.take(who) == credit
            assert self.vm.balance_of(who) == held + credit
            PULSE["withdrawn"] += 1
        else:
            self.play.refused(who, "withdraw", why="nothing to withdraw")

    def live(self) -> list[tuple[int, int]]:
        """The milestones that have not ended."""
        places = [(n, i) for n in self.roles for i in range(len(self.looks(n)))]
        return [at for at in places if self.play.state(*at) not in (RELEASED, REFUNDED)]

    def any_milestone(self, data: st.DataObject) -> tuple[int, int]:
        """A milestone, not one that has ended as long as there is another."""
        return data.draw(st.sampled_from(self.live() or [(min(self.roles), 0)]))

    # What always holds

    @invariant()
    def conserved(self) -> None:
        if hasattr(self, "play"):
            PULSE["steps"] += 1
            self.play.books()
            accounts = sum(self.vm.balance_of(account) for account in ACCOUNTS)
            assert accounts + self.vm.balance_of(self.play.contract.address) == self.vm.minted

    @invariant()
    def sound(self) -> None:
        for n in getattr(self, "roles", {}):
            for i, m in enumerate(self.looks(n)):
                assert m["state"] != AWAITING or (m["submissions"] < 3 and m["round_no"] == 0 and m["evidence"] == [])
                assert m["state"] not in (REVIEW, RULED) or 1 <= m["round_no"] <= 3
                assert m["state"] != RULED or m["verdict"] == self.play.rulings(n, i)[-1]["verdict"]
                assert m["state"] == DRAFT or self.play.agreement(n)["state"] != AG_DRAFT
                assert len(m["timeline"]) <= 25


def test_after_every_step_of_every_run_the_books_are_right() -> None:
    """As many runs as the profile says."""
    run_state_machine_as_test(Agreements, settings=settings(stateful_step_count=40))


CHANGES = {move for move in MOVES if move[1] != move[2]}


@pytest.mark.skipif(os.environ.get("FOREMAN_HYPOTHESIS") == "nightly", reason="measured on the fast profile")
def test_the_machine_has_a_pulse() -> None:
    """It walks every move of the published table, stays long enough to do so, and pays out."""
    PULSE.clear()
    for _ in range(10):
        run_state_machine_as_test(
            Agreements, settings=settings(max_examples=60, stateful_step_count=50, derandomize=False, database=None)
        )
        rare = PULSE["undetermined"] and PULSE["lie agreed with"] and PULSE["withdrawn"] > 20
        if set(PULSE) >= CHANGES and rare:
            break
    assert sorted(CHANGES - set(PULSE)) == []
    assert PULSE["undetermined"] > 0
    assert PULSE["lie agreed with"] > 0, "a lie that happens to be the truth is agreed with"
    assert PULSE["withdrawn"] > 20
    assert PULSE["steps"] / PULSE["runs"] >= 30
