"""What every play has in common: the steps that had to be so, the clock, and the seats as they are heard."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from foreman.cli.stage.board import Board, Row
from foreman.cli.stage.evidence import Evidence
from foreman.sdk.client import Client, Sent
from foreman.sdk.result import Ballot, Result

PATIENCE = 60.0
"""Seconds for one decision; a judge of a model may take long, the offline one takes milliseconds."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that had to be so, and whether it was."""

    order: int
    sentence: str
    ok: bool


@dataclass
class Watch:
    """A network behind its door, an evidence server, a board, and what was expected of them."""

    network: Client
    evidence: Evidence
    board: Board
    seats: int
    rows: list[Row] = field(default_factory=list, kw_only=True)
    steps: list[Step] = field(default_factory=list, kw_only=True)
    ballots: dict[int, tuple[Ballot, ...]] = field(default_factory=dict, kw_only=True)
    """The votes of each order's last verdict."""

    def __post_init__(self) -> None:
        self._judged: dict[str, Row] = {}
        self._early: dict[str, list[dict[str, Any]]] = {}
        self._lock = threading.Lock()

    @property
    def places(self) -> Mapping[str, bytes]:
        """The addresses whose money is at stake, by name."""
        raise NotImplementedError

    def refused(self, row: Row, sent: Sent, because: str) -> None:
        """A transaction that the contract must refuse, with a reason that holds these words."""
        result = sent.wait(patience=PATIENCE)
        told = result.reason if result.decided and not result.ok else "it was not refused"
        self.expect(row, because in told, f"refused: {told}")

    def travel(self, days: float) -> None:
        """Turn the network's clock forward."""
        self.network.call("sim_increaseTime", round(days * 86_400))

    def expect(self, row: Row, holds: bool, sentence: str) -> None:
        """Remember whether something was so, and say it when it was not."""
        self.steps.append(Step(row.number, sentence, holds))
        if not holds:
            row.ok = False
            self.board.wrong(row, sentence)

    def conclude(self, row: Row) -> None:
        """The order is over; it went as it should unless something has said otherwise."""
        if row.ok is None:
            row.ok = True
        self.board.ends(row)

    def fetched_once(self, row: Row, requests_before: int) -> None:
        """The evidence log must hold one request per seat since then."""
        page = row.job.page
        requests = self.evidence.wait_for(page, requests_before + self.seats, 2.0) - requests_before
        self.expect(
            row, requests == self.seats, f"each of {self.seats} seats fetched {page} once ({requests} requests)"
        )

    def agreed(self, row: Row, result: Result) -> None:
        """More than half of the seats must have agreed."""
        self.ballots[row.number] = result.ballots
        agreed = sum(ballot.vote == "agree" for ballot in result.ballots)
        self.expect(row, agreed * 2 > self.seats, f"more than half of the seats agree ({agreed} of {self.seats})")

    def hear(self, event: dict[str, Any]) -> None:
        """One event of the network's stream; called from the thread that follows it."""
        if event.get("event") != "seat":
            return
        hash = str(event["hash"])
        with self._lock:
            row = self._judged.get(hash)
            if row is None:
                self._early.setdefault(hash, []).append(event)
                return
        self._tell(row, event)

    def follow(self, row: Row, sent: Sent) -> None:
        """Show what the seats say about a transaction from now on, and what they have said already."""
        with self._lock:
            self._judged[sent.hash] = row
            early: Sequence[dict[str, Any]] = self._early.pop(sent.hash, ())
        for event in early:
            self._tell(row, event)

    def _tell(self, row: Row, event: dict[str, Any]) -> None:
        self.board.heard(row, int(event["seat"]), str(event["judge"]), str(event["vote"] or event["stage"]))
