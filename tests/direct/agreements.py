"""Plays agreements of VerdictEscrow in direct mode: short verbs, a clock in whole hours, scripted pages and judges.

The books are kept here as well, from what went in and came out, and compared with what the contract says.
"""

import json
import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

import pytest

CONTRACT = "contracts/verdict_escrow.py"
GEN = 10**18
NOON = 500_004  # the hour every play begins in, in January 2027
WINDOW, STALL, ARBITER, RETRY = 72, 48, 14 * 24, 24  # hours, as docs/agreements.md prints them

DRAFT, AWAITING, REVIEW, RULED, RELEASED, REFUNDED, DEADLOCKED = range(7)
AG_DRAFT, AG_ACTIVE, AG_CLOSED = range(3)
APPROVE, REJECT, INSUFFICIENT = "APPROVE", "REJECT", "INSUFFICIENT_EVIDENCE"

CRITERIA = ["The report lists five sources", "The report is dated 2027", "The report has a summary"]
CLAIM = "The report is finished and stands at the address below."
GROUNDS = "The page at evidence 0 shows all that was asked for."
REASON = "I read the page myself and this is what it shows."
WHY = "Evidence 0 shows what the criteria ask for, one by one."
REPORT = "Five sources, dated 2027, with a summary."
PAGE = "https://docs.example.com/report"


def ruling(verdict: str = APPROVE, confidence: Any = 90, unmet: Any = None, rationale: Any = WHY) -> dict[str, Any]:
    """What a judge answers; a rejection names criterion 0 unless told otherwise."""
    unmet = unmet if unmet is not None else [0] if verdict == REJECT else []
    return {"verdict": verdict, "confidence": confidence, "unmet_criteria": unmet, "rationale": rationale}


def spoken(answer: object) -> str:
    """An answer as a model writes it: a word, then the object. (A mock that is bare JSON would arrive parsed.)"""
    return f"My ruling:\n{json.dumps(answer)}"


def plain(account: Any) -> str:
    """An account's address as 0x and hex digits, whether a fixture gave it as bytes or as an Address."""
    raw = account if isinstance(account, bytes) else account.as_bytes
    return "0x" + raw.hex()


class Play:
    """One deployed contract, its cast, and verbs that say who does what."""

    def __init__(self, vm: Any, deploy: Any, cast: Sequence[Any]) -> None:
        self.vm = vm
        self.hour = NOON
        self.at(NOON)
        self.contract = deploy(CONTRACT)
        self.payer, self.provider, self.arbiter, self.stranger = cast
        self.held = 0
        """Wei that went in and has not come out."""

    def at(self, hour: int, minute: int = 30) -> None:
        """Set the clock."""
        self.hour = hour
        self.vm.warp(datetime.fromtimestamp(hour * 3600 + minute * 60, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))

    def wait(self, hours: int) -> int:
        self.at(self.hour + hours)
        return self.hour

    def do(self, who: Any, method: str, *args: Any, value: int = 0) -> Any:
        """Call a method as somebody, with value attached."""
        self.vm.sender, self.vm.value = who, value
        try:
            answer = getattr(self.contract, method)(*args)
        finally:
            self.vm.value = 0
        self.held += value
        return answer

    def refused(self, who: Any, method: str, *args: Any, why: str | re.Pattern[str], value: int = 0) -> None:
        """The call reverts with this text, and nothing has changed, not even where nothing rolls back."""
        before = self.picture()
        with pytest.raises(Exception, match=why if isinstance(why, re.Pattern) else re.escape(why)) as caught:
            self.do(who, method, *args, value=value)
        assert is_refusal(caught.value), "a crash is no refusal"
        assert self.picture() == before

    # A life, step by step. `n` is the agreement, `i` the milestone.

    def draft(self, domains: Iterable[str] = ("example.com",), title: str = "Quarterly report") -> int:
        names = plain(self.provider), plain(self.arbiter)
        n: int = self.do(self.payer, "create_agreement", *names, title, list(domains))
        return n

    def milestone(self, n: int, amount: int = 10 * GEN, due: int = 168, criteria: Sequence[str] = CRITERIA) -> int:
        i: int = self.do(self.payer, "add_milestone", n, "The report", list(criteria), amount, self.hour + due)
        return i

    def fund(self, n: int) -> None:
        count = self.agreement(n)["milestone_count"]
        self.do(self.payer, "fund_and_activate", n, value=sum(int(self.look(n, i)["amount"]) for i in range(count)))

    def active(self, milestones: int = 1, **terms: Any) -> int:
        n = self.draft()
        for _ in range(milestones):
            self.milestone(n, **terms)
        self.fund(n)
        return n

    def submit(self, n: int, i: int = 0, urls: Sequence[str] = (PAGE,), claim: str = CLAIM) -> int:
        self.do(self.provider, "submit_evidence", n, i, claim, list(urls))
        return n

    def judge(
        self, *answers: object, page: str = "Five sources, dated 2027, with a summary.", same: str = "SAME"
    ) -> None:
        """Script the world: every page, the answer to a ruling, the answer to a comparison."""
        self.vm.clear_mocks()
        self.vm.mock_web("example.com", {"status": 200, "body": page})
        for answer in answers:
            self.vm.mock_llm("verdict/ruling/1", answer if isinstance(answer, str) else spoken(answer))
        self.vm.mock_llm("verdict/same/1", same)

    def rule(self, n: int, i: int = 0, verdict: str = APPROVE, who: Any = None, **fields: Any) -> None:
        self.judge(ruling(verdict, **fields))
        self.do(who or self.stranger, "adjudicate", n, i)

    def loser(self, n: int, i: int = 0) -> Any:
        return self.payer if self.look(n, i)["verdict"] == APPROVE else self.provider

    def appeal(self, n: int, i: int = 0, method: str = "appeal") -> int:
        self.do(self.loser(n, i), method, n, i, GROUNDS, value=int(self.look(n, i)["appeal_bond"]))
        return n

    def accept(self, n: int, i: int = 0) -> int:
        self.do(self.loser(n, i), "accept_ruling", n, i)
        return n

    def ruled(self, *verdicts: str, milestones: int = 1) -> int:
        """An agreement whose first milestone was ruled on, and appealed between the rulings."""
        n = self.active(milestones)
        self.submit(n)
        for round_no, verdict in enumerate(verdicts or (APPROVE,)):
            if round_no:
                self.appeal(n)
            self.rule(n, verdict=verdict)
        return n

    def escalated(self, *verdicts: str) -> int:
        n = self.ruled(*(verdicts or (REJECT, REJECT, REJECT)))
        self.appeal(n, method="escalate_to_arbiter")
        return n

    def stalled(self, *verdicts: str) -> int:
        """Deadlocked because an appeal after these rulings was never ruled on; without any, a third attempt was not."""
        n = self.ruled(*verdicts) if verdicts else self.active()
        if verdicts:
            self.appeal(n)
            self.wait(STALL)
            self.do(self.payer, "resolve_stalled_review", n, 0)
            return n
        for _ in range(3):
            self.submit(n)
            self.wait(STALL)
            self.do(self.payer, "resolve_stalled_review", n, 0)
        return n

    # Looking

    def agreement(self, n: int) -> dict[str, Any]:
        shown: dict[str, Any] = self.contract.get_agreement(n)
        return shown

    def look(self, n: int, i: int = 0) -> dict[str, Any]:
        shown: dict[str, Any] = self.contract.get_milestone(n, i)
        return shown

    def state(self, n: int, i: int = 0) -> int:
        return int(self.look(n, i)["state"])

    def rulings(self, n: int, i: int = 0) -> list[dict[str, Any]]:
        shown: list[dict[str, Any]] = self.contract.get_rulings(n, i)
        return shown

    def credit(self, who: Any) -> int:
        return int(self.contract.credit_of(plain(who)))

    def cast(self) -> tuple[Any, ...]:
        return self.payer, self.provider, self.arbiter, self.stranger

    def take(self, who: Any) -> int:
        """Withdraw everything; returns the wei."""
        wei = self.credit(who)
        self.do(who, "withdraw")
        self.held -= wei
        return wei

    def picture(self) -> dict[str, Any]:
        """All that can be seen of the contract."""
        seen: dict[str, Any] = {"credits": [self.credit(who) for who in self.cast()]}
        for n in range(1, self.contract.get_agreement_count() + 1):
            seen[f"{n}"] = self.agreement(n)
            for i in range(seen[f"{n}"]["milestone_count"]):
                seen[f"{n}/{i}"] = self.look(n, i), self.rulings(n, i)
        return seen

    def books(self) -> None:
        """The invariant: an agreement's escrow is its unsettled amounts and bonds; all escrow and credit is held."""
        total = sum(self.credit(who) for who in self.cast())
        for n in range(1, self.contract.get_agreement_count() + 1):
            agreement, expected = self.agreement(n), 0
            milestones = [self.look(n, i) for i in range(agreement["milestone_count"])]
            for m in milestones:
                bonds = int(m["payer_bond"]) + int(m["provider_bond"])
                live = m["state"] in (AWAITING, REVIEW, RULED, DEADLOCKED)
                assert live or bonds == 0, "a bond is held by a milestone that has ended"
                expected += bonds + (int(m["amount"]) if live else 0)
            assert int(agreement["escrowed"]) == expected
            ended = all(m["state"] in (RELEASED, REFUNDED) for m in milestones)
            assert agreement["state"] == AG_DRAFT or (agreement["state"] == AG_CLOSED) == (ended or not expected)
            total += expected
        assert total == self.held
        with suppress(AttributeError):  # gltest's direct mode has no balances to compare with
            assert self.vm.balance_of(self.contract.address) == self.held


def timeline(m: dict[str, Any]) -> list[str]:
    return [moment["event"] for moment in m["timeline"]]


def is_refusal(error: BaseException) -> bool:
    """Did the contract refuse with a sentence of its own? Here as in gltest, that prints as `gl.vm.UserError` does."""
    return str(error).startswith("UserError(message=")
