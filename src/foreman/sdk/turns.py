"""Whose turn it is: who can take an order or a milestone on from where it stands, by which verb, and until when.

What may be done is said by the contracts; this only tells it, so that a person or an agent need not know the rules by
heart. Times are whole seconds since 1970, as contracts count.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foreman.sdk.agreements import Milestone, MilestoneState
from foreman.sdk.orders import Order

HOUR = 3600
ENDS = ("cancelled", "expired")
JUDGED = ("completed", "rejected")


@dataclass(frozen=True, slots=True)
class Turn:
    """`who` in words, `address` where it is one account, `verb` of the command, `until` 0 where nothing runs out.

    `needed`: nothing moves without it; else it is a possibility that runs out by itself.
    """

    who: str
    verb: str
    address: str = ""
    until: int = 0
    needed: bool = True


def order_turn(order: Order, now: int) -> Turn | None:
    """Who can act on an order at `now`; None when it is settled for good."""
    if order.status in ("open", "claimed") and now >= order.deadline:
        return Turn("anyone", "expire")
    if order.status == "open":
        return Turn("anyone but its client", "claim", until=order.deadline)
    if order.status == "claimed":
        return Turn("its provider", "deliver", order.provider, order.deadline)
    window = int(order.raw.get("appeal_deadline") or 0)
    if order.status in JUDGED and not order.raw.get("appeal_used") and now < window:
        return Turn("its client", "appeal", order.client, window, needed=False)
    return None


def agreement_turn(found: Mapping[str, Any]) -> Turn | None:
    """Who can act on an agreement as a whole; None when its milestones have the word, or it is closed."""
    if found.get("state") != 0:
        return None
    verb = "fund" if found.get("milestone_count") else "add-milestone"
    return Turn("its payer", verb, str(found.get("payer") or ""))


def milestone_turn(
    milestone: Milestone, agreement: Mapping[str, Any], rules: Mapping[str, Any], now: int
) -> Turn | None:
    """Who can act on a milestone at `now`; None when it is settled. `rules`: `Agreements.config`."""
    payer, provider = str(agreement.get("payer") or ""), str(agreement.get("provider") or "")
    state, hour = milestone.state, now // HOUR
    since = int(milestone.raw.get("since_hour") or 0)
    if state is MilestoneState.DRAFT:
        return agreement_turn(agreement)
    if state is MilestoneState.AWAITING_EVIDENCE:
        if hour > milestone.due_hour:
            return Turn("its payer", "cancel-overdue", payer)
        return Turn("its provider", "submit", provider, (milestone.due_hour + 1) * HOUR)
    if state is MilestoneState.UNDER_REVIEW:
        stalled = hour - since >= int(rules["stall_hours"])
        return Turn("a party or the arbiter", "resolve-stalled") if stalled else Turn("anyone", "adjudicate")
    if state is MilestoneState.RULED:
        end = since + int(rules["appeal_window_hours"])
        if hour > end:
            return Turn("anyone", "finalize")
        loser = ("its payer", payer) if milestone.verdict == "APPROVE" else ("its provider", provider)
        verb = "appeal" if milestone.round_no < int(rules["max_rounds"]) else "escalate"
        return Turn(loser[0], verb, loser[1], (end + 1) * HOUR, needed=False)
    if state is MilestoneState.DEADLOCKED:
        end = since + int(rules["arbiter_hours"])
        if hour > end:
            return Turn("a party", "resolve-absent")
        return Turn("the arbiter", "rule", str(agreement.get("arbiter") or ""), (end + 1) * HOUR)
    return None
