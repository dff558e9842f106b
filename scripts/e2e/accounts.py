"""Funds accounting to the wei: what each address had, what the contracts say it must have, and what it has."""

import time
from collections.abc import Mapping
from dataclasses import dataclass

from foreman.address import checksum
from foreman.sdk.failures import NotInTime
from scripts.e2e.run import Run

Balances = Mapping[str, int]
"""Wei by name."""


@dataclass(frozen=True, slots=True)
class Line:
    """One address. All in wei; `expected` follows from the contracts' own records alone."""

    name: str
    address: str
    before: int
    expected: int
    after: int

    @property
    def difference(self) -> int:
        return self.after - self.expected


@dataclass(frozen=True, slots=True)
class Accounts:
    """The whole run. `attached` is the wei of transactions that failed, `unsettled` how many are not final yet."""

    lines: tuple[Line, ...]
    attached: int
    unsettled: int
    stats: Mapping[str, int]

    @property
    def stranded(self) -> int:
        """Wei that the contracts' records place with a party and that it does not have: kept from failed calls."""
        return sum(-line.difference for line in self.lines if line.difference < 0)

    @property
    def lost(self) -> int:
        """The part of it that is at no address of this run."""
        return sum(line.before - line.after for line in self.lines)

    @property
    def statistics_agree(self) -> bool:
        """Volume and deposits are payouts, refunds and what the work orders' contract still holds."""
        told = self.stats
        held = next(line.expected for line in self.lines if line.name == "foreman")
        return told["volume_wei"] + told["deposits_wei"] == told["payouts_wei"] + told["refunds_wei"] + held

    def hold(self, keeps_failed_value: bool) -> bool:
        """Is every wei where it belongs? A network that keeps the value of failed calls may keep that and no more."""
        allowed = self.attached if keeps_failed_value else 0
        differs = any(line.difference for line in self.lines)
        exact = not differs or (allowed > 0 and 0 <= self.lost <= self.stranded <= allowed)
        return exact and not self.unsettled and self.statistics_agree


def balances(run: Run) -> Balances:
    """What every address of the run holds."""
    return {name: run.place.client.balance(address) for name, address in _places(run).items()}


def settle(run: Run, before: Balances, patience: float) -> Accounts:
    """Wait until everything sent is final and the money has arrived, at most `patience` seconds; then compare."""
    deadline = time.monotonic() + patience
    unsettled = 0
    for hash in run.sent:
        try:
            run.place.client.wait(hash, final=True, patience=max(0.1, deadline - time.monotonic()))
        except NotInTime:
            unsettled += 1
    keeps = run.place.client.keeps_failed_value
    while True:
        found = _compare(run, before, unsettled)
        if unsettled or found.hold(keeps_failed_value=False) or time.monotonic() > deadline:
            return found
        if keeps and found.hold(keeps_failed_value=True) and found.stranded == found.attached:
            return found  # everything but the value of the failed calls is where it belongs
        time.sleep(1.0)


def _places(run: Run) -> dict[str, bytes]:
    parties = {"client": run.client.address, "provider": run.provider.address, "arbiter": run.arbiter}
    return {**parties, "foreman": run.foreman, "verdict_escrow": run.court}


def _compare(run: Run, before: Balances, unsettled: int) -> Accounts:
    orders = [run.as_client.get(number) for number in run.orders]
    locked = sum(order.escrow_wei + order.deposit_wei for order in orders)
    paid, refunded = sum(order.paid_wei for order in orders), sum(order.refunded_wei for order in orders)
    taken = run.withdrawn
    moved = {
        "client": -locked + refunded - run.funded + taken[run.client.address],
        "provider": paid + taken[run.provider.address],
        "arbiter": 0,
        "foreman": locked - paid - refunded,
        "verdict_escrow": run.funded - sum(taken.values()),
    }
    after = balances(run)
    lines = tuple(
        Line(name, checksum(address), before[name], before[name] + moved[name], after[name])
        for name, address in _places(run).items()
    )
    return Accounts(lines, run.attached, unsettled, run.as_client.stats())
