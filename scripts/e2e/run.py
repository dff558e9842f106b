"""One run: who plays, where, what was sent, and what had to be so."""

import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from foreman.sdk.account import Account
from foreman.sdk.agreements import Agreements
from foreman.sdk.client import Sent
from foreman.sdk.orders import Orders
from foreman.sdk.result import Result
from scripts.e2e.networks import Place
from scripts.e2e.roles import Role

LIVE_ATTEMPTS = 3
"""How often a judgement is asked for on a network whose models may disagree once."""

HOUR = 3600


class Failed(Exception):
    """A scene cannot go on; what went wrong is already among its steps."""


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that had to be so; with it, when it was a transaction, how that ended."""

    what: str
    ok: bool
    detail: str = ""
    hash: str = ""
    status: str = ""
    votes: tuple[str, ...] = ()
    seconds: float = 0.0


@dataclass(slots=True)
class Scene:
    """One story. `skipped` says why it was not played."""

    name: str
    shows: str
    steps: list[Step] = field(default_factory=list)
    skipped: str = ""

    @property
    def ok(self) -> bool:
        return bool(self.skipped) or (bool(self.steps) and all(step.ok for step in self.steps))

    def expect(self, holds: bool, what: str) -> None:
        """Remember whether something was so."""
        self.steps.append(Step(what, holds))


@dataclass
class Run:
    """The parties on one network, with fresh contracts."""

    place: Place
    client: Account
    provider: Account
    arbiter: bytes
    foreman: bytes
    court: bytes
    roles: Mapping[str, Role]
    patience: float
    orders: list[int] = field(default_factory=list)
    agreements: list[int] = field(default_factory=list)
    funded: int = 0
    """Wei locked in agreements."""
    withdrawn: dict[bytes, int] = field(default_factory=lambda: defaultdict(int))
    """Wei taken out of credits, by account."""
    attached: int = 0
    """Wei that were attached to transactions that failed."""
    sent: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        orders = Orders(self.place.client, self.foreman)
        self.as_client, self.as_provider = orders.as_account(self.client), orders.as_account(self.provider)
        court = Agreements(self.place.client, self.court)
        self.as_payer, self.as_payee = court.as_account(self.client), court.as_account(self.provider)

    def done(self, scene: Scene, what: str, sent: Sent, value: int = 0) -> Result:
        """A transaction that must succeed. Raises `Failed` when it does not; `value` is the wei attached to it."""
        result = self._ended(scene, what, sent, expected=True)
        if not result.ok:
            self.attached += value
            raise Failed
        return result

    def judged(self, scene: Scene, what: str, send: Callable[[], Sent]) -> Result:
        """A judgement without value: where models disagree, it is asked for again. Raises `Failed` in the end."""
        for attempt in range(1, (1 if self.place.own else LIVE_ATTEMPTS) + 1):
            began = time.monotonic()
            sent = send()
            self.sent.append(sent.hash)
            result = sent.wait(patience=self.patience)
            last = result.ok or attempt == LIVE_ATTEMPTS or self.place.own
            again = "" if last else f", asked again after attempt {attempt}"
            detail = f"{result.reason}{again}"
            scene.steps.append(_step(what, result.ok or not last, detail, result, began))
            if result.ok:
                return result
        raise Failed

    def refused(self, scene: Scene, what: str, sent: Sent, because: str, value: int = 0) -> None:
        """A transaction that the contract must refuse, with a reason that holds these words."""
        self.attached += value
        result = self._ended(scene, what, sent, expected=False)
        scene.expect(because in result.reason, f"the reason names {because!r}: {result.reason or 'none was given'}")

    def payment(self, role: str, wei: int, scene: Scene, days: int = 2) -> int:
        """The client opens an order; its number."""
        asked = self.roles[role]
        sent = self.as_client.create(asked.title, asked.spec, asked.criteria_text, days, wei)
        number = self.done(scene, "the client locks the escrow", sent, wei).value
        scene.expect(isinstance(number, int), f"the contract numbers the order {number}")
        self.orders.append(int(str(number)))
        return self.orders[-1]

    def hour(self) -> int:
        """The whole hour that contracts see now."""
        if self.place.own:
            return int(self.place.client.call("sim_getTime")["timestamp"]) // HOUR
        return int(time.time()) // HOUR

    def _ended(self, scene: Scene, what: str, sent: Sent, *, expected: bool) -> Result:
        began = time.monotonic()
        self.sent.append(sent.hash)
        result = sent.wait(patience=self.patience)
        scene.steps.append(_step(what, result.ok is expected, result.reason, result, began))
        return result


def _step(what: str, ok: bool, detail: str, result: Result, began: float) -> Step:
    votes = tuple(ballot.vote for ballot in result.ballots)
    return Step(what, ok, detail, result.hash, result.status, votes, round(time.monotonic() - began, 3))
