"""The sums of all money, from one moment: balances + reserved + in flight = minted, always."""

from typing import Any

from foreman.ledger import Reader
from foreman.node.finality import in_flight
from foreman.receipt import Status


def sums(view: Reader) -> dict[str, Any]:
    """All money of a chain in wei, and whether it adds up."""
    reserved = flying = 0
    for record in view.open_records():
        asked = record.transaction
        if record.status is Status.ACCEPTED:
            flying += in_flight(record)
        elif asked.parent is None:
            reserved += asked.value
        else:
            flying += asked.value
    balances, minted = view.total_balance(), int(view.meta("minted") or 0)
    return {
        "minted_wei": minted,
        "balances_wei": balances,
        "reserved_wei": reserved,
        "in_flight_wei": flying,
        "conserved": balances + reserved + flying == minted,
    }
