"""`foreman contracts`: where the contracts of a network stand."""

from foreman.cli import show
from foreman.cli.options import Json, Network
from foreman.cli.session import session
from foreman.cli.spoken import command
from foreman.cli.table import table

HELP = """Where the contracts of a network stand: its own, and those that `foreman deploy` has put there.

  foreman contracts
  foreman contracts --network studionet --json

Another address for one command: `--contract ADDRESS`.
"""


def contracts(network: Network = "local", json: Json = False) -> None:
    """Ask the network, and the notes of this machine."""
    with session(network, json) as s:
        found = dict(s.foreman.contracts)
    if json:
        return show.as_json({"contracts": found})
    return table(("contract", "address"), sorted(found.items()))


app = command(contracts, HELP)
