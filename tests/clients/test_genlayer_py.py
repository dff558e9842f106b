"""genlayer-py 0.18, unmodified: a whole order, an agreement with an appeal, reverts, and seats that do not agree."""

from foreman.localnet.serve import Running
from foreman.money import GEN
from tests.clients.network import CONTRACT
from tests.clients.stories import check_calls_are_documented, check_overturned, python


def test_an_order_lives_from_deployment_to_verdict(running: Running) -> None:
    shown = python("order_life.py", running.url, str(CONTRACT))
    order, consensus = shown["order"], shown["verdict"]["consensus_data"]
    assert (order["status"], order["payout_percent"]) == ("completed", 100)
    assert order["criteria_results"] == [{"criterion": "is valid JSON", "met": True}]
    assert shown["earned"] == GEN
    assert list(consensus["votes"].values()) == ["agree"] * 5
    assert len(consensus["validators"]) == 4
    assert consensus["leader_receipt"][0]["result"]["status"] == "return"
    assert "submit_deliverable" in shown["verdict"]["data"]["calldata"]["readable"]
    (answer,) = consensus["leader_receipt"][0]["eq_outputs"].values()
    assert answer["status"] == "return"


def test_an_agreement_is_rejected_appealed_approved_and_paid_to_the_wei(running: Running) -> None:
    check_overturned(python("agreement.py", running.url, running.node.contracts()["verdict_escrow"]))
    assert running.node.books_balance()["conserved"]


def test_c033_c038_two_quick_sends_both_count_and_every_view_is_plain_json(running: Running) -> None:
    shown = python("views.py", running.url, running.node.contracts()["foreman"])
    assert shown["nonces"] == [0, 1, 2], "what waits is counted"
    assert shown["orders"][1] == shown["orders"][0] + 1
    views = shown["views"]
    assert len(views) == 15
    order = views["get_order"]
    assert (order["title"], order["escrow_wei"]) == ("Zwölf Äpfel 🍏", 123456789123456789012345678)
    assert [moment["event"] for moment in order["timeline"]][:2] == ["created", "claimed"]
    assert {row["id"] for row in views["get_orders_by_client"]} == set(shown["orders"])


def test_what_is_refused_reaches_the_caller_in_words(running: Running) -> None:
    shown = python("refusals.py", running.url, running.node.contracts()["foreman"])
    own = shown["own_claim"]["consensus_data"]["leader_receipt"][0]
    assert (shown["own_claim"]["status_name"], own["execution_result"]) == ("FINALIZED", "ERROR")
    assert "own order" in own["result"]["payload"], own
    assert shown["undetermined"]["status_name"] == "UNDETERMINED"
    assert shown["undetermined"]["consensus_data"]["leader_receipt"][0]["execution_result"] == "ERROR"
    for sent, words in (
        ("unknown_method", "ValueError: call to unknown method `pay_everybody`"),
        ("arguments", "TypeError: `claim_order` takes the arguments (order_id), this call gives (2 values)"),
    ):
        (leader,) = shown[sent]["consensus_data"]["leader_receipt"]
        assert leader["result"] == {"status": "contract_error", "payload": f"exit_code 1 # {words}"}, leader
        assert leader["genvm_result"]["error_description"] == words
    assert shown["status"] == "claimed"
    assert "unknown order" in shown["view"]
    assert "contract not found" in shown["nowhere"]
    assert "Traceback" not in shown["broken_source"]
    assert "line 2" in shown["broken_source"]
    assert "no appeals" in shown["appeal"]
    assert shown["simulated"]["execution_result"] == "ERROR", "it is claimed already"
    assert shown["schema"]["methods"]["create_order"]["payable"] is True
    assert shown["nonce"] == 4
    assert shown["balance"] == 9 * GEN


def test_what_it_asks_for_is_in_the_documentation(running: Running) -> None:
    check_calls_are_documented(running.url, "genlayer-py")
