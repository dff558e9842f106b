"""The open cases ES of tests/cases, one test each, by number; and C022 of GL, which a contract decides."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.direct.orders import DAY, GEN, MIN, START

STATUSES = ("open", "claimed", "completed", "rejected", "cancelled", "expired")
needs_balances = pytest.mark.needs_balances
needs_rollback = pytest.mark.needs_rollback


# -- ES: escrow and lifecycle


@needs_balances
@pytest.mark.parametrize(
    ("percent", "share", "rest"),
    [
        (1, 10_000_000_000_000, 990_000_000_000_001),
        (33, 330_000_000_000_000, 670_000_000_000_001),
        (50, 500_000_000_000_000, 500_000_000_000_001),
        (99, 990_000_000_000_000, 10_000_000_000_001),
    ],
)
def test_c071_an_odd_wei_goes_to_the_client(desk, percent, share, rest):
    held = desk.vm.balance_of(desk.client)
    desk.judged(percent, MIN + 1)
    assert (desk.vm.balance_of(desk.provider), desk.vm.balance_of(desk.client) - held) == (share, rest)
    assert desk.vm.balance_of(desk.contract.address) == 0


def test_c072_shares_add_up_for_any_escrow_and_percentage(desk):
    @given(escrow=st.integers(MIN, 10**24), percent=st.integers(0, 100))
    def shares(escrow, percent):
        order = desk.order(desk.judged(percent, escrow))
        assert order["paid_wei"] == escrow * percent // 100
        assert order["refunded_wei"] == escrow - order["paid_wei"]

    shares()


@needs_balances
def test_c073_a_refund_is_the_orders_own_escrow(desk):
    desk.create(GEN)
    desk.create(5 * GEN)
    desk.cancel(0)
    assert desk.vm.balance_of(desk.contract.address) == 5 * GEN
    desk.claim(1)
    desk.submit(1)
    assert desk.order(1)["status"] == "completed"


@needs_rollback
@pytest.mark.parametrize("deposit", [0, GEN - 1, GEN + 1])
def test_c075_any_other_deposit_reverts_and_stays_with_the_client(desk, deposit):
    desk.judged()
    before = desk.stored()
    assert "attach exactly" in desk.refusal(lambda: desk.appeal(deposit=deposit))
    assert desk.stored() == before
    assert desk.refusal(lambda: desk.appeal(deposit=GEN)) is None


@pytest.mark.parametrize(("value", "taken"), [(0, False), (1, False), (MIN - 1, False), (MIN, True)])
def test_c076_the_minimum_escrow(desk, value, taken):
    assert (desk.refusal(lambda: desk.create(value)) is None) is taken
    assert desk.contract.get_order_count() == taken


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_c077_exactly_one_of_submit_and_expire_is_possible(direct_vm, direct_deploy, desk, shift):
    outcomes = {}
    for act in ("submit", "expire", "claim", "cancel"):
        number = desk.create()
        if act in ("submit", "expire"):
            desk.claim(number)
        deadline = desk.order(number)["deadline"]
        desk.at(deadline + shift)
        if act == "expire":
            assert desk.contract.is_expired(number) is (shift >= 0)
        outcomes[act] = desk.refusal(lambda act=act, number=number: getattr(desk, act)(number)) is None
        desk.at(START)
    assert outcomes == {"submit": shift < 0, "expire": shift >= 0, "claim": shift < 0, "cancel": True}


@needs_balances
def test_c079_the_refund_goes_to_the_client_not_the_caller(desk):
    desk.claimed()
    desk.at(START + 7 * DAY)
    desk.expire(who=desk.stranger)
    assert (desk.vm.balance_of(desk.client), desk.vm.balance_of(desk.stranger)) == (GEN, 0)
    assert desk.record()["abandoned"] == 1


@needs_rollback
@pytest.mark.parametrize(
    ("status", "act"),
    [
        ("cancelled", "cancel"),
        ("expired", "expire"),
        ("claimed", "cancel"),
        ("expired", "cancel"),
        ("completed", "submit"),
        ("completed", "abandon"),
        ("completed", "expire"),
    ],
)
def test_c080_money_leaves_once(desk, status, act):
    number = desk.put_into(status)
    if act == "expire":
        desk.at(desk.order(number)["deadline"])
    before = desk.stored()
    assert desk.refusal(lambda: getattr(desk, act)(number)) is not None
    assert desk.stored() == before


def _exits(desk, number):
    """Who can move the money of an order out now or after its deadline, tried on copies of the state."""
    found = set()
    for act, late in itertools.product(("submit", "cancel", "expire"), (False, True)):
        kept = desk.vm.snapshot()
        now = desk.time
        if late:
            desk.at(max(now, desk.order(number)["deadline"]))
        if desk.refusal(lambda act=act: getattr(desk, act)(number)) is None:
            found.add(act)
        desk.vm.revert(kept)
        desk.at(now)
    return found


@needs_rollback
@pytest.mark.parametrize("status", STATUSES)
def test_c081_every_status_with_escrow_has_an_exit(desk, status):
    number = desk.put_into(status)
    exits = {"open": {"cancel", "expire"}, "claimed": {"submit", "expire"}}
    assert _exits(desk, number) == exits.get(status, set())


@needs_rollback
def test_c022_no_sequence_of_seven_acts_locks_money(direct_vm, direct_deploy, desk):
    desk.create(days=2)
    acts = {
        "claim": desk.claim,
        "abandon": desk.abandon,
        "extend": desk.extend,
        "deliver": desk.submit,
        "deliver nothing": lambda: (desk.world(status=404), desk.submit()),
        "appeal": desk.appeal,
        "cancel": desk.cancel,
        "expire": desk.expire,
        "wait": lambda: desk.at(desk.time + DAY),
    }
    seen: dict[tuple, int] = {}

    def walk(depth):
        here, now = desk.vm.snapshot(), desk.time
        for act in acts.values() if depth < 7 else ():
            desk.vm.revert(here)
            desk.at(now)
            desk.judge(80)
            desk.refusal(act)
            order = desk.order()
            claims = sum(moment["event"] == "claimed" for moment in order["timeline"])
            key = (order["status"], desk.time, order["deadline"], order["appeal_used"], claims)
            if seen.get(key, 8) <= depth:
                continue
            seen[key] = depth
            live = order["status"] in ("open", "claimed")
            assert _exits(desk, 0) if live else desk.vm.balance_of(desk.contract.address) == 0, key
            walk(depth + 1)
        desk.vm.revert(here)
        desk.at(now)

    walk(0)
    assert {key[0] for key in seen} == {"open", "claimed", "completed", "cancelled", "expired"}
    assert len(seen) > 100


@needs_balances
def test_c084_c085_only_the_current_claimant_delivers_and_is_paid(desk):
    desk.claimed()
    desk.abandon()
    desk.claim(who=desk.stranger)
    assert desk.refusal(desk.submit) is not None
    assert desk.refusal(desk.abandon) is not None
    desk.judge(70)
    desk.submit(who=desk.stranger)
    assert desk.vm.balance_of(desk.stranger) == GEN * 70 // 100
    assert desk.vm.balance_of(desk.provider) == 0


def test_c086_a_client_cannot_claim_its_own_order(desk):
    """Callers are 20 bytes to a contract: there is one spelling. Spellings belong to the clients' own tests."""
    desk.create()
    assert "the client cannot claim its own order" in desk.refusal(lambda: desk.claim(who=desk.client))
    if not isinstance(desk.client, bytes):
        pytest.skip("genlayer-test gives Address objects")
    from foreman.address import Address

    assert desk.refusal(lambda: desk.claim(who=Address(desk.client))) is not None


def test_c089_extensions(desk):
    desk.create(days=5)
    for days in (-1, 0, 31, True):
        assert "extra_days" in desk.refusal(lambda days=days: desk.extend(days=days))
    with pytest.raises(TypeError, match="float"):
        desk.extend(days=1.5)  # calldata has no fractions
    for _ in range(12):
        desk.extend(days=30)
    assert desk.order()["deadline"] == START + 365 * DAY
    assert "at most 365 days" in desk.refusal(lambda: desk.extend(days=1))
    for who in (desk.stranger, desk.provider):
        assert "only the client" in desk.refusal(lambda who=who: desk.extend(who=who))
    desk.judged()
    assert "not open or claimed" in desk.refusal(lambda: desk.extend(1))
    desk.create(days=1)
    desk.at(START + DAY)
    assert "the deadline has passed" in desk.refusal(lambda: desk.extend(2))
    desk.expire(2)


@pytest.mark.parametrize("days", [-5, 0, 366, 10**9, True, "7"], ids=repr)
def test_c090_deadlines_that_are_refused(desk, days):
    assert "deadline_days" in desk.refusal(lambda: desk.create(days=days))


@pytest.mark.parametrize("days", [1, 365])
def test_c090_deadlines_that_are_taken(desk, days):
    assert desk.order(desk.create(days=days))["deadline"] == START + days * DAY


def test_c090_a_fraction_never_reaches_the_contract(desk):
    with pytest.raises(TypeError, match="float"):
        desk.create(days=7.0)


@pytest.mark.parametrize(("name", "cap"), [("title", 120), ("spec", 4000), ("criteria", 2000)])
def test_c092_caps_at_creation(desk, name, cap):
    assert desk.refusal(lambda: desk.create(**{name: "x" * cap})) is None
    assert "is longer than" in desk.refusal(lambda: desk.create(**{name: "x" * (cap + 1)}))


@pytest.mark.parametrize("title", ["", "   ", "\u0000", "a\nb", "\u202eevil"], ids=ascii)
def test_c094_blank_and_control_text_is_refused(desk, title):
    assert "title" in desk.refusal(lambda: desk.create(title=title))
    assert "blank" in desk.refusal(lambda: desk.create(criteria="   "))


@needs_rollback
def test_c095_a_failed_adjudication_freezes_nothing(desk):
    desk.claimed()
    before = desk.stored()
    desk.world(status=404)
    for _ in range(3):
        assert "evidence_status 404" in desk.refusal(desk.submit)
    assert desk.stored() == before
    desk.judge(90)
    desk.submit()
    assert desk.order()["status"] == "completed"
