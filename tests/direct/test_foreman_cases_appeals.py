"""The open cases AP and VW of tests/cases, one test each, by number. C100 asks about bonds: Foreman has none."""

import pytest

from tests.direct.orders import DAY, GEN, MIN, START, plain, verdict

STATUSES = ("open", "claimed", "completed", "rejected", "cancelled", "expired")
needs_balances = pytest.mark.needs_balances
needs_rollback = pytest.mark.needs_rollback


# -- AP: appeals and reputation


@pytest.mark.parametrize("who", ["provider", "stranger"])
@pytest.mark.parametrize("status", STATUSES)
def test_c097_nobody_else_appeals(desk, status, who):
    number = desk.put_into(status)
    assert "only the client" in desk.refusal(lambda: desk.appeal(number, GEN, who=getattr(desk, who)))


@pytest.mark.parametrize("shift", [-1, 0, 1])
def test_c097_the_window_and_can_appeal_agree(desk, shift):
    desk.judged()
    desk.at(desk.order()["resolved_at"] + 7 * DAY + shift)
    assert desk.contract.can_appeal(0) is (shift < 0)
    assert (desk.refusal(desk.appeal) is None) is (shift < 0)
    assert desk.contract.can_appeal(0) is False
    assert desk.refusal(desk.appeal) is not None


@needs_balances
@pytest.mark.parametrize(
    ("first", "second", "more"),
    [pytest.param(80, 30, 0, id="80 to 30"), (30, 80, 50), (80, 85, 5), (0, 100, 100), (100, 0, 0), (33, 34, 1)],
)
def test_c098_two_verdicts_to_the_wei(desk, first, second, more):
    desk.judged(first)
    client, provider = desk.vm.balance_of(desk.client), desk.vm.balance_of(desk.provider)
    minted = desk.vm.minted
    desk.judge(second)
    desk.appeal()
    assert desk.vm.balance_of(desk.provider) - provider == GEN * more // 100
    lacked = desk.vm.minted - minted
    assert desk.vm.balance_of(desk.client) - client - lacked == -GEN * more // 100
    assert desk.vm.balance_of(desk.contract.address) == 0
    order = desk.order()
    assert order["paid_wei"] == GEN * max(first, second) // 100 <= GEN


@pytest.mark.parametrize(
    ("first", "second", "completed", "rejected"),
    [(80, 30, 0, 1), (30, 80, 1, 0), (80, 85, 1, 0), (30, 20, 0, 1), (49, 50, 1, 0), (50, 49, 0, 1)],
)
def test_c101_the_first_verdicts_mark_is_reversed(desk, first, second, completed, rejected):
    desk.judged(first)
    desk.judge(second)
    desk.appeal()
    record = desk.record()
    assert (record["completed"], record["rejected"], record["disputed"]) == (completed, rejected, 1)
    assert record["total_earned_wei"] == desk.order()["paid_wei"]


def test_c104_rank_follows_the_written_rule(desk, direct_accounts):
    small, large = direct_accounts[:2]
    for who, count, escrow in ((small, 20, MIN), (large, 1, 1000 * GEN)):
        for _ in range(count):
            number = desk.create(escrow)
            desk.claim(number, who=who)
            desk.judge(100)
            desk.submit(number, who=who)
    ranked = desk.contract.get_top_providers(50)
    assert [(row["provider"].lower(), row["completed"]) for row in ranked] == [(plain(small), 20), (plain(large), 1)]


@needs_balances
def test_c105_every_appeal_ties_up_a_deposit_and_is_the_only_one(desk):
    for _ in range(3):
        number = desk.judged(80)
        paid = desk.vm.balance_of(desk.provider)
        desk.judge(20)
        desk.appeal(number)
        assert desk.vm.balance_of(desk.provider) == paid
        assert "the second verdict is final" in desk.refusal(lambda number=number: desk.appeal(number))
    assert desk.record()["disputed"] == 3


@pytest.mark.parametrize("address", ["0x" + "9" * 40, "0x" + "0" * 40, "", "not-an-address"])
def test_c108_no_history_is_zeros(desk, address):
    record = desk.contract.get_provider_reputation(address)
    assert record["reliability_bps"] == 0
    assert set(record.values()) == {0}


def test_c109_abandoned_counts_once_each(desk):
    desk.claimed()
    desk.abandon()
    assert desk.record()["abandoned"] == 1
    desk.claim()
    desk.at(START + 7 * DAY)
    desk.expire()
    assert desk.record()["abandoned"] == 2
    assert desk.refusal(desk.expire) is not None
    assert desk.record()["abandoned"] == 2


@needs_rollback
def test_c110_a_delivery_counts_by_its_own_time_however_long_its_jury_takes(desk):
    from foreman import calldata
    from foreman.execution import Answer
    from foreman.localnet.direct import shared_runtime

    desk.claimed()
    desk.at(START + 7 * DAY - 1)
    with desk.acting(desk.provider):
        data = calldata.encode_call("submit_deliverable", [0, "https://example.com/x", ""])
        call = desk.vm.message(desk.contract.address.as_bytes, data)
    met = shared_runtime().run(call, desk.vm.state)
    answer = Answer(met.block.fingerprint, met.block.lead(desk.vm.mocks))
    desk.at(START + 7 * DAY + 600)  # ten minutes later, past the deadline
    desk.vm.commit(call, desk.vm.run(call, [answer]))
    assert (desk.order()["status"], desk.order()["delivered_at"]) == ("completed", START + 7 * DAY - 1)
    assert desk.refusal(desk.expire) is not None


# -- VW: views


CLAMPED = [
    ((-1, 10, ""), [2, 1, 0]),
    ((0, -1, ""), [2]),
    ((0, 0, ""), [2]),
    ((0, 51, ""), [2, 1, 0]),
    ((10**30, 10, ""), []),
]


@pytest.mark.parametrize(("args", "found"), CLAMPED, ids=[repr(args) for args, _ in CLAMPED])
def test_c186_page_arguments_are_clamped(desk, args, found):
    for _ in range(3):
        desk.create()
    assert [row["id"] for row in desk.contract.get_orders_page(*args)] == found


@pytest.mark.parametrize("status", ["OPEN", "nope"])
def test_c186_an_unknown_status_is_an_error(desk, status):
    assert "one of open, claimed" in desk.refusal(lambda: desk.contract.get_orders_page(0, 10, status))


@pytest.mark.parametrize(("limit", "size"), [(-1, 1), (0, 1), (51, 2), (10**9, 2)])
def test_c189_the_leaderboard_is_clamped(desk, limit, size):
    desk.judged()
    number = desk.create()
    desk.claim(number, who=desk.stranger)
    desk.submit(number, who=desk.stranger)
    assert len(desk.contract.get_top_providers(limit)) == size
    assert "whole numbers" in desk.refusal(lambda: desk.contract.get_top_providers(True))


def test_c191_unknown_ids(desk):
    for number in (999, "999"):
        assert desk.contract.is_expired(number) is False
        assert desk.contract.can_appeal(number) is False
        assert "unknown order" in desk.refusal(lambda number=number: desk.contract.get_order(number))


def test_c025_nested_records_read_back_byte_for_byte(direct_vm, direct_deploy, desk):
    desk.claimed()
    rows = [{"criterion": f"{number}) ✓ 日本語", "met": number % 2 == 0} for number in range(12)]
    desk.world(verdict(80, criteria_results=rows, red_flags=["ä", "👨\u200d💻"]))
    desk.submit()
    desk.appeal()
    order = desk.order()
    assert order["criteria_results"] == rows
    assert order == desk.contract.get_all_orders()[0] == desk.contract.get_orders_page(0, 1, "completed")[0]
