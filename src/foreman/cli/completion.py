"""`foreman completion`: the script that teaches a shell the commands."""

import sys
from typing import Annotated

import typer

from foreman.cli.spoken import command
from foreman.errors import BadInput

SHELLS = ("bash", "zsh", "fish")

HELP = """Print the script that teaches a shell the commands, verbs and options.

  foreman completion bash >> ~/.bashrc
  foreman completion zsh > ~/.zfunc/_foreman
  foreman completion fish > ~/.config/fish/completions/foreman.fish

It asks the command itself each time, so it never grows old.
"""


def completion(shell: Annotated[str, typer.Argument(metavar="SHELL", help=", ".join(SHELLS))]) -> None:
    """Write it to stdout."""
    from typer.completion import get_completion_script  # type: ignore[attr-defined]  # typer does not re-export it

    if shell not in SHELLS:
        raise BadInput("usage", f"there is no completion for {shell[:40]!r}", f"one of {', '.join(SHELLS)}")
    script = get_completion_script(prog_name="foreman", complete_var="_FOREMAN_COMPLETE", shell=shell)
    sys.stdout.write(script + "\n")


app = command(completion, HELP)
