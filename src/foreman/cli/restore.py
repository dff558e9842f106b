"""`foreman restore`: a state directory made of a backup, with nothing in it taken on trust."""

from pathlib import Path
from typing import Annotated

import typer

from foreman.cli.backup import progress_shown, tell
from foreman.cli.options import Json
from foreman.cli.spoken import command

HELP = """Make a state directory of a backup; `foreman up` goes on from there.

  foreman restore foreman-backup.sqlite                  into ./.state, which must hold no database
  foreman restore /backup/today.sqlite --state /var/lib/foreman
  foreman restore nightly.sqlite --force                 keep the state that is there beside, in before-restore-N

Refused are a directory whose node runs, a damaged file, a file of something else, a file of a newer release, and
contracts that this release does not ship. What was acknowledged after the backup was taken is not in it.
"""

File = Annotated[Path, typer.Argument(metavar="FILE", help="A file that `foreman backup` has written")]
State = Annotated[Path, typer.Option("--state", metavar="FOLDER", help="Where the database is to live")]
Force = Annotated[bool, typer.Option("--force", help="Take the place of a state that is there; it is kept beside")]
AllowContracts = Annotated[
    bool, typer.Option("--allow-contracts", help="Accept other contracts; they will run as the node may")
]


def restore(
    file: File,
    state: State = Path(".state"),
    force: Force = False,
    allow_contracts: AllowContracts = False,
    json: Json = False,
) -> None:
    """Copy, check, upgrade, and put it in place."""
    from foreman.localnet.backup import restore as bring_back

    with progress_shown(json) as progress:
        content = bring_back(file, state, force=force, allow_contracts=allow_contracts, progress=progress)
    tell(content, file, json, f"Restored into {state}")


app = command(restore, HELP)
