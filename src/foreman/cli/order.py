"""`foreman order`: work orders from open to paid. Writes are here, reads in looking.py."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from foreman.cli import looking, show, waiting
from foreman.cli.options import PATIENCE, Account, Contract, Id, Json, Network, Patience, Yes
from foreman.cli.session import Session, session
from foreman.cli.spoken import Spoken, noun
from foreman.cli.table import gen, json_safe, text_argument
from foreman.cli.turn import may, order_refusal, order_turn_of
from foreman.errors import ForemanError
from foreman.money import parse_gen
from foreman.urls import check_evidence_url

if TYPE_CHECKING:
    from foreman.sdk.client import Sent
    from foreman.sdk.orders import Orders

HELP = """Work orders: open, claim, deliver, appeal, and look.

  foreman order create --title "Levels" --spec @spec.md --criteria @criteria.md --escrow 2.5 --account dev0
  foreman order claim 0 --account dev1
  foreman order deliver 0 https://example.com/levels.json --account dev1
  foreman order show 0 --why
  foreman order list --status open --json

`foreman order VERB --help` starts with examples, too.
"""

app = noun(HELP)
Number = Annotated[int, typer.Argument(metavar="ORDER", help="Its number", min=0)]


def _write(
    verb: str,
    act: "Callable[[Orders], Sent]",
    sentence: str,
    number: int | None,
    options: tuple[str, str, str, str, float, bool],
    judged: bool = False,
    before: Callable[[Session], None] | None = None,
) -> None:
    """One write to the Foreman contract, and how the order stands after it."""
    network, account, contract, id, patience, json = options
    with session(network, json, account, ("foreman", contract), id, patience) as s:
        orders = s.foreman.orders
        try:
            if before is not None:
                before(s)
            result = s.settle(lambda: act(orders.once(id)), judged)
        except ForemanError as problem:
            if number is None:
                raise
            raise order_refusal(problem, orders, verb, number, s.foreman.account) from problem
        number = int(str(result.value)) if number is None else number
        order = orders.get(number)
        s.tell(result, sentence.format(order=order, paid=gen(order.paid_wei)), {"order": json_safe(order.raw)})


@app.command(cls=Spoken)
def create(
    title: Annotated[str, typer.Option("--title", metavar="TEXT", help="One line")],
    spec: Annotated[str, typer.Option("--spec", metavar="TEXT|@FILE", help="What is wanted")],
    criteria: Annotated[str, typer.Option("--criteria", metavar="TEXT|@FILE", help="What it is judged by")],
    escrow: Annotated[str, typer.Option("--escrow", metavar="GEN", help="What is locked, at least 0.001")],
    days: Annotated[int, typer.Option("--days", metavar="N", help="Whole days until the deadline", min=1, max=365)] = 7,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Open an order and lock its escrow.

    \b
      foreman order create --title "Levels" --spec @spec.md --criteria @criteria.md --escrow 2.5 --account dev0
      foreman order create ... --id levels-of-may        the same id never pays twice
    """
    texts = [text_argument(text) for text in (title, spec, criteria)]
    wei = parse_gen(escrow)
    _write(
        "create",
        lambda orders: orders.create(texts[0], texts[1], texts[2], days, wei),
        "order {order.id} is open",
        None,
        (network, account, contract, id, patience, json),
    )


@app.command(cls=Spoken)
def claim(
    order: Number,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Commit to deliver an open order before its deadline.

    \b
      foreman order claim 0 --account dev1
    """
    options = (network, account, contract, id, patience, json)
    _write("claim", lambda orders: orders.claim(order), "order {order.id} is claimed", order, options)


@app.command(cls=Spoken)
def deliver(
    order: Number,
    url: Annotated[str, typer.Argument(metavar="URL", help="A page anybody can open")],
    note: Annotated[str, typer.Option("--note", metavar="TEXT|@FILE", help="A word to the judges")] = "",
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Deliver one URL; the validators fetch and judge it, and the escrow splits by the percentage they agree on.

    \b
      foreman order deliver 0 https://example.com/levels.json --account dev1
    """
    check_evidence_url(url)
    text = text_argument(note)
    _write(
        "deliver",
        lambda orders: orders.submit(order, url, text),
        "order {order.id} is {order.status}: {order.payout_percent} % to the provider, {paid}",
        order,
        (network, account, contract, id, patience, json),
        judged=True,
    )


@app.command(cls=Spoken)
def appeal(
    order: Number,
    context: Annotated[str, typer.Option("--context", metavar="TEXT|@FILE", help="Why the verdict is wrong")],
    yes: Yes = False,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Have a verdict judged once more. It can add to the provider's payout, never take back; the deposit is the escrow.

    \b
      foreman order appeal 0 --context "Criterion 2 is met on page 3." --account dev0
    """
    text = text_argument(context)

    def stakes(s: Session) -> None:
        now = s.foreman.orders.get(order)
        most = now.escrow_wei - now.escrow_wei * now.payout_percent // 100
        if not json and may(order_turn_of(s.foreman.orders, now), "appeal", s.foreman.account):
            told = (
                f"deposit {gen(now.escrow_wei)}; at best all of it comes back, at worst {gen(most)} go to the provider"
            )
            show.err().print(told, style="dim", soft_wrap=True)

    _write(
        "appeal",
        lambda orders: orders.appeal(order, text, yes),
        "order {order.id} is {order.status}: {order.payout_percent} % to the provider, {paid}",
        order,
        (network, account, contract, id, patience, json),
        judged=True,
        before=stakes,
    )


@app.command(cls=Spoken)
def cancel(
    order: Number,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Take the escrow of an unclaimed order back.

    \b
      foreman order cancel 0 --account dev0
    """
    options = (network, account, contract, id, patience, json)
    _write("cancel", lambda orders: orders.cancel(order), "order {order.id} is cancelled", order, options)


@app.command(cls=Spoken)
def abandon(
    order: Number,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Give a claimed order back; it counts on your record.

    \b
      foreman order abandon 0 --account dev1
    """
    options = (network, account, contract, id, patience, json)
    _write("abandon", lambda orders: orders.abandon(order), "order {order.id} is open again", order, options)


@app.command(cls=Spoken)
def extend(
    order: Number,
    days: Annotated[int, typer.Argument(metavar="DAYS", help="Whole days", min=1, max=30)],
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Add 1 to 30 days to an open or claimed order.

    \b
      foreman order extend 0 3 --account dev0
    """
    options = (network, account, contract, id, patience, json)
    _write("extend", lambda orders: orders.extend(order, days), "order {order.id} has a later deadline", order, options)


@app.command(cls=Spoken)
def expire(
    order: Number,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Refund an order whose deadline has passed; anyone may.

    \b
      foreman order expire 0 --account dev2
    """
    options = (network, account, contract, id, patience, json)
    _write("expire", lambda orders: orders.expire(order), "order {order.id} is expired", order, options)


looking.add(app)
app.command("wait", cls=Spoken)(waiting.wait_order)
