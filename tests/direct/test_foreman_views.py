"""What Foreman tells: pages, lists by party, records, the ranking and the sums, also for hostile arguments."""

import json

import pytest

from tests.direct.chance import Chance, check_books
from tests.direct.orders import DAY, GEN, MIN, START, plain

STATUSES = ("open", "claimed", "completed", "rejected", "cancelled", "expired")
FIELDS = """id client provider title spec acceptance_criteria deliverable_url deliverable_note escrow_wei deadline
    status payout_percent verdict_reasoning red_flags criteria_results evidence_fingerprint evidence_chars
    evidence_truncated appeal_used appeal_deadline extensions created_at claimed_at delivered_at resolved_at timeline
    first_payout_percent paid_wei refunded_wei deposit_wei timeline_folded"""


def ids(rows):
    return [row["id"] for row in rows]


@pytest.fixture
def book(desk):
    """Twelve orders, two per status, statuses in turn."""
    for status in STATUSES * 2:
        desk.at(START)
        desk.put_into(status)
    return desk


def test_an_order_has_every_field_the_documents_list(desk):
    desk.judged()
    assert set(desk.order()) == set(FIELDS.split())


def test_views_tell_only_what_every_client_can_read(book):
    with book.acting(book.client) as contract:
        told = [
            contract.get_all_orders(),
            contract.get_stats(),
            contract.get_top_providers(50),
            contract.get_provider_reputation(plain(book.provider)),
            contract.is_expired(0),
            contract.can_appeal(0),
            contract.version(),
            contract.get_order_count(),
        ]
    assert json.loads(json.dumps(told)) == told


def test_all_orders_come_oldest_first(book):
    assert ids(book.contract.get_all_orders()) == list(range(12))


def test_a_page_of_all_comes_newest_first(book):
    assert ids(book.contract.get_orders_page(0, 5, "")) == [11, 10, 9, 8, 7]
    assert ids(book.contract.get_orders_page(5, 50, "")) == [6, 5, 4, 3, 2, 1, 0]
    assert ids(book.contract.get_orders_page(11, 1, "")) == [0]


@pytest.mark.parametrize("status", STATUSES)
def test_a_page_of_a_status_comes_newest_first(book, status):
    first, second = STATUSES.index(status), STATUSES.index(status) + 6
    assert ids(book.contract.get_orders_page(0, 50, status)) == [second, first]
    assert ids(book.contract.get_orders_page(1, 50, status)) == [first]
    assert ids(book.contract.get_orders_page(0, 1, status)) == [second]
    assert ids(book.contract.get_orders_page(2, 50, status)) == []


@pytest.mark.parametrize(
    ("offset", "limit", "found"),
    [
        pytest.param(-1, 2, [11, 10], id="negative offset"),
        pytest.param(-(10**30), 2, [11, 10], id="very negative offset"),
        pytest.param(0, -1, [11], id="negative limit"),
        pytest.param(0, 0, [11], id="limit zero"),
        pytest.param(0, 51, list(range(11, -1, -1)), id="limit 51"),
        pytest.param(0, 10**30, list(range(11, -1, -1)), id="huge limit"),
        pytest.param(12, 10, [], id="past the end"),
        pytest.param(10**30, 10, [], id="far past the end"),
    ],
)
def test_pagination_clamps_whole_numbers(book, offset, limit, found):
    assert ids(book.contract.get_orders_page(offset, limit, "")) == found


def test_a_page_holds_at_most_fifty(desk):
    for _ in range(52):
        desk.create(MIN)
    for rows in (
        desk.contract.get_orders_page(0, 1000, ""),
        desk.contract.get_orders_page(0, 1000, "open"),
        desk.contract.get_orders_by_client_page(plain(desk.client), 0, 1000),
    ):
        assert ids(rows) == list(range(51, 1, -1))
    assert len(desk.contract.get_open_orders()) == 52


@pytest.mark.parametrize("value", [True, None, "1", [], b"\x01"], ids=repr)
def test_offset_and_limit_are_whole_numbers(book, value):
    address = plain(book.client)
    calls = [
        lambda: book.contract.get_orders_page(value, 1, ""),
        lambda: book.contract.get_orders_page(0, value, ""),
        lambda: book.contract.get_orders_by_client_page(address, value, 1),
        lambda: book.contract.get_orders_by_provider_page(address, 0, value),
        lambda: book.contract.get_top_providers(value),
    ]
    for call in calls:
        with book.vm.expect_revert("offset and limit must be whole numbers"):
            call()


@pytest.mark.parametrize(
    "status", ["OPEN", "nope", " open", 0, None, True, ["open"], "x" * 70_000], ids=lambda s: repr(s)[:20]
)
def test_an_unknown_status_lists_the_six(book, status):
    with book.vm.expect_revert("status must be empty or one of open, claimed, completed, rejected, cancelled, expired"):
        book.contract.get_orders_page(0, 50, status)


def test_orders_by_client_and_by_provider_come_newest_first(desk):
    for _ in range(3):
        desk.claimed()
    desk.create(who=desk.stranger)
    assert ids(desk.contract.get_orders_by_client(plain(desk.client))) == [2, 1, 0]
    assert ids(desk.contract.get_orders_by_client(plain(desk.stranger))) == [3]
    assert ids(desk.contract.get_orders_by_provider(plain(desk.provider))) == [2, 1, 0]
    assert ids(desk.contract.get_orders_by_client_page(plain(desk.client), 1, 1)) == [1]
    assert ids(desk.contract.get_orders_by_provider_page(plain(desk.provider), 2, 50)) == [0]


def test_an_abandoned_order_leaves_its_providers_list(desk):
    desk.claimed()
    desk.claimed()
    desk.abandon(0)
    assert ids(desk.contract.get_orders_by_provider(plain(desk.provider))) == [1]


def test_an_expired_claim_stays_in_its_providers_list(desk):
    desk.put_into("claimed")
    desk.at(START + 7 * DAY)
    desk.expire()
    assert ids(desk.contract.get_orders_by_provider(plain(desk.provider))) == [0]


NO_ACCOUNTS = ["", "not-an-address", "0x", "0x" + "0" * 40, "0x" + "1" * 39, "0x" + "g" * 40, "0x" + "7" * 40, None, 7]


@pytest.mark.parametrize("address", NO_ACCOUNTS, ids=repr)
def test_no_address_has_no_orders_and_no_record(book, address):
    assert book.contract.get_orders_by_client(address) == []
    assert book.contract.get_orders_by_provider(address) == []
    assert book.contract.get_orders_by_client_page(address, 0, 50) == []
    assert book.contract.get_orders_by_provider_page(address, 0, 50) == []
    assert set(book.contract.get_provider_reputation(address).values()) == {0}


def test_every_spelling_of_an_address_is_the_same_account(book):
    spelled = book.order(1)["provider"]
    body = spelled[2:]
    for text in (spelled, "0x" + body.lower(), "0x" + body.upper(), "0X" + body.upper()):
        assert ids(book.contract.get_orders_by_provider(text)) == [9, 8, 7, 3, 2, 1]
        assert book.contract.get_provider_reputation(text) == book.record()


@pytest.mark.needs_rollback
def test_an_address_that_comes_as_one_is_taken(book):
    from foreman.address import Address

    who = Address(bytes.fromhex(plain(book.provider)[2:]))
    assert ids(book.contract.get_orders_by_provider(who)) == [9, 8, 7, 3, 2, 1]
    assert book.contract.get_provider_reputation(who) == book.record()


def test_reliability_is_completed_of_all_that_ended(desk):
    assert desk.record() == dict.fromkeys(
        ("completed", "rejected", "disputed", "abandoned", "total_earned_wei", "reliability_bps"), 0
    )
    desk.judged(100)
    assert desk.record()["reliability_bps"] == 10_000
    desk.judged(0)
    assert desk.record()["reliability_bps"] == 5_000
    desk.claimed()
    desk.abandon(2)
    record = desk.record()
    assert (record["completed"], record["rejected"], record["abandoned"]) == (1, 1, 1)
    assert (record["reliability_bps"], record["total_earned_wei"]) == (3_333, GEN)


def _earned(desk, who, *percents, escrow=GEN):
    for percent in percents:
        number = desk.create(escrow)
        desk.claim(number, who=who)
        desk.judge(percent)
        desk.submit(number, who=who)


def test_the_ranking_goes_by_completions_then_earnings_then_address(desk, direct_accounts):
    one, two, three, four = sorted(direct_accounts, key=plain)[:4]
    _earned(desk, one, 80, escrow=GEN)
    _earned(desk, two, 80, escrow=GEN)
    _earned(desk, three, 90, escrow=GEN)
    _earned(desk, four, 50, 50, escrow=MIN)
    ranked = desk.contract.get_top_providers(50)
    assert [row["provider"].lower() for row in ranked] == [plain(who) for who in (four, three, one, two)]
    assert ranked[0]["completed"] == 2
    assert ranked[1] == {"provider": ranked[1]["provider"]} | desk.contract.get_provider_reputation(plain(three))


@pytest.mark.parametrize(("limit", "size"), [(-1, 1), (0, 1), (1, 1), (2, 2), (50, 2), (51, 2), (10**9, 2)])
def test_the_ranking_is_clamped_to_1_to_50(desk, limit, size):
    _earned(desk, desk.provider, 80)
    _earned(desk, desk.stranger, 70)
    assert len(desk.contract.get_top_providers(limit)) == size


def test_the_ranking_shows_at_most_fifty(desk):
    for number in range(52):
        _earned(desk, bytes([number + 1]) * 20, 80, escrow=MIN)
    assert len(desk.contract.get_top_providers(10**9)) == 50


def test_whoever_only_claimed_is_not_ranked(desk):
    desk.claimed()
    assert desk.contract.get_top_providers(50) == []
    assert desk.contract.get_stats()["providers"] == 1
    desk.abandon()
    assert [row["abandoned"] for row in desk.contract.get_top_providers(50)] == [1]


def test_is_expired_says_what_expire_order_would(desk):
    desk.create()
    desk.claimed()
    for number in (0, 1):
        desk.at(START + 7 * DAY - 1)
        assert desk.contract.is_expired(number) is False
        desk.at(START + 7 * DAY)
        assert desk.contract.is_expired(number) is True
        desk.expire(number)
        assert desk.contract.is_expired(number) is False


def test_can_appeal_says_what_appeal_delivery_would(desk):
    desk.claimed()
    assert desk.contract.can_appeal(0) is False
    desk.submit()
    assert desk.contract.can_appeal(0) is True
    desk.at(START + 7 * DAY - 1)
    assert desk.contract.can_appeal(0) is True
    desk.at(START + 7 * DAY)
    assert desk.contract.can_appeal(0) is False
    desk.at(START + 1)
    desk.appeal()
    assert desk.contract.can_appeal(0) is False


@pytest.mark.parametrize("number", [999, -1, 2**256, "999", True, None, b""], ids=repr)
def test_unknown_orders_are_neither_expired_nor_appealable(book, number):
    assert book.contract.is_expired(number) is False
    assert book.contract.can_appeal(number) is False


def test_stats_of_an_empty_book_are_zeros(desk):
    stats = desk.contract.get_stats()
    assert set(stats.values()) == {0}
    sums = {"orders", "providers", "volume_wei", "deposits_wei", "payouts_wei", "refunds_wei", "verdicts", "appeals"}
    assert set(stats) == set(STATUSES) | sums


def test_stats_count_what_happened(book):
    stats = book.contract.get_stats()
    assert {stats[status] for status in STATUSES} == {2}
    assert (stats["orders"], stats["providers"], stats["verdicts"], stats["appeals"]) == (12, 1, 4, 0)
    assert stats["volume_wei"] == 12 * GEN
    assert stats["volume_wei"] + stats["deposits_wei"] == stats["payouts_wei"] + stats["refunds_wei"] + 4 * GEN


def test_stats_count_an_appeal_and_its_deposit(desk):
    desk.judged(40)
    desk.judge(90)
    desk.appeal()
    stats = desk.contract.get_stats()
    assert (stats["verdicts"], stats["appeals"], stats["completed"], stats["rejected"]) == (2, 1, 1, 0)
    sums = [stats[name] for name in ("volume_wei", "deposits_wei", "payouts_wei", "refunds_wei")]
    assert sums == [GEN, GEN, GEN * 9 // 10, GEN * 11 // 10]


def test_stats_equal_the_truth_after_500_random_actions(desk, direct_accounts):
    chance = Chance(desk, [desk.client, desk.provider, desk.stranger, *direct_accounts[:2]], seed=190)
    for _ in range(500):
        chance.step()
    check_books(desk)
    assert chance.done["submit"] > 20
    assert chance.done["appeal"] > 10
