"""The figures of an empty book: lifecycles, adjudications, creations beside them, and how fast a command is there."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.processes import evidence, floor, seconds_of, seconds_to_first_answer, server
from bench.result import Plan, Result, at_least, at_most, plain
from bench.wire import free_port

SENDERS = (64, 8, 1)


def lifecycles(plan: Plan) -> Iterator[Result]:
    """Create, claim and submit through HTTP, durable; and the same work with nothing around it, in the same run."""
    rates: dict[int, list[float]] = {senders: [] for senders in SENDERS}
    costs, alone, fetched = [], [], []
    for _ in range(plan.repeats):
        with server() as node:
            for senders, values in rates.items():
                orders = plan.orders * min(senders, 16) // 16
                before = node.cpu_seconds()
                values.append(node.load("lifecycles", senders=senders, orders=orders)["per_second"])
                if senders == 64:
                    costs.append((node.cpu_seconds() - before) / orders * 1000)
        alone.append(floor(plan.orders))
        with evidence() as port, server(pages=port) as node:
            fetched.append(node.load("lifecycles", senders=64, orders=plan.orders)["per_second"])
    note = f"{min(costs):.1f} ms of processor time each in the node"
    yield at_least("lifecycles, 64 senders", rates[64], "per second", 150, note)
    yield at_least("lifecycles, 8 senders", rates[8], "per second", 100)
    yield at_least("lifecycles, 1 sender", rates[1], "per second", 100)
    yield plain("lifecycles, 64 senders, evidence fetched over loopback", fetched, "per second")
    bare = [found["per_second"] for found in alone]
    note = f"{1000 / max(found['per_cpu_second'] for found in alone):.1f} ms of processor time each"
    yield plain("the same runs, signatures and commits in one thread", bare, "per second", note)
    shares = [high / low * 100 for high, low in zip(rates[64], bare, strict=True)]
    yield at_least("64 senders against one thread", shares, "%", 25)


def judgements(plan: Plan) -> Iterator[Result]:
    """Judges that take a second each."""
    for seats, limit in ((5, 1.15), (23, 1.3)):
        with server(delay=1.0, seats=seats) as node:
            one = [node.load("judgements", count=1)["seconds"] for _ in range(plan.repeats)]
            yield at_most(f"one adjudication, judges of 1 s, {seats} seats", one, "s", limit)
            if seats == 5:
                many = [node.load("judgements", count=100)["seconds"] for _ in range(plan.repeats)]
                yield at_most("100 adjudications at once, from 100 accounts", many, "s", 2.0)
        with server(delay=1.0, seats=seats, rulings=True) as node:
            first = [node.load("rulings")["seconds"] for _ in range(plan.repeats)]
            yield at_most(f"VerdictEscrow's first round, judges of 1 s, {seats} seats", first, "s", limit)


def creations(plan: Plan) -> Iterator[Result]:
    """Orders created while another is being judged for ten seconds."""
    worst, median = [], []
    with server(delay=10.0) as node:
        for _ in range(min(2, plan.repeats)):
            found = node.load("creations", count=100)
            worst.append(found["worst_ms"])
            median.append(found["median_ms"])
    note = f"median {min(median):.1f} ms, of 100"
    yield at_most("creates during a 10 s adjudication, the slowest", worst, "ms", 50, note)


def startup(plan: Plan) -> Iterator[Result]:
    """From nothing to the first answer, and a command that needs no network."""
    fresh = []
    for _ in range(plan.repeats):
        with tempfile.TemporaryDirectory() as folder:
            fresh.append(seconds_to_first_answer(Path(folder), free_port()))
    yield at_most("foreman up, from nothing to the first answer", fresh, "s", 1.5)
    yield at_most("foreman --help", [seconds_of("--help") for _ in range(plan.repeats + 2)], "s", 0.3)
