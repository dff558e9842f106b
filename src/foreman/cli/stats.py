"""`foreman stats`: counts and sums over all work orders of a network."""

from foreman.cli import show
from foreman.cli.options import Contract, Json, Network
from foreman.cli.session import session
from foreman.cli.spoken import command
from foreman.cli.table import facts, gen, json_safe

HELP = """Counts and sums over all work orders of a network.

  foreman stats
  foreman stats --network studionet --contract 0x... --json | jq -r .volume_wei

At any time volume + deposits = payouts + refunds + escrow of live orders.
"""


def stats(network: Network = "local", contract: Contract = "", json: Json = False) -> None:
    """Read the contract's own books."""
    with session(network, json, contract=("foreman", contract)) as s:
        found = s.foreman.orders.stats()
    if json:
        return show.as_json(json_safe(found))
    return facts(
        {
            name.removesuffix("_wei"): gen(value) if name.endswith("_wei") else str(value)
            for name, value in found.items()
        }
    )


app = command(stats, HELP)
