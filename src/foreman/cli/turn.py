"""Whose turn it is, in words, and the command that takes it; and what a refusal of the contract means here and now."""

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from foreman.cli.table import when
from foreman.errors import ForemanError

if TYPE_CHECKING:
    from foreman.sdk.agreements import Agreements, Milestone
    from foreman.sdk.orders import Order, Orders
    from foreman.sdk.turns import Turn

AGREEMENT_STATES = ("a draft", "active", "closed")

ORDER_TAKES = {
    "claim": ("open",),
    "deliver": ("claimed",),
    "abandon": ("claimed",),
    "cancel": ("open",),
    "extend": ("open", "claimed"),
    "expire": ("open", "claimed"),
    "appeal": ("completed", "rejected"),
}
"""In which status an order must be for a verb."""

AGREEMENT_TAKES = {"add-milestone": "a draft", "fund": "a draft", "abandon": "a draft"}

MILESTONE_TAKES = {
    "submit": "awaiting evidence",
    "adjudicate": "under review",
    "accept": "ruled",
    "appeal": "ruled",
    "escalate": "ruled",
    "finalize": "ruled",
    "rule": "deadlocked",
    "cancel-overdue": "awaiting evidence",
    "resolve-stalled": "under review",
    "resolve-absent": "deadlocked",
}
"""In which state a milestone must be for a verb."""

MORE = {
    "deliver": " URL",
    "appeal": " {why} TEXT",
    "escalate": " --grounds TEXT",
    "submit": " --claim TEXT --url URL",
    "rule": " --approve|--reject --reason TEXT",
    "add-milestone": " --title TEXT --criterion TEXT --amount GEN --due-in HOURS",
}
"""What a verb needs besides the number."""

STRANGE = re.compile(r"call to unknown method `\w{1,80}`|no contract stands at 0x[0-9a-fA-F]{40}")
"""How a runtime tells that something else stands at an address, or nothing."""

REFUSED = ("reverted", "execution_reverted")
SETTLED = "it is settled: nothing changes it any more"


def command_of(noun: str, verb: str, number: str) -> str:
    """The line to type, with words in capitals where something is still missing."""
    more = MORE.get(verb, "").format(why="--context" if noun == "order" else "--grounds")
    return f"foreman {noun} {verb} {number}{more} --account NAME"


def told(turn: "Turn | None", noun: str, number: str, settled: bool = True) -> str:
    """One sentence: who can go on, with what, and until when. Only of an agreement may nobody's turn not be `settled`:
    then its milestones have the word."""
    if steps := next_step(turn, noun, number):
        return f"{steps['next']}: `{steps['with']}`"
    return SETTLED if settled else f"its milestones have the word: `foreman agreement show {number}`"


def next_step(turn: "Turn | None", noun: str, number: str) -> dict[str, str]:
    """The same as two facts, `next` and `with`; none when it is settled."""
    if turn is None:
        return {}
    if turn.verb in AGREEMENT_TAKES:
        number = number.split()[0]  # of a milestone's agreement as a whole
    who = f"{turn.who} {turn.address}" if turn.address else turn.who
    until = f" until {when(turn.until)}" if turn.until else ""
    return {"next": f"{who} may {turn.verb}{until}", "with": command_of(noun, turn.verb, number)}


def may(turn: "Turn | None", verb: str, account: object) -> bool:
    """Is it this account's turn to do this? What it would stake is told only then: the refusal says the rest."""
    return turn is not None and turn.verb == verb and turn.address.lower() == str(account).lower()


def milestone_word(milestone: "Milestone") -> str:
    """Its state in words."""
    name = milestone.state.name.lower().replace("_", " ")
    return "a draft" if name == "draft" else name


def turn_json(turn: "Turn | None") -> Mapping[str, object] | None:
    """The same for programs."""
    if turn is None:
        return None
    return {
        "who": turn.who,
        "address": turn.address or None,
        "verb": turn.verb,
        "until": turn.until or None,
        "needed": turn.needed,
    }


def order_refusal(problem: ForemanError, orders: "Orders", verb: str, number: int, me: object) -> ForemanError:
    """What a refusal means for this order: its status, what the verb takes, who you are, and who can go on."""
    return _explained(problem, lambda: _order(problem, orders, verb, number, me))


def milestone_refusal(
    problem: ForemanError, agreements: "Agreements", verb: str, number: int, index: int | None, me: object
) -> ForemanError:
    """The same for a milestone, or without `index` for its agreement."""
    return _explained(problem, lambda: _milestone(problem, agreements, verb, number, index, me))


def not_there(problem: ForemanError) -> ForemanError:
    """A refusal because there is no such thing, with where to look for it; any other as it was."""
    hints = {
        "nothing to withdraw": "`foreman agreement credit NAME` tells what an account may take out, once it is settled",
        "unknown order": "`foreman order list` shows those there are; numbers begin with 0",
        "unknown agreement": "`foreman agreement list` shows those there are; numbers begin with 1",
        "unknown milestone": "`foreman agreement show AGREEMENT` shows those there are; indexes begin with 0",
    }
    if problem.code in REFUSED and (strange := STRANGE.search(problem.sentence)):
        sentence = f"the contract at this address is another one: {strange[0]}"
        return ForemanError(problem.code, sentence, "`foreman contracts` shows those that are known there")
    hint = hints.get(_reason(problem))
    return ForemanError(problem.code, _reason(problem), hint) if hint and problem.code in REFUSED else problem


def order_turn_of(orders: "Orders", order: "Order") -> "Turn | None":
    """By the network's own clock."""
    from foreman.sdk.turns import order_turn

    return order_turn(order, orders.client.now())


def milestone_turn_of(agreements: "Agreements", found: Mapping[str, Any], milestone: "Milestone") -> "Turn | None":
    """By the network's own clock and the contract's own hours."""
    from foreman.sdk.turns import milestone_turn

    return milestone_turn(milestone, found, agreements.config(), agreements.client.now())


def _explained(problem: ForemanError, explain: "Callable[[], tuple[str, str]]") -> ForemanError:
    """Only a refusal is explained; if the network cannot be asked now, it stays as it was."""
    if problem.code not in REFUSED:
        return problem
    if (unknown := not_there(problem)) is not problem:
        return unknown
    try:
        sentence, hint = explain()
    except ForemanError:
        return problem
    return ForemanError(problem.code, sentence, hint)


def _order(problem: ForemanError, orders: "Orders", verb: str, number: int, me: object) -> tuple[str, str]:
    order = orders.get(number)
    takes = ORDER_TAKES[verb]
    hint = told(order_turn_of(orders, order), "order", str(number))
    if order.status not in takes:
        return f"order {number} is {order.status}; `{verb}` takes one that is {' or '.join(takes)}", hint
    return f"{_reason(problem)}; order {number} is {order.status}, you are {me}", hint


def _milestone(
    problem: ForemanError, agreements: "Agreements", verb: str, number: int, index: int | None, me: object
) -> tuple[str, str]:
    from foreman.sdk.turns import agreement_turn

    found = agreements.get(number)
    if index is None:
        state, takes, subject = AGREEMENT_STATES[found["state"]], AGREEMENT_TAKES[verb], f"agreement {number}"
        hint = told(agreement_turn(found), "agreement", str(number), state == "closed")
    else:
        milestone = agreements.milestone(number, index)
        state, takes = milestone_word(milestone), MILESTONE_TAKES[verb]
        subject = f"milestone {index} of agreement {number}"
        turn = milestone_turn_of(agreements, found, milestone)
        hint = told(turn, "agreement", f"{number} {index}")
    if state != takes:
        return f"{subject} is {state}; `{verb}` takes one that is {takes}", hint
    return f"{_reason(problem)}; {subject} is {state}, you are {me}", hint


def _reason(problem: ForemanError) -> str:
    return problem.sentence.removeprefix("execution reverted: ")
