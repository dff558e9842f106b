"""`foreman backup`: one file with everything a node has committed, taken while it runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreman.cli import show
from foreman.cli.options import Json
from foreman.cli.spoken import command
from foreman.money import format_gen

if TYPE_CHECKING:
    from foreman.localnet.backup import Content, Progress

HELP = """Write everything a node has committed into one file, while the node runs.

  foreman backup foreman-backup.sqlite                   of the state in ./.state
  foreman backup /backup/today.sqlite --state /var/lib/foreman
  foreman backup nightly.sqlite --force                  replace the last one, when the new one is whole

It is a copy of one moment, checked before it gets its name: its pages are sound and its books balance to the wei.
`foreman restore` makes a state directory of it. It holds no keys. It does not hold a development network's snapshots.
"""

File = Annotated[Path, typer.Argument(metavar="FILE", help="Where to write it, outside the state directory")]
State = Annotated[Path, typer.Option("--state", metavar="FOLDER", help="Where the node's database lives")]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if there is one")]


def backup(file: File, state: State = Path(".state"), force: Force = False, json: Json = False) -> None:
    """Copy, check, and say what it holds."""
    from foreman.localnet.backup import back_up

    with progress_shown(json) as progress:
        content = back_up(state, file, force=force, progress=progress)
    tell(content, file, json, f"Backed up to {file}")


@contextmanager
def progress_shown(json: bool) -> "Iterator[Progress]":
    """A bar on stderr while pages are copied, for people at a terminal."""
    if json or not show.err().is_terminal:
        yield lambda done, whole: None
        return
    from rich.progress import Progress

    with Progress(console=show.err(), transient=True) as bar:
        task = bar.add_task("copying", total=None)
        yield lambda done, whole: bar.update(task, completed=done, total=whole)


def tell(content: "Content", file: Path, json: bool, sentence: str) -> None:
    """What was found in the copy, after every check."""
    if json:
        show.as_json({"ok": True, "file": str(file), **asdict(content)})
        return
    out = show.out()
    out.print(show.plain(sentence, 1000), markup=False, soft_wrap=True)
    out.print(
        f"{content.height:,} commits, {content.bytes / 2**20:,.1f} MiB, schema {content.schema}, "
        f"{format_gen(content.minted_wei)} GEN minted; sound, and the books balance ({content.seconds:.1f} s).",
        markup=False,
        soft_wrap=True,
    )
    if content.kept:
        out.print(
            f"The state that was there lies in {show.plain(content.kept, 1000)} now.", markup=False, soft_wrap=True
        )


app = command(backup, HELP)
