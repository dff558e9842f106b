"""A panel of validators: seats with worlds of their own, some of them liars, voting as the network does."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from foreman.execution import Block, Code, Outcome
from foreman.localnet.direct import Mocks

ROTATIONS = 3


class Undetermined(Exception):
    """No proposal found a majority: the transaction changes nothing."""


@dataclass
class Seat:
    """One validator. Its judge gives `percent`, unless the page or the answer fails; a liar proposes `lie` as it is,
    and votes for every proposal of a liar.
    """

    percent: int = 80
    status: int = 200
    garbage: bool = False
    lie: int | None = None
    io: Mocks = field(default_factory=Mocks)

    def __post_init__(self) -> None:
        self.io.mock_web(".*", {"status": self.status, "body": "the page"})
        rows = [{"criterion": "a", "met": self.percent >= 50}]
        answer = {"payout_percent": self.percent, "reasoning": "r", "red_flags": [], "criteria_results": rows}
        self.io.mock_llm("(?s).*", "no idea" if self.garbage else answer)

    @property
    def reading(self) -> int | str:
        """What an honest seat finds: a percentage, or a class of failure."""
        if self.status != 200:
            return f"evidence_status {self.status}"
        return "answer_unreadable" if self.garbage else self.percent

    def proposal(self, block: Block) -> Outcome:
        if self.lie is None:
            return block.lead(self.io)
        return Outcome.returned(forged(self.lie))

    def agrees(self, block: Block, proposal: Outcome, proposer: "Seat") -> bool:
        if self.lie is not None and proposer.lie is not None:
            return True
        return block.validate(proposal, self.io)


def forged(percent: int) -> dict[str, Any]:
    """A well-formed verdict that nobody has reached."""
    return {
        "payout_percent": percent,
        "reasoning": "Everything is there.",
        "red_flags": [],
        "criteria_results": [],
        "evidence_fingerprint": "0" * 16,
        "evidence_chars": 8,
        "evidence_truncated": False,
    }


def decide(seats: Sequence[Seat], block: Block) -> Outcome:
    """The first proposal that more than half of all seats agree with, in 1 + 3 turns. Raises `Undetermined`."""
    for proposer in seats[: 1 + ROTATIONS]:
        proposal = proposer.proposal(block)
        if proposal.code is Code.VM_ERROR:
            continue  # a crash is never agreed upon
        votes = sum(seat.agrees(block, proposal, proposer) for seat in seats)
        if 2 * votes > len(seats):
            return proposal
    raise Undetermined
