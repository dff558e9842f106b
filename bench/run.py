"""Every performance claim, measured: prints a table and writes `bench/results.json`.

    make bench                        all figures; some minutes
    make bench ARGS="--quick"         each once and smaller, to see that everything runs
    make bench ARGS="--only startup"  figures whose name contains a word

Load generator and node share the machine's cores. Each figure is taken several times; the best counts, because noise
of the machine only ever slows down, and the spread (worst against best) stands beside it. A figure that cannot be
measured is told as missed, and the others go on.
"""

import argparse
import json
import os
import platform
import sqlite3
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from bench.peer import peer
from bench.result import Plan, Result
from bench.scale import books, reads, restart
from bench.speed import creations, judgements, lifecycles, startup

RESULTS = Path(__file__).with_name("results.json")

FULL, QUICK = Plan(3, 1024, (10_000, 100_000), 10), Plan(1, 256, (1_000,), 3)


def peers(plan: Plan) -> Iterator[Result]:
    """The simulator that exists, on the same machine in the same run."""
    rate, note = peer()
    yield Result("glsim (genlayer-test), 1 sender", rate, "per second", note=note)


FIGURES: dict[str, Callable[[Plan], Iterator[Result]]] = {
    "lifecycles": lifecycles,
    "books": books,
    "reads": reads,
    "judgements": judgements,
    "creations": creations,
    "startup": startup,
    "restart": restart,
    "peers": peers,
}


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


def measured(name: str, plan: Plan, console: Console) -> Iterator[Result]:
    """The results of one figure as they come. What goes wrong in it is a missed result, not the end of the run."""
    began = time.monotonic()
    console.print(f"{name} ...", style="dim")
    try:
        for result in FIGURES[name](plan):
            value = "-" if result.value is None else f"{result.value:,.2f}"
            console.print(f"  {result.name}: {value} {result.unit}")
            yield result
    except Exception as error:  # noqa: BLE001  # told in the table, with its trace on the screen
        traceback.print_exc()
        yield Result(f"{name}, the rest", None, "", ok=False, note=f"could not be measured: {error}")
    console.print(f"  {time.monotonic() - began:.0f} s", style="dim")


def main() -> None:
    parser = argparse.ArgumentParser(prog="make bench", description="Measure every performance claim.")
    parser.add_argument("--quick", action="store_true", help="each once and smaller")
    parser.add_argument("--only", default="", metavar="WORD", help="figures whose name contains it; nothing is written")
    asked = parser.parse_args()
    where = machine()
    console = Console(width=None if sys.stdout.isatty() else 170)
    console.print(where, style="dim")
    plan = QUICK if asked.quick else FULL
    results = [result for name in FIGURES if asked.only in name for result in measured(name, plan, console)]
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
