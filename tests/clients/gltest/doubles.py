"""What genlayer-test's users do with mocks: validators that answer as told, pages that need no host, a date of their
choice. Run it here with `gltest` against `foreman up --allow-contracts --test-doubles`.
"""

import json

import pytest
from gltest import get_accounts, get_contract_factory, get_gl_client, get_validator_factory
from gltest.assertions import tx_execution_failed, tx_execution_succeeded
from gltest.helpers import load_fixture

GEN = 10**18
PAGE = "https://mocked.example/report"


def payout(percent):
    """The answer of a judge, as text."""
    return json.dumps({"payout_percent": percent, "reasoning": "As told.", "red_flags": [], "criteria_results": []})


def jury(*percents):
    """One mock validator per percentage; all see the same page."""
    page = {PAGE: {"method": "GET", "status": 200, "body": "Everything that was asked for."}}
    answers = [{"nondet_exec_prompt": {"foreman/payout/1": payout(percent)}} for percent in percents]
    make = get_validator_factory().create_mock_validator
    return {"validators": [make(answer, {"nondet_web_request": page}).to_dict() for answer in answers]}


def a_claimed_order():
    """The contract, seen from the provider who has claimed its only order."""
    client, provider = get_accounts()[:2]
    get_gl_client().fund_account(client.address, 10 * GEN)
    foreman = get_contract_factory("Foreman").deploy(account=client)
    assert tx_execution_succeeded(foreman.create_order(args=["A report", "Text", "- Useful", 7]).transact(value=GEN))
    seen = foreman.connect(provider)
    assert tx_execution_succeeded(seen.claim_order(args=[0]).transact())
    return seen


@pytest.fixture
def foreman():
    """The same state for every test: made once, then gone back to."""
    return load_fixture(a_claimed_order)


def test_mock_validators_judge(foreman):
    verdict = foreman.submit_deliverable(args=[0, PAGE, ""]).transact(transaction_context=jury(70, 72, 75))
    assert tx_execution_succeeded(verdict)
    assert list(verdict["consensus_data"]["votes"].values()) == ["agree"] * 3
    order = foreman.get_order(args=[0]).call()
    assert order["payout_percent"] in (70, 72, 75)
    assert order["verdict_reasoning"] == "As told."


def test_mock_validators_that_do_not_come_together_decide_nothing(foreman):
    assert foreman.get_order(args=[0]).call()["status"] == "claimed", "the snapshot was restored"
    verdict = foreman.submit_deliverable(args=[0, PAGE, ""]).transact(transaction_context=jury(0, 30, 60, 90))
    assert (verdict["status_name"], tx_execution_failed(verdict)) == ("UNDETERMINED", True)
    assert foreman.get_order(args=[0]).call()["status"] == "claimed"


def test_a_transaction_and_a_read_see_the_date_they_name(foreman):
    later = {"genvm_datetime": "2099-01-01T00:00:00Z"}
    assert foreman.is_expired(args=[0]).call() is False
    assert foreman.is_expired(args=[0]).call(transaction_context=later) is True
    assert tx_execution_failed(foreman.expire_order(args=[0]).transact())
    assert tx_execution_succeeded(foreman.expire_order(args=[0]).transact(transaction_context=later))
    assert foreman.get_order(args=[0]).call()["status"] == "expired"
