"""The seven scenes of the agreements' demo, in the order they are played."""

from collections.abc import Callable

from foreman.cli.stage import deals
from foreman.cli.stage.board import Row
from foreman.cli.stage.court import Court
from foreman.cli.stage.watch import PATIENCE

REASON = "I have read both pages side by side: what was asked for is there."
OPPOSITES = ("calibration.json", "notes.html", "missing.json")
"""Pages of which no two lead to the same ruling."""

TWO_DAYS, FIFTEEN_DAYS = 2.0, 15.0


def approved_and_accepted(court: Court) -> None:
    """Every criterion is shown: the payer, who has lost, does not wait for the window to end."""
    row = court.open(deals.APPROVED)
    court.deliver(row)
    court.rule(row, "APPROVE")
    court.settle(row, lambda: court.as_payer.accept(row.number, 0), provider=row.job.escrow_wei)
    court.close(row)


def appeal_flips(court: Court) -> None:
    """A draft is rejected; completed, it wins the stricter round, and the bond comes back with the amount."""
    row = court.open(deals.FLIPPED)
    court.evidence.publish(row.job.page, "glossary-draft.json")
    court.deliver(row)
    court.rule(row, "REJECT")
    bond = court.appeal(row)
    court.evidence.publish(row.job.page, row.job.page)
    court.rule(row, "APPROVE")
    court.settle(row, lambda: court.as_payer.accept(row.number, 0), provider=row.job.escrow_wei + bond)
    court.close(row)


def appeal_fails(court: Court) -> None:
    """The same page loses again: the payer gets the amount, and the bond with it."""
    row = court.open(deals.FORFEITED)
    court.evidence.publish(row.job.page, "notes.html")
    court.deliver(row)
    court.rule(row, "REJECT")
    bond = court.appeal(row)
    court.rule(row, "REJECT")
    court.settle(row, lambda: court.as_provider.accept(row.number, 0), payer=row.job.escrow_wei + bond)
    court.close(row)


def nothing_proven(court: Court) -> None:
    """One criterion cannot be decided from the page. Two such rulings give another attempt, the third refunds."""
    row = court.open(deals.UNPROVEN)
    for attempt in (1, 2, 3):
        court.deliver(row)
        court.rule(row, "INSUFFICIENT_EVIDENCE")
        refund = row.job.escrow_wei if attempt == 3 else 0
        court.settle(row, lambda: court.as_provider.accept(row.number, 0), payer=refund)
    court.close(row)


def arbiter_settles(court: Court) -> None:
    """Three rounds and no peace: the arbiter reads for itself and approves, so the provider's bonds return."""
    row = court.open(deals.DEADLOCKED)
    bonds = _to_deadlock(court, row)
    court.board.says(row, "the arbiter approves")
    court.settle(row, lambda: court.as_arbiter.rule(row.number, 0, True, REASON), provider=row.job.escrow_wei + bonds)
    court.close(row)


def arbiter_stays_away(court: Court) -> None:
    """Two weeks and a day without the arbiter: the network's last ruling stands, and the bonds are forfeit."""
    row = court.open(deals.ABANDONED)
    bonds = _to_deadlock(court, row)
    early = court.as_payer.resolve_absent_arbiter(row.number, 0)
    court.refused(row, early, "still has time")
    court.travel(FIFTEEN_DAYS)
    court.board.says(row, "fifteen days later, no word from the arbiter")
    court.settle(row, lambda: court.as_payer.resolve_absent_arbiter(row.number, 0), payer=row.job.escrow_wei + bonds)
    court.close(row)


def review_stalls(court: Court) -> None:
    """Every seat is shown something else, so nothing is decided. Two days later the provider gets another attempt."""
    row = court.open(deals.STALLED)
    court.evidence.publish(row.job.page, *OPPOSITES)
    court.deliver(row)
    sent, _ = court.ask(row)
    result = sent.wait(patience=PATIENCE)
    court.expect(row, result.status == "UNDETERMINED", f"the seats do not agree ({result.status.lower()})")
    court.board.says(row, "no agreement; two days pass")
    court.travel(TWO_DAYS)
    court.settle(row, lambda: court.as_provider.resolve_stalled(row.number, 0))
    court.evidence.publish(row.job.page, "calibration.json")
    court.deliver(row)
    court.rule(row, "APPROVE")
    court.settle(row, lambda: court.as_payer.accept(row.number, 0), provider=row.job.escrow_wei)
    court.close(row)


def _to_deadlock(court: Court, row: Row) -> int:
    """Lose three rounds and ask the arbiter; the sum of the bonds, in wei."""
    court.deliver(row)
    court.rule(row, "REJECT")
    bonds = court.appeal(row)
    court.rule(row, "REJECT")
    bonds += court.appeal(row)
    court.rule(row, "REJECT")
    return bonds + court.escalate(row)


CASES: tuple[Callable[[Court], None], ...] = (
    approved_and_accepted,
    appeal_flips,
    appeal_fails,
    nothing_proven,
    arbiter_settles,
    arbiter_stays_away,
    review_stalls,
)
