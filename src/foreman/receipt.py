"""What the network decided: statuses, votes, the rounds of a jury, and the record of a transaction."""

import base64
import json
from dataclasses import dataclass, field, replace
from enum import IntEnum, StrEnum
from typing import Any

from foreman.execution import Code, Emission, Event, On, Outcome, Transfer
from foreman.transaction import Transaction


class Status(IntEnum):
    """Where a transaction is; numbers and names of docs/genlayer.md 7.2."""

    PENDING = 1
    PROPOSING = 2
    COMMITTING = 3
    REVEALING = 4
    ACCEPTED = 5
    UNDETERMINED = 6
    FINALIZED = 7
    CANCELED = 8
    LEADER_TIMEOUT = 13

    @property
    def decided(self) -> bool:
        return self in _DECIDED


_DECIDED = frozenset({Status.ACCEPTED, Status.UNDETERMINED, Status.FINALIZED, Status.CANCELED, Status.LEADER_TIMEOUT})


class Vote(StrEnum):
    """What a seat said to a proposal; names of docs/genlayer.md 7.3."""

    AGREE = "agree"
    DISAGREE = "disagree"
    TIMEOUT = "timeout"
    DETERMINISTIC_VIOLATION = "deterministic_violation"
    IDLE = "idle"


@dataclass(frozen=True, slots=True)
class Ballot:
    """One seat in one round: its vote, and what it found by itself. `own` is None when it never came to an answer."""

    seat: int
    judge: str
    vote: Vote
    own: Outcome | None = None
    note: str = ""
    """Why it did not vote, for people; never part of consensus."""
    mapped: str = ""
    """The loopback address its evidence came from, when the host map served it."""


@dataclass(frozen=True, slots=True)
class Round:
    """One proposal and the votes on it, in seat order."""

    leader: int
    ballots: tuple[Ballot, ...]


@dataclass(frozen=True, slots=True)
class Decision:
    """What the jury said to one block. `outcome` is None when it did not agree; `status` then says how it ended."""

    block: int
    status: Status
    outcome: Outcome | None
    rounds: tuple[Round, ...]

    def violated(self) -> "Decision":
        """The same, marked: the run asked another question although nothing it had read has changed."""
        last = self.rounds[-1]
        ballots = tuple(
            replace(ballot, vote=Vote.DETERMINISTIC_VIOLATION, note="the question differs") for ballot in last.ballots
        )
        return Decision(self.block, Status.UNDETERMINED, None, (*self.rounds[:-1], Round(last.leader, ballots)))


@dataclass(frozen=True, slots=True)
class Receipt:
    """How a transaction ended. Success is `status` accepted or finalized *and* `outcome.ok`."""

    status: Status
    outcome: Outcome
    decisions: tuple[Decision, ...] = ()
    answers_unused: int = 0
    emitted: tuple[Transfer | Emission, ...] = ()
    events: tuple[Event, ...] = ()
    stderr: str = ""
    stdout: str = ""
    """What the contract printed, for its author; never part of consensus."""
    decided_at: int = 0
    """Microseconds since 1970."""

    @property
    def ok(self) -> bool:
        return self.status in (Status.ACCEPTED, Status.FINALIZED) and self.outcome.ok


@dataclass(slots=True)
class Record:
    """Everything the network knows of one transaction. Times are microseconds since 1970."""

    transaction: Transaction
    status: Status
    recorded_at: int
    position: int | None = None
    """Its place in the order, from activation on."""
    at: int | None = None
    """The time its contract sees, from activation on."""
    receipt: Receipt | None = None
    block: int | None = None
    """Its place in the order of commits, from its commit on."""
    children: tuple[bytes, ...] = field(default_factory=tuple)
    """Transactions that its run sent."""


def receipt_to_json(receipt: Receipt) -> str:
    """One compact JSON text, for the database."""
    return json.dumps(
        {
            "status": int(receipt.status),
            "outcome": _b64(receipt.outcome.to_bytes()),
            "decisions": [_decision_out(decision) for decision in receipt.decisions],
            "unused": receipt.answers_unused,
            "emitted": [_emitted_out(item) for item in receipt.emitted],
            "events": [[[topic.hex() for topic in event.topics], _b64(event.blob)] for event in receipt.events],
            "stderr": receipt.stderr,
            "stdout": receipt.stdout,
            "decided_at": receipt.decided_at,
        },
        separators=(",", ":"),
    )


def receipt_from_json(text: str) -> Receipt:
    """The receipt that `receipt_to_json` wrote."""
    raw = json.loads(text)
    return Receipt(
        status=Status(raw["status"]),
        outcome=Outcome.from_bytes(_unb64(raw["outcome"])),
        decisions=tuple(_decision_in(item) for item in raw["decisions"]),
        answers_unused=raw["unused"],
        emitted=tuple(_emitted_in(item) for item in raw["emitted"]),
        events=tuple(Event(tuple(map(bytes.fromhex, topics)), _unb64(blob)) for topics, blob in raw["events"]),
        stderr=raw["stderr"],
        stdout=raw["stdout"],
        decided_at=raw["decided_at"],
    )


def _b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _unb64(text: str) -> bytes:
    return base64.b64decode(text)


def _decision_out(decision: Decision) -> list[Any]:
    outcome = None if decision.outcome is None else _b64(decision.outcome.to_bytes())
    rounds = [[turn.leader, [_ballot_out(ballot) for ballot in turn.ballots]] for turn in decision.rounds]
    return [decision.block, int(decision.status), outcome, rounds]


def _decision_in(raw: list[Any]) -> Decision:
    block, status, outcome, rounds = raw
    return Decision(
        block,
        Status(status),
        None if outcome is None else Outcome.from_bytes(_unb64(outcome)),
        tuple(Round(leader, tuple(_ballot_in(item) for item in ballots)) for leader, ballots in rounds),
    )


def _ballot_out(ballot: Ballot) -> list[Any]:
    own = None if ballot.own is None else _b64(ballot.own.to_bytes())
    return [ballot.seat, ballot.judge, str(ballot.vote), own, ballot.note, ballot.mapped]


def _ballot_in(raw: list[Any]) -> Ballot:
    seat, judge, vote, own, note, mapped = raw
    return Ballot(seat, judge, Vote(vote), None if own is None else Outcome.from_bytes(_unb64(own)), note, mapped)


def _emitted_out(item: Transfer | Emission) -> list[Any]:
    if isinstance(item, Transfer):
        return ["transfer", item.to.hex(), str(item.value), _b64(item.data)]
    code = None if item.code is None else _b64(item.code)
    return ["message", item.to.hex(), str(item.value), _b64(item.calldata), str(item.on), code]


def _emitted_in(raw: list[Any]) -> Transfer | Emission:
    if raw[0] == "transfer":
        return Transfer(bytes.fromhex(raw[1]), int(raw[2]), _unb64(raw[3]))
    _, to, value, data, on, code = raw
    return Emission(bytes.fromhex(to), _unb64(data), int(value), On(on), None if code is None else _unb64(code))


NO_OUTCOME = Outcome(Code.VM_ERROR, b"undetermined")
"""What a transaction returns when its seats did not agree: nothing happened."""
