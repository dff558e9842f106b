"""The figures of a large book: lifecycles, memory and disk with many orders, reads beside them, and the restart."""

import contextlib
import sqlite3
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bench import filled
from bench.processes import Server, seconds_to_first_answer, server
from bench.result import Plan, Result, at_least, at_most, copied, plain
from bench.wire import free_port

READS, PAGES, LIFECYCLES = 500, 60, 50
"""A second: reads of `get_stats` and `get_order` (half each), pages of 50, and lifecycles beside them."""

KINDS = ("get_stats", "get_order", "page")

WARM = 256
"""Lifecycles before a node is measured: its caches are filled, and the contract is compiled."""


@dataclass
class Book:
    """A node with so many orders at the start, and what was measured of it."""

    orders: int
    state: Path
    node: Server
    rates: list[float] = field(default_factory=list)
    costs: list[float] = field(default_factory=list)
    bytes_each: list[float] = field(default_factory=list)

    def measure(self, orders: int) -> None:
        """More orders: how fast, at what cost in processor time and on disk."""
        cpu, size = self.node.cpu_seconds(), database_bytes(self.state)
        self.rates.append(self.node.load("lifecycles", senders=64, orders=orders)["per_second"])
        self.costs.append((self.node.cpu_seconds() - cpu) / orders * 1000)
        self.bytes_each.append((database_bytes(self.state) - size) / orders)


def database_bytes(state: Path) -> int:
    """What the database holds, its log included."""
    with contextlib.closing(sqlite3.connect(f"{(state / 'chain.sqlite').as_uri()}?mode=ro", uri=True)) as database:
        return int(
            database.execute("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").fetchone()[0]
        )


def books(plan: Plan) -> Iterator[Result]:
    """The same lifecycles on books of different sizes, in turns, so that each meets the same moments of the machine."""
    with contextlib.ExitStack() as stack:
        shelf = []
        for orders in (0, *plan.books):
            if orders:
                state = stack.enter_context(copied(filled.directory(orders)))
            else:
                state = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            shelf.append(Book(orders, state, stack.enter_context(server(state=str(state)))))
        for book in shelf:
            book.node.load("lifecycles", senders=64, orders=WARM)
        for _ in range(plan.repeats + 1):
            for book in shelf:
                book.measure(plan.orders)
        memory = [book.node.memory_mib() for book in shelf]
    empty, *others = shelf
    yield plain("lifecycles, 64 senders, 0 orders before", empty.rates, "per second", told(empty))
    for book in others:
        yield plain(f"lifecycles, 64 senders, {book.orders:,} orders before", book.rates, "per second", told(book))
        ratio = max(book.rates) / max(empty.rates) * 100
        cost = f"by processor time {min(empty.costs) / min(book.costs):.0%}"
        yield Result(f"{book.orders:,} orders against none", ratio, "%", "", ">= 90", ratio >= 90, cost)
    last = others[-1]
    note = f"measured while they were made; {min(empty.bytes_each):,.0f} in an empty book"
    yield plain(f"database per order, {last.orders:,} orders before", last.bytes_each, "bytes", note, most=False)
    share = memory[-1] / memory[0] * 100
    note = (
        f"{memory[-1]:.0f} MiB against {memory[0]:.0f} MiB after the same {WARM + (plan.repeats + 1) * plan.orders:,}"
    )
    name = f"memory of a node with {last.orders:,} orders against none"
    yield Result(name, share, "%", "", "<= 115", share <= 115, note)


def told(book: Book) -> str:
    return f"{min(book.costs):.1f} ms of processor time each in the node"


def reads(plan: Plan) -> Iterator[Result]:
    """Reads at a steady rate beside lifecycles at a steady rate, on the largest book; then twice as many reads."""
    orders = plan.books[-1]
    once, twice = [], []
    with copied(filled.directory(orders)) as state, server(state=str(state)) as node:
        node.load("lifecycles", senders=64, orders=WARM)
        for _ in range(max(1, plan.repeats - 1)):
            once.append(read_for(node, READS, plan.seconds))
            twice.append(read_for(node, 2 * READS, plan.seconds))
    beside = f"beside {LIFECYCLES} lifecycles a second, at {orders:,} orders"
    for kind, name in (("get_stats", f"{READS // 2} get_stats"), ("get_order", f"{READS // 2} get_order")):
        yield answered(f"{name} a second, 99th percentile", kind, once, beside)
    yield answered(f"{PAGES} pages of 50 a second, 99th percentile", "page", once, beside)
    rates = [one["lifecycles_per_second"] for one in once]
    note = f"{min(one['cores'] for one in once):.2f} cores of the node"
    yield at_least("lifecycles beside these reads", rates, "per second", LIFECYCLES * 0.98, note)
    slowest = [max(one[kind]["p99_ms"] for kind in KINDS) for one in twice]
    note = f"{min(one['lifecycles_per_second'] for one in twice):.0f} lifecycles a second beside them"
    name = f"twice as many of both, {PAGES} pages: the slowest kind's 99th percentile"
    yield plain(name, slowest, "ms", note, most=False)


def read_for(node: Server, rate: int, seconds: int) -> dict[str, Any]:
    """One measurement, with the node's own processor time."""
    before = node.cpu_seconds()
    asked = {"stats": rate / 2, "orders": rate / 2, "pages": PAGES, "lifecycles": LIFECYCLES, "seconds": seconds}
    found = node.load("reading", **asked)
    return found | {"cores": (node.cpu_seconds() - before) / seconds}


def answered(name: str, kind: str, found: list[dict[str, Any]], beside: str) -> Result:
    """The delays of one kind; missed, too, when a request failed."""
    failed = sum(one[kind]["failed"] for one in found)
    note = f"median {min(one[kind]['median_ms'] for one in found):.1f} ms; {beside}"
    result = at_most(name, [one[kind]["p99_ms"] for one in found], "ms", 50, note)
    return replace(result, ok=False, note=f"{failed} failed; {note}") if failed else result


def restart(plan: Plan) -> Iterator[Result]:
    """`foreman up` on a directory with many orders."""
    with copied(filled.directory(plan.books[-1])) as state:
        again = [seconds_to_first_answer(state, free_port()) for _ in range(plan.repeats)]
    yield at_most(f"restart with {plan.books[-1]:,} orders", again, "s", 2.0)
