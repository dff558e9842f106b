"""One figure of the table, and how it is made of several measurements."""

import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path


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
    """How much is measured: times, orders each time, books of so many orders, seconds of reading."""

    repeats: int
    orders: int
    books: tuple[int, ...]
    seconds: int


def best(values: list[float], most: bool) -> tuple[float, str]:
    """The best of several, and by how much the worst was worse."""
    low, high = min(values), max(values)
    return (high if most else low), f"{(high - low) / high:.0%} of {len(values)}"


def plain(name: str, values: list[float], unit: str, note: str = "", most: bool = True) -> Result:
    """A figure of which nothing is promised."""
    value, spread = best(values, most)
    return Result(name, value, unit, spread, note=note)


def at_least(name: str, values: list[float], unit: str, target: float, note: str = "") -> Result:
    value, spread = best(values, most=True)
    return Result(name, value, unit, spread, f">= {target:g}", value >= target, note)


def at_most(name: str, values: list[float], unit: str, target: float, note: str = "") -> Result:
    value, spread = best(values, most=False)
    return Result(name, value, unit, spread, f"<= {target:g}", value <= target, note)


class copied:
    """A copy of a state directory, to be spoilt."""

    def __init__(self, source: Path) -> None:
        self._source = source

    def __enter__(self) -> Path:
        self._folder = Path(tempfile.mkdtemp(prefix="foreman-bench-"))
        return Path(shutil.copytree(self._source, self._folder / "state"))

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder)
