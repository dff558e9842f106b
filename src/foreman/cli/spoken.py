"""Help that starts with what a command does and working examples, and only then lists options."""

import inspect
from collections.abc import Callable
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

WIDTH = 100


class Spoken(TyperCommand):
    """A command whose help is its docstring as it stands (sentence, examples), then usage and options."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(inspect.cleandoc(self.help or "").replace("\b\n", "") + "\n\n")
        self.format_usage(ctx, formatter)
        self.format_options(ctx, formatter)


class SpokenGroup(TyperGroup):
    """A noun with verbs: its docstring, usage, options, then a sentence per verb."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(inspect.cleandoc(self.help or "").replace("\b\n", "") + "\n\n")
        self.format_usage(ctx, formatter)
        self.format_options(ctx, formatter)


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
