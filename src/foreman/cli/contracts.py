"""`foreman contracts`: where the contracts of a network stand."""

from foreman.cli import show
from foreman.cli.options import Json, Network
from foreman.cli.session import UNUSED, session
from foreman.cli.spoken import command
from foreman.cli.table import table

HELP = """Which contracts are used on a network and who told so: the network itself, else `foreman deploy`.

  foreman contracts
  foreman contracts --network studionet --json

Another address for one command: `--contract ADDRESS`.
"""


def contracts(network: Network = "local", json: Json = False) -> None:
    """Ask the network, and the notes of this machine."""
    with session(network, json) as s:
        found, places = dict(s.foreman.contracts), s.foreman.places()
    if json:
        told = [{"name": name, "address": at, "from": told, "used": told != UNUSED} for name, at, told in places]
        return show.as_json({"contracts": found, "places": told})
    return table(("contract", "address", "told by"), places)


app = command(contracts, HELP)
