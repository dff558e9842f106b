"""`foreman order wait` and `foreman agreement wait`: for a transaction, for whose turn it is, or for a state."""

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

import typer

from foreman.address import checksum
from foreman.cli import show
from foreman.cli.options import (
    MILESTONE_STATES,
    ORDER_STATUSES,
    PATIENCE,
    Contract,
    Json,
    Network,
    Patience,
    one_of,
)
from foreman.cli.session import Session, session
from foreman.cli.table import facts, json_safe
from foreman.cli.turn import milestone_turn_of, milestone_word, next_step, order_turn_of, told, turn_json
from foreman.cli.voting import Voting
from foreman.errors import BadInput, ForemanError
from foreman.sdk.history import calls, read_call
from foreman.sdk.result import read_result

if TYPE_CHECKING:
    from foreman.sdk.turns import Turn

AGREEMENT_STATES = ("draft", "active", "closed")

PAUSE, LEAST = 1.0, 0.05
"""Seconds between two looks, where nothing tells of a change and where something always does."""

MOST_LOOKED_AT = 20
"""Transactions that changed between two looks and are looked up, the newest: the others are of no great interest."""

ORDER_LEADS = {
    "open": ("claimed", "cancelled", "expired"),
    "claimed": ("open", "completed", "rejected", "expired"),
    "completed": ("rejected",),
    "rejected": ("completed",),
}
"""What a status can turn into (docs/lifecycle.md); after a final verdict nothing any more."""

MILESTONE_LEADS = {
    "draft": ("awaiting-evidence",),
    "awaiting-evidence": ("under-review", "refunded"),
    "under-review": ("ruled", "deadlocked", "awaiting-evidence"),
    "ruled": ("under-review", "released", "refunded", "awaiting-evidence", "deadlocked"),
    "deadlocked": ("released", "refunded"),
}
"""The same for a milestone (docs/agreements.md)."""

AGREEMENT_LEADS = {"draft": ("active", "closed"), "active": ("closed",)}

What = Annotated[str, typer.Argument(metavar="ORDER|HASH", help="Its number, or a transaction as writes tell it")]
Whole = Annotated[str, typer.Argument(metavar="AGREEMENT|HASH", help="Its number, or a transaction as writes tell it")]
Index = Annotated[int | None, typer.Argument(metavar="MILESTONE", help="Its index, from 0", min=0, show_default=False)]
UntilStatus = Annotated[
    str,
    typer.Option(
        "--until",
        metavar="STATUS",
        help="Until it is claimed, completed, ...",
        show_default=False,
        autocompletion=one_of(*ORDER_STATUSES),
    ),
]
UntilState = Annotated[
    str,
    typer.Option(
        "--until",
        metavar="STATE",
        help="Until it is active, ruled, ...",
        show_default=False,
        autocompletion=one_of("active", "closed", *MILESTONE_STATES),
    ),
]
Final = Annotated[bool, typer.Option("--final", help="Of what is under way: until the money is where it goes")]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where something stands: in a word, whether that is for good, whose turn it is, and everything for programs."""

    word: str
    turn: "Turn | None"
    settled: bool
    raw: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Subject:
    """What is waited for. `leads`: what each word can turn into; `about`: is this call about it?"""

    name: str
    noun: str
    numbers: str
    contract: bytes
    args: tuple[int, ...]
    leads: Mapping[str, Collection[str]]
    look: Callable[[], Standing]


def wait_order(
    what: What,
    until: UntilStatus = "",
    final: Final = False,
    network: Network = "local",
    contract: Contract = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Wait until it is somebody's turn with an order, or until it stands as you say. Sends nothing.

    \b
      foreman order wait 0
      foreman order wait 0 --until completed --patience 86400
      foreman order wait 0x5f...c1 --final               a transaction that was sent before

    Without --until it ends when nothing about the order is under way. A status that can no longer come: exit code 1.
    """
    with session(network, json, contract=("foreman", contract), patience=patience) as s:
        if not what.isdecimal():
            return _transaction(s, what, until, final)
        orders, number = s.foreman.orders, int(what)

        def look() -> Standing:
            order = orders.get(number)
            turn = order_turn_of(orders, order)
            return Standing(order.status, turn, turn is None, {"order": json_safe(order.raw)})

        subject = Subject(f"order {number}", "order", what, orders.contract, (number,), ORDER_LEADS, look)
        return _wait(s, subject, until, final)


def wait_agreement(
    what: Whole,
    milestone: Index = None,
    until: UntilState = "",
    final: Final = False,
    network: Network = "local",
    contract: Contract = "",
    patience: Patience = PATIENCE,
    json: Json = False,
) -> None:
    """Wait until it is somebody's turn with an agreement or a milestone, or until it stands as you say. Sends nothing.

    \b
      foreman agreement wait 1 --until active
      foreman agreement wait 1 0 --until ruled --patience 86400
      foreman agreement wait 0x5f...c1 --final           a transaction that was sent before

    Without --until it ends when nothing about it is under way. A state that can no longer come: exit code 1.
    """
    with session(network, json, contract=("verdict_escrow", contract), patience=patience) as s:
        if what.isdecimal():
            return _wait(s, _agreement(s, int(what), milestone), until, final)
        return _transaction(s, what, until, final)


def _agreement(s: Session, number: int, index: int | None) -> Subject:
    """An agreement as a whole, or one of its milestones."""
    from foreman.sdk.turns import agreement_turn

    agreements = s.foreman.agreements

    def look() -> Standing:
        found = agreements.get(number)
        word = AGREEMENT_STATES[found["state"]]
        return Standing(word, agreement_turn(found), word == "closed", {"agreement": json_safe(found)})

    def look_at(index: int) -> Standing:
        found, part = agreements.get(number), agreements.milestone(number, index)
        turn = milestone_turn_of(agreements, found, part)
        raw = {"agreement": json_safe(found), "milestone": json_safe(part.raw)}
        return Standing(milestone_word(part).removeprefix("a ").replace(" ", "-"), turn, turn is None, raw)

    name, place = f"agreement {number}", agreements.contract
    if index is None:
        return Subject(name, "agreement", str(number), place, (number,), AGREEMENT_LEADS, look)
    name, numbers = f"milestone {index} of {name}", f"{number} {index}"
    return Subject(name, "agreement", numbers, place, (number, index), MILESTONE_LEADS, lambda: look_at(index))


def _transaction(s: Session, hash: str, until: str, final: bool) -> None:
    if not hash.startswith("0x"):
        hint = "give its number, or the hash of a transaction, which begins with 0x"
        raise BadInput("usage", f"{show.plain(hash, 40)!r} cannot be waited for", hint)
    if until:
        raise BadInput(
            "usage", "a transaction has no status to choose", "--until goes with a number, --final with a hash"
        )
    with Voting(s.foreman.client, on=not s.json) as voting:
        voting.follow(hash)
        result = s.foreman.client.wait(hash, final, s.patience)
    s.tell(result.check(), "carried out", {"value": json_safe(result.value)})


def _wait(s: Session, subject: Subject, until: str, final: bool) -> None:
    words = list(dict.fromkeys([*subject.leads, *(word for later in subject.leads.values() for word in later)]))
    if until and until not in words:
        hint = f"one of {', '.join(words)}"
        raise BadInput("usage", f"--until {show.plain(until, 40)!r}: {subject.name} never stands so", hint)
    with Voting(s.foreman.client, on=True, speak=not s.json) as voting:
        standing = _until(s, subject, until, voting) if until else _idle(s, subject, final, voting)
    if s.json:
        needs = {"needs": turn_json(standing.turn), "settled": standing.settled}
        show.as_json({"state": standing.word, **standing.raw, **needs})
        return
    end = ": it is settled" if standing.settled else ""
    show.out().print(f"{subject.name} is {standing.word}{end}", markup=False, soft_wrap=True)
    facts(next_step(standing.turn, subject.noun, subject.numbers))


def _idle(s: Session, subject: Subject, final: bool, voting: "Voting") -> Standing:
    """Until nothing about it is under way."""
    client, deadline = s.foreman.client, time.monotonic() + s.patience
    while True:
        for call in calls(client, [checksum(subject.contract)]):
            result = read_result(call.hash, call.raw)
            if call.is_about(subject.contract, subject.args) and not (result.final if final else result.decided):
                voting.follow(call.hash)
                ended = client.wait(call.hash, final, max(0.0, deadline - time.monotonic()))
                if not s.json:
                    show.err().print(f"{show.plain(call.method)} is {ended.state}", style="dim", markup=False)
                break
        else:
            return subject.look()


def _until(s: Session, subject: Subject, until: str, voting: "Voting") -> Standing:
    """Until it stands as was asked. Raises `ForemanError` when it never will, and when patience ends."""
    deadline, before = time.monotonic() + s.patience, ""
    while True:
        now = subject.look()
        if now.word != before and not s.json:
            show.err().print(f"{subject.name} is {now.word}", style="dim", markup=False)
        before = now.word
        if now.word == until:
            return now
        hint = told(now.turn, subject.noun, subject.numbers, now.settled)
        if now.settled or until not in _reachable(subject.leads, now.word):
            raise ForemanError("out_of_reach", f"{subject.name} is {now.word}, and can no longer become {until}", hint)
        left = deadline - time.monotonic()
        if left <= 0:
            sentence = f"{subject.name} is still {now.word} after {s.patience:g} s"
            raise ForemanError("not_decided_in_time", sentence, hint)
        changed = voting.changed(min(left, PAUSE))
        time.sleep(LEAST if changed else 0)
        for hash in changed[-MOST_LOOKED_AT:]:
            call = read_call(s.foreman.client.call("eth_getTransactionByHash", hash))
            if call is not None and call.is_about(subject.contract, subject.args):
                voting.follow(hash)


def _reachable(leads: Mapping[str, Collection[str]], word: str) -> set[str]:
    """Every word that can come after this one, by any way."""
    found: set[str] = set()
    ahead = list(leads.get(word, ()))
    while ahead:
        if (next := ahead.pop()) not in found:
            found.add(next)
            ahead += leads.get(next, ())
    return found
