"""Help that starts with what a command does and working examples, and only then lists options."""

import inspect
import re
import textwrap
from collections.abc import Callable
from itertools import groupby
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

WIDTH = 100

_WORDS = re.compile(r"""(?:--[a-z-]+\s+(?!--))?(?:"[^"]*"|'[^']*'|[^\s"'])+\s*""")
"""The words of a command line, an option with its value and what is quoted in one piece, with the space behind them."""


class Spoken(TyperCommand):
    """A command whose help is its docstring as it stands (sentence, examples), then usage and options."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(_spoken(self.help, formatter.width) + "\n\n")
        self.format_usage(ctx, formatter)
        self.format_options(ctx, formatter)


class SpokenGroup(TyperGroup):
    """A noun with verbs: its docstring, usage, options, then a sentence per verb."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(_spoken(self.help, formatter.width) + "\n\n")
        self.format_usage(ctx, formatter)
        self.format_options(ctx, formatter)


def _spoken(help: str | None, width: int) -> str:
    """The docstring in lines that fit: prose folded, a long example continued, its remark below it."""
    lines: list[str] = []
    for prose, group in groupby(inspect.cleandoc(help or "").replace("\b\n", "").splitlines(), _is_prose):
        part = list(group)
        if prose and max(map(len, part)) > width:
            part = textwrap.wrap(" ".join(part), width, break_on_hyphens=False)
        lines += part if prose else [told for line in part for told in _example(line, width)]
    return "\n".join(lines)


def _is_prose(line: str) -> bool:
    return bool(line) and not line.startswith(" ")


def _example(line: str, width: int) -> list[str]:
    """One command; continued with a backslash, so that it can still be copied."""
    if len(line) <= width:
        return [line]
    command, _, remark = line.strip().partition("   ")
    lines = ["  "]
    for word in _WORDS.findall(command):
        if len(lines[-1]) > 2 and len(lines[-1]) + len(word) + 2 > width:
            lines[-1] += "\\"
            lines.append("      ")
        lines[-1] += word
    told = textwrap.wrap(remark.strip(), width - 6, initial_indent="      ", subsequent_indent="      ")
    return [part.rstrip() for part in lines] + told


def command(function: Callable[..., None], help: str | None = None) -> typer.Typer:
    """A one-function command, for a module of the command table to expose as `app`. Without `help`, its docstring."""
    app = noun()
    app.command(cls=Spoken, help=help)(function)
    return app


def noun(sentence: str = "") -> typer.Typer:
    """A command with verbs below it; its `help` is the docstring of the module."""
    return typer.Typer(
        cls=SpokenGroup,
        help=sentence,
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
    )
