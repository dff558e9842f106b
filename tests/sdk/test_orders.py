"""Every verb for work orders against the real contract on a real network, through its door."""

from collections.abc import Iterator

import pytest

from foreman.address import parse_address
from foreman.cli.stage.evidence import Evidence
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.failures import Reverted, RpcFailed
from foreman.sdk.orders import Orders
from foreman.settings import Settings

CLIENT, PROVIDER = Account(b"\x11" * 32), Account(b"\x22" * 32)
CRITERIA = '- The page is valid JSON\n- "unit" equals "m"'
"""Half of which the sample page meets."""


@pytest.fixture(scope="module")
def network() -> Iterator[tuple[Client, Evidence]]:
    """A network with money for the client, and pages to deliver."""
    with (
        Evidence() as evidence,
        Running(build(Settings(port=0, host_map=evidence.mappings))) as running,
        Client(running.url) as client,
    ):
        client.wait(client.call("sim_fundAccount", str(CLIENT), 100 * GEN)).check()
        yield client, evidence


@pytest.fixture
def parties(network: tuple[Client, Evidence]) -> tuple[Orders, Orders]:
    """The contract as the client and as the provider act on it."""
    orders = Orders(network[0], parse_address(network[0].config["contracts"]["foreman"]))
    return orders.as_account(CLIENT), orders.as_account(PROVIDER)


def opened(client: Orders, escrow: int = GEN) -> int:
    number: int = client.create("Levels", "A week of levels.", CRITERIA, 7, escrow).value()
    return number


def test_an_order_lives_from_open_to_appealed(parties: tuple[Orders, Orders], network: tuple[Client, Evidence]) -> None:
    client, provider = parties
    number = opened(client)
    order = client.get(number)
    assert (order.status, order.client, order.provider) == ("open", str(CLIENT), "")
    assert (order.title, order.escrow_wei, order.payout_percent) == ("Levels", GEN, 0)
    provider.claim(number).value()
    client.extend(number, 3).value()
    later = client.get(number)
    assert (later.status, later.provider) == ("claimed", str(PROVIDER))
    assert later.deadline == order.deadline + 3 * 86_400
    provider.submit(number, network[1].url("gauge.json"), "As agreed.").value()
    judged = client.get(number)
    assert (judged.status, judged.payout_percent, judged.paid_wei, judged.refunded_wei) == (
        "completed",
        50,
        GEN // 2,
        GEN // 2,
    )
    assert "1 of 2 criteria are met" in judged.reasoning
    client.appeal(number, "Please look again.").value()
    final = client.get(number)
    assert (final.deposit_wei, final.paid_wei, final.refunded_wei) == (GEN, GEN // 2, GEN + GEN // 2)


def test_an_order_can_be_given_back_and_cancelled(parties: tuple[Orders, Orders]) -> None:
    client, provider = parties
    number = opened(client)
    provider.claim(number).value()
    provider.abandon(number).value()
    client.cancel(number).value()
    assert (client.get(number).status, client.get(number).refunded_wei) == ("cancelled", GEN)
    assert client.reputation(PROVIDER.address)["abandoned"] >= 1


def test_an_order_expires_after_its_deadline_and_not_before(parties: tuple[Orders, Orders]) -> None:
    client, _ = parties
    number = opened(client)
    with pytest.raises(Reverted, match="deadline"):
        client.expire(number).value()
    client.client.call("sim_increaseTime", 7 * 86_400)
    client.expire(number).value()
    assert client.get(number).status == "expired"


def test_pages_are_newest_first_and_filtered(parties: tuple[Orders, Orders]) -> None:
    client, _ = parties
    first, second = opened(client), opened(client)
    assert [order.id for order in client.page(limit=2)] == [second, first]
    assert {order.status for order in client.page(status="open")} == {"open"}
    assert client.stats()["orders"] >= 2


def test_what_the_contract_refuses_is_raised_with_its_reason(parties: tuple[Orders, Orders]) -> None:
    client, provider = parties
    number = opened(client)
    with pytest.raises(Reverted, match="client") as refused:
        client.claim(number).value()
    assert refused.value.hash.startswith("0x")
    with pytest.raises(Reverted):
        provider.submit(number, "http://work.example/gauge.json").value()
    with pytest.raises(RpcFailed, match="reverted"):
        client.get(10**6)


def test_a_payable_verb_that_would_fail_costs_nothing(parties: tuple[Orders, Orders]) -> None:
    client, _ = parties
    before = client.client.nonce(CLIENT.address), client.client.balance(CLIENT.address)
    with pytest.raises(RpcFailed, match="reverted"):
        client.create("Dust", "Too little.", CRITERIA, 7, 1)
    assert before == (client.client.nonce(CLIENT.address), client.client.balance(CLIENT.address))
