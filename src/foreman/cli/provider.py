"""`foreman provider`: the records of those who deliver."""

from collections.abc import Mapping
from typing import Any

from foreman.address import checksum
from foreman.cli import show
from foreman.cli.options import Contract, Json, Limit, Network, Who
from foreman.cli.session import session
from foreman.cli.spoken import Spoken, noun
from foreman.cli.table import facts, gen, json_safe, table
from foreman.cli.wallet import party

HELP = """The records of those who deliver.

  foreman provider show dev1
  foreman provider show 0x70997970C51812dc3A010C7d01b50e0d17dc79C8 --json
  foreman provider top --limit 10

A record moves at once with a verdict, an appeal, and a claim that is given back or expires.
"""

app = noun(HELP)


@app.command("show", cls=Spoken)
def show_provider(
    who: Who,
    network: Network = "local",
    contract: Contract = "",
    json: Json = False,
) -> None:
    """Show one provider's record.

    \b
      foreman provider show dev1
    """
    address = party(who)
    with session(network, json, contract=("foreman", contract)) as s:
        record = s.foreman.orders.reputation(address)
    if json:
        return show.as_json({"provider": checksum(address), **json_safe(record)})
    return facts({"provider": checksum(address), **_told(record)})


@app.command(cls=Spoken)
def top(limit: Limit = 10, network: Network = "local", contract: Contract = "", json: Json = False) -> None:
    """List the providers with the best records.

    \b
      foreman provider top --limit 10
    """
    with session(network, json, contract=("foreman", contract)) as s:
        rows = s.foreman.orders.top(limit)
    if json:
        return show.as_json({"providers": json_safe(rows)})
    told = [{"provider": row["provider"], **_told(row)} for row in rows]
    columns = ("provider", "completed", "rejected", "disputed", "abandoned", "earned", "reliability")
    return table(columns, [tuple(row.values()) for row in told])


def _told(record: Mapping[str, Any]) -> dict[str, object]:
    history = record["completed"] + record["rejected"] + record["abandoned"]
    return {
        **{name: record[name] for name in ("completed", "rejected", "disputed", "abandoned")},
        "earned": gen(record["total_earned_wei"]),
        "reliability": f"{record['reliability_bps'] / 100:g} %" if history else "no history",
    }
