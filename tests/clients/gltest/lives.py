"""The life of an order, and an agreement with an appeal, as genlayer-test's users write them. Run it here with `gltest`
against `foreman up --allow-contracts`: its sample pages are the deliverables.
"""

import json
import time

import pytest
from gltest import get_contract_factory, get_gl_client
from gltest.assertions import tx_execution_failed, tx_execution_succeeded

GEN = 10**18
PAGE = "https://work.example/gauge.json"
CRITERIA = ["The page is valid JSON", '"unit" equals "cm"']


def returned(receipt):
    """What the method returned; the transaction must have succeeded."""
    assert tx_execution_succeeded(receipt), receipt
    return json.loads(receipt["consensus_data"]["leader_receipt"][0]["result"]["payload"]["readable"])


def balance(account):
    return get_gl_client().get_balance(account.address)


@pytest.fixture
def parties(accounts):
    """Three accounts with money: who pays, who delivers, and one more."""
    for account in accounts[:3]:
        get_gl_client().fund_account(account.address, 10 * GEN)
    return accounts[:3]


def test_an_order_lives_from_deployment_to_verdict(parties):
    client, provider, _ = parties
    foreman = get_contract_factory("Foreman").deploy(account=client)
    order = returned(foreman.create_order(args=["A gauge", "A file", "- " + CRITERIA[0], 7]).transact(value=GEN))

    own = foreman.claim_order(args=[order]).transact()
    assert tx_execution_failed(own)
    assert "own order" in own["consensus_data"]["leader_receipt"][0]["result"]["payload"]

    before = balance(provider)
    provided = foreman.connect(provider)
    assert tx_execution_succeeded(provided.claim_order(args=[order]).transact())
    verdict = provided.submit_deliverable(args=[order, PAGE, "As agreed."]).transact()
    assert tx_execution_succeeded(verdict)
    assert list(verdict["consensus_data"]["votes"].values()) == ["agree"] * 5
    assert foreman.get_order(args=[order]).call()["status"] == "completed"
    assert balance(provider) == before + GEN


def test_an_agreement_is_rejected_appealed_rejected_again_and_settled_to_the_wei(parties):
    payer, provider, arbiter = parties
    before = balance(payer), balance(provider)
    amount = 2 * GEN + 7
    bond = amount // 10

    escrow = get_contract_factory("VerdictEscrow").deploy(account=payer)
    provided = escrow.connect(provider)
    names = [provider.address, arbiter.address, "Tide levels", ["work.example"]]
    deal = returned(escrow.create_agreement(args=names).transact())
    wrong = ["The page is valid JSON", '"unit" equals "m"']
    due = int(time.time()) // 3600 + 48
    assert returned(escrow.add_milestone(args=[deal, "One week", wrong, amount, due]).transact()) == 0
    returned(escrow.fund_and_activate(args=[deal]).transact(value=amount))
    returned(provided.submit_evidence(args=[deal, 0, "The levels, in full.", [PAGE]]).transact())
    returned(provided.adjudicate(args=[deal, 0]).transact())
    returned(provided.appeal(args=[deal, 0, "The page was not read to its end."]).transact(value=bond))
    assert escrow.get_agreement(args=[deal]).call()["escrowed"] == str(amount + bond)
    returned(provided.adjudicate(args=[deal, 0]).transact())
    returned(provided.accept_ruling(args=[deal, 0]).transact())

    rulings = escrow.get_rulings(args=[deal, 0]).call()
    assert [(ruling["verdict"], ruling["unmet"]) for ruling in rulings] == [("REJECT", [1]), ("REJECT", [1])]
    assert escrow.credit_of(args=[payer.address]).call() == str(amount + bond)
    returned(escrow.withdraw(args=[]).transact())
    assert (balance(payer), balance(provider)) == (before[0] + bond, before[1] - bond)
