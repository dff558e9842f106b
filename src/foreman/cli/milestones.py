"""What `foreman agreement` does to a milestone: deliver, rule, contest, settle, and take the money out."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foreman.cli import show
from foreman.cli.options import PATIENCE, Account, Contract, Id, Json, Network, Patience, Yes
from foreman.cli.session import Session, session
from foreman.cli.spoken import Spoken
from foreman.cli.table import facts, gen, json_safe, quoted, text_argument, when
from foreman.cli.turn import may, milestone_refusal, milestone_turn_of, milestone_word, not_there
from foreman.errors import ForemanError
from foreman.urls import check_evidence_url

if TYPE_CHECKING:
    from foreman.sdk.agreements import Agreements, Milestone
    from foreman.sdk.client import Sent

Options = tuple[str, str, str, str, float, bool]
Number = Annotated[int, typer.Argument(metavar="AGREEMENT", help="Its number", min=1)]
Index = Annotated[int, typer.Argument(metavar="MILESTONE", help="Its index, from 0", min=0)]
Grounds = Annotated[str, typer.Option("--grounds", metavar="TEXT|@FILE", help="Why the ruling is wrong")]

SIMPLE: dict[str, tuple[str, "Callable[[Agreements, int, int], Sent]", bool]] = {
    "adjudicate": ("Have the network rule on this round; anyone may.", lambda a, n, i: a.adjudicate(n, i), True),
    "accept": ("Let a ruling against oneself stand, and settle at once.", lambda a, n, i: a.accept(n, i), False),
    "finalize": ("Settle a ruling that nobody contested in time.", lambda a, n, i: a.finalize(n, i), False),
    "cancel-overdue": ("Take back what was not delivered in time.", lambda a, n, i: a.cancel_overdue(n, i), False),
    "resolve-stalled": (
        "After two days without a ruling: another attempt, or a deadlock.",
        lambda a, n, i: a.resolve_stalled(n, i),
        False,
    ),
    "resolve-absent": (
        "The arbiter stayed away: the network's last ruling decides.",
        lambda a, n, i: a.resolve_absent_arbiter(n, i),
        False,
    ),
}
"""Verbs that need nothing but a milestone: their sentence, what they send, and whether seats vote."""


def write(
    verb: str,
    act: "Callable[[Agreements], Sent]",
    sentence: str,
    options: Options,
    agreement: int | None = None,
    index: int | None = None,
    judged: bool = False,
    before: Callable[[Session], None] | None = None,
) -> None:
    """One write to the VerdictEscrow contract, and how the milestone stands after it."""
    network, account, contract, id, patience, json = options
    with session(network, json, account, ("verdict_escrow", contract), id, patience) as s:
        agreements = s.foreman.agreements
        try:
            if before is not None and not json:
                before(s)
            result = s.settle(lambda: act(agreements.once(id)), judged)
        except ForemanError as problem:
            if not agreement:
                raise not_there(problem) from problem
            raise milestone_refusal(problem, agreements, verb, agreement, index, s.foreman.account) from problem
        number = int(str(result.value)) if agreement is None else agreement
        more: dict[str, Any] = {"agreement": number, "value": json_safe(result.value)}
        state = ""
        if index is not None:
            part = agreements.milestone(number, index)
            state = milestone_word(part)
            more |= {"milestone": json_safe(part.raw)}
        s.tell(result, sentence.format(agreement=number, value=result.value, index=index, state=state), more)


def submit(
    agreement: Number,
    index: Index,
    claim: Annotated[str, typer.Option("--claim", metavar="TEXT|@FILE", help="What was delivered")],
    url: Annotated[list[str], typer.Option("--url", metavar="URL", help="A page that proves it; 1 to 6, repeatable")],
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Deliver a claim and the pages that prove it. It accepts the arbiter and the allowlist, which are shown first.

    \b
      foreman agreement submit 1 0 --claim @claim.txt --url https://example.com/one --account dev1
    """
    urls, text = [check_evidence_url(one) for one in url], text_argument(claim)

    def terms(s: Session) -> None:
        found = s.foreman.agreements.get(agreement)
        places = ", ".join(show.plain(one, 80) for one in found["allowed_domains"])
        told = f"delivering accepts the arbiter {found['arbiter']} and evidence from {places}"
        show.err().print(told, style="dim", markup=False, soft_wrap=True)

    write(
        "submit",
        lambda a: a.submit(agreement, index, text, urls),
        "milestone {index} of agreement {agreement} is {state}",
        (network, account, contract, id, patience, json),
        agreement,
        index,
        before=terms,
    )


def appeal(
    agreement: Number,
    index: Index,
    grounds: Grounds,
    yes: Yes = False,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Contest a ruling with a bond, which is forfeit if the loser loses again.

    \b
      foreman agreement appeal 1 0 --grounds "The second page was not read." --account dev1
    """
    text = text_argument(grounds)
    write(
        "appeal",
        lambda a: a.appeal(agreement, index, text, yes),
        "milestone {index} of agreement {agreement} is {state}",
        (network, account, contract, id, patience, json),
        agreement,
        index,
        before=lambda s: _bond(s, "appeal", agreement, index),
    )


def escalate(
    agreement: Number,
    index: Index,
    grounds: Grounds,
    yes: Yes = False,
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """After the last round, ask the arbiter, for the same bond.

    \b
      foreman agreement escalate 1 0 --grounds "Three rounds missed page two." --account dev1
    """
    text = text_argument(grounds)
    write(
        "escalate",
        lambda a: a.escalate(agreement, index, text, yes),
        "milestone {index} of agreement {agreement} is {state}",
        (network, account, contract, id, patience, json),
        agreement,
        index,
        before=lambda s: _bond(s, "escalate", agreement, index),
    )


def rule(
    agreement: Number,
    index: Index,
    approve: Annotated[bool, typer.Option("--approve/--reject", help="For the provider, or for the payer")],
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT|@FILE", help="At least 20 characters")],
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """As the arbiter, settle a deadlock, finally.

    \b
      foreman agreement rule 1 0 --approve --reason "Both pages prove the claim." --account dev2
    """
    text = text_argument(reason)
    options = (network, account, contract, id, patience, json)
    sentence = "milestone {index} of agreement {agreement} is {state}"
    write("rule", lambda a: a.rule(agreement, index, approve, text), sentence, options, agreement, index)


def withdraw(
    network: Network = "local",
    account: Account = "",
    contract: Contract = "",
    id: Id = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Take out all of one's credit.

    \b
      foreman agreement withdraw --account dev1
    """
    options = (network, account, contract, id, patience, json)
    write("withdraw", lambda a: a.withdraw(), "the credit is paid out", options, 0)


def add(app: typer.Typer) -> None:
    """Give the noun these verbs."""
    for verb in (submit, appeal, escalate, rule, withdraw):
        app.command(cls=Spoken)(verb)
    for name in SIMPLE:
        sentence = SIMPLE[name][0]
        app.command(name, cls=Spoken, help=f"{sentence}\n\n\b\n  foreman agreement {name} 1 0 --account dev0\n\b\n")(
            _simple(name)
        )


def facts_of(part: "Milestone", steps: Mapping[str, str]) -> None:
    """A milestone for people, and who can go on with it."""
    facts(
        {
            "amount": gen(part.amount),
            "due until": when((part.due_hour + 1) * 3600),
            "attempts": part.submissions,
            "round": part.round_no or "",
            "verdict": part.verdict,
            "appeal bond": gen(part.bond),
            "evidence": " ".join(part.raw["evidence"]),
            **steps,
        }
    )
    quoted("Title", part.title)
    quoted("Criteria", "\n".join(f"[{at}] {text}" for at, text in enumerate(part.raw["criteria"])))
    quoted("Claim", part.raw["claim"])


def _simple(name: str) -> Callable[..., None]:
    _, act, judged = SIMPLE[name]

    def verb(
        agreement: Number,
        index: Index,
        network: Network = "local",
        account: Account = "",
        contract: Contract = "",
        id: Id = "",
        patience: Patience = PATIENCE,
        json: Json = False,
    ) -> None:
        options = (network, account, contract, id, patience, json)
        sentence = "milestone {index} of agreement {agreement} is {state}"
        write(name, lambda a: act(a, agreement, index), sentence, options, agreement, index, judged)

    return verb


def _bond(s: Session, verb: str, agreement: int, index: int) -> None:
    agreements = s.foreman.agreements
    part = agreements.milestone(agreement, index)
    if may(milestone_turn_of(agreements, agreements.get(agreement), part), verb, s.foreman.account):
        show.err().print(f"bond {gen(part.bond)}; it is lost if the ruling stands", style="dim", soft_wrap=True)
