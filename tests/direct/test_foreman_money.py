"""Money in Foreman: a state machine over all methods, several clients and providers, time, lying leaders, dead pages,
undetermined rounds and submissions that are judged at the same time. After every step the books are compared.
"""

import os
from collections import Counter
from functools import cache

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from foreman import calldata
from foreman.execution import Answer, Asking
from foreman.localnet.direct import DirectVM, create_address, deploy, shared_runtime, spelled
from tests.direct.ledger import DAY, JUDGED, LIVE, Ledger
from tests.direct.orders import CRITERIA, MIN, NOTE, PAGE, SPEC, START, TITLE, Desk
from tests.direct.panel import Seat, Undetermined, decide

NIGHTLY = os.environ.get("FOREMAN_HYPOTHESIS") == "nightly"
pytestmark = [
    pytest.mark.needs_rollback,
    pytest.mark.needs_balances,
    pytest.mark.needs_payable,
    pytest.mark.timeout(7200 if NIGHTLY else 120),
]

PEOPLE = [create_address(f"person {number}") for number in range(5)]
METHODS = ("claim", "submit", "appeal", "extend", "abandon", "cancel", "expire")
STATUSES = ("open", "claimed", "completed", "rejected", "cancelled", "expired")
RECORD = ("completed", "rejected", "disputed", "abandoned", "total_earned_wei")
STEPS = 60
PULSE: Counter[object] = Counter()
"""What the machine has really done, over all its runs."""

GONE, RUBBISH = {"status": 404}, {"garbage": True}


def of(*percents, lies=(), **other):
    """A recipe for a jury: what its honest seats find, then what its liars claim; five seats."""
    found = [{"percent": percent} | other for percent in percents]
    return [*found, *({"percent": 0, "lie": lie} for lie in lies)]


JURIES = (
    [of(*[percent] * 5) for percent in (0, 1, 20, 49, 50, 65, 80, 99, 100)]
    + [of(70, 80, 85, 75, 85), of(80, 20, 80, 20, 80), of(49, 50, 51, 64, 60)]
    + [
        of(10, 10, 10, lies=[100, 100]),
        of(90, 90, 90, lies=[0, 0]),
        of(10, 20, 26, lies=[25, 25]),
        of(10, 20, 30, lies=[41, 41]),
    ]
    + [[{"percent": 0, "lie": 100}] * 2 + of(0, 0, 0), [{"percent": 0, "lie": 16}] * 2 + of(0, 1, 2)]
    + [of(0, 20, 40, 60, 80), of(0, 16, 32, 48, lies=[100])]
    + [
        [GONE] * 5,
        [RUBBISH] * 5,
        [GONE, GONE, *of(80, 80, 80)],
        [GONE, GONE, RUBBISH, *of(80, 80)],
        [GONE] * 3 + of(80, 80),
    ]
)
"""Of one mind, spread, split, led by liars, without a page, with judges that answer rubbish: at most two seats lie."""
JURY = st.integers(0, len(JURIES) - 1)
"""How far to go on from the jury that sat before, so that one run sees many."""


class Market(RuleBasedStateMachine):
    """Everybody does anything; the ledger says what must come of it."""

    @initialize()
    def open_up(self):
        self.vm = DirectVM()
        self.vm.sender = PEOPLE[0]
        self.desk = Desk(self.vm, lambda path: deploy(self.vm, path), (PEOPLE[0], PEOPLE[1], PEOPLE[2]))
        self.ledger = Ledger()
        self.judging: dict[int, tuple] = {}
        self.forced = 0
        PULSE["runs"] += 1
        self.turn = 0
        for number, days in enumerate((30, 335, 60, 60, 60, 1, 30)):
            self.ledger.create(PEOPLE[number % 3], MIN + number, self.desk.time, days)
            assert self.desk.create(MIN + number, days, who=PEOPLE[number % 3]) == number
        for number, act in enumerate(("", "claim", "claim submit", "claim submit", "cancel", "claim", "claim")):
            for verb in act.split():
                who = PEOPLE[number % 3 + (verb != "cancel")]
                jury = [Seat(80 if number == 2 else 20)] * 5
                self.vm.decide = lambda block, jury=jury: decide(jury, block)
                assert self.tried(verb, number, who, 0, 0)
                self.booked(verb, number, jury, 0)
        self.desk.at(START + DAY)
        assert self.tried("expire", 5, PEOPLE[4], 0, 0)
        self.booked("expire", 5, (), 0)

    # -- choosing

    def pick(self, data, statuses=STATUSES):
        """An order that is not being judged, mostly one in these statuses."""
        free = [n for n in range(len(self.ledger.orders)) if n not in self.judging]
        fitting = [n for n in free if self.ledger.orders[n].status in statuses]
        likely = data.draw(st.integers(0, 7)) > 0
        found = fitting if likely else free
        return data.draw(st.sampled_from(found)) if found else None

    def actor(self, data, act, entry):
        """Mostly whoever may."""
        right = {"submit": entry.provider, "abandon": entry.provider}.get(act, entry.client)
        if act in ("claim", "expire") or right is None or data.draw(st.integers(0, 7)) == 0:
            return data.draw(st.sampled_from(PEOPLE))
        return right

    # -- rules

    @rule(who=st.sampled_from(PEOPLE), escrow=st.integers(MIN, 10 * MIN), days=st.sampled_from([1, 30, 335, 364, 365]))
    def create(self, who, escrow, days):
        PULSE["steps"] += 1
        number = self.desk.create(escrow, days, TITLE, SPEC, CRITERIA, who=who)
        self.ledger.create(who, escrow, self.desk.time, days)
        assert number == len(self.ledger.orders) - 1

    @rule(data=st.data(), seconds=st.sampled_from([1, 60, 3600, DAY]))
    def wait(self, data, seconds):
        """For a while; or to the last moment of a window, or to the first after it."""
        PULSE["steps"] += 1
        edges = [
            edge for entry in self.ledger.orders for edge in (entry.deadline, entry.window) if edge > self.desk.time
        ]
        if edges and data.draw(st.integers(0, 3)) == 0:
            self.desk.at(data.draw(st.sampled_from(sorted(set(edges)))) - data.draw(st.integers(0, 1)))
        else:
            self.desk.at(self.desk.time + seconds)

    @rule(wei=st.integers(1, MIN))
    def force_value_on_the_contract(self, wei):
        """Value that no method took, as a network can force it on any address."""
        PULSE["steps"] += 1
        self.vm.deal(self.desk.contract.address, self.vm.balance_of(self.desk.contract.address) + wei)
        self.forced += wei

    @rule(data=st.data())
    def claim(self, data):
        self.act(data, "claim")

    @rule(data=st.data(), jury=JURY)
    def submit(self, data, jury):
        self.act(data, "submit", jury)

    @rule(data=st.data(), jury=JURY)
    def appeal(self, data, jury):
        self.act(data, "appeal", jury)

    @rule(data=st.data(), days=st.sampled_from([0, 1, 30, 31]))
    def extend(self, data, days):
        self.act(data, "extend", days=days)

    @rule(data=st.data(), act=st.sampled_from(["abandon", "cancel", "expire"]))
    def leave(self, data, act):
        self.act(data, act)

    @rule(data=st.data(), jury=JURY, status=st.sampled_from(STATUSES))
    def everything(self, data, jury, status):
        """Every act in turn on orders in one status, by anybody."""
        for act in METHODS:
            self.act(data, act, jury, 1, (status,))

    def seated(self, jury):
        self.turn += 1 + jury
        return [Seat(**seat) for seat in JURIES[self.turn % len(JURIES)]]

    def act(self, data, act, jury=0, days=0, statuses=()):
        PULSE["steps"] += 1
        jury = self.seated(jury)
        suits = {
            "claim": ("open",),
            "cancel": ("open",),
            "submit": ("claimed",),
            "abandon": ("claimed",),
            "appeal": JUDGED,
        }
        number = self.pick(data, statuses or suits.get(act, LIVE))
        if number is None:
            return
        entry = self.ledger.orders[number]
        who = self.actor(data, act, entry)
        value = entry.escrow + data.draw(st.sampled_from([0, 0, 0, 0, 1, -1])) if act == "appeal" else 0
        PULSE[entry.status, act] += 1
        allowed = self.ledger.may(act, entry, who, self.desk.time, value, days)
        before = self.desk.stored()
        self.vm.decide = lambda block: decide(jury, block)
        try:
            done = self.tried(act, number, who, value, days)
        except Undetermined:
            assert allowed
            PULSE["undetermined", act] += 1
            done = False
        else:
            assert done is allowed or (allowed and act == "submit"), (act, entry, done)
        if done:
            self.booked(act, number, jury, days)
        else:
            assert self.desk.stored() == before

    def tried(self, act, number, who, value, days):
        verbs = {
            "submit": lambda: self.desk.submit(number, PAGE, NOTE, who=who),
            "appeal": lambda: self.desk.appeal(number, value, who=who),
            "extend": lambda: self.desk.extend(number, days, who=who),
        }
        verb = verbs.get(act, lambda: getattr(self.desk, act)(number, who=who))
        refusal = self.desk.refusal(verb)
        if act == "submit" and refusal is not None and refusal.startswith("UserError(message='evidence_status"):
            PULSE["page gone"] += 1
        self.who = who
        return refusal is None

    def booked(self, act, number, jury, days):
        """Write a success into the ledger."""
        entry = self.ledger.orders[number]
        PULSE["done", act] += 1
        if act == "claim":
            self.ledger.claim(entry, self.who)
        elif act == "abandon":
            self.ledger.abandon(entry)
        elif act == "extend":
            self.ledger.extend(entry, days)
        elif act in ("cancel", "expire"):
            self.ledger.close(entry, {"cancel": "cancelled", "expire": "expired"}[act])
        else:
            self.judged(act, number, jury)

    def judged(self, act, number, jury):
        entry, order = self.ledger.orders[number], self.desk.order(number)
        if act == "appeal" and not order["appeal_used"]:
            PULSE["unheard"] += 1
            self.ledger.unheard(entry)
            return
        percent = order["payout_percent"]
        # At least three of five agreed, and at most two lie: somebody honest found it, fifteen points apart at most.
        honest = [seat.reading for seat in jury if seat.lie is None]
        assert any(isinstance(found, int) and abs(found - percent) <= 15 for found in honest)
        PULSE["partial"] += 0 < percent < 100
        if act == "appeal":
            PULSE["topped up"] += percent > entry.first
            self.ledger.overrule(entry, percent)
        else:
            self.ledger.settle(entry, percent, self.desk.time)

    # -- several deliveries under judgement at once

    @rule(jury=JURY)
    def begin_deliveries(self, jury):
        """Every claimed order is delivered at once; the book does other things meanwhile, but nothing on these."""
        PULSE["steps"] += 1
        for number, entry in enumerate(self.ledger.orders):
            holder = entry.provider or b""
            if number not in self.judging and self.ledger.may("submit", entry, holder, self.desk.time):
                self.begin_delivery(number, entry, self.seated(jury))

    def begin_delivery(self, number, entry, jury):
        with self.vm.prank(entry.provider):
            data_of = calldata.encode_call("submit_deliverable", [number, PAGE, NOTE])
            call = self.vm.message(self.desk.contract.address.as_bytes, data_of)
        met = shared_runtime().run(call, self.vm.state)
        assert isinstance(met, Asking)
        try:
            self.judging[number] = (call, Answer(met.block.fingerprint, decide(jury, met.block)), jury, self.desk.time)
        except Undetermined:
            PULSE["undetermined", "later"] += 1

    @precondition(lambda self: self.judging)
    @rule(data=st.data())
    def end_delivery(self, data):
        """The answer comes back, and the call is run again on the state that now is."""
        PULSE["steps"] += 1
        number = data.draw(st.sampled_from(sorted(self.judging)))
        call, answer, jury, began = self.judging.pop(number)
        PULSE["overlapping"] += bool(self.judging)
        finished = self.vm.run(call, [answer])
        if self.desk.refusal(lambda: self.vm.commit(call, finished)) is None:
            now, self.desk.time = self.desk.time, began
            self.booked("submit", number, jury, 0)
            self.desk.time = now

    # -- what always holds

    @invariant()
    def nobody_holds_more_or_less_than_the_books_say(self):
        if not hasattr(self, "ledger"):
            return
        held = self.vm.balance_of(self.desk.contract.address)
        assert held == self.ledger.held() + self.forced
        spent = sum(-self.ledger.gained[who] for who in PEOPLE)
        assert spent == self.ledger.held()
        assert held + sum(map(self.vm.balance_of, PEOPLE)) == self.vm.minted

    @invariant()
    def every_order_tells_what_the_books_say(self):
        if not hasattr(self, "ledger"):
            return
        for number, entry in enumerate(self.ledger.orders):
            order = self.desk.order(number)
            told = [
                order[name] for name in ("status", "payout_percent", "first_payout_percent", "deadline", "appeal_used")
            ]
            assert told == [entry.status, entry.percent, entry.first, entry.deadline, entry.appealed]
            money = [order[name] for name in ("escrow_wei", "deposit_wei", "paid_wei", "refunded_wei")]
            assert money == [entry.escrow, entry.deposits, entry.paid, entry.refunded]
            live = entry.status in LIVE
            assert entry.paid + entry.refunded == (0 if live else entry.escrow + entry.deposits)

    @invariant()
    def sums_and_records_are_what_the_books_say(self):
        if not hasattr(self, "ledger"):
            return
        stats, orders = self.desk.contract.get_stats(), self.ledger.orders
        assert (
            stats["volume_wei"] + stats["deposits_wei"]
            == stats["payouts_wei"] + stats["refunds_wei"] + self.ledger.held()
        )
        assert stats["payouts_wei"] == sum(entry.paid for entry in orders)
        assert stats["refunds_wei"] == sum(entry.refunded for entry in orders)
        assert [stats[status] for status in STATUSES] == [
            sum(e.status == status for e in orders) for status in STATUSES
        ]
        for who, record in self.ledger.records.items():
            told = self.desk.contract.get_provider_reputation(spelled(who))
            counts = [record.completed, record.rejected, record.disputed, record.abandoned, record.earned]
            assert (
                list(told.values())[:0]
                + [told[name] for name in ("completed", "rejected", "disputed", "abandoned", "total_earned_wei")]
                == counts
            )

    def teardown(self):
        """Whatever has happened, after the last deadline anybody can empty the contract."""
        if not hasattr(self, "ledger"):
            return
        for call, answer, _, _ in self.judging.values():
            self.desk.refusal(lambda call=call, answer=answer: self.vm.commit(call, self.vm.run(call, [answer])))
        self.desk.at(max([START, *(entry.deadline for entry in self.ledger.orders)]))
        for number, order in enumerate(self.desk.contract.get_all_orders()):
            if order["status"] in LIVE:
                self.desk.expire(number, who=PEOPLE[4])
        assert self.vm.balance_of(self.desk.contract.address) == self.forced


@cache
def played():
    """Run the machine, once for both tests below, and give what it has done."""
    PULSE.clear()
    run_state_machine_as_test(
        Market, settings=settings(max_examples=2_000 if NIGHTLY else 50, stateful_step_count=STEPS)
    )
    return PULSE


def test_money_is_where_the_books_say_after_every_step():
    assert played()["runs"] >= 40


def test_the_machine_really_does_everything():
    pulse = played()
    missing = [(status, act) for status in STATUSES for act in METHODS if not pulse[status, act]]
    assert not missing, pulse
    assert all(pulse["done", act] for act in METHODS), pulse
    for what in ("partial", "topped up", "unheard", "page gone", "overlapping"):
        assert pulse[what], f"never: {what}"
    for act in ("submit", "appeal", "later"):
        assert pulse["undetermined", act], f"never undetermined: {act}"
    assert pulse["steps"] >= 40 * pulse["runs"]
