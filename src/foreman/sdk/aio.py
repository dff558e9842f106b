"""The SDK for asyncio: the same verbs, each on a thread. Written by scripts/async_facade.py; do not edit.

async with AsyncForeman.connect("local", account) as foreman:
    orders = await foreman.orders()
    sent = await orders.create("Levels", "A week of levels.", "- The page is valid JSON", 7, GEN)
    number = await sent.value()
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from foreman.sdk.account import Account
from foreman.sdk.agreements import Agreements, Milestone
from foreman.sdk.aio_client import AsyncClient, AsyncSent
from foreman.sdk.foreman import Foreman
from foreman.sdk.orders import Order, Orders

__all__ = ["AsyncAgreements", "AsyncClient", "AsyncForeman", "AsyncOrders", "AsyncSent"]


class AsyncOrders:
    """The Foreman contract at one address; writes are signed by `account`, and reads need none."""

    def __init__(self, sync: Orders) -> None:
        self.sync = sync

    def as_account(self, account: Account) -> "AsyncOrders":
        """The same contract, acted on by another account."""
        return AsyncOrders(self.sync.as_account(account))

    def once(self, id: str) -> "AsyncOrders":
        """The same contract for one write under this id, which never sends twice."""
        return AsyncOrders(self.sync.once(id))

    async def create(self, title: str, spec: str, criteria: str, days: int, escrow_wei: int) -> AsyncSent:
        """Open an order and lock the escrow; the value is its id. Simulated first, so a refusal costs nothing."""
        return AsyncSent(await asyncio.to_thread(self.sync.create, title, spec, criteria, days, escrow_wei))

    async def claim(self, order: int) -> AsyncSent:
        """Commit to deliver an open order before its deadline."""
        return AsyncSent(await asyncio.to_thread(self.sync.claim, order))

    async def submit(self, order: int, url: str, note: str = "") -> AsyncSent:
        """Deliver one URL: the validators judge it, and the escrow splits by the percentage they agree on."""
        return AsyncSent(await asyncio.to_thread(self.sync.submit, order, url, note))

    async def appeal(self, order: int, context: str, yes: bool = False) -> AsyncSent:
        """Have a verdict judged once more, with a deposit like the escrow: it can add to a payout, never take back."""
        return AsyncSent(await asyncio.to_thread(self.sync.appeal, order, context, yes))

    async def abandon(self, order: int) -> AsyncSent:
        """Give a claimed order back."""
        return AsyncSent(await asyncio.to_thread(self.sync.abandon, order))

    async def cancel(self, order: int) -> AsyncSent:
        """Take the escrow of an unclaimed order back."""
        return AsyncSent(await asyncio.to_thread(self.sync.cancel, order))

    async def expire(self, order: int) -> AsyncSent:
        """Refund an order whose deadline has passed; anyone may."""
        return AsyncSent(await asyncio.to_thread(self.sync.expire, order))

    async def extend(self, order: int, days: int) -> AsyncSent:
        """Add 1 to 30 days to an open or claimed order."""
        return AsyncSent(await asyncio.to_thread(self.sync.extend, order, days))

    async def get(self, order: int) -> Order:
        return await asyncio.to_thread(self.sync.get, order)

    async def page(self, offset: int = 0, limit: int = 50, status: str = "") -> list[Order]:
        """Newest first, at most 50."""
        return await asyncio.to_thread(self.sync.page, offset, limit, status)

    async def count(self) -> int:
        """How many orders there have ever been."""
        return await asyncio.to_thread(self.sync.count)

    async def is_expired(self, order: int) -> bool:
        """Is it live and past its deadline, by the network's own clock?"""
        return await asyncio.to_thread(self.sync.is_expired, order)

    async def can_appeal(self, order: int) -> bool:
        """Has it a verdict that its client may still appeal, by the network's own clock?"""
        return await asyncio.to_thread(self.sync.can_appeal, order)

    async def stats(self) -> Mapping[str, int]:
        """Counts and sums over all orders; amounts in wei."""
        return await asyncio.to_thread(self.sync.stats)

    async def by_client(self, client: bytes, offset: int = 0, limit: int = 50) -> list[Order]:
        """What an address opened, newest first, at most 50."""
        return await asyncio.to_thread(self.sync.by_client, client, offset, limit)

    async def by_provider(self, provider: bytes, offset: int = 0, limit: int = 50) -> list[Order]:
        """What an address claimed and did not give back, newest first, at most 50."""
        return await asyncio.to_thread(self.sync.by_provider, provider, offset, limit)

    async def top(self, limit: int = 10) -> list[Mapping[str, Any]]:
        """The providers with the best records, at most 50."""
        return await asyncio.to_thread(self.sync.top, limit)

    async def reputation(self, provider: bytes) -> Mapping[str, int]:
        """A provider's record."""
        return await asyncio.to_thread(self.sync.reputation, provider)


class AsyncAgreements:
    """The VerdictEscrow contract at one address; writes are signed by `account`, and reads need none."""

    def __init__(self, sync: Agreements) -> None:
        self.sync = sync

    def as_account(self, account: Account) -> "AsyncAgreements":
        """The same contract, acted on by another account."""
        return AsyncAgreements(self.sync.as_account(account))

    def once(self, id: str) -> "AsyncAgreements":
        """The same contract for one write under this id, which never sends twice."""
        return AsyncAgreements(self.sync.once(id))

    async def create(self, provider: bytes, arbiter: bytes, title: str, domains: Sequence[str]) -> AsyncSent:
        """Open a draft; the value is its id. Arbiter and evidence allowlist never change."""
        return AsyncSent(await asyncio.to_thread(self.sync.create, provider, arbiter, title, domains))

    async def add_milestone(
        self, agreement: int, title: str, criteria: Sequence[str], amount_wei: int, due_hour: int
    ) -> AsyncSent:
        """Add a milestone to a draft; the value is its index."""
        return AsyncSent(
            await asyncio.to_thread(self.sync.add_milestone, agreement, title, criteria, amount_wei, due_hour)
        )

    async def fund(self, agreement: int, wei: int) -> AsyncSent:
        """Lock exactly the sum of all milestones and go live. Simulated first, so a refusal costs nothing."""
        return AsyncSent(await asyncio.to_thread(self.sync.fund, agreement, wei))

    async def abandon_draft(self, agreement: int) -> AsyncSent:
        """Close a draft that was never funded."""
        return AsyncSent(await asyncio.to_thread(self.sync.abandon_draft, agreement))

    async def cancel_overdue(self, agreement: int, index: int) -> AsyncSent:
        """Take back a milestone that was not delivered in time."""
        return AsyncSent(await asyncio.to_thread(self.sync.cancel_overdue, agreement, index))

    async def submit(self, agreement: int, index: int, claim: str, urls: Sequence[str]) -> AsyncSent:
        """Deliver a claim and the pages that prove it; it accepts arbiter and allowlist."""
        return AsyncSent(await asyncio.to_thread(self.sync.submit, agreement, index, claim, urls))

    async def adjudicate(self, agreement: int, index: int) -> AsyncSent:
        """Have the network rule on this round."""
        return AsyncSent(await asyncio.to_thread(self.sync.adjudicate, agreement, index))

    async def appeal(self, agreement: int, index: int, grounds: str, yes: bool = False) -> AsyncSent:
        """Contest a ruling with a bond, which is forfeit if the loser loses again. `yes`: as with an order's appeal."""
        return AsyncSent(await asyncio.to_thread(self.sync.appeal, agreement, index, grounds, yes))

    async def escalate(self, agreement: int, index: int, grounds: str, yes: bool = False) -> AsyncSent:
        """After the last round, ask the arbiter, for the same bond."""
        return AsyncSent(await asyncio.to_thread(self.sync.escalate, agreement, index, grounds, yes))

    async def accept(self, agreement: int, index: int) -> AsyncSent:
        """Let a ruling against oneself stand, and settle at once."""
        return AsyncSent(await asyncio.to_thread(self.sync.accept, agreement, index))

    async def finalize(self, agreement: int, index: int) -> AsyncSent:
        """Settle a ruling that nobody contested in time."""
        return AsyncSent(await asyncio.to_thread(self.sync.finalize, agreement, index))

    async def resolve_stalled(self, agreement: int, index: int) -> AsyncSent:
        """Two days without a ruling: another attempt, or a deadlock."""
        return AsyncSent(await asyncio.to_thread(self.sync.resolve_stalled, agreement, index))

    async def resolve_absent_arbiter(self, agreement: int, index: int) -> AsyncSent:
        """The arbiter stayed away: the network's last ruling decides."""
        return AsyncSent(await asyncio.to_thread(self.sync.resolve_absent_arbiter, agreement, index))

    async def withdraw(self) -> AsyncSent:
        """Take out all of one's credit."""
        return AsyncSent(await asyncio.to_thread(self.sync.withdraw))

    async def rule(self, agreement: int, index: int, approve: bool, reason: str) -> AsyncSent:
        """Settle a deadlock, finally."""
        return AsyncSent(await asyncio.to_thread(self.sync.rule, agreement, index, approve, reason))

    async def get(self, agreement: int) -> Mapping[str, Any]:
        """Parties, state, money and allowlist; amounts are wei in decimal."""
        return await asyncio.to_thread(self.sync.get, agreement)

    async def milestone(self, agreement: int, index: int) -> Milestone:
        return await asyncio.to_thread(self.sync.milestone, agreement, index)

    async def milestones(self, agreement: int) -> list[Milestone]:
        """All of an agreement, in order; the contract takes 20 at most."""
        return await asyncio.to_thread(self.sync.milestones, agreement)

    async def rulings(self, agreement: int, index: int) -> list[Mapping[str, Any]]:
        """Oldest first."""
        return await asyncio.to_thread(self.sync.rulings, agreement, index)

    async def by_party(self, party: bytes, offset: int = 0, limit: int = 50) -> list[Mapping[str, Any]]:
        """Those an address is payer, provider or arbiter of, newest first, at most 50."""
        return await asyncio.to_thread(self.sync.by_party, party, offset, limit)

    async def config(self) -> Mapping[str, Any]:
        """The numbers of the contract's rules: windows in whole hours, bonds in basis points, tolerances per round."""
        return await asyncio.to_thread(self.sync.config)

    async def count(self) -> int:
        """How many agreements there have ever been."""
        return await asyncio.to_thread(self.sync.count)

    async def credit(self, who: bytes) -> int:
        """Wei that an account may withdraw."""
        return await asyncio.to_thread(self.sync.credit, who)

    async def page(self, offset: int = 0, limit: int = 50) -> list[Mapping[str, Any]]:
        """Newest first, at most 50."""
        return await asyncio.to_thread(self.sync.page, offset, limit)


class AsyncForeman:
    """Orders and agreements of one network, acted on by one account; without one they can be read."""

    def __init__(self, sync: Foreman) -> None:
        self.sync = sync

    @classmethod
    def connect(
        cls,
        network: str = "local",
        account: Account | None = None,
        contracts: Mapping[str, str] | None = None,
        outbox: Path | None = None,
    ) -> Self:
        """As `Foreman.connect`."""
        return cls(Foreman.connect(network, account, contracts, outbox))

    @property
    def client(self) -> "AsyncClient":
        return AsyncClient(self.sync.client)

    def as_account(self, account: Account) -> Self:
        """The same connection, acted on by another account."""
        return type(self)(self.sync.as_account(account))

    async def orders(self) -> AsyncOrders:
        """Work orders; asks the network where their contract stands."""
        return AsyncOrders(await asyncio.to_thread(lambda: self.sync.orders))

    async def agreements(self) -> AsyncAgreements:
        """Agreements in milestones; asks the network where their contract stands."""
        return AsyncAgreements(await asyncio.to_thread(lambda: self.sync.agreements))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def contracts(self) -> Mapping[str, str]:
        """Addresses by name: those given, and those an embedded network tells."""
        return await asyncio.to_thread(lambda: self.sync.contracts)

    async def close(self) -> None:
        """Let go of the connections."""
        await asyncio.to_thread(self.sync.close)
