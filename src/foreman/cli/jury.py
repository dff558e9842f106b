"""A verdict for people: criterion by criterion, and every round of every hearing seat by seat, dissent included."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from foreman.cli import show
from foreman.cli.table import facts, quoted, table

if TYPE_CHECKING:
    from foreman.sdk.verdict import Hearing, SeatVerdict

OWN = ("payout_percent", "verdict")
"""What a seat's own decision is told by: the percentage of an order, the verdict on a milestone."""


def criteria(rows: Iterable[tuple[bool, object]]) -> None:
    """Each criterion with whether it is met."""
    told = [("met" if met else "unmet", text) for met, text in rows]
    if told:
        table(("", "criterion"), told)


def hearings(heard: "Sequence[Hearing]", told: bool) -> None:
    """Every hearing, oldest first. `told`: was there a verdict, so that silence is the network's?"""
    if not heard and told:
        show.out().print("\nSeat by seat: this network does not tell (any more)", style="dim")
    for at, one in enumerate(heard, 1):
        for number, turn in enumerate(one.turns, 1):
            which = f"{at} of {len(heard)}" + (f", proposal {number} of {len(one.turns)}" if len(one.turns) > 1 else "")
            heading = f"Seat by seat, {which}: {show.plain(one.method)} ({one.state})"
            show.out().print(f"\n{heading}", style="bold", markup=False, soft_wrap=True)
            table(
                ("seat", "judge", "vote", "its own decision"),
                [(seat.address, seat.judge, _vote(seat, turn.leader), decision(seat)) for seat in turn.seats],
            )
            facts({"mapped": ", ".join(sorted({seat.mapped for seat in turn.seats if seat.mapped}))})
            _dissent(turn.seats)


def decision(seat: "SeatVerdict") -> str:
    """What a seat would have decided itself, in a few words."""
    own = seat.own
    if own is None:
        return show.plain(seat.said, 60) or "-"
    if "payout_percent" in own:
        return f"{own['payout_percent']} %"
    unmet = own.get("unmet_criteria")
    named = f", unmet {', '.join(map(str, unmet))}" if isinstance(unmet, list) and unmet else ""
    sure = f", {own['confidence']} % sure" if "confidence" in own else ""
    return f"{own.get('verdict', '-')}{sure}{named}"


def _vote(seat: "SeatVerdict", leader: str) -> str:
    return f"{seat.vote} (proposed)" if leader and seat.address == leader else seat.vote


def _dissent(seats: "Iterable[SeatVerdict]") -> None:
    """Why the seats that did not agree did not: their own words."""
    for seat in seats:
        why = (seat.own or {}).get("reasoning") or (seat.own or {}).get("rationale")
        if seat.vote == "disagree" and why:
            quoted(f"Dissent of {seat.address}", why)
