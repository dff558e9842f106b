"""genlayer-js 1.2 from Node, unmodified: an order, an agreement with an appeal, what is refused, a cancelled
transaction.
"""

from typing import Any

import pytest

from foreman.judges.scripted import HANG, Scripted
from foreman.localnet.serve import Running
from tests.clients.network import CONTRACT, TASTE, network
from tests.clients.stories import check_calls_are_documented, check_overturned, install_javascript, javascript


@pytest.fixture(scope="module", autouse=True)
def _installed() -> None:
    install_javascript()


def outcome(receipt: dict[str, Any]) -> tuple[str, str]:
    """How a transaction ended, as the client shows it."""
    return receipt["statusName"], receipt["consensus_data"]["leader_receipt"][0]["execution_result"]


def test_an_order_lives_from_deployment_to_verdict_and_refusals_have_words(running: Running) -> None:
    shown = javascript("order_life.mjs", running.url, str(CONTRACT), "A gauge")
    receipts, order = shown["receipts"], shown["order"]
    assert outcome(receipts["verdict"]) == ("FINALIZED", "SUCCESS")
    assert list(receipts["verdict"]["consensus_data"]["votes"].values()) == ["agree"] * 5
    assert outcome(receipts["own_claim"]) == ("FINALIZED", "ERROR")
    assert "own order" in receipts["own_claim"]["consensus_data"]["leader_receipt"][0]["result"]["payload"]
    assert (order["status"], order["payout_percent"]) == ("completed", 100)
    assert order["escrow_wei"] == str(10**18), "beyond 2**53 the client gives decimal strings"
    assert order["criteria_results"] == [{"criterion": "is valid JSON", "met": True}], "no map came back empty"
    assert shown["earned"] == str(10**18)
    assert shown["nonce"] == "0x3"
    assert receipts["created"]["value"] == str(10**18)
    assert "unknown order" in shown["view"]
    assert "call to unknown method `everybody`" in shown["unknown_method"]
    assert "takes the arguments (order_id), this call gives (2 values)" in shown["arguments"]
    assert "contract not found" in shown["nowhere"]
    assert "no appeals" in shown["appeal"]
    assert "cannot claim" in shown["simulated"]
    assert shown["code"] is True
    assert shown["schema"]["methods"]["appeal_delivery"]["payable"] is True


def test_an_agreement_is_rejected_appealed_approved_and_paid_to_the_wei(running: Running) -> None:
    check_overturned(javascript("agreement.mjs", running.url, running.node.contracts()["verdict_escrow"]))
    assert running.node.books_balance()["conserved"]


def test_c031_c032_nested_fields_and_large_amounts_arrive_whole(running: Running) -> None:
    shown = javascript("views.mjs", running.url, running.node.contracts()["foreman"])
    (listed,) = [row for row in shown["page"] if row["id"] == shown["order"]["id"]]
    for order in (shown["order"], listed):
        assert (order["title"], order["escrow_wei"]) == ("Zwölf Äpfel 🍏", "123456789123456789012345678")
    assert [(moment["event"], type(moment["t"])) for moment in shown["order"]["timeline"]] == [("created", int)]


def test_seats_that_do_not_agree_are_no_success(running: Running) -> None:
    shown = javascript("order_life.mjs", running.url, str(CONTRACT), TASTE)
    assert outcome(shown["receipts"]["verdict"]) == ("UNDETERMINED", "ERROR")
    assert (shown["order"]["status"], shown["earned"]) == ("claimed", "0")


def test_a_waiting_transaction_is_taken_back_by_its_sender_alone() -> None:
    judge = Scripted([HANG], name="hanging", concurrency=100)
    with network(judges=[judge]) as running:
        shown = javascript("cancel.mjs", running.url, running.node.contracts()["foreman"])
        judge.release()
    assert (shown["after"], shown["judged"]) == ("CANCELED", "PROPOSING")
    assert shown["cancelled"]["status"] == "CANCELED"
    assert "did not send" in shown["refused"]


def test_what_it_asks_for_is_in_the_documentation(running: Running) -> None:
    check_calls_are_documented(running.url, "genlayer-js")
