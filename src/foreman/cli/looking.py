"""What `foreman order` can look at without signing: one order, many, and its evidence again."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foreman.cli import jury, show
from foreman.cli.exits import Exit
from foreman.cli.options import ORDER_STATUSES, Contract, Json, Limit, Network, Offset, accounts, one_of
from foreman.cli.session import session
from foreman.cli.spoken import Spoken
from foreman.cli.table import facts, gen, json_safe, quoted, table, when
from foreman.cli.turn import next_step, order_turn_of, turn_json
from foreman.cli.wallet import party
from foreman.errors import ForemanError, WebError
from foreman.sdk.networks import LOOPBACK

if TYPE_CHECKING:
    from foreman.sdk.foreman import Foreman
    from foreman.sdk.orders import Order
    from foreman.sdk.verdict import Hearing

Number = Annotated[int, typer.Argument(metavar="ORDER", help="Its number", min=0)]
JUDGED = ("completed", "rejected")
"""The statuses in which a verdict stands."""

Status = Annotated[
    str,
    typer.Option(
        "--status", metavar="WORD", help="Only these: open, claimed, ...", autocompletion=one_of(*ORDER_STATUSES)
    ),
]
Client = Annotated[
    str, typer.Option("--client", metavar="ADDRESS", help="Only of this client", autocompletion=accounts)
]
Provider = Annotated[
    str, typer.Option("--provider", metavar="ADDRESS", help="Only of this provider", autocompletion=accounts)
]
Resolve = Annotated[
    list[str] | None,
    typer.Option("--resolve", metavar="HOST:PORT:ADDRESS:PORT", help="Fetch a name from another address; repeatable"),
]


def show_order(
    order: Number,
    why: Annotated[bool, typer.Option("--why", help="The verdict criterion by criterion and seat by seat")] = False,
    network: Network = "local",
    contract: Contract = "",
    json: Json = False,
) -> None:
    """Show one order.

    \b
      foreman order show 0
      foreman order show 0 --why
      foreman order show 0 --json | jq .order.status
    """
    with session(network, json, contract=("foreman", contract)) as s:
        found = s.foreman.orders.get(order)
        turn = order_turn_of(s.foreman.orders, found)
        heard = _hearings(s.foreman, found) if why else []
    if json:
        told = {"order": json_safe(found.raw), "needs": turn_json(turn)}
        return show.as_json(told | ({"hearings": json_safe([asdict(one) for one in heard])} if why else {}))
    _facts(found, next_step(turn, "order", str(order)))
    if why:
        _why(found, heard)
    return None


def list_orders(
    status: Status = "",
    client: Client = "",
    provider: Provider = "",
    offset: Offset = 0,
    limit: Limit = 20,
    network: Network = "local",
    contract: Contract = "",
    json: Json = False,
) -> None:
    """List orders, newest first.

    \b
      foreman order list --status open
      foreman order list --provider dev1 --limit 50 --json
    """
    if bool(status) + bool(client) + bool(provider) > 1:
        raise ForemanError("usage", "--status, --client and --provider do not go together", "choose one of them")
    with session(network, json, contract=("foreman", contract)) as s:
        if client or provider:
            read = s.foreman.orders.by_client if client else s.foreman.orders.by_provider
            rows = read(party(client or provider), offset, limit)
        else:
            rows = s.foreman.orders.page(offset, limit, status)
    if json:
        return show.as_json({"orders": [json_safe(one.raw) for one in rows]})
    return table(
        ("order", "status", "escrow", "paid", "deadline", "title"),
        [(one.id, one.status, gen(one.escrow_wei), _percent(one), when(one.deadline), one.title) for one in rows],
    )


def verify(
    order: Number, resolve: Resolve = None, network: Network = "local", contract: Contract = "", json: Json = False
) -> None:
    """Fetch an order's evidence again, and tell whether it is what was judged: same, changed or gone.

    \b
      foreman order verify 0
      foreman order verify 0 --json | jq .evidence

    Exit code 0 only for the same. The page is fetched from this machine as a seat would: public hosts only.
    """
    from foreman.localnet.look import look
    from foreman.sdk.evidence import Recomputed, Seen, compare

    with session(network, json, contract=("foreman", contract)) as s:
        found = s.foreman.orders.get(order)
        expected, url = str(found.raw.get("evidence_fingerprint") or ""), str(found.raw.get("deliverable_url") or "")
        if not expected:
            hint = f"it is {found.status}; look again after a verdict"
            raise ForemanError("no_evidence", f"order {order} has no judged evidence", hint)
        places = list(resolve or _places(s.foreman, found, url))
    try:
        page = look(url, places)
        now = compare(expected, page.status, page.headers, page.body)
    except WebError as problem:
        now = Recomputed(Seen.GONE, reason=problem.sentence)
    if json:
        show.as_json(
            {"evidence": now.seen, "url": url, "judged": expected, "now": now.fingerprint, "reason": now.reason}
        )
    else:
        facts({"evidence": now.seen, "url": url, "judged": expected, "now": now.fingerprint, "reason": now.reason})
    if now.seen is not Seen.SAME:
        raise typer.Exit(Exit.FAILED)


def add(app: typer.Typer) -> None:
    """Give the noun these verbs."""
    for name, verb in (("show", show_order), ("list", list_orders), ("verify", verify)):
        app.command(name, cls=Spoken)(verb)


def _hearings(foreman: "Foreman", order: "Order") -> "list[Hearing]":
    """Who judged it, oldest first, as far as the network tells."""
    from foreman.sdk.verdict import hearings

    parties = [who for who in (order.provider, order.client) if who]
    return hearings(foreman.client, foreman.orders.contract, order.id, parties)


def _places(foreman: "Foreman", order: "Order", url: str) -> list[str]:
    """Where a network on this machine served the page from, when its host map did: as its receipts tell."""
    from urllib.parse import urlsplit

    if urlsplit(foreman.client.network.url).hostname not in LOOPBACK:
        return []
    mapped = {seat.mapped for one in _hearings(foreman, order) for seat in one.seats if seat.mapped}
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    return [f"{parts.hostname}:{port}:{place}" for place in sorted(mapped)[:1]]


def _percent(order: "Order") -> str:
    return f"{order.payout_percent} %" if order.status in JUDGED else "-"


def _facts(order: "Order", steps: Mapping[str, str]) -> None:
    raw: Mapping[str, Any] = order.raw
    judged, ends = order.status in JUDGED, when(int(raw.get("appeal_deadline") or 0))
    facts(
        {
            "order": order.id,
            "status": order.status,
            "client": order.client,
            "provider": order.provider,
            "escrow": gen(order.escrow_wei),
            "deadline": when(order.deadline),
            "delivered": raw.get("deliverable_url", ""),
            "verdict": f"{order.payout_percent} % to the provider" if judged else "",
            "paid": gen(order.paid_wei) if order.paid_wei else "",
            "refunded": gen(order.refunded_wei) if order.refunded_wei else "",
            "appeal": "used" if raw.get("appeal_used") else f"until {ends}" if ends else "",
            "evidence": raw.get("evidence_fingerprint", ""),
            **steps,
        }
    )
    for title, field in (
        ("Title", "title"),
        ("Spec", "spec"),
        ("Criteria", "acceptance_criteria"),
        ("Note", "deliverable_note"),
        ("Reasoning", "verdict_reasoning"),
    ):
        quoted(title, raw.get(field, ""))


def _why(order: "Order", heard: "list[Hearing]") -> None:
    rows = [row for row in order.raw.get("criteria_results") or () if isinstance(row, Mapping)]
    if rows:
        show.out().print("\nCriterion by criterion", style="bold")
    jury.criteria((row.get("met") is True, row.get("criterion")) for row in rows)
    quoted("Red flags", "\n".join(str(flag) for flag in order.raw.get("red_flags") or ()))
    jury.hearings(heard, order.status in JUDGED)
