"""Agreements in milestones as typed verbs: the VerdictEscrow contract seen from payer, provider, arbiter or anyone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

from foreman.address import Address, checksum
from foreman.sdk.client import Sent
from foreman.sdk.contract import Contract
from foreman.sdk.shape import amount, one_of, time

MOST_MILESTONES = 20
"""What the contract takes (docs/agreements.md); another one at its address cannot keep a reader busy for ever."""


SUMMARY = {
    "id": time,
    "state": one_of(0, 1, 2),
    "payer": str,
    "provider": str,
    "arbiter": str,
    "title": str,
    "milestone_count": time,
    "escrowed": amount,
}
"""What is read of an agreement in a list."""

AGREEMENT = {**SUMMARY, "allowed_domains": [str]}
MILESTONE = {
    "title": str,
    "state": one_of(*range(7)),
    "amount": amount,
    "due_hour": time,
    "since_hour": time,
    "round_no": time,
    "submissions": time,
    "verdict": str,
    "appeal_bond": amount,
    "payer_bond": amount,
    "provider_bond": amount,
    "criteria": [str],
    "evidence": [str],
    "claim": str,
    "timeline": [dict],
}
RULING = {
    "attempt": time,
    "round_no": time,
    "verdict": str,
    "confidence": time,
    "unmet": [time],
    "rationale": str,
    "ruled_at_hour": time,
    "by_arbiter": bool,
}
RULES = dict.fromkeys(("max_rounds", "appeal_window_hours", "stall_hours", "arbiter_hours"), time)
"""What is read of the contract's rules."""


class MilestoneState(IntEnum):
    """Where a milestone is; the contract's own numbers."""

    DRAFT = 0
    AWAITING_EVIDENCE = 1
    UNDER_REVIEW = 2
    RULED = 3
    RELEASED = 4
    REFUNDED = 5
    DEADLOCKED = 6


@dataclass(frozen=True, slots=True)
class Milestone:
    """One milestone as the contract tells it. Amounts are wei, hours whole hours since 1970, `raw` is everything."""

    title: str
    state: MilestoneState
    amount: int
    due_hour: int
    round_no: int
    submissions: int
    verdict: str
    bond: int
    """What an appeal or an escalation costs now."""
    payer_bond: int
    provider_bond: int
    raw: Mapping[str, Any] = field(repr=False)

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> "Milestone":
        return cls(
            title=str(raw["title"]),
            state=MilestoneState(raw["state"]),
            amount=int(raw["amount"]),
            due_hour=int(raw["due_hour"]),
            round_no=int(raw["round_no"]),
            submissions=int(raw["submissions"]),
            verdict=str(raw.get("verdict", "")),
            bond=int(raw.get("appeal_bond") or 0),
            payer_bond=int(raw["payer_bond"]),
            provider_bond=int(raw["provider_bond"]),
            raw=raw,
        )


class Agreements(Contract):
    """The VerdictEscrow contract at one address; writes are signed by `account`, and reads need none."""

    # the payer

    def create(self, provider: bytes, arbiter: bytes, title: str, domains: Sequence[str]) -> Sent:
        """Open a draft; the value is its id. Arbiter and evidence allowlist never change."""
        return self.write("create_agreement", [checksum(provider), checksum(arbiter), title, list(domains)])

    def add_milestone(
        self, agreement: int, title: str, criteria: Sequence[str], amount_wei: int, due_hour: int
    ) -> Sent:
        """Add a milestone to a draft; the value is its index."""
        return self.write("add_milestone", [agreement, title, list(criteria), amount_wei, due_hour])

    def fund(self, agreement: int, wei: int) -> Sent:
        """Lock exactly the sum of all milestones and go live. Simulated first, so a refusal costs nothing."""
        return self.pay("fund_and_activate", [agreement], wei)

    def abandon_draft(self, agreement: int) -> Sent:
        """Close a draft that was never funded."""
        return self.write("abandon_draft", [agreement])

    def cancel_overdue(self, agreement: int, index: int) -> Sent:
        """Take back a milestone that was not delivered in time."""
        return self.write("cancel_overdue", [agreement, index])

    # the provider

    def submit(self, agreement: int, index: int, claim: str, urls: Sequence[str]) -> Sent:
        """Deliver a claim and the pages that prove it; it accepts arbiter and allowlist."""
        return self.write("submit_evidence", [agreement, index, claim, list(urls)])

    # anyone, or whoever lost

    def adjudicate(self, agreement: int, index: int) -> Sent:
        """Have the network rule on this round."""
        return self.write("adjudicate", [agreement, index])

    def appeal(self, agreement: int, index: int, grounds: str, yes: bool = False) -> Sent:
        """Contest a ruling with a bond, which is forfeit if the loser loses again. `yes`: as with an order's appeal."""
        return self.stake("appeal", [agreement, index, grounds], self.milestone(agreement, index).bond, yes)

    def escalate(self, agreement: int, index: int, grounds: str, yes: bool = False) -> Sent:
        """After the last round, ask the arbiter, for the same bond."""
        bond = self.milestone(agreement, index).bond
        return self.stake("escalate_to_arbiter", [agreement, index, grounds], bond, yes)

    def accept(self, agreement: int, index: int) -> Sent:
        """Let a ruling against oneself stand, and settle at once."""
        return self.write("accept_ruling", [agreement, index])

    def finalize(self, agreement: int, index: int) -> Sent:
        """Settle a ruling that nobody contested in time."""
        return self.write("finalize", [agreement, index])

    def resolve_stalled(self, agreement: int, index: int) -> Sent:
        """Two days without a ruling: another attempt, or a deadlock."""
        return self.write("resolve_stalled_review", [agreement, index])

    def resolve_absent_arbiter(self, agreement: int, index: int) -> Sent:
        """The arbiter stayed away: the network's last ruling decides."""
        return self.write("resolve_absent_arbiter", [agreement, index])

    def withdraw(self) -> Sent:
        """Take out all of one's credit."""
        return self.write("withdraw", [])

    # the arbiter

    def rule(self, agreement: int, index: int, approve: bool, reason: str) -> Sent:
        """Settle a deadlock, finally."""
        return self.write("arbiter_ruling", [agreement, index, approve, reason])

    # reads

    def get(self, agreement: int) -> Mapping[str, Any]:
        """Parties, state, money and allowlist; amounts are wei in decimal."""
        found: Mapping[str, Any] = self.ask(AGREEMENT, "get_agreement", agreement)
        return found

    def milestone(self, agreement: int, index: int) -> Milestone:
        return Milestone.read(self.ask(MILESTONE, "get_milestone", agreement, index))

    def milestones(self, agreement: int) -> list[Milestone]:
        """All of an agreement, in order; the contract takes 20 at most."""
        count = min(int(self.get(agreement)["milestone_count"]), MOST_MILESTONES)
        return [self.milestone(agreement, at) for at in range(count)]

    def rulings(self, agreement: int, index: int) -> list[Mapping[str, Any]]:
        """Oldest first."""
        found: list[Mapping[str, Any]] = self.ask([RULING], "get_rulings", agreement, index)
        return found

    def by_party(self, party: bytes, offset: int = 0, limit: int = 50) -> list[Mapping[str, Any]]:
        """Those an address is payer, provider or arbiter of, newest first, at most 50."""
        asked = ("get_agreements_by_party", str(Address(party)), offset, limit)
        found: list[Mapping[str, Any]] = self.ask([SUMMARY], *asked)
        return found

    def config(self) -> Mapping[str, Any]:
        """The numbers of the contract's rules: windows in whole hours, bonds in basis points, tolerances per round."""
        found: Mapping[str, Any] = self.ask(RULES, "config")
        return found

    def count(self) -> int:
        """How many agreements there have ever been."""
        return int(self.ask(int, "get_agreement_count"))

    def credit(self, who: bytes) -> int:
        """Wei that an account may withdraw."""
        return int(self.ask(amount, "credit_of", str(Address(who))))

    def page(self, offset: int = 0, limit: int = 50) -> list[Mapping[str, Any]]:
        """Newest first, at most 50."""
        found: list[Mapping[str, Any]] = self.ask([SUMMARY], "get_agreements_page", offset, limit)
        return found
