"""`foreman demo`: work orders, or agreements, on a network in a temporary folder, checked at every step."""

import inspect
from pathlib import Path
from typing import Annotated

import typer

from foreman.cli.exits import Exit
from foreman.cli.spoken import Spoken, SpokenGroup, noun

PAGES = Path(__file__).parent / "stage" / "pages"

Judges = Annotated[
    list[str] | None, typer.Option("--judge", metavar="NAME", help="Who judges; dealt to the seats in turn [offline]")
]
Seats = Annotated[int, typer.Option("--seats", metavar="N", help="Validators per verdict", min=1, max=101)]
Pages = Annotated[
    Path,
    typer.Option(
        "--pages",
        metavar="FOLDER",
        help="Serve the evidence from another folder",
        show_default=False,
        exists=True,
        file_okay=False,
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else")]


def demo(
    context: typer.Context,
    judge: Judges = None,
    seats: Seats = 5,
    pages: Pages = PAGES,
    json: Json = False,
) -> None:
    """Watch nine work orders settle on a network of their own, and check every wei.

    \b
      foreman demo                          offline: verdicts are computed from the bytes that were fetched
      foreman demo --json | jq .conserved   the same for programs
      foreman demo --judge ollama:qwen3     with a model on this machine
      foreman demo --seats 9                with a larger jury
      foreman demo agreement                milestones, appeals with bonds, and an arbiter

    A client and a provider, each with their own key, play through signed transactions: full acceptance, partial credit,
    rejection and appeal, abandon and reclaim, cancel, expiry, an expiry that must wait for a delivery under judgement,
    hostile URLs, and a page that tries to give orders. Exit code 0 only if every step did what it should.
    """
    if context.invoked_subcommand is not None:
        return
    from foreman.cli.stage.play import play_orders  # the network's rooms take a moment to load, and help should not

    if not play_orders(tuple(judge or ["offline"]), seats, pages.resolve(), json):
        raise typer.Exit(Exit.FAILED)


def agreement(pages: Pages = PAGES, json: Json = False) -> None:
    """Watch seven agreements end on a network of their own, and check every wei.

    \b
      foreman demo agreement                          bonds, stricter rounds, and an arbiter for deadlock only
      foreman demo agreement --json | jq .conserved   the same for programs

    Payer, provider and arbiter, each with their own key: an approval that is accepted, a rejection that an appeal
    flips, an appeal that forfeits its bond, three attempts that prove nothing, a deadlock that the arbiter settles,
    an arbiter who stays away, and a review that stalls. The offline judge reads the pages that were fetched. Exit
    code 0 only if every step did what it should.
    """
    from foreman.cli.stage.play import play_agreements  # as above

    if not play_agreements(pages.resolve(), json):
        raise typer.Exit(Exit.FAILED)


app = noun(inspect.cleandoc(demo.__doc__ or ""))
app.callback(cls=SpokenGroup, invoke_without_command=True)(demo)
app.command(cls=Spoken)(agreement)
