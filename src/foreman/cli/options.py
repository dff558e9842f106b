"""The options that commands about a network share, each said once."""

from collections.abc import Callable
from typing import Annotated

import typer

ORDER_STATUSES = ("open", "claimed", "completed", "rejected", "cancelled", "expired")
MILESTONE_STATES = ("draft", "awaiting-evidence", "under-review", "ruled", "released", "refunded", "deadlocked")


def one_of(*words: str) -> Callable[[str], list[str]]:
    """What a shell offers where one of these words is meant."""

    def offered(begun: str) -> list[str]:
        return [word for word in words if word.startswith(begun)]

    return offered


def networks(begun: str) -> list[str]:
    """The networks that have a name."""
    from foreman.sdk.networks import NETWORKS

    return one_of(*(network.name for network in NETWORKS))(begun)


def accounts(begun: str) -> list[str]:
    """The key files there are, and the known accounts of a network of one's own."""
    from foreman.cli.home import key_files

    known = [f"dev{number}" for number in range(10)]
    return one_of(*(path.stem for path in key_files() if path.stem not in known), *known)(begun)


Network = Annotated[
    str,
    typer.Option(
        "--network",
        metavar="NAME|URL",
        envvar="FOREMAN_NETWORK",
        help="local, studionet, ... or a URL",
        autocompletion=networks,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else")]
Contract = Annotated[
    str,
    typer.Option("--contract", metavar="ADDRESS", help="Another contract than the network's own", show_default=False),
]
Account = Annotated[
    str,
    typer.Option(
        "--account",
        metavar="NAME",
        envvar="FOREMAN_ACCOUNT",
        help="Who signs: a key file, or dev0 to dev9",
        show_default=False,
        autocompletion=accounts,
    ),
]
Id = Annotated[
    str,
    typer.Option(
        "--id", metavar="TEXT", help="Your name for this write; the same never sends twice", show_default=False
    ),
]
Patience = Annotated[float, typer.Option("--patience", metavar="SECONDS", help="How long to wait", min=0)]
Yes = Annotated[bool, typer.Option("--yes", help="Risk the value where failed calls keep it")]
Who = Annotated[
    str,
    typer.Argument(metavar="NAME|ADDRESS", help="A key file, dev0 to dev9, or an address", autocompletion=accounts),
]
Offset = Annotated[int, typer.Option("--offset", metavar="N", help="Skip the newest N", min=0)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="Show N at most", min=1, max=50)]
PATIENCE = 300.0
"""Seconds; as long as the SDK waits by itself."""
