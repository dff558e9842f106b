"""Whose turn it is, in every status and at the edges of every window."""

from typing import Any

import pytest

from foreman.sdk.agreements import Milestone, MilestoneState
from foreman.sdk.orders import Order
from foreman.sdk.turns import HOUR, Turn, agreement_turn, milestone_turn, order_turn

DEADLINE, WINDOW = 1_000_000, 2_000_000
ORDER = {"id": 3, "client": "0xc", "provider": "0xp", "deadline": DEADLINE, "appeal_deadline": WINDOW}
AGREEMENT = {"payer": "0xa", "provider": "0xb", "arbiter": "0xc", "state": 1, "milestone_count": 1}
RULES = {"stall_hours": 48, "appeal_window_hours": 72, "arbiter_hours": 336, "max_rounds": 3}
SINCE, DUE = 1000, 1100


@pytest.mark.parametrize(
    ("status", "more", "now", "turn"),
    [
        ("open", {}, DEADLINE - 1, Turn("anyone but its client", "claim", until=DEADLINE)),
        ("open", {}, DEADLINE, Turn("anyone", "expire")),
        ("claimed", {}, DEADLINE - 1, Turn("its provider", "deliver", "0xp", DEADLINE)),
        ("claimed", {}, DEADLINE, Turn("anyone", "expire")),
        ("completed", {}, WINDOW - 1, Turn("its client", "appeal", "0xc", WINDOW, needed=False)),
        ("rejected", {}, WINDOW - 1, Turn("its client", "appeal", "0xc", WINDOW, needed=False)),
        ("rejected", {}, WINDOW, None),
        ("rejected", {"appeal_used": True}, WINDOW - 1, None),
        ("cancelled", {}, 0, None),
        ("expired", {}, 0, None),
    ],
)
def test_an_order(status: str, more: dict[str, Any], now: int, turn: Turn | None) -> None:
    assert order_turn(Order.read({**ORDER, "status": status, **more}), now) == turn


def milestone(state: MilestoneState, **more: Any) -> Milestone:
    told = {"title": "One", "state": int(state), "amount": "5", "due_hour": DUE, "round_no": 1, "submissions": 1}
    return Milestone.read({**told, "payer_bond": "0", "provider_bond": "0", "since_hour": SINCE, **more})


RULED, WAITING = MilestoneState.RULED, MilestoneState.AWAITING_EVIDENCE
REVIEW, STUCK = MilestoneState.UNDER_REVIEW, MilestoneState.DEADLOCKED
END = (SINCE + 72 + 1) * HOUR


@pytest.mark.parametrize(
    ("state", "more", "hour", "turn"),
    [
        (WAITING, {}, DUE, Turn("its provider", "submit", "0xb", (DUE + 1) * HOUR)),
        (WAITING, {}, DUE + 1, Turn("its payer", "cancel-overdue", "0xa")),
        (REVIEW, {}, SINCE + 47, Turn("anyone", "adjudicate")),
        (REVIEW, {}, SINCE + 48, Turn("a party or the arbiter", "resolve-stalled")),
        (RULED, {"verdict": "APPROVE"}, SINCE + 72, Turn("its payer", "appeal", "0xa", END, needed=False)),
        (RULED, {"verdict": "REJECT"}, SINCE + 72, Turn("its provider", "appeal", "0xb", END, needed=False)),
        (
            RULED,
            {"verdict": "REJECT", "round_no": 3},
            SINCE,
            Turn("its provider", "escalate", "0xb", END, needed=False),
        ),
        (RULED, {"verdict": "REJECT"}, SINCE + 73, Turn("anyone", "finalize")),
        (STUCK, {}, SINCE + 336, Turn("the arbiter", "rule", "0xc", (SINCE + 337) * HOUR)),
        (STUCK, {}, SINCE + 337, Turn("a party", "resolve-absent")),
        (MilestoneState.RELEASED, {}, SINCE, None),
        (MilestoneState.REFUNDED, {}, SINCE, None),
    ],
)
def test_a_milestone(state: MilestoneState, more: dict[str, Any], hour: int, turn: Turn | None) -> None:
    assert milestone_turn(milestone(state, **more), AGREEMENT, RULES, hour * HOUR + 59) == turn


@pytest.mark.parametrize(
    ("state", "count", "turn"),
    [
        (0, 0, Turn("its payer", "add-milestone", "0xa")),
        (0, 2, Turn("its payer", "fund", "0xa")),
        (1, 2, None),
        (2, 2, None),
    ],
)
def test_an_agreement_as_a_whole(state: int, count: int, turn: Turn | None) -> None:
    found = {**AGREEMENT, "state": state, "milestone_count": count}
    assert agreement_turn(found) == turn
    if state == 0:
        assert milestone_turn(milestone(MilestoneState.DRAFT), found, RULES, 0) == turn
