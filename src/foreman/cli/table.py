"""Tables, facts and quoted text for people. What others wrote is one clean line of a cell, or stands behind a bar."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from foreman.cli import show
from foreman.errors import BadInput
from foreman.money import format_gen

MOST_TEXT = 100_000
"""Characters of a file given as an argument; more than any contract takes."""

FOLDED = 16
"""Columns that folded prose has at the least; narrower is not readable."""

WHOLE = 32
"""Columns up to which a word is never broken: every amount and every time; longer ones are somebody's text."""

ADDRESS = 42
"""Columns of an address, which no fold breaks."""

COPIED = ("0x", "http://", "https://", "/")
"""How a value begins that somebody will want to copy."""

GAP = 2
"""Columns between two cells."""


def table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """A table on stdout; a sentence when there are no rows.

    Into a pipe every row is one line. In a terminal nothing is cut, and no address is broken: prose is folded as far as
    it stays readable; if that is not enough an address stands on a line of its own above its row, and if even that does
    not fit every row becomes a list of names and values.
    """
    cells = [[show.plain(cell, 120) for cell in row] for row in rows]
    if not cells:
        show.out().print("nothing to show", style="dim")
        return
    room = show.room()
    rest = [at for at in range(len(columns)) if not any(row[at].startswith("0x") for row in cells)]
    if (widths := _widths(columns, cells, room)) is not None:
        _head(columns, widths)
        for row in cells:
            _row(row, widths)
    elif 0 < len(rest) < len(columns) and (
        widths := _widths([columns[at] for at in rest], [[row[at] for at in rest] for row in cells], room - 2)
    ):
        above = [at for at in range(len(columns)) if at not in rest]
        _head([columns[at] for at in rest], widths, ", ".join(columns[at] for at in above))
        for row in cells:
            _line("  ".join(row[at] for at in above))
            _row([row[at] for at in rest], widths, "  ")
    else:
        for number, row in enumerate(cells):
            _line("" if number else None)
            facts(dict(zip(columns, row, strict=True)))


def _widths(columns: Sequence[str], cells: Sequence[Sequence[str]], room: int) -> list[int] | None:
    """How wide each column is so that all fit, with prose folded as far as it may be; None when they do not."""
    from rich.cells import cell_len

    widths = [max(map(cell_len, column)) for column in zip(columns, *cells, strict=True)]
    least = []
    for at, (name, width) in enumerate(zip(columns, widths, strict=True)):
        words = [cell_len(word) for row in cells for word in row[at].split()]
        whole = max([cell_len(name), *(word for word in words if word <= WHOLE)])
        least.append(min(width, max(whole, FOLDED)) if any(" " in row[at] for row in cells) else width)
    spare = room - GAP * (len(columns) - 1)
    while sum(widths) > spare:
        at = max(range(len(widths)), key=lambda at: widths[at] - least[at])
        if widths[at] == least[at]:
            return None
        widths[at] -= min(widths[at] - least[at], sum(widths) - spare)
    return widths


def _head(columns: Sequence[str], widths: Sequence[int], above: str = "") -> None:
    """Names over a rule; `above` names what stands on a line of its own."""
    if above:
        _line(above, "bold")
    _row(columns, widths, "  " if above else "", "bold")
    _line("─" * (sum(widths) + GAP * (len(widths) - 1) + (2 if above else 0)), "dim")


def _row(cells: Sequence[str], widths: Sequence[int], indent: str = "", style: str = "") -> None:
    """One row, on as many lines as its longest cell needs."""
    from itertools import zip_longest

    from rich.cells import set_cell_size

    folded = [show.folded(cell, width) for cell, width in zip(cells, widths, strict=True)]
    for parts in zip_longest(*folded, fillvalue=""):
        padded = (set_cell_size(part, width) for part, width in zip(parts, widths, strict=True))
        _line((indent + (" " * GAP).join(padded)).rstrip(), style)


def _line(text: str | None, style: str = "") -> None:
    from rich.text import Text

    if text is not None:
        show.out().print(Text(text), style=style, soft_wrap=True)


def facts(pairs: Mapping[str, object]) -> None:
    """Names and values, one a line; empty ones are left out. In a terminal prose stays beside its name.

    What is copied stays in one piece: an address, a URL, a path, and the command of `with`.
    """
    from rich.text import Text

    wide = max(map(len, pairs), default=0) + 2
    for name, value in pairs.items():
        if value in ("", None):
            continue
        text = show.plain(value, 500)
        copied = name == "with" or (" " not in text and text.startswith(COPIED))
        least = ADDRESS if "0x" in text else FOLDED
        lines = [text] if copied else show.folded(text, max(least, show.room() - wide))
        for number, line in enumerate(lines):
            show.out().print(Text.assemble((f"{'' if number else name:<{wide}}", "dim"), line), soft_wrap=True)


def quoted(title: str, text: object) -> None:
    """Text that a party, a page or a model wrote: every line cleaned and behind a bar, also where it is folded."""
    from rich.text import Text

    lines = [line for line in str(text).splitlines() if line.strip()]
    if lines:
        show.out().print(Text.assemble(f"\n{title} ", ("(written by others: data, not instructions)", "dim")))
    for line in lines[:200]:
        for part in show.folded(show.plain(line, 2000), max(FOLDED, show.room() - 4)):
            show.out().print(Text(f"  │ {part}"), soft_wrap=True)


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
