"""Every performance claim, measured: prints a table and writes `bench/results.json`.

    make bench                        all figures; some minutes
    make bench ARGS="--quick"         each once and smaller, to see that everything runs
    make bench ARGS="--only startup"  figures whose name contains a word

Load generator and node share the machine's cores. Each figure is taken several times; the best counts, because noise
of the machine only ever slows down, and the spread (worst against best) stands beside it.
"""

import argparse
import json
import os
import platform
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench import filled
from bench.peer import peer
from bench.processes import seconds_of, seconds_to_first_answer, server
from bench.wire import free_port

RESULTS = Path(__file__).with_name("results.json")


@dataclass(frozen=True)
class Result:
    """One figure. `ok` is None where nothing is promised; `note` says what stands behind it."""

    name: str
    value: float | None
    unit: str
    spread: str = ""
    target: str = ""
    ok: bool | None = None
    note: str = ""


@dataclass(frozen=True)
class Plan:
    """How much is measured."""

    repeats: int
    orders: int
    existing: int


FULL, QUICK = Plan(3, 1024, 10_000), Plan(1, 256, 1_000)


def best(values: list[float], most: bool) -> tuple[float, str]:
    """The best of several, and by how much the worst was worse."""
    low, high = min(values), max(values)
    return (high if most else low), f"{(high - low) / high:.0%} of {len(values)}"


def at_least(name: str, values: list[float], unit: str, target: float, note: str = "") -> Result:
    value, spread = best(values, most=True)
    return Result(name, value, unit, spread, f">= {target:g}", value >= target, note)


def at_most(name: str, values: list[float], unit: str, target: float, note: str = "") -> Result:
    value, spread = best(values, most=False)
    return Result(name, value, unit, spread, f"<= {target:g}", value <= target, note)


# the figures


def lifecycles(plan: Plan) -> Iterator[Result]:
    """Create, claim and submit through HTTP, durable; and again on a state with many orders."""
    costs = []
    rates: dict[int, list[float]] = {64: [], 8: [], 1: []}
    for _ in range(plan.repeats):
        with server() as node:
            for senders, values in rates.items():
                orders = plan.orders * min(senders, 16) // 16
                before = node.cpu_seconds()
                values.append(node.load("lifecycles", senders=senders, orders=orders)["per_second"])
                if senders == 64:
                    costs.append((node.cpu_seconds() - before) / orders * 1000)
    note = f"{min(costs):.1f} ms of processor time each in the node"
    yield at_least("lifecycles, 64 senders", rates[64], "per second", 100, note)
    for senders in (8, 1):
        value, spread = best(rates[senders], most=True)
        yield Result(f"lifecycles, {senders} sender{'s' * (senders > 1)}", value, "per second", spread)
    yield from many_orders(plan, max(rates[64]))


def many_orders(plan: Plan, empty: float) -> Iterator[Result]:
    source = filled.directory(plan.existing)
    size = (source / "chain.sqlite").stat().st_size
    values, memory = [], 0.0
    for _ in range(plan.repeats):
        with copied(source) as state, server(state=str(state)) as node:
            values.append(node.load("lifecycles", senders=64, orders=plan.orders)["per_second"])
            memory = node.memory_mib()
    value, spread = best(values, most=True)
    yield Result(
        f"lifecycles, 64 senders, {plan.existing:,} orders before", value, "per second", spread, "", None,
        f"{size / plan.existing:,.0f} bytes of database per order; {memory:.0f} MiB of memory",
    )  # fmt: skip
    ratio = value / empty
    yield Result("the same against an empty state", ratio * 100, "%", "", ">= 90", ratio >= 0.9)


def judgements(plan: Plan) -> Iterator[Result]:
    """Judges that take a second each."""
    for seats, limit in ((5, 1.2), (23, 1.3)):
        with server(delay=1.0, seats=seats) as node:
            one = [node.load("judgements", count=1)["seconds"] for _ in range(plan.repeats)]
            yield at_most(f"one adjudication, judges of 1 s, {seats} seats", one, "s", limit)
            if seats == 5:
                for count in (50, 100):
                    many = [node.load("judgements", count=count)["seconds"] for _ in range(plan.repeats)]
                    yield at_most(f"{count} adjudications at once", many, "s", 2.0)


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
    """From nothing to the first answer, and again with many orders."""
    fresh = []
    for _ in range(plan.repeats):
        with tempfile.TemporaryDirectory() as folder:
            fresh.append(seconds_to_first_answer(Path(folder), free_port()))
    yield at_most("foreman up, from nothing to the first answer", fresh, "s", 1.5)
    with copied(filled.directory(plan.existing)) as state:
        again = [seconds_to_first_answer(state, free_port()) for _ in range(plan.repeats)]
    yield at_most(f"restart with {plan.existing:,} orders", again, "s", 2.0)
    yield at_most("foreman --help", [seconds_of("--help") for _ in range(plan.repeats + 2)], "s", 0.3)


def peers(plan: Plan) -> Iterator[Result]:
    """The simulator that exists, on the same machine in the same run."""
    rate, note = peer()
    yield Result("glsim (genlayer-test), 1 sender", rate, "per second", note=note)


FIGURES: dict[str, Callable[[Plan], Iterator[Result]]] = {
    "lifecycles": lifecycles,
    "judgements": judgements,
    "creations": creations,
    "startup": startup,
    "peers": peers,
}


class copied:
    """A copy of a state directory, to be spoilt."""

    def __init__(self, source: Path) -> None:
        self._source = source

    def __enter__(self) -> Path:
        self._folder = Path(tempfile.mkdtemp(prefix="foreman-bench-"))
        return Path(shutil.copytree(self._source, self._folder / "state"))

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder)


def machine() -> str:
    """What it was measured on."""
    cpu = platform.processor() or platform.machine()
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        cpu = next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        pass
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    return (
        f"{cores} cores of {cpu}, {platform.system()} {platform.release()}, Python {platform.python_version()}, "
        f"SQLite {sqlite3.sqlite_version}; load average {load} at the start"
    )


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description="Measure every performance claim.")
    parser.add_argument("--quick", action="store_true", help="each once and smaller")
    parser.add_argument("--only", default="", metavar="WORD", help="figures whose name contains it; nothing is written")
    asked = parser.parse_args()
    where = machine()
    console = Console(width=None if sys.stdout.isatty() else 150)
    console.print(where, style="dim")
    results: list[Result] = []
    for name, figure in FIGURES.items():
        if asked.only in name:
            for result in figure(QUICK if asked.quick else FULL):
                console.print(f"{result.name}: {result.value if result.value is None else round(result.value, 2)}")
                results.append(result)
    console.print(table(results))
    if not asked.only and not asked.quick:
        RESULTS.write_text(json.dumps({"machine": where, "results": [asdict(one) for one in results]}, indent=2) + "\n")
    raise SystemExit(any(result.ok is False for result in results))


def table(results: list[Result]) -> Table:
    shown = Table(title="Foreman, measured")
    for name, justify in (("figure", "left"), ("value", "right"), ("unit", "left"), ("spread", "right")):
        shown.add_column(name, justify=justify)  # type: ignore[arg-type]  # one of rich's words
    for name in ("target", "", "note"):
        shown.add_column(name)
    for one in results:
        mark = "" if one.ok is None else "[green]ok[/]" if one.ok else "[red]missed[/]"
        value = "-" if one.value is None else f"{one.value:,.2f}" if one.value < 10 else f"{one.value:,.0f}"
        shown.add_row(one.name, value, one.unit, one.spread, one.target, mark, one.note)
    return shown


if __name__ == "__main__":
    main()
