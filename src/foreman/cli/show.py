"""How the command speaks: tables for people, JSON for programs, errors as a sentence and a hint, clean text only."""

import json
import os
import sys
import textwrap
import unicodedata
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from foreman.errors import ForemanError

if TYPE_CHECKING:
    from rich.console import Console

_UNSEEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}


@cache
def out() -> "Console":
    """The console for results, on stdout."""
    from rich.console import Console

    return Console(highlight=False, emoji=False)


@cache
def err() -> "Console":
    """The console for errors and progress, on stderr."""
    from rich.console import Console

    return Console(stderr=True, highlight=False, emoji=False)


BALANCES = ("balances_before", "balances_after")
"""Fields of the demo that hold wei by address; every other amount has a name that ends in `_wei`."""

NO_END = 1_000_000
"""Columns of a line into a pipe: one row is one line there."""


def room() -> int:
    """Columns of the terminal that results go to; `COLUMNS` has the last word, also into a pipe."""
    return out().width if out().is_terminal or os.environ.get("COLUMNS") else NO_END


def folded(text: str, columns: int) -> list[str]:
    """Lines of at most so many columns, broken between words where there are any."""
    from rich.cells import cell_len
    from rich.text import Text

    if cell_len(text) <= columns:
        return [text]
    lines = Text(text).wrap(out(), columns, overflow="fold")
    return [line.plain.rstrip() for line in lines]


def as_json(value: Any) -> None:
    """Print one JSON document on stdout, and nothing else. Amounts of wei are decimal strings in it: JavaScript and jq
    before 1.7 round numbers beyond 2**53."""
    sys.stdout.write(json.dumps(_amounts(value), indent=2, ensure_ascii=False) + "\n")


def _amounts(value: Any, wei: bool = False) -> Any:
    """The same with every amount as a decimal string; `wei`: it stands under a name that says so."""
    if isinstance(value, Mapping):
        return {name: _amounts(item, wei or _is_amount(name)) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_amounts(item, wei) for item in value]
    return str(value) if wei and isinstance(value, int) and not isinstance(value, bool) else value


def _is_amount(name: object) -> bool:
    return str(name).endswith("_wei") or name in BALANCES


def plain(text: object, limit: int = 400) -> str:
    """Text that a party, a page or a model wrote, made safe for a terminal: one line, nothing that is not seen.

    Control, format, surrogate and private characters become a space, so no text can move the cursor, colour the screen
    or turn the reading direction around. Cut to `limit` characters.
    """
    seen = "".join(" " if unicodedata.category(char) in _UNSEEN else char for char in str(text)[: limit * 4])
    line = " ".join(seen.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def error(problem: ForemanError) -> None:
    """Print an expected error on stderr: what was wrong, and what to do next; in a terminal folded between words."""
    _told("error: ", "bold red", _sentence(problem))
    if problem.hint:
        _told(" hint: ", "bold cyan", plain(problem.hint, 1000))


def _told(mark: str, style: str, text: str) -> None:
    from rich.text import Text

    lines = [text]
    if err().is_terminal:
        room = max(20, err().width - len(mark))
        lines = textwrap.wrap(text, room, break_long_words=False, break_on_hyphens=False) or [""]
    for number, line in enumerate(lines):
        head = (" " * len(mark), "") if number else (mark, style)
        err().print(Text.assemble(head, line), soft_wrap=True)


def _sentence(problem: ForemanError) -> str:
    """Without the words that only wallets look for."""
    return plain(problem.sentence, 1000).removeprefix("execution reverted: ")


def error_json(problem: ForemanError) -> Mapping[str, object]:
    """The same error for programs."""
    return {"error": {"code": problem.code, "sentence": _sentence(problem), "hint": plain(problem.hint, 1000)}}
