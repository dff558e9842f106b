"""A jury in direct mode: five seats with worlds of their own decide a block, and some of them may lie."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from foreman.execution import Block, Code, Outcome
from foreman.judges.offline import Offline
from foreman.localnet.direct import Mocks
from tests.direct.agreements import ruling

ROTATIONS = 3


class Undetermined(Exception):
    """No proposal found more than half of the seats."""


class Jury:
    """Five seats. The first `liars` of them propose `lie` when they lead, and agree with that and nothing else."""

    def __init__(self, answers: Sequence[str], liars: int = 0, lie: Any = None, leader: int = 0) -> None:
        self.answers, self.liars, self.leader = answers, liars, leader
        self.lie = lie if isinstance(lie, Outcome) else Outcome.returned(lie)
        self.lied = False
        self.votes: list[list[bool]] = []

    def world(self, seat: int) -> Mocks:
        """What a seat sees and hears."""
        mocks = Mocks()
        mocks.mock_web("example.com", {"status": 200, "body": "The page."})
        mocks.mock_llm("verdict/ruling/1", self.answers[seat])
        mocks.mock_llm("verdict/same/1", "SAME")
        return mocks

    def decide(self, block: Block) -> Outcome:
        """The network's rule: more than half of all seats agree, else the next one proposes, `ROTATIONS` times."""
        for turn in range(1 + ROTATIONS):
            leader = (self.leader + turn) % 5
            lying = leader < self.liars
            proposal = self.lie if lying else block.lead(self.world(leader))
            votes = [
                lying if seat < self.liars else block.validate(proposal, self.world(seat)) is True for seat in range(5)
            ]
            self.votes.append(votes)
            if sum(votes) > 2 and proposal.code is not Code.VM_ERROR:
                self.lied = lying
                return proposal
        raise Undetermined

    def sit(self, vm: Any) -> "Jury":
        """Take the place of the one seat that direct mode asks."""
        if not hasattr(vm, "decide"):
            pytest.skip("genlayer-test's direct mode asks one seat only")
        vm.decide = self.decide
        return self


class OfflineSeats(Jury):
    """Five seats whose judge checks by program what a page says; each may be served pages of its own."""

    def __init__(self, *pages: Mapping[str, Any]) -> None:
        super().__init__([""] * 5)
        self.pages = pages if len(pages) == 5 else pages * 5

    def world(self, seat: int) -> Mocks:
        mocks = _Offline()
        mocks.mock_web("example.com", self.pages[seat])
        return mocks


class _Offline(Mocks):
    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        return Offline().answer(prompt, images)


def says(answer: str, dissent: str | None = None) -> list[str]:
    """What the judges of five seats answer; the fourth may differ."""
    answers = [json.dumps(ruling(answer, 90 - seat)) for seat in range(5)]
    return answers if dissent is None else [*answers[:3], dissent, answers[4]]
