"""Foreman from opening to payment: the life of an order, every guard of every method, every limit at its edge."""

import re

import pytest

from tests.direct.orders import CRITERIA, DAY, GEN, MIN, NOTE, PAGE, SPEC, START, TITLE, plain

STATUSES = ("open", "claimed", "completed", "rejected", "cancelled", "expired")


# -- the life of an order


def test_a_new_order_tells_what_the_client_asked_for(desk):
    number = desk.create(escrow=2 * GEN, days=7)
    order = desk.order(number)
    assert number == 0
    assert order["client"].lower() == plain(desk.client)
    assert (order["provider"], order["status"], order["escrow_wei"]) == ("", "open", 2 * GEN)
    assert (order["title"], order["spec"], order["acceptance_criteria"]) == (TITLE, SPEC, CRITERIA)
    assert (order["created_at"], order["deadline"]) == (START, START + 7 * DAY)
    assert {order[name] for name in ("claimed_at", "delivered_at", "resolved_at", "appeal_deadline")} == {0}
    assert order["timeline"] == [
        {"t": START, "event": "created", "actor": order["client"], "detail": "7 days"},
    ]


def test_ids_count_from_zero(desk):
    assert [desk.create() for _ in range(3)] == [0, 1, 2]
    assert desk.contract.get_order_count() == 3


def test_a_claim_commits_the_provider(desk):
    desk.create()
    desk.at(START + 60)
    desk.claim()
    order = desk.order()
    assert (order["status"], order["claimed_at"]) == ("claimed", START + 60)
    assert order["provider"].lower() == plain(desk.provider)
    assert desk.events() == ["created", "claimed"]


def test_a_verdict_fills_the_order(desk):
    desk.claimed()
    flags = ["the note asks for full marks"]
    desk.judge(80, reasoning="Two of three.", red_flags=flags)
    desk.at(START + 90)
    desk.submit()
    order = desk.order()
    assert (order["status"], order["payout_percent"], order["first_payout_percent"]) == ("completed", 80, 80)
    assert (order["deliverable_url"], order["deliverable_note"]) == (PAGE, NOTE)
    assert (order["verdict_reasoning"], order["red_flags"]) == ("Two of three.", flags)
    assert order["criteria_results"] == [{"criterion": "The page is valid JSON.", "met": True}]
    assert (order["delivered_at"], order["resolved_at"]) == (START + 90, START + 90)
    assert order["appeal_deadline"] == START + 90 + 7 * DAY
    assert (order["paid_wei"], order["refunded_wei"]) == (GEN * 80 // 100, GEN * 20 // 100)
    assert desk.events() == ["created", "claimed", "delivered", "verdict"]
    assert [moment["detail"] for moment in order["timeline"][2:]] == [PAGE, "80 %"]


@pytest.mark.parametrize(
    ("percent", "status"),
    [pytest.param(50, "completed", id="50 completes"), pytest.param(49, "rejected", id="49 rejects")],
)
def test_half_of_the_payout_is_where_completion_begins(desk, percent, status):
    desk.judged(percent)
    assert desk.order()["status"] == status


@pytest.mark.needs_balances
@pytest.mark.parametrize("percent", [0, 1, 33, 50, 99, 100])
def test_escrow_splits_to_the_wei(desk, percent):
    escrow = MIN + 1
    held = desk.vm.balance_of(desk.client)
    desk.judged(percent, escrow)
    share = escrow * percent // 100
    assert desk.vm.balance_of(desk.provider) == share
    assert desk.vm.balance_of(desk.client) - held == escrow - share
    assert desk.vm.balance_of(desk.contract.address) == 0


def test_a_provider_may_give_back_and_another_may_claim(desk):
    desk.claimed()
    desk.abandon()
    order = desk.order()
    assert (order["status"], order["provider"], order["claimed_at"]) == ("open", "", 0)
    desk.claim(who=desk.stranger)
    assert desk.order()["provider"].lower() == plain(desk.stranger)
    assert desk.record()["abandoned"] == 1


def test_nothing_of_an_earlier_claim_clings_to_the_order(desk):
    desk.claimed()
    desk.world(status=404)
    with desk.vm.expect_revert("evidence_status 404"):
        desk.submit(note="mine")
    desk.abandon()
    desk.claim(who=desk.stranger)
    desk.judge(60, reasoning="Theirs.")
    desk.submit(note="theirs", who=desk.stranger)
    order = desk.order()
    assert (order["deliverable_note"], order["verdict_reasoning"]) == ("theirs", "Theirs.")
    assert plain(desk.provider) not in str(order["provider"]).lower()
    assert desk.events() == ["created", "claimed", "abandoned", "claimed", "delivered", "verdict"]


@pytest.mark.needs_balances
def test_cancelling_refunds_the_client_in_full(desk):
    desk.create(5 * GEN)
    desk.cancel()
    assert desk.vm.balance_of(desk.client) == 5 * GEN
    assert (desk.order()["status"], desk.order()["refunded_wei"]) == ("cancelled", 5 * GEN)
    assert desk.order()["resolved_at"] == START
    assert desk.events() == ["created", "cancelled"]


def test_cancelling_stays_possible_after_the_deadline(desk):
    desk.create(days=1)
    desk.at(START + 2 * DAY)
    desk.cancel()
    assert desk.order()["status"] == "cancelled"


@pytest.mark.needs_balances
@pytest.mark.parametrize("claimed", [False, True], ids=["open", "claimed"])
def test_expiry_refunds_the_client_whoever_calls(desk, claimed):
    number = desk.claimed() if claimed else desk.create()
    desk.at(START + 7 * DAY)
    desk.expire(number)
    assert desk.order()["status"] == "expired"
    assert (desk.vm.balance_of(desk.client), desk.vm.balance_of(desk.stranger)) == (GEN, 0)
    assert desk.record()["abandoned"] == claimed
    assert desk.order()["resolved_at"] == START + 7 * DAY
    assert desk.events()[-1] == "expired"


def test_an_extension_moves_the_deadline(desk):
    desk.create(days=7)
    desk.extend(days=30)
    order = desk.order()
    assert (order["deadline"], order["extensions"]) == (START + 37 * DAY, 1)
    assert order["timeline"][-1]["detail"] == "30 days"


def test_an_appeal_replaces_verdict_and_record(desk):
    desk.judged(40)
    desk.judge(90, reasoning="All three.", red_flags=["late"])
    desk.at(START + DAY)
    desk.appeal(context="Look again.")
    order = desk.order()
    assert (order["status"], order["payout_percent"], order["first_payout_percent"]) == ("completed", 90, 40)
    assert (order["verdict_reasoning"], order["red_flags"], order["appeal_used"]) == ("All three.", ["late"], True)
    assert (order["resolved_at"], order["appeal_deadline"]) == (START + DAY, START + 7 * DAY)
    assert (order["paid_wei"], order["refunded_wei"], order["deposit_wei"]) == (GEN * 9 // 10, GEN * 11 // 10, GEN)
    assert desk.events()[-2:] == ["appealed", "verdict"]
    assert order["timeline"][-2]["detail"] == "Look again."


# -- the guards

ACTS = {
    "claim": lambda desk, who: desk.claim(who=who),
    "submit": lambda desk, who: desk.submit(who=who),
    "appeal": lambda desk, who: desk.appeal(who=who),
    "extend": lambda desk, who: desk.extend(who=who),
    "abandon": lambda desk, who: desk.abandon(who=who),
    "cancel": lambda desk, who: desk.cancel(who=who),
    "expire": lambda desk, who: desk.expire(who=who),
}
ACTORS = {"claim": "provider", "submit": "provider", "abandon": "provider", "expire": "stranger"}
ALLOWED = {
    "claim": {"open"},
    "submit": {"claimed"},
    "abandon": {"claimed"},
    "appeal": {"completed", "rejected"},
    "extend": {"open", "claimed"},
    "cancel": {"open"},
    "expire": {"open", "claimed"},
}


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("act", ACTS)
def test_every_method_works_in_its_statuses_and_in_no_other(desk, act, status):
    desk.put_into(status)
    if act == "expire":
        desk.at(desk.order()["deadline"])
    who = getattr(desk, ACTORS.get(act, "client"))
    before = desk.everything()
    if status in ALLOWED[act]:
        ACTS[act](desk, who)
        assert desk.everything() != before
        return
    # Who is asked before when: nobody holds an order that was given back or never claimed.
    unheld = act in ("submit", "abandon") and status in ("open", "cancelled", "expired")
    with desk.vm.expect_revert("only the claimed provider" if unheld else f"the order is {status}"):
        ACTS[act](desk, who)
    assert desk.everything() == before


@pytest.mark.parametrize(
    ("act", "status", "who", "sentence"),
    [
        ("claim", "open", "client", "the client cannot claim its own order"),
        ("submit", "claimed", "client", "only the claimed provider may deliver"),
        ("submit", "claimed", "stranger", "only the claimed provider may deliver"),
        ("appeal", "rejected", "provider", "only the client may appeal"),
        ("appeal", "completed", "stranger", "only the client may appeal"),
        ("extend", "open", "stranger", "only the client may extend the deadline"),
        ("extend", "claimed", "provider", "only the client may extend the deadline"),
        ("abandon", "claimed", "client", "only the claimed provider may abandon the claim"),
        ("abandon", "claimed", "stranger", "only the claimed provider may abandon the claim"),
        ("cancel", "open", "provider", "only the client may cancel"),
        ("cancel", "open", "stranger", "only the client may cancel"),
    ],
)
def test_only_who_is_meant_may_act(desk, act, status, who, sentence):
    desk.put_into(status)
    before = desk.everything()
    with desk.vm.expect_revert(sentence):
        ACTS[act](desk, getattr(desk, who))
    assert desk.everything() == before


@pytest.mark.parametrize("act", ["claim", "submit", "extend", "abandon"])
def test_the_deadline_is_the_first_moment_too_late(desk, act):
    desk.put_into("open" if act == "claim" else "claimed")
    who = getattr(desk, ACTORS.get(act, "client"))
    desk.at(desk.order()["deadline"])
    with desk.vm.expect_revert("the deadline has passed"):
        ACTS[act](desk, who)
    desk.at(desk.order()["deadline"] - 1)
    ACTS[act](desk, who)


def test_expiry_begins_with_the_deadline(desk):
    desk.create()
    desk.at(START + 7 * DAY - 1)
    with desk.vm.expect_revert("the deadline has not passed yet"):
        desk.expire()
    desk.at(START + 7 * DAY)
    desk.expire()


def test_the_appeal_window_closes_seven_days_after_the_first_verdict(desk):
    desk.judged()
    desk.at(START + 7 * DAY)
    with desk.vm.expect_revert("the appeal window has closed"):
        desk.appeal()
    desk.at(START + 7 * DAY - 1)
    desk.appeal()
    with desk.vm.expect_revert("the appeal is used"):
        desk.appeal()


@pytest.mark.parametrize(
    "number",
    [1, -1, 2**32 - 1, 2**32, 2**256, True, False, None, "0", "nope", b"\x00", [], {}],
    ids=repr,
)
@pytest.mark.parametrize("act", ["claim", "submit", "appeal", "extend", "abandon", "cancel", "expire", "get"])
def test_an_order_that_is_not_there_is_unknown(desk, act, number):
    desk.create()
    acts = ACTS | {"get": None}
    with desk.vm.expect_revert("unknown order"):
        if acts[act] is None:
            desk.contract.get_order(number)
        else:
            {"appeal": lambda: desk.appeal(number, deposit=GEN)}.get(act, lambda: getattr(desk, act)(number))()


@pytest.mark.needs_payable
@pytest.mark.parametrize("act", ["claim", "submit", "extend", "abandon", "cancel", "expire"])
def test_value_on_a_method_that_takes_none_is_an_error(desk, act):
    desk.put_into({"submit": "claimed", "abandon": "claimed"}.get(act, "open"))
    if act == "expire":
        desk.at(desk.order()["deadline"])
    before = desk.everything()
    calls = {
        "claim": ("claim_order", 0),
        "submit": ("submit_deliverable", 0, PAGE, NOTE),
        "extend": ("extend_deadline", 0, 1),
        "abandon": ("abandon_claim", 0),
        "cancel": ("cancel_order", 0),
        "expire": ("expire_order", 0),
    }
    name, *args = calls[act]
    with (
        desk.acting(getattr(desk, ACTORS.get(act, "client")), value=1) as contract,
        desk.vm.expect_revert("non-payable"),
    ):
        getattr(contract, name)(*args)
    assert desk.everything() == before


@pytest.mark.parametrize(
    ("method", "args"),
    [
        pytest.param("create_order", (TITLE, SPEC, CRITERIA), id="too few"),
        pytest.param("claim_order", (0, 0), id="too many"),
        pytest.param("submit_deliverable", (0, PAGE), id="no note"),
    ],
)
def test_a_wrong_number_of_arguments_is_an_error(desk, method, args):
    desk.create()
    before = desk.everything()
    with desk.acting(desk.provider, value=0) as contract, desk.vm.expect_revert():
        getattr(contract, method)(*args)
    assert desk.everything() == before


def test_version_is_of_the_second_line(desk):
    assert re.fullmatch(r"2\.\d+\.\d+", desk.contract.version())
