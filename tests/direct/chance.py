"""Plays Foreman at random: likely and unlikely actions by people in any role, and what must hold whatever they do."""

import random
from collections import Counter
from typing import Any

from tests.direct.orders import DAY, GEN, MIN, PAGE, Desk

STATUSES = ("open", "claimed", "completed", "rejected", "cancelled", "expired")
LIVE = ("open", "claimed")
WEIGHTS = {
    "create": 5, "claim": 6, "submit": 6, "appeal": 5, "extend": 1, "abandon": 1, "cancel": 1, "expire": 1, "wait": 1,
    "lose_page": 2,
}  # fmt: skip


class Chance:
    """A seeded player of one desk. `done` counts what succeeded, `refused` what the contract refused."""

    def __init__(self, desk: Desk, people: list[Any], seed: int) -> None:
        self.desk = desk
        self.dice = random.Random(seed)
        self.people = people
        self.done: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()

    def step(self) -> None:
        """One action: mostly by who may, on an order it suits; sometimes by anybody on any order."""
        action = self.dice.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
        self.desk.judge(self.dice.choice([0, 20, 49, 50, 80, 100, self.dice.randrange(101)]))
        if action == "create":
            self.desk.create(
                MIN + self.dice.randrange(GEN), self.dice.randint(1, 30), who=self.dice.choice(self.people)
            )
        elif action == "wait":
            self.desk.at(self.desk.time + self.dice.randrange(2 * DAY))
        else:
            self._act(action)

    def _act(self, action: str) -> None:
        count = self.desk.contract.get_order_count()
        if not count:
            return
        suits = {"claim": ("open",), "cancel": ("open",), "submit": ("claimed",), "abandon": ("claimed",)}
        suits |= {
            "appeal": ("completed", "rejected"),
            "extend": LIVE,
            "expire": LIVE,
            "lose_page": ("claimed", "completed"),
        }
        fitting = self.desk.contract.get_orders_page(0, 5, self.dice.choice(suits[action]))
        anyone = fitting and self.dice.random() < 0.9
        order = self.dice.choice(fitting) if anyone else self.desk.order(self.dice.randrange(count))
        who = self._who(action, order)
        desk, number = self.desk, order["id"]
        before = desk.stored()
        acts = {
            "claim": lambda: desk.claim(number, who=who),
            "submit": lambda: desk.submit(number, PAGE, who=who),
            "appeal": lambda: desk.appeal(number, order["escrow_wei"] + (self.dice.random() < 0.05), who=who),
            "extend": lambda: desk.extend(number, self.dice.randint(1, 31), who=who),
            "abandon": lambda: desk.abandon(number, who=who),
            "cancel": lambda: desk.cancel(number, who=who),
            "expire": lambda: desk.expire(number, who=who),
            "lose_page": lambda: self._without_page(order, who),
        }
        if desk.refusal(acts[action]) is None:
            self.done[action] += 1
        else:
            self.refused[action] += 1
            assert desk.stored() == before, f"a refused {action} left a trace"

    def _who(self, action: str, order: dict[str, Any]) -> Any:
        if self.dice.random() < 0.1:
            return self.dice.choice(self.people)
        if action in ("submit", "abandon", "lose_page") and order["status"] == "claimed":
            return bytes.fromhex(order["provider"][2:])
        if action in ("appeal", "extend", "cancel", "lose_page"):
            return bytes.fromhex(order["client"][2:])
        return self.dice.choice(self.people)

    def _without_page(self, order: dict[str, Any], who: Any) -> None:
        self.desk.world(status=404)
        if order["status"] == "claimed":
            self.desk.submit(order["id"], who=who)
        else:
            self.desk.appeal(order["id"], order["escrow_wei"], who=who)


def check_books(desk: Desk) -> None:
    """The equations of docs/contract-api.md, from what the contract tells."""
    orders, stats = desk.contract.get_all_orders(), desk.contract.get_stats()
    held = sum(order["escrow_wei"] for order in orders if order["status"] in LIVE)
    assert stats["volume_wei"] + stats["deposits_wei"] == stats["payouts_wei"] + stats["refunds_wei"] + held
    for total, part in (
        ("volume_wei", "escrow_wei"),
        ("deposits_wei", "deposit_wei"),
        ("payouts_wei", "paid_wei"),
        ("refunds_wei", "refunded_wei"),
        ("appeals", "appeal_used"),
    ):
        assert stats[total] == sum(order[part] for order in orders), total
    for order in orders:
        out, into = order["paid_wei"] + order["refunded_wei"], order["escrow_wei"] + order["deposit_wei"]
        assert out == (0 if order["status"] in LIVE else into), order
    assert [stats[status] for status in STATUSES] == [
        sum(order["status"] == status for order in orders) for status in STATUSES
    ]
    assert stats["orders"] == len(orders)
    check_records(desk, orders, stats)


def check_records(desk: Desk, orders: list[dict[str, Any]], stats: dict[str, int]) -> None:
    """Records and ranking are what the orders say."""
    ranked = desk.contract.get_top_providers(50)
    assert sum(row["total_earned_wei"] for row in ranked) == stats["payouts_wei"]
    assert ranked == sorted(ranked, key=lambda r: (-r["completed"], -r["total_earned_wei"], r["provider"].lower()))
    for row in ranked:
        theirs = [order for order in orders if order["provider"] == row["provider"]]
        for status in ("completed", "rejected"):
            assert row[status] == sum(order["status"] == status for order in theirs)
        assert row["disputed"] == sum(order["appeal_used"] for order in theirs)
        assert row["total_earned_wei"] == sum(order["paid_wei"] for order in theirs)
    judged = sum(order["status"] in ("completed", "rejected") for order in orders)
    assert stats["verdicts"] == judged + stats["appeals"]


def check_balances(desk: Desk, people: list[Any]) -> None:
    """What the contract holds is the escrow of live orders; all wei there is belongs to somebody."""
    held = sum(order["escrow_wei"] for order in desk.contract.get_all_orders() if order["status"] in LIVE)
    assert desk.vm.balance_of(desk.contract.address) == held
    assert held + sum(map(desk.vm.balance_of, people)) == desk.vm.minted


def wind_up(desk: Desk) -> None:
    """After the last deadline anybody can empty the contract."""
    orders = desk.contract.get_all_orders()
    desk.at(max(order["deadline"] for order in orders))
    for order in orders:
        if order["status"] in LIVE:
            desk.expire(order["id"])
