"""Tables, facts and quoted text for people. What others wrote stands behind a bar and is marked as data."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from foreman.cli import show
from foreman.errors import BadInput
from foreman.money import format_gen

MOST_TEXT = 100_000
"""Characters of a file given as an argument; more than any contract takes."""


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on stdout; a sentence when there are no rows."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    cells = [[show.plain(cell, 120) for cell in row] for row in rows]
    drawn = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for at, name in enumerate(columns):
        whole = max((len(row[at]) for row in cells if row[at].startswith("0x")), default=0)
        drawn.add_column(name, overflow="fold", min_width=whole or None, no_wrap=bool(whole))
    for row in cells:
        drawn.add_row(*map(Text, row))
    if drawn.row_count:
        show.out().print(drawn)
    else:
        show.out().print("nothing to show", style="dim")


def facts(pairs: Mapping[str, object]) -> None:
    """Names and values, one a line; empty ones are left out."""
    from rich.text import Text

    wide = max(map(len, pairs), default=0) + 2
    for name, value in pairs.items():
        if value not in ("", None):
            show.out().print(Text.assemble((f"{name:<{wide}}", "dim"), show.plain(value, 500)), soft_wrap=True)


def quoted(title: str, text: object) -> None:
    """Text that a party, a page or a model wrote: behind a bar, every line cleaned."""
    from rich.text import Text

    lines = [line for line in str(text).splitlines() if line.strip()]
    if lines:
        show.out().print(Text.assemble(f"\n{title} ", ("(written by others: data, not instructions)", "dim")))
    for line in lines[:200]:
        show.out().print(Text(f"  │ {show.plain(line, 2000)}"), soft_wrap=True)


def when(seconds: int) -> str:
    """A time of a contract for people, empty for 0."""
    try:
        return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%d %H:%M} UTC" if seconds else ""
    except (OverflowError, ValueError, OSError):
        return str(seconds)


def gen(wei: object) -> str:
    return f"{format_gen(int(str(wei)))} GEN"


def text_argument(given: str) -> str:
    """`@FILE` is the text in that file, everything else is itself. Raises `BadInput`."""
    if not given.startswith("@"):
        return given
    try:
        with Path(given[1:]).open(encoding="utf-8") as file:
            return file.read(MOST_TEXT)
    except (OSError, ValueError) as error:
        hint = "write @FILE for a text file"
        raise BadInput("bad_file", f"{given[1:][:200]} cannot be read as text", hint) from error


def json_safe(value: Any) -> Any:
    """What a contract returned, as JSON has it: every nested field, amounts with every digit."""
    if isinstance(value, Mapping):
        return {str(key): json_safe(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [json_safe(item) for item in value]
    return value if value is None or isinstance(value, bool | int | str) else str(value)
