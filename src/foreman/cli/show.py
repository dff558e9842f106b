"""How the command speaks: tables for people, JSON for programs, errors as a sentence and a hint, clean text only."""

import json
import sys
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

    return Console(highlight=False)


@cache
def err() -> "Console":
    """The console for errors and progress, on stderr."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def as_json(value: Any) -> None:
    """Print one JSON document on stdout, and nothing else."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def plain(text: object, limit: int = 400) -> str:
    """Text that a party, a page or a model wrote, made safe for a terminal: one line, nothing that is not seen.

    Control, format, surrogate and private characters become a space, so no text can move the cursor, colour the screen
    or turn the reading direction around. Cut to `limit` characters.
    """
    seen = "".join(" " if unicodedata.category(char) in _UNSEEN else char for char in str(text)[: limit * 4])
    line = " ".join(seen.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def error(problem: ForemanError) -> None:
    """Print an expected error on stderr: what was wrong, and what to do next."""
    from rich.text import Text

    err().print(Text.assemble(("error: ", "bold red"), _sentence(problem)), soft_wrap=True)
    if problem.hint:
        err().print(Text.assemble((" hint: ", "bold cyan"), plain(problem.hint, 1000)), soft_wrap=True)


def _sentence(problem: ForemanError) -> str:
    """Without the words that only wallets look for."""
    return plain(problem.sentence, 1000).removeprefix("execution reverted: ")


def error_json(problem: ForemanError) -> Mapping[str, object]:
    """The same error for programs."""
    return {"error": {"code": problem.code, "sentence": _sentence(problem), "hint": plain(problem.hint, 1000)}}
