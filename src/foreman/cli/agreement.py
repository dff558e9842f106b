"""`foreman agreement`: drafts, funding and looking; what happens to a milestone is in milestones.py."""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foreman.cli import jury, milestones, show, waiting
from foreman.cli.options import PATIENCE, Account, Contract, Id, Json, Limit, Network, Offset, Patience, Who, accounts
from foreman.cli.session import session
from foreman.cli.spoken import Spoken, noun
from foreman.cli.table import facts, gen, json_safe, quoted, table, text_argument, when
from foreman.cli.turn import milestone_turn_of, milestone_word, next_step, turn_json
from foreman.cli.wallet import party
from foreman.errors import BadInput
from foreman.money import parse_gen

if TYPE_CHECKING:
    from foreman.sdk.agreements import Agreements, Milestone
    from foreman.sdk.verdict import Hearing

HELP = """Agreements in milestones, with bonds and an arbiter.

  foreman agreement create --provider dev1 --arbiter dev2 --title "Tide" --domain example.com --account dev0
  foreman agreement add-milestone 1 --title "Part one" --criterion @one.txt --amount 2 --due-in 48 --account dev0
  foreman agreement fund 1 --account dev0
  foreman agreement submit 1 0 --claim @claim.txt --url https://example.com/one --account dev1
  foreman agreement adjudicate 1 0 --account dev3
  foreman agreement show 1

Milestones are counted from 0. `foreman agreement VERB --help` starts with examples, too.
"""

STATES = waiting.AGREEMENT_STATES
HOUR = 3600

app = noun(HELP)
Number = Annotated[int, typer.Argument(metavar="AGREEMENT", help="Its number", min=1)]


@app.command(cls=Spoken)
def create(
    provider: Annotated[
        str, typer.Option("--provider", metavar="NAME|ADDRESS", help="Who delivers", autocompletion=accounts)
    ],
    arbiter: Annotated[
        str, typer.Option("--arbiter", metavar="NAME|ADDRESS", help="Who decides a deadlock", autocompletion=accounts)
    ],
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="One line")],
    domain: Annotated[list[str], typer.Option("--domain", metavar="NAME", help="Where evidence may stand; repeatable")],
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Open a draft. Arbiter and domains never change.

    \b
      foreman agreement create --provider dev1 --arbiter dev2 --title "Tide" --domain example.com --account dev0
    """
    parties = party(provider), party(arbiter)
    milestones.write(
        "create",
        lambda agreements: agreements.create(*parties, title, domain),
        "agreement {agreement} is a draft",
        (network, account, contract, id, patience, json),
    )


@app.command("add-milestone", cls=Spoken)
def add_milestone(
    agreement: Number,
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="One line")],
    criterion: Annotated[list[str], typer.Option("--criterion", metavar="TEXT|@FILE", help="1 to 12; repeatable")],
    amount: Annotated[str, typer.Option("--amount", metavar="GEN", help="What it pays, at least 0.001")],
    due_in: Annotated[int, typer.Option("--due-in", metavar="HOURS", help="Whole hours from now", min=0)] = 0,
    due: Annotated[str, typer.Option("--due", metavar="TIME", help="Or a time, like 2030-01-31T12:00Z")] = "",
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Add a milestone to a draft.

    \b
      foreman agreement add-milestone 1 --title "Part one" --criterion "The page is valid JSON" --amount 2 --due-in 48
    """
    wei, criteria = parse_gen(amount), [text_argument(text).strip() for text in criterion]
    if bool(due_in) == bool(due):
        raise BadInput("usage", "a milestone is due at one time", "give one of --due-in HOURS and --due TIME")
    hour = _hour(due) if due else 0

    def act(agreements: "Agreements") -> Any:
        when = hour or agreements.client.now() // HOUR + due_in
        return agreements.add_milestone(agreement, title, criteria, wei, when)

    options = (network, account, contract, id, patience, json)
    milestones.write("add-milestone", act, "milestone {value} is part of agreement {agreement}", options, agreement)


@app.command(cls=Spoken)
def fund(
    agreement: Number,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Lock exactly the sum of all milestones and go live.

    \b
      foreman agreement fund 1 --account dev0
    """

    def act(agreements: "Agreements") -> Any:
        return agreements.fund(agreement, sum(part.amount for part in agreements.milestones(agreement)))

    options = (network, account, contract, id, patience, json)
    milestones.write("fund", act, "agreement {agreement} is funded", options, agreement)


@app.command(cls=Spoken)
def abandon(
    agreement: Number,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Close a draft that was never funded.

    \b
      foreman agreement abandon 1 --account dev0
    """
    options = (network, account, contract, id, patience, json)
    sentence = "agreement {agreement} is closed"
    milestones.write("abandon", lambda a: a.abandon_draft(agreement), sentence, options, agreement)


@app.command("show", cls=Spoken)
def show_agreement(
    agreement: Number,
    why: Annotated[bool, typer.Option("--why", help="Every ruling of every milestone")] = False,
    network: Network = "local",
    contract: Contract = "",
    json: Json = False,
) -> None:
    """Show one agreement and its milestones.

    \b
      foreman agreement show 1
      foreman agreement show 1 --why --json
    """
    with session(network, json, contract=("verdict_escrow", contract)) as s:
        agreements = s.foreman.agreements
        found = agreements.get(agreement)
        parts = agreements.milestones(agreement)
        turns = [milestone_turn_of(agreements, found, part) for part in parts]
        rulings = [agreements.rulings(agreement, at) if why else [] for at in range(len(parts))]
        heard = [_hearings(agreements, agreement, at, part) if why else [] for at, part in enumerate(parts)]
    if json:
        more = [
            {"needs": turn_json(turn)} | ({"rulings": told, "hearings": [asdict(one) for one in those]} if why else {})
            for turn, told, those in zip(turns, rulings, heard, strict=True)
        ]
        raws = [dict(part.raw) | told for part, told in zip(parts, more, strict=True)]
        return show.as_json({"agreement": json_safe(found), "milestones": json_safe(raws)})
    _facts(found)
    for at, part in enumerate(parts):
        show.out().print(f"\nMilestone {at}: {milestone_word(part)}", style="bold", markup=False)
        milestones.facts_of(part, next_step(turns[at], "agreement", f"{agreement} {at}"))
        for ruling in rulings[at]:
            _ruling(part, ruling)
        if why:
            jury.hearings(heard[at], any(not ruling["by_arbiter"] for ruling in rulings[at]))
    return None


@app.command("list", cls=Spoken)
def list_agreements(
    who: Annotated[
        str,
        typer.Option("--party", metavar="NAME|ADDRESS", help="Payer, provider or arbiter", autocompletion=accounts),
    ] = "",
    offset: Offset = 0,
    limit: Limit = 20,
    network: Network = "local",
    contract: Contract = "",
    json: Json = False,
) -> None:
    """List agreements, newest first.

    \b
      foreman agreement list --party dev1
    """
    with session(network, json, contract=("verdict_escrow", contract)) as s:
        agreements = s.foreman.agreements
        rows = agreements.by_party(party(who), offset, limit) if who else agreements.page(offset, limit)
    if json:
        return show.as_json({"agreements": json_safe(rows)})
    return table(
        ("agreement", "state", "escrowed", "milestones", "title"),
        [(row["id"], STATES[row["state"]], gen(row["escrowed"]), row["milestone_count"], row["title"]) for row in rows],
    )


@app.command(cls=Spoken)
def credit(
    who: Who,
    network: Network = "local",
    contract: Contract = "",
    json: Json = False,
) -> None:
    """Tell what an account may withdraw.

    \b
      foreman agreement credit dev1
    """
    with session(network, json, contract=("verdict_escrow", contract)) as s:
        wei = s.foreman.agreements.credit(party(who))
    if json:
        return show.as_json({"credit_wei": wei})
    return facts({"credit": gen(wei)})


app.command("wait", cls=Spoken)(waiting.wait_agreement)
milestones.add(app)


def _hour(text: str) -> int:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise BadInput("bad_time", f"{text[:80]!r} is not a time", "write for example 2030-01-31T12:00Z") from error
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()) // HOUR


def _hearings(agreements: "Agreements", number: int, index: int, part: "Milestone") -> "list[Hearing]":
    """Anybody may have asked for a ruling: those whom the timeline names are looked up, and the contract itself."""
    from foreman.sdk.verdict import hearings

    moments = [moment for moment in part.raw.get("timeline") or () if isinstance(moment, Mapping)]
    actors = [str(moment.get("actor")) for moment in moments if moment.get("event") == "ruled"]
    return hearings(agreements.client, agreements.contract, number, actors, index)


def _ruling(part: "Milestone", ruling: Mapping[str, Any]) -> None:
    """One ruling: who, what, how sure, which criteria, and why."""
    by = "the arbiter" if ruling["by_arbiter"] else f"the network, round {ruling['round_no']}"
    at = when(int(ruling["ruled_at_hour"]) * HOUR)
    heading = f"{ruling['verdict']} by {by}, attempt {ruling['attempt']}, {ruling['confidence']} % sure ({at})"
    show.out().print(f"\n{show.plain(heading)}", style="bold", markup=False, soft_wrap=True)
    jury.criteria((at not in ruling["unmet"], text) for at, text in enumerate(part.raw["criteria"]))
    quoted("Rationale", ruling["rationale"])


def _facts(found: Mapping[str, Any]) -> None:
    facts(
        {
            "agreement": found["id"],
            "state": STATES[found["state"]],
            "payer": found["payer"],
            "provider": found["provider"],
            "arbiter": found["arbiter"],
            "evidence from": ", ".join(found["allowed_domains"]),
            "escrowed": gen(found["escrowed"]),
        }
    )
    quoted("Title", found["title"])
