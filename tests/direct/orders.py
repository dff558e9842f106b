"""Plays work orders of Foreman in direct mode: short verbs, a clock in whole seconds, scripted pages and judges."""

import json
import re
from collections.abc import Callable
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

CONTRACT = "contracts/foreman.py"
GEN = 10**18
MIN = 10**15
DAY = 86_400
START = 1_800_000_000
"""The second every play begins in, in January 2027."""

TITLE = "First ten primes"
SPEC = "Publish a JSON object with key primes holding the first ten primes and key sum holding their sum."
CRITERIA = "1) The page is valid JSON.\n2) primes is the first ten primes.\n3) sum is their sum."
PAGE = "https://example.com/primes.json"
GOOD = '{"primes":[2,3,5,7,11,13,17,19,23,29],"sum":129}'
NOTE = "All ten are there."
CONTEXT = "The sum is wrong, look again."


def verdict(percent: Any = 80, **other: Any) -> dict[str, Any]:
    """What a judge answers."""
    rows = [{"criterion": "The page is valid JSON.", "met": True}]
    return {"payout_percent": percent, "reasoning": "Two of three.", "red_flags": [], "criteria_results": rows} | other


def plain(account: Any) -> str:
    """An account's address as 0x and hex digits, whether a fixture gave it as bytes or as an Address."""
    return "0x" + (account if isinstance(account, bytes) else account.as_bytes).hex()


class Desk:
    """One deployed contract, a client, a provider, a stranger, and verbs that say who does what."""

    def __init__(self, vm: Any, deploy: Any, cast: tuple[Any, Any, Any]) -> None:
        self.vm = vm
        self.time = START
        self.at(START)
        self.client, self.provider, self.stranger = cast
        vm.sender = self.client
        self.contract = deploy(CONTRACT)
        self.world()

    # -- the world

    def at(self, second: int) -> None:
        """Set the time to a second since 1970."""
        self.time = second
        self.vm.warp(datetime.fromtimestamp(second, UTC).isoformat())

    def world(
        self,
        answer: Any = None,
        body: Any = GOOD,
        status: int = 200,
        kind: str | None = None,
        failing: str | None = None,
    ) -> None:
        """From now on every page is this one, and every judge answers this. `kind` is the content type."""
        self.vm.clear_mocks()
        page: dict[str, Any] = {"status": status, "body": body}
        if kind is not None:
            page = {"method": "GET", "response": page | {"headers": {"content-type": kind}}}
        if failing is not None:
            page = {"error": failing}
        self.vm.mock_web(".*", page)
        self.vm.mock_llm("(?s).*", answer if answer is not None else verdict())

    def judge(self, percent: Any, **other: Any) -> None:
        """From now on judges give this percentage for a good page."""
        self.world(verdict(percent, **other))

    # -- who does what

    @contextmanager
    def acting(self, who: Any, value: int = 0) -> Any:
        self.vm.value = value
        try:
            with self.vm.prank(who):
                yield self.contract
        finally:
            self.vm.value = 0

    def create(
        self,
        escrow: int = GEN,
        days: Any = 7,
        title: Any = TITLE,
        spec: Any = SPEC,
        criteria: Any = CRITERIA,
        who: Any = None,
    ) -> int:
        with self.acting(who or self.client, escrow) as contract:
            number: int = contract.create_order(title, spec, criteria, days)
        return number

    def claim(self, order: Any = 0, who: Any = None) -> None:
        with self.acting(who or self.provider) as contract:
            contract.claim_order(order)

    def submit(self, order: Any = 0, url: Any = PAGE, note: Any = NOTE, who: Any = None) -> None:
        with self.acting(who or self.provider) as contract:
            contract.submit_deliverable(order, url, note)

    def appeal(self, order: Any = 0, deposit: int | None = None, context: Any = CONTEXT, who: Any = None) -> None:
        escrow = self.contract.get_order(order)["escrow_wei"] if deposit is None else deposit
        with self.acting(who or self.client, escrow) as contract:
            contract.appeal_delivery(order, context)

    def extend(self, order: Any = 0, days: Any = 1, who: Any = None) -> None:
        with self.acting(who or self.client) as contract:
            contract.extend_deadline(order, days)

    def abandon(self, order: Any = 0, who: Any = None) -> None:
        with self.acting(who or self.provider) as contract:
            contract.abandon_claim(order)

    def cancel(self, order: Any = 0, who: Any = None) -> None:
        with self.acting(who or self.client) as contract:
            contract.cancel_order(order)

    def expire(self, order: Any = 0, who: Any = None) -> None:
        with self.acting(who or self.stranger) as contract:
            contract.expire_order(order)

    def claimed(self, escrow: int = GEN, days: int = 7) -> int:
        """A fresh order, claimed by the provider."""
        number = self.create(escrow, days)
        self.claim(number)
        return number

    def judged(self, percent: int = 80, escrow: int = GEN) -> int:
        """A fresh order with a first verdict."""
        number = self.claimed(escrow)
        self.judge(percent)
        self.submit(number)
        return number

    # -- what can be seen

    def order(self, number: int = 0) -> dict[str, Any]:
        found: dict[str, Any] = self.contract.get_order(number)
        return found

    def events(self, number: int = 0) -> list[str]:
        return [moment["event"] for moment in self.order(number)["timeline"]]

    def record(self, who: Any = None) -> dict[str, int]:
        found: dict[str, int] = self.contract.get_provider_reputation(plain(who or self.provider))
        return found

    def everything(self) -> str:
        """All that the contract tells, for comparing before and after."""
        views = (self.contract.get_all_orders(), self.contract.get_stats(), self.contract.get_top_providers(50))
        return json.dumps(views, sort_keys=True)

    def refusal(self, act: Callable[[], Any]) -> str | None:
        """What the contract says against an act; None when it takes it. Anything but a refusal is raised."""
        try:
            act()
        except Exception as error:
            if "UserError" not in str(error):
                raise
            return str(error)
        return None

    def stored(self) -> object:
        """Every row and balance there is, for comparing before and after; nothing where failures leave traces."""
        state = getattr(self.vm, "state", None)
        return None if state is None else ({who: dict(rows) for who, rows in state.rows.items()}, dict(state.balances))

    def put_into(self, status: str) -> int:
        """A fresh order in a status, the clock inside its windows."""
        number = self.create()
        if status in ("claimed", "completed", "rejected"):
            self.claim(number)
        if status in ("completed", "rejected"):
            self.judge(80 if status == "completed" else 20)
            self.submit(number)
        if status == "cancelled":
            self.cancel(number)
        if status == "expired":
            deadline = self.order(number)["deadline"]
            self.at(deadline)
            self.expire(number)
        assert self.order(number)["status"] == status
        return number


def fences(prompt: str) -> dict[str, str]:
    """The data of a prompt by block name, as a judge reads it."""
    found = re.finditer(r"^BEGIN (.+) ([0-9a-f]{24})\n((?:\| .*\n)+)END \1 \2$", prompt, re.MULTILINE)
    return {block[1]: "\n".join(line[2:] for line in block[3].splitlines()) for block in found}
