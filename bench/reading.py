"""Reads at a steady rate while lifecycles go on at a steady rate: how long each answer takes.

Arrivals are planned beforehand and do not wait for answers; a delay counts from the moment a request was due, so a node
that stalls cannot hide it. A lifecycle here is one order created, and an earlier one claimed and delivered, because an
order's number is known only after its commit.
"""

import asyncio
import random
import time
from collections.abc import Callable
from typing import Any

from bench.load import CRITERIA, ESCROW, SPEC, TITLE, URL, Load, Sender
from bench.wire import Line, Wire, request
from foreman.sdk.envelope import call_payload

PAGE = 50
"""Orders on a page."""

AHEAD = 128
"""Orders that stand before the first claim."""

LINES = 64
"""Connections for each kind of read. Who finds none free waits, and the wait counts."""

Ask = Callable[[], bytes]
"""Makes the next request of a kind."""


class Reads:
    """One kind of read, asked at a steady rate over connections of its own."""

    def __init__(self, wire: Wire, ask: Ask, rate: float) -> None:
        self._wire = wire
        self._ask = ask
        self._rate = rate
        self._lines: asyncio.Queue[Line] = asyncio.Queue()
        self.delays: list[float] = []
        self.failed = 0

    async def run(self, seconds: float) -> None:
        """Send `rate` requests a second for so long and wait for the answers."""
        for _ in range(LINES):
            self._lines.put_nowait(await self._wire.line())
        began, under_way = time.perf_counter(), []
        for number in range(int(seconds * self._rate)):
            due = began + number / self._rate
            wait = due - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            under_way.append(asyncio.ensure_future(self._one(due)))
        await asyncio.gather(*under_way)

    async def _one(self, due: float) -> None:
        line = await self._lines.get()
        reply = await line.ask(self._ask())
        self.delays.append(time.perf_counter() - due)
        self.failed += b'"error"' in reply
        self._lines.put_nowait(line)

    def told(self) -> dict[str, float]:
        """Median and 99th percentile in milliseconds."""
        delays = sorted(self.delays)
        return {"count": len(delays), "median_ms": delays[len(delays) // 2] * 1000,
                "p99_ms": delays[len(delays) * 99 // 100] * 1000, "failed": self.failed}  # fmt: skip


class Steady:
    """Lifecycles at a steady rate; each pair of accounts makes one at a time."""

    def __init__(self, load: Load, first: int, rate: float, seconds: float) -> None:
        self._load = load
        self._rate = rate
        self._count = int(rate * seconds)
        self._turns = [asyncio.Lock() for _ in load.clients]
        self.finished_at = 0.0
        for number in range(self._count):
            client, provider = self._pair(number)
            title = f"{TITLE}, part {first + AHEAD + number}"
            client.prepare(load.wire, "create_order", [title, SPEC, CRITERIA, 30], ESCROW)
            provider.prepare(load.wire, "claim_order", [first + number])
            provider.prepare(load.wire, "submit_deliverable", [first + number, URL, "As agreed."])

    def _pair(self, number: int) -> tuple[Sender, Sender]:
        place = number % len(self._load.clients)
        return self._load.clients[place], self._load.providers[place]

    async def run(self) -> float:
        """Lifecycles a second that were really finished."""
        began, under_way = time.perf_counter(), []
        for number in range(self._count):
            wait = began + number / self._rate - time.perf_counter()
            if wait > 0:
                await asyncio.sleep(wait)
            under_way.append(asyncio.ensure_future(self._one(number)))
        await asyncio.gather(*under_way)
        return self._count / (time.perf_counter() - began)

    async def _one(self, number: int) -> None:
        client, provider = self._pair(number)
        async with self._turns[number % len(self._turns)]:
            await client.send_next(self._load.wire)
            await provider.send_next(self._load.wire)
            await provider.send_next(self._load.wire)


async def reading(
    url: str, contract: str, stats: float, orders: float, pages: float, lifecycles: float, seconds: float
) -> dict[str, Any]:
    """So many reads of each kind and so many lifecycles a second, all at once."""
    load = Load(url, contract, 64, 64)
    await load.begin()
    existing = await load.read("get_order_count")
    numbers, _ = await load.create(AHEAD)
    steady = Steady(load, numbers.start, lifecycles, seconds)
    rng = random.Random(7)

    def read(method: str, *args: Any) -> bytes:
        data = "0x" + call_payload(method, args).hex()
        call = {"type": "read", "to": contract, "data": data, "from": str(load.clients[0].account)}
        return request(load.wire.host, "gen_call", [call])

    one, page = read("get_stats"), read("get_orders_page", 0, PAGE, "")
    kinds = {
        "get_stats": Reads(load.wire, lambda: one, stats),
        "get_order": Reads(load.wire, lambda: read("get_order", rng.randrange(existing)), orders),
        "page": Reads(load.wire, lambda: page, pages),
    }
    rate, *_ = await asyncio.gather(steady.run(), *(kind.run(seconds) for kind in kinds.values()))
    return {"lifecycles_per_second": rate, **{name: kind.told() for name, kind in kinds.items()}}
