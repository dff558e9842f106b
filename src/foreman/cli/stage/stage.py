"""The stage: two agents with their own keys, a network behind its door, an evidence server, and what is expected."""

import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from foreman.cli.stage.board import Board, Row
from foreman.cli.stage.evidence import Evidence
from foreman.cli.stage.jobs import Job
from foreman.sdk.account import Account
from foreman.sdk.client import Client, Sent
from foreman.sdk.orders import Orders
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
class Stage:
    """Plays orders through JSON-RPC and signed transactions only, and remembers what went as it should."""

    network: Client
    contract: bytes
    client: Account
    provider: Account
    evidence: Evidence
    board: Board
    seats: int
    tolerance: int = 0
    """Points a verdict may be off: 0 for judges that compute it, 15 (the contract's own) for models."""
    rows: list[Row] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    ballots: dict[int, tuple[Ballot, ...]] = field(default_factory=dict)
    """The votes of each order's last verdict."""

    def __post_init__(self) -> None:
        orders = Orders(self.network, self.contract)
        self.as_client, self.as_provider = orders.as_account(self.client), orders.as_account(self.provider)
        self._judged: dict[str, Row] = {}
        self._early: dict[str, list[dict[str, Any]]] = {}
        self._lock = threading.Lock()

    def open(self, job: Job) -> Row:
        """The client creates an order and locks the escrow."""
        row = Row(len(self.rows), job)
        self.rows.append(row)
        self.board.begins(row)
        sent = self.as_client.create(job.title, job.spec, job.criteria_text, job.days, job.escrow_wei)
        number = sent.value(PATIENCE)
        self.expect(row, number == row.number, f"the order has number {row.number}, the contract says {number}")
        self.board.says(row, f"open, {job.gen} GEN locked")
        return row

    def claim(self, row: Row) -> None:
        """The provider commits to deliver."""
        self.as_provider.claim(row.number).value(PATIENCE)
        self.board.says(row, "claimed")

    def deliver(self, row: Row) -> Result:
        """The provider delivers the job's page, and the seats judge it; each of them fetches it once."""
        before = self.evidence.requests(row.job.page)
        sent = self.send_delivery(row)
        return self.judged(row, sent, before)

    def send_delivery(self, row: Row) -> Sent:
        self.board.says(row, f"delivered {row.job.page}, judging")
        sent = self.as_provider.submit(row.number, self.evidence.url(row.job.page), "Delivered as agreed.")
        self._watch(row, sent)
        return sent

    def appeal(self, row: Row, context: str) -> Result:
        """The client has the verdict judged once more, with a deposit."""
        before = self.evidence.requests(row.job.page)
        self.board.says(row, "appealed, judging again")
        row.seats.clear()
        sent = self.as_client.appeal(row.number, context)
        self._watch(row, sent)
        return self.judged(row, sent, before)

    def judged(self, row: Row, sent: Sent, requests_before: int) -> Result:
        """Wait for the verdict, and check votes and the evidence log."""
        result = sent.wait(patience=PATIENCE)
        self.ballots[row.number] = result.ballots
        page = row.job.page
        requests = self.evidence.wait_for(page, requests_before + self.seats, 2.0) - requests_before
        self.expect(
            row, result.ok, f"the delivery is judged ({result.status.lower()} {result.reason})".rstrip(" )") + ")"
        )
        self.expect(
            row, requests == self.seats, f"each of {self.seats} seats fetched {page} once ({requests} requests)"
        )
        agreed = sum(ballot.vote == "agree" for ballot in result.ballots)
        self.expect(row, agreed * 2 > self.seats, f"more than half of the seats agree ({agreed} of {self.seats})")
        return result

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

    def close(self, row: Row) -> None:
        """Compare what the contract says now with what the order had to become."""
        job, order = row.job, self.as_client.get(row.number)
        off = abs(order.payout_percent - job.percent)
        self.expect(row, order.status == job.status, f"ends {job.status} (it is {order.status})")
        self.expect(row, off <= self.tolerance, f"ends at {job.percent} % (it is {order.payout_percent} %)")
        if row.ok is None:
            row.ok = True
        self.board.ends(row)

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

    def _watch(self, row: Row, sent: Sent) -> None:
        """Show what the seats say about a transaction from now on, and what they have said already."""
        with self._lock:
            self._judged[sent.hash] = row
            early: Sequence[dict[str, Any]] = self._early.pop(sent.hash, ())
        for event in early:
            self._tell(row, event)

    def _tell(self, row: Row, event: dict[str, Any]) -> None:
        self.board.heard(row, int(event["seat"]), str(event["judge"]), str(event["vote"] or event["stage"]))
