"""Work orders as typed verbs: the Foreman contract seen from a client, a provider or anyone who looks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from foreman.address import Address
from foreman.sdk.client import Sent
from foreman.sdk.contract import Contract
from foreman.sdk.shape import amount, fits, party, time

MOST_ROWS = 50
"""Orders in one page (docs/limits.md)."""

SHAPE = {
    "id?": time,
    "status?": str,
    "client?": party,
    "provider?": party,
    "title?": str,
    "escrow_wei?": amount,
    "paid_wei?": amount,
    "refunded_wei?": amount,
    "deposit_wei?": amount,
    "deadline?": time,
    "payout_percent?": time,
    "verdict_reasoning?": str,
    "appeal_deadline?": time,
    "appeal_used?": bool,
    "evidence_fingerprint?": str,
    "deliverable_url?": str,
    "red_flags?": [str],
    "criteria_results?": [dict],
    "timeline?": [dict],
}
"""What is read of an order; a contract of an older release has fewer fields."""

COUNTS = ("completed", "rejected", "disputed", "abandoned", "total_earned_wei", "reliability_bps")
RECORD = dict.fromkeys(COUNTS, amount)
"""What is read of a provider's record."""


@dataclass(frozen=True, slots=True)
class Order:
    """One order as the contract tells it. Amounts are wei, times whole seconds since 1970, `raw` is everything."""

    id: int
    status: str
    client: str
    provider: str
    title: str
    escrow_wei: int
    paid_wei: int
    refunded_wei: int
    deposit_wei: int
    deadline: int
    payout_percent: int
    reasoning: str
    raw: Mapping[str, Any] = field(repr=False)

    @classmethod
    def read(cls, raw: Mapping[str, Any]) -> "Order":
        """Read an order tolerantly: a contract of an older release has fewer fields."""
        return cls(
            id=_whole(raw, "id"),
            status=str(raw.get("status", "")),
            client=_party(raw, "client"),
            provider=_party(raw, "provider"),
            title=str(raw.get("title", "")),
            escrow_wei=_whole(raw, "escrow_wei"),
            paid_wei=_whole(raw, "paid_wei"),
            refunded_wei=_whole(raw, "refunded_wei"),
            deposit_wei=_whole(raw, "deposit_wei"),
            deadline=_whole(raw, "deadline"),
            payout_percent=_whole(raw, "payout_percent"),
            reasoning=str(raw.get("verdict_reasoning", "")),
            raw=raw,
        )


class Orders(Contract):
    """The Foreman contract at one address; writes are signed by `account`, and reads need none."""

    def create(self, title: str, spec: str, criteria: str, days: int, escrow_wei: int) -> Sent:
        """Open an order and lock the escrow; the value is its id. Simulated first, so a refusal costs nothing."""
        return self.pay("create_order", [title, spec, criteria, days], escrow_wei)

    def claim(self, order: int) -> Sent:
        """Commit to deliver an open order before its deadline."""
        return self.write("claim_order", [order])

    def submit(self, order: int, url: str, note: str = "") -> Sent:
        """Deliver one URL: the validators judge it, and the escrow splits by the percentage they agree on."""
        return self.write("submit_deliverable", [order, url, note])

    def appeal(self, order: int, context: str, yes: bool = False) -> Sent:
        """Have a verdict judged once more, with a deposit like the escrow: it can add to a payout, never take back.

        Raises `ForemanError` `needs_yes` without `yes` on a network that keeps the deposit of an appeal that fails.
        """
        return self.stake("appeal_delivery", [order, context], self.get(order).escrow_wei, yes)

    def abandon(self, order: int) -> Sent:
        """Give a claimed order back."""
        return self.write("abandon_claim", [order])

    def cancel(self, order: int) -> Sent:
        """Take the escrow of an unclaimed order back."""
        return self.write("cancel_order", [order])

    def expire(self, order: int) -> Sent:
        """Refund an order whose deadline has passed; anyone may."""
        return self.write("expire_order", [order])

    def extend(self, order: int, days: int) -> Sent:
        """Add 1 to 30 days to an open or claimed order."""
        return self.write("extend_deadline", [order, days])

    def get(self, order: int) -> Order:
        return Order.read(self.ask(SHAPE, "get_order", order))

    def page(self, offset: int = 0, limit: int = 50, status: str = "") -> list[Order]:
        """Newest first, at most 50."""
        return self._rows("get_orders_page", offset, limit, status)

    def count(self) -> int:
        """How many orders there have ever been."""
        return int(self.ask(int, "get_order_count"))

    def is_expired(self, order: int) -> bool:
        """Is it live and past its deadline, by the network's own clock?"""
        return bool(self.ask(bool, "is_expired", order))

    def can_appeal(self, order: int) -> bool:
        """Has it a verdict that its client may still appeal, by the network's own clock?"""
        return bool(self.ask(bool, "can_appeal", order))

    def stats(self) -> Mapping[str, int]:
        """Counts and sums over all orders; amounts in wei."""
        found: Mapping[str, int] = self.ask(_all_amounts, "get_stats")
        return found

    def by_client(self, client: bytes, offset: int = 0, limit: int = 50) -> list[Order]:
        """What an address opened, newest first, at most 50."""
        return self._rows("get_orders_by_client_page", str(Address(client)), offset, limit)

    def by_provider(self, provider: bytes, offset: int = 0, limit: int = 50) -> list[Order]:
        """What an address claimed and did not give back, newest first, at most 50."""
        return self._rows("get_orders_by_provider_page", str(Address(provider)), offset, limit)

    def top(self, limit: int = 10) -> list[Mapping[str, Any]]:
        """The providers with the best records, at most 50."""
        found: list[Mapping[str, Any]] = self.ask([{"provider": party, **RECORD}], "get_top_providers", limit)
        return found

    def _rows(self, method: str, *args: Any) -> list[Order]:
        found = self.ask(_page, method, *args)
        return [Order.read(raw) for raw in (found["orders"] if isinstance(found, Mapping) else found)]

    def reputation(self, provider: bytes) -> Mapping[str, int]:
        """A provider's record."""
        found: Mapping[str, int] = self.ask(RECORD, "get_provider_reputation", str(Address(provider)))
        return found


def _page(value: object) -> bool:
    """No contract gives more than 50 orders at once; an older one wraps them."""
    value = value.get("orders") if isinstance(value, Mapping) else value
    return fits(value, [SHAPE]) and isinstance(value, list) and len(value) <= MOST_ROWS


def _all_amounts(value: object) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(name, str) and amount(number) for name, number in value.items()
    )


def _whole(raw: Mapping[str, Any], name: str) -> int:
    return int(raw.get(name) or 0)


def _party(raw: Mapping[str, Any], name: str) -> str:
    value = raw.get(name)
    return value.as_hex if isinstance(value, Address) else str(value or "")
