"""Nobody profits from cheating: as client, provider, stranger, host, page author or leader, alone or together, or gone.

The table in docs/security.md names a test for each attempt; those that no other file has are here.
"""

import pytest

from tests.direct.orders import DAY, GEN, MIN, START, plain, verdict
from tests.direct.panel import Seat, Undetermined, decide, forged

pytestmark = [pytest.mark.needs_rollback, pytest.mark.needs_balances]


def seated(desk, *seats):
    """From now on blocks are decided by this jury."""
    desk.vm.decide = lambda block: decide(seats, block)


def holdings(desk):
    return {name: desk.vm.balance_of(getattr(desk, name)) for name in ("client", "provider", "stranger")}


# -- the client


def test_a_client_cannot_take_back_what_was_paid(desk):
    desk.judged(80)
    paid = desk.vm.balance_of(desk.provider)
    desk.judge(0)
    desk.appeal()
    order = desk.order()
    assert desk.vm.balance_of(desk.provider) == paid == GEN * 80 // 100
    assert (order["status"], order["payout_percent"], order["paid_wei"]) == ("rejected", 0, paid)
    assert order["escrow_wei"] + order["deposit_wei"] == order["paid_wei"] + order["refunded_wei"]


def test_a_client_never_pays_more_than_the_escrow(desk):
    desk.judged(80)
    desk.judge(100)
    desk.appeal()
    order = desk.order()
    assert (order["paid_wei"], order["refunded_wei"]) == (GEN, GEN)
    assert (desk.vm.balance_of(desk.provider), desk.vm.balance_of(desk.client)) == (GEN, desk.vm.minted - GEN)


def test_a_client_cannot_cancel_under_a_provider_at_work(desk):
    desk.claimed()
    with desk.vm.expect_revert("the order is claimed, not open"):
        desk.cancel()


def test_no_method_changes_the_criteria_or_the_deadline_against_a_provider(desk):
    desk.claimed()
    fixed = {name: desk.order()[name] for name in ("title", "spec", "acceptance_criteria", "escrow_wei", "client")}
    desk.extend(days=1)
    order = desk.order()
    assert {name: order[name] for name in fixed} == fixed
    assert order["deadline"] == START + 8 * DAY  # later, never earlier
    for days in (0, -1):
        with desk.vm.expect_revert("extra_days"):
            desk.extend(days=days)


def test_a_client_cannot_bind_a_provider_by_extending(desk):
    desk.claimed()
    desk.extend(days=30)
    desk.abandon()
    assert desk.order()["status"] == "open"


def test_a_client_that_is_gone_holds_nobodys_money(desk):
    desk.judged(70)
    assert desk.vm.balance_of(desk.contract.address) == 0
    desk.claimed()
    desk.at(START + 7 * DAY)
    desk.expire(1)
    assert desk.vm.balance_of(desk.contract.address) == 0


def test_an_appeal_that_fails_to_be_judged_costs_nothing_and_stays_unused(desk):
    desk.vm.deal(desk.client, 10 * GEN)
    desk.judged(80)
    before = holdings(desk)
    desk.world("no idea")
    desk.appeal()
    assert holdings(desk) == before
    order = desk.order()
    assert (order["appeal_used"], order["red_flags"]) == (False, [])
    assert order["timeline"][-1]["event"] == "appeal_failed"
    assert order["timeline"][-1]["detail"].startswith("answer_unreadable")
    desk.judge(90)
    desk.appeal()
    assert desk.order()["payout_percent"] == 90


def test_cancelling_one_order_never_pays_from_another(desk):
    desk.create(GEN)
    desk.create(5 * GEN, who=desk.stranger)
    desk.cancel(0)
    assert desk.vm.balance_of(desk.contract.address) == 5 * GEN
    desk.claim(1)
    desk.judge(100)
    desk.submit(1)
    assert desk.vm.balance_of(desk.provider) == 5 * GEN


# -- the provider


def test_a_provider_cannot_try_again_after_a_verdict(desk):
    desk.judged(10)
    desk.judge(100)
    with desk.vm.expect_revert("the order is rejected, not claimed"):
        desk.submit()


def test_a_provider_that_gave_back_cannot_deliver_anothers_claim(desk):
    desk.claimed()
    desk.abandon()
    desk.claim(who=desk.stranger)
    with desk.vm.expect_revert("only the claimed provider may deliver"):
        desk.submit()
    with desk.vm.expect_revert("only the claimed provider may abandon"):
        desk.abandon()
    desk.judge(70)
    desk.submit(who=desk.stranger)
    assert desk.vm.balance_of(desk.stranger) == GEN * 70 // 100
    assert desk.vm.balance_of(desk.provider) == 0


def test_a_provider_that_is_gone_is_marked_and_the_client_refunded(desk):
    desk.claimed()
    desk.at(START + 7 * DAY)
    desk.expire()
    assert desk.vm.balance_of(desk.client) == GEN
    assert desk.record()["abandoned"] == 1
    with desk.vm.expect_revert("the order is expired"):
        desk.expire()
    assert desk.record()["abandoned"] == 1


def test_a_page_taken_down_before_the_appeal_is_told_and_the_deposit_returned(desk):
    desk.vm.deal(desk.client, 10 * GEN)
    desk.judged(80)
    before = holdings(desk)
    for _ in range(2):
        desk.world(status=404)
        desk.appeal()
    order = desk.order()
    assert holdings(desk) == before
    assert order["red_flags"] == ["evidence unreachable at appeal"]
    assert (order["appeal_used"], order["status"], order["payout_percent"]) == (False, "completed", 80)
    assert order["deposit_wei"] == 2 * GEN
    assert desk.contract.can_appeal(0) is True
    assert desk.record()["disputed"] == 0
    desk.judge(40)
    desk.appeal()
    assert (desk.order()["status"], desk.order()["red_flags"]) == ("rejected", [])


def test_a_page_that_changed_after_the_verdict_shows_in_the_fingerprint(desk):
    desk.judged(80)
    first = desk.order()["evidence_fingerprint"]
    desk.world(verdict(80), body="something else")
    desk.appeal()
    assert desk.order()["evidence_fingerprint"] != first


# -- strangers


def test_whoever_expires_an_order_gets_nothing(desk):
    desk.create()
    desk.at(START + 7 * DAY)
    desk.expire(who=desk.stranger)
    assert holdings(desk) == {"client": GEN, "provider": 0, "stranger": 0}


def test_value_forced_on_the_contract_moves_no_order(desk):
    desk.claimed()
    desk.vm.deal(desk.contract.address, desk.vm.balance_of(desk.contract.address) + 7 * GEN)
    desk.judge(50)
    desk.submit()
    assert desk.vm.balance_of(desk.provider) == GEN // 2
    assert desk.vm.balance_of(desk.contract.address) == 7 * GEN


def test_a_plain_transfer_to_the_contract_is_refused(desk):
    with desk.acting(desk.stranger, GEN), desk.vm.expect_revert():
        desk.vm.call(desk.contract.address.as_bytes, b"\x06")
    assert desk.vm.balance_of(desk.contract.address) == 0


# -- leaders and hosts, alone and together with a party


@pytest.mark.parametrize("lie", [0, 100])
def test_a_lying_leader_is_outvoted_and_the_next_seat_proposes(desk, lie):
    desk.claimed()
    seated(desk, Seat(50, lie=lie), Seat(50), Seat(50), Seat(50), Seat(50))
    desk.submit()
    assert desk.order()["payout_percent"] == 50


def test_two_liars_of_five_gain_at_most_fifteen_points(desk):
    desk.claimed()
    seated(desk, Seat(10, lie=100), Seat(10, lie=25), Seat(10), Seat(10), Seat(10))
    desk.submit()
    assert desk.order()["payout_percent"] <= 25


def test_a_host_that_shows_each_seat_another_page_settles_nothing(desk):
    desk.claimed()
    before = desk.stored()
    seated(desk, Seat(100), Seat(0), Seat(40), Seat(70), Seat(20))
    with pytest.raises(Undetermined):
        desk.submit()
    assert desk.stored() == before
    desk.at(START + 7 * DAY)
    desk.expire()
    assert desk.vm.balance_of(desk.client) == GEN


def test_a_leader_cannot_deny_a_delivery_by_calling_its_page_gone(desk):
    desk.claimed()
    seated(desk, Seat(status=404), Seat(90), Seat(90), Seat(90), Seat(90))
    desk.submit()
    assert desk.order()["payout_percent"] == 90


def test_a_page_that_most_seats_cannot_read_reverts(desk):
    desk.claimed()
    seated(desk, Seat(status=404), Seat(status=404), Seat(status=404), Seat(90), Seat(90))
    with desk.vm.expect_revert("evidence_status 404"):
        desk.submit()
    assert desk.order()["status"] == "claimed"


@pytest.mark.parametrize(
    "claim", [{"payout_percent": 1000}, {"payout_percent": True}, {"reasoning": 7}, {"more": 1}], ids=repr
)
def test_a_malformed_proposal_finds_no_vote(desk, claim):
    from foreman.execution import Outcome

    desk.judged(80)
    block = desk.vm.captured[-1].block
    assert block.validate(Outcome.returned(forged(80)), desk.vm.mocks) is True
    assert block.validate(Outcome.returned(forged(80) | claim), desk.vm.mocks) is False


@pytest.mark.parametrize("code", ["exit_code 1", "timeout", "OOM", ""])
def test_a_crash_is_never_agreed_upon(desk, code):
    from foreman.execution import Outcome

    desk.judged(80)
    block = desk.vm.captured[-1].block
    for world in ({}, {"status": 404}, {"answer": "rubbish"}):
        desk.world(**world)
        assert block.validate(Outcome.vm_error(code), desk.vm.mocks) is False


def test_the_accept_line_is_the_agreed_number_and_nothing_else(desk):
    desk.claimed()
    rows = [{"criterion": "a", "met": False}]
    desk.world(verdict(100, criteria_results=rows, status="rejected", accepted=False))
    desk.submit()
    assert desk.order()["status"] == "completed"
    assert desk.order()["criteria_results"] == rows


# -- together


def test_rank_is_bought_only_with_completed_orders(desk, direct_accounts):
    """A circle can complete small orders among itself: that is told, and the rule is applied as it is written."""
    one, two = direct_accounts[:2]
    for _ in range(3):
        number = desk.create(MIN)
        desk.claim(number, who=one)
        desk.judge(100)
        desk.submit(number, who=one)
    number = desk.create(1000 * GEN)
    desk.claim(number, who=two)
    desk.submit(number, who=two)
    ranked = desk.contract.get_top_providers(2)
    assert [row["provider"].lower() for row in ranked] == [plain(one), plain(two)]
    assert [row["total_earned_wei"] for row in ranked] == [3 * MIN, 1000 * GEN]


def test_a_client_and_its_own_second_account_gain_nothing(desk):
    """Claiming one's own order from another account only moves one's own money."""
    desk.claimed(5 * GEN)
    desk.judge(100)
    desk.submit()
    desk.judge(0)
    desk.appeal()
    assert desk.vm.balance_of(desk.client) + desk.vm.balance_of(desk.provider) == desk.vm.minted


def test_validators_that_never_agree_leave_everyone_an_exit(desk):
    desk.claimed()
    seated(desk, *[Seat(percent) for percent in (0, 25, 50, 75, 100)])
    for _ in range(3):
        with pytest.raises(Undetermined):
            desk.submit()
    desk.abandon()
    desk.cancel()
    assert desk.vm.balance_of(desk.client) == GEN
