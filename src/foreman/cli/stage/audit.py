"""The proof: what every address had and has, what every order moved, and that nothing came from or went to nowhere."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from foreman.address import checksum
from foreman.cli.stage.board import Row
from foreman.cli.stage.court import Court
from foreman.cli.stage.stage import Stage
from foreman.cli.stage.watch import Watch
from foreman.sdk.client import Client


class Ended(Protocol):
    """How an order or a milestone ended, whichever contract told it. Amounts are wei."""

    @property
    def id(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def payout_percent(self) -> int: ...
    @property
    def escrow_wei(self) -> int: ...
    @property
    def deposit_wei(self) -> int: ...
    @property
    def paid_wei(self) -> int: ...
    @property
    def refunded_wei(self) -> int: ...


Balances = Mapping[str, int]
"""Wei by address."""


@dataclass(frozen=True, slots=True)
class Flow:
    """What one address had, what the orders moved in and out of it, and what it has. All in wei; out is negative."""

    name: str
    address: str
    before: int
    locked: int
    paid: int
    refunded: int
    after: int

    @property
    def holds(self) -> bool:
        return self.before + self.locked + self.paid + self.refunded == self.after


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything the demo ends with."""

    orders: tuple[tuple[Row, Ended], ...]
    flows: tuple[Flow, ...]
    books: Mapping[str, Any]

    @property
    def conserved(self) -> bool:
        """Does every address hold what its orders say, all together no more and no less, and do the books agree?"""
        together = sum(flow.after - flow.before for flow in self.flows)
        return together == 0 and all(flow.holds for flow in self.flows) and self.books["conserved"] is True


def balances(watch: Watch) -> Balances:
    """What the addresses of a play hold, by name."""
    return {name: watch.network.balance(address) for name, address in watch.places.items()}


def books(network: Client) -> Mapping[str, Any]:
    """The node's own books: wei minted, and where it is."""
    told: Mapping[str, Any] = network.call("foreman_getBooks")
    return {name: int(value, 16) if isinstance(value, str) else value for name, value in told.items()}


def audit(stage: Stage, before: Balances) -> Audit:
    """Read every order and every balance once more, and compare."""
    orders = tuple((row, stage.as_client.get(row.number)) for row in stage.rows)
    locked = sum(order.escrow_wei + order.deposit_wei for _, order in orders)
    paid = sum(order.paid_wei for _, order in orders)
    refunded = sum(order.refunded_wei for _, order in orders)
    after = balances(stage)
    moved = {
        "client": (stage.client.address, -locked, 0, refunded),
        "provider": (stage.provider.address, 0, paid, 0),
        "contract": (stage.contract, locked, -paid, -refunded),
    }
    flows = tuple(
        Flow(name, checksum(address), before[name], into, paid_in, back, after[name])
        for name, (address, into, paid_in, back) in moved.items()
    )
    return Audit(orders, flows, books(stage.network))


def audit_court(court: Court, before: Balances) -> Audit:
    """The same for agreements: what was posted against what was withdrawn."""
    ended = tuple((row, court.settled[row.number]) for row in court.rows)
    paid = sum(settled.paid_wei for _, settled in ended)
    refunded = sum(settled.refunded_wei for _, settled in ended)
    after = balances(court)
    posted = {name: court.posted.get(address, 0) for name, address in court.places.items()}
    moved = {
        "payer": (-posted["payer"], 0, refunded),
        "provider": (-posted["provider"], paid, 0),
        "arbiter": (0, 0, 0),
        "contract": (sum(posted.values()), -paid, -refunded),
    }
    flows = tuple(Flow(name, checksum(court.places[name]), before[name], *moved[name], after[name]) for name in moved)
    return Audit(ended, flows, books(court.network))


def report(stage: Watch, found: Audit, seconds: float) -> dict[str, Any]:
    """The demo for programs. Amounts are whole wei."""
    return {
        "ok": succeeded(stage, found),
        "conserved": found.conserved,
        "seconds": round(seconds, 3),
        "minted_wei": found.books["minted_wei"],
        "balances_before": {flow.name: flow.before for flow in found.flows},
        "balances_after": {flow.name: flow.after for flow in found.flows},
        "addresses": {flow.name: flow.address for flow in found.flows},
        "books": dict(found.books),
        "orders": [_order(stage, row, order) for row, order in found.orders],
        "steps": [{"order": step.order, "ok": step.ok, "sentence": step.sentence} for step in stage.steps],
    }


def succeeded(stage: Watch, found: Audit) -> bool:
    """Did every step do what it should, and is all the money accounted for?"""
    return found.conserved and bool(stage.steps) and all(step.ok for step in stage.steps)


def _order(stage: Watch, row: Row, order: Ended) -> dict[str, Any]:
    ballots = stage.ballots.get(row.number, ())
    return {
        "id": order.id,
        "title": row.job.title,
        "shows": row.job.shows,
        "status": order.status,
        "payout_percent": order.payout_percent,
        "escrow_wei": order.escrow_wei,
        "deposit_wei": order.deposit_wei,
        "paid_wei": order.paid_wei,
        "refunded_wei": order.refunded_wei,
        "judges": [ballot.judge for ballot in ballots],
        "votes": [ballot.vote for ballot in ballots],
        "ok": row.ok is True,
    }
