"""What a check can say: met, unmet, or cannot tell, always with the reason."""

from collections.abc import Callable
from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from foreman.judges.offline.page import Page


class State(StrEnum):
    """The three endings of a check."""

    MET = "met"
    UNMET = "unmet"
    UNKNOWN = "cannot tell"


class Finding(NamedTuple):
    """The ending of one check, and why, as a phrase that can follow a colon."""

    state: State
    why: str


Check = Callable[["Page"], Finding]
"""A whole criterion, ready to be applied to a page."""

Predicate = Callable[[object, "Page"], Finding]
"""What is said of a subject: takes its value (or the page itself) and the page it stands on."""


def met(why: str) -> Finding:
    return Finding(State.MET, why)


def unmet(why: str) -> Finding:
    return Finding(State.UNMET, why)


def unknown(why: str) -> Finding:
    return Finding(State.UNKNOWN, why)


def decide(holds: bool, why: str) -> Finding:
    return met(why) if holds else unmet(why)


def both(findings: list[Finding]) -> Finding:
    """All must hold: the first that is unmet decides, then the first that cannot be told."""
    for state in (State.UNMET, State.UNKNOWN):
        for finding in findings:
            if finding.state is state:
                return finding
    return met("; ".join(finding.why for finding in findings))


def either(findings: list[Finding]) -> Finding:
    """One must hold: the first that is met decides, then the first that cannot be told."""
    for state in (State.MET, State.UNKNOWN):
        for finding in findings:
            if finding.state is state:
                return finding
    return unmet("; ".join(finding.why for finding in findings))


def opposite(finding: Finding) -> Finding:
    turned = {State.MET: State.UNMET, State.UNMET: State.MET}
    return Finding(turned.get(finding.state, finding.state), finding.why)


def show(value: object, cap: int = 60) -> str:
    """A value as a person would write it, short enough for a reason."""
    text = f'"{value}"' if isinstance(value, str) else _plain(value)
    return text if len(text) <= cap else text[: cap - 1] + "…"


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return f"an object of {len(value)} keys"
    if isinstance(value, int) and value.bit_length() > 200:
        return "a very large number"
    return str(value) if isinstance(value, int | Decimal | date) else "the page"
