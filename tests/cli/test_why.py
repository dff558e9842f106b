"""`show --why`: every round of every hearing seat by seat, dissent and lost proposals included, nothing of others."""

from collections.abc import Iterator

import pytest

from foreman.cli.stage.evidence import HOST, Evidence
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk import Account, Foreman
from foreman.sdk.client import Client
from foreman.sdk.failures import RpcFailed
from foreman.settings import Settings
from tests.cli.conftest import Cli

PAYER, PROVIDER, ARBITER, ANYONE = (Account.from_hex(known.key) for known in DEV_ACCOUNTS[:4])
CRITERIA = ("The page is valid JSON", '"unit" equals "cm"')
GROUNDS = "The page was not read to its end."
GOOD, OTHER = "gauge.json", "glossary.json"


@pytest.fixture(scope="module")
def running(evidence: Evidence) -> Iterator[Running]:
    """A network of its own, whose first order is order 0."""
    with Running(build(Settings(port=0, host_map=evidence.mappings))) as network:
        yield network


@pytest.fixture
def foreman(running: Running) -> Iterator[Foreman]:
    with Foreman.connect(running.url, PAYER) as connection:
        yield connection


def submitted(foreman: Foreman) -> int:
    """An agreement whose milestone is under review."""
    payer = foreman.agreements
    number = payer.create(PROVIDER.address, ARBITER.address, "Tide", [HOST]).value()
    assert isinstance(number, int)
    payer.add_milestone(number, "One", CRITERIA, GEN, foreman.client.now() // 3600 + 48).value()
    payer.fund(number, GEN).value()
    provider = foreman.as_account(PROVIDER).agreements
    provider.submit(number, 0, "The levels of a week, in full.", [f"https://{HOST}/{GOOD}"]).value()
    return number


def test_a_seat_that_disagreed_is_shown_with_its_own_ruling_and_reasons(
    cli: Cli, foreman: Foreman, evidence: Evidence
) -> None:
    number = submitted(foreman)
    evidence.publish(GOOD, GOOD, GOOD, GOOD, OTHER, GOOD)
    foreman.as_account(ANYONE).agreements.adjudicate(number, 0).value()
    evidence.publish(GOOD, GOOD)
    shown = cli("agreement", "show", number, "--why").out
    words = " ".join(shown.split())
    assert "APPROVE by the network, round 1, attempt 1, 100 % sure" in words
    assert 'met "unit" equals "cm"' in words
    assert "Seat by seat, 1 of 1: adjudicate (" in words
    assert words.count("agree APPROVE, 100 % sure") + words.count("agree (proposed) APPROVE, 100 % sure") == 4
    assert words.count("disagree REJECT, ") == 1
    assert shown.count("Dissent of 0x") == 1
    assert "│ Checked by program. 1 of 2 criteria are met." in words
    (told,) = cli("agreement", "show", number, "--why", "--json").json["milestones"]
    (hearing,) = told["hearings"]
    assert sorted(seat["vote"] for seat in hearing["seats"]) == ["agree"] * 4 + ["disagree"]
    assert hearing["agreed"]["verdict"] == "APPROVE"
    assert {seat["own"]["verdict"] for seat in hearing["seats"]} == {"APPROVE", "REJECT"}


def test_every_round_is_told_also_the_one_that_found_no_majority(
    cli: Cli, foreman: Foreman, evidence: Evidence
) -> None:
    number = submitted(foreman)
    evidence.publish(GOOD, GOOD, OTHER, "no such page", GOOD, OTHER)  # two, two and one: nobody has a majority
    undecided = foreman.as_account(PROVIDER).agreements.adjudicate(number, 0).wait()
    assert undecided.state == "undetermined"
    evidence.publish(GOOD, OTHER)
    foreman.as_account(PROVIDER).agreements.adjudicate(number, 0).value()
    foreman.as_account(PROVIDER).agreements.appeal(number, 0, GROUNDS).value()
    foreman.as_account(ANYONE).agreements.adjudicate(number, 0).value()
    evidence.publish(GOOD, GOOD)
    (told,) = cli("agreement", "show", number, "--why", "--json").json["milestones"]
    assert [ruling["round_no"] for ruling in told["rulings"]] == [1, 2]
    lost, first, second = told["hearings"]
    assert (lost["state"], lost["agreed"], len(lost["turns"])) == ("undetermined", None, 4)
    assert len({turn["leader"] for turn in lost["turns"]}) == 4
    assert (first["agreed"]["verdict"], second["agreed"]["verdict"]) == ("REJECT", "REJECT")
    shown = cli("agreement", "show", number, "--why").out
    assert "REJECT by the network, round 2" in shown
    assert [f"Seat by seat, {at} of 3" in shown for at in (1, 2, 3)] == [True] * 3
    for at in (1, 2, 3, 4):
        assert f"Seat by seat, 1 of 3, proposal {at} of 4: adjudicate (undetermined)" in shown


def test_an_order_of_the_same_number_in_another_contract_is_not_told(
    cli: Cli, foreman: Foreman, running: Running
) -> None:
    """Two contracts, both with an order 0 of the same two parties; each is judged once."""
    from foreman.localnet.shipped import shipped

    second = foreman.client.deploy(PAYER, shipped()["foreman"]).wait().contract
    places = [foreman, Foreman(foreman.client, PAYER, {"foreman": second})]
    for place in places:
        made = place.orders.create("Levels", "A week.", '- "unit" equals "cm"', 7, GEN).value()
        assert made == 0
        place.as_account(PROVIDER).orders.claim(0).value()
        place.as_account(PROVIDER).orders.submit(0, f"http://{HOST}/{GOOD}").value()
    for where in ((), ("--contract", second)):
        told = cli("order", "show", 0, "--why", "--json", *where).json
        assert len(told["hearings"]) == 1


def test_the_arbiters_ruling_stands_beside_those_of_the_network(cli: Cli, foreman: Foreman, evidence: Evidence) -> None:
    number = submitted(foreman)
    evidence.publish(GOOD, OTHER)
    provider = foreman.as_account(PROVIDER).agreements
    provider.adjudicate(number, 0).value()
    for _ in range(2):
        provider.appeal(number, 0, GROUNDS).value()
        provider.adjudicate(number, 0).value()
    provider.escalate(number, 0, GROUNDS).value()
    foreman.as_account(ARBITER).agreements.rule(number, 0, True, "Both pages prove the claim.").value()
    evidence.publish(GOOD, GOOD)
    shown = cli("agreement", "show", number, "--why").out
    assert "APPROVE by the arbiter, attempt 1, 100 % sure" in shown
    assert "  │ Both pages prove the claim." in shown
    assert shown.count("Seat by seat") == 3


def test_a_network_that_keeps_no_list_says_so(
    cli: Cli, foreman: Foreman, running: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = submitted(foreman)
    foreman.as_account(PROVIDER).agreements.adjudicate(number, 0).value()
    call = Client.call

    def without(self: Client, method: str, *params: object) -> object:
        if method == "sim_getTransactionsForAddress":
            raise RpcFailed(method, -32601, "Method not found: " + method)
        return call(self, method, *params)

    monkeypatch.setattr(Client, "call", without)
    shown = cli("agreement", "show", number, "--why").out
    assert "Seat by seat: this network does not tell (any more)" in shown
    assert "APPROVE by the network" in shown
