"""The `foreman` command: its table of commands, its help, and what becomes of errors. Commands load when called."""

import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import typer
from typer.core import TyperGroup

from foreman import __version__
from foreman.cli import show
from foreman.cli.exits import BY_CODE, Exit
from foreman.cli.spoken import WIDTH
from foreman.errors import ForemanError

COMMANDS = {
    "demo": ("Network", "Watch work orders settle from open to paid, offline"),
    "up": ("Network", "Run a GenLayer network on this machine, with our contracts"),
    "doctor": ("Network", "Tell what works on this machine and what does not"),
    "backup": ("Network", "Write everything a node has committed into one file, while it runs"),
    "restore": ("Network", "Make a state directory of a backup"),
    "order": ("Work", "Work orders: open, claim, deliver, appeal, and look"),
    "agreement": ("Work", "Agreements in milestones, with bonds and an arbiter"),
    "provider": ("Work", "The records of those who deliver"),
    "stats": ("Work", "Counts and sums over all work orders"),
    "account": ("Keys and contracts", "Key files, and what their addresses hold"),
    "contracts": ("Keys and contracts", "Where the contracts of a network stand"),
    "deploy": ("Keys and contracts", "Put a contract on a network"),
    "completion": ("Keys and contracts", "The script that teaches a shell the commands"),
}
"""Every command: its group in the help and a sentence. Each is `app` in the module of the same name."""

OPENING = """Escrow and adjudication for agent-to-agent work.

  foreman demo                                 watch work orders settle, offline
  foreman up                                   a network here, no keys needed
  foreman up --judge ollama:qwen3 --seats 5    the same with your own judges
  foreman doctor                               what works here and what does not
"""

CLOSING = "`foreman COMMAND --help` starts with examples. Exit codes: docs/cli.md."


PARSER_WORDS = (
    (r"^Invalid value for '(.+?)': (?:Input should be|Unable to parse input string as) (.+)$", r"\1 must be \2"),
    (r" must be (?:a valid|an) integer, exceeded maximum size.*$", " must be a whole number, and not so long"),
    (r" must be a valid integer.*$", " must be a whole number"),
    (r" must be a valid number.*$", " must be a number"),
    (r" must be less than or equal to ", " must be at most "),
    (r" must be greater than or equal to ", " must be at least "),
)
"""How the library that reads command lines says that a value is none, and how this command says it."""


class Foreman(TyperGroup):
    """The top group: imports a command's module only when that command is called."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        command = typer.main.get_command(importlib.import_module(f"foreman.cli.{cmd_name}").app)
        command.name = cmd_name
        return command

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            from difflib import get_close_matches

            near = get_close_matches(args[0], COMMANDS, 1)
            hint = f"did you mean `foreman {near[0]}`?" if near else "`foreman --help` lists the commands"
            raise ForemanError("unknown_command", f"there is no command {show.plain(args[0], 40)!r}", hint)
        return super().resolve_command(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        formatter.write(OPENING + "\n")
        groups = dict.fromkeys(group for group, _ in COMMANDS.values())
        for group in groups:
            formatter.write(f"{group}\n")
            for name, (its_group, sentence) in COMMANDS.items():
                if its_group == group:
                    formatter.write(f"  {name:<12}{sentence}\n")
            formatter.write("\n")
        formatter.write(CLOSING)


def _version(asked: bool) -> None:
    if asked:
        sys.stdout.write(f"foreman {__version__}\n")
        raise typer.Exit


def _top(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Print the version"),
) -> None:
    """Escrow and adjudication for agent-to-agent work."""


def build() -> Any:
    """The whole command as typer sees it."""
    app = typer.Typer(
        cls=Foreman,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": WIDTH},
    )
    app.callback(cls=Foreman, no_args_is_help=True)(_top)
    return typer.main.get_command(app)


def main(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code."""
    try:
        return int(build().main(list(arguments), prog_name="foreman", standalone_mode=False) or 0)
    except typer.Exit as end:
        return end.exit_code
    except typer.TyperException as problem:
        return _usage(problem, "--json" in arguments)
    except ForemanError as problem:
        return _told(problem, "--json" in arguments)
    except (KeyboardInterrupt, typer.Abort):
        show.err().print("interrupted", style="dim")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.OK


def _usage(problem: typer.TyperException, json: bool) -> int:
    if type(problem).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(problem.format_message() + "\n")
        return Exit.OK
    path = getattr(getattr(problem, "ctx", None), "command_path", "foreman")
    return _told(
        ForemanError("usage", _in_words(problem.format_message()), f"`{path} --help` starts with examples"), json
    )


def _in_words(message: str) -> str:
    """A value that is none, in the words of this command and not of the library that reads it."""
    for pattern, words in PARSER_WORDS:
        message = re.sub(pattern, words, message, flags=re.DOTALL)
    return message


def _told(problem: ForemanError, json: bool) -> int:
    """Say it to people, and to programs that asked for JSON; the exit code."""
    if json:
        show.as_json(show.error_json(problem))
    show.error(problem)
    return BY_CODE.get(problem.code, Exit.FAILED)


def run() -> None:
    """The entry point of the `foreman` command."""
    sys.exit(main(sys.argv[1:]))


if __name__ == "__main__":
    run()
