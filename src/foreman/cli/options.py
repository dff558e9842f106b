"""The options that commands about a network share, each said once."""

from typing import Annotated

import typer

Network = Annotated[
    str,
    typer.Option("--network", metavar="NAME|URL", envvar="FOREMAN_NETWORK", help="local, studionet, ... or a URL"),
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
Offset = Annotated[int, typer.Option("--offset", metavar="N", help="Skip the newest N", min=0)]
Limit = Annotated[int, typer.Option("--limit", metavar="N", help="Show N at most", min=1, max=50)]
PATIENCE = 300.0
"""Seconds; as long as the SDK waits by itself."""
