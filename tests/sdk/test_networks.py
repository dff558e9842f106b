"""A network is named or given by URL; live ones refuse known keys; what risks money asks for a yes."""

import json
from typing import Any

import httpx
import pytest

from foreman import calldata
from foreman.address import checksum
from foreman.errors import BadInput, ForemanError
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.money import GEN
from foreman.sdk import Foreman
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.known import KNOWN
from foreman.sdk.networks import NETWORKS, find_network
from foreman.sdk.orders import Orders
from foreman.sdk.transport import Transport

ALICE = Account(b"\x01" * 32)
CONTRACT = b"\x0c" * 20


@pytest.mark.parametrize(
    ("text", "name", "live"),
    [
        ("local", "local", False),
        ("LOCAL", "local", False),
        ("localnet", "localnet", False),
        ("studionet", "studionet", True),
        ("testnet_bradbury", "testnet-bradbury", True),
        ("https://studio.genlayer.com/api", "studionet", True),
        ("https://STUDIO.genlayer.com:443/api?x", "studionet", True),
        ("http://127.0.0.1:5000/api", "http://127.0.0.1:5000/api", False),
        ("http://[::1]:5000/api", "http://[::1]:5000/api", False),
        ("https://node.example/api", "https://node.example/api", True),
    ],
)
def test_a_network_is_found_by_name_or_address(text: str, name: str, live: bool) -> None:
    found = find_network(text)
    assert (found.name, found.live) == (name, live)


@pytest.mark.parametrize("text", ["", "mainnet", "file:///etc/passwd", "127.0.0.1:4000"])
def test_an_unknown_network_is_told_with_those_there_are(text: str) -> None:
    with pytest.raises(BadInput, match="studionet"):
        find_network(text)


def test_the_table_says_what_genlayer_py_says() -> None:
    chains = pytest.importorskip("genlayer_py.chains")
    for network in NETWORKS[1:]:
        official = getattr(chains, network.name.replace("-", "_"))
        assert (network.url, network.chain_id) == (official.rpc_urls["default"]["http"][0], official.id)
        assert checksum(network.consensus_main).lower() == official.consensus_main_contract["address"].lower()


def test_the_known_accounts_are_those_of_a_development_network() -> None:
    assert tuple(known.address for known in DEV_ACCOUNTS) == KNOWN


@pytest.mark.parametrize("network", ["studionet", "https://node.example/api", "testnet-asimov"])
def test_a_known_key_never_signs_for_a_live_network(network: str) -> None:
    with pytest.raises(BadInput) as refused:
        Client(network).transfer(Account.from_hex(DEV_ACCOUNTS[0].key), CONTRACT, 1)
    assert refused.value.code == ("writes_not_offered" if network == "testnet-asimov" else "known_key")


def studio(asked: list[str]) -> Client:
    """A client of a network that has no /config.json, and an order of 2 GEN."""

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(404, text="no such page")
        body = json.loads(request.content)
        asked.append(body["method"])
        results: dict[str, Any] = {
            "gen_call": calldata.encode({"escrow_wei": 2 * GEN}).hex(),
            "eth_chainId": "0xf22f",
            "eth_getTransactionCount": "0x0",
            "eth_sendRawTransaction": "0xabc",
        }
        return httpx.Response(200, json={"id": body["id"], "result": results[body["method"]]})

    url = "http://127.0.0.1:4000/api"
    return Client(url, Transport(url, httpx.Client(transport=httpx.MockTransport(answer))))


def test_an_appeal_on_a_network_that_keeps_failed_value_needs_a_yes() -> None:
    asked: list[str] = []
    orders = Orders(studio(asked), CONTRACT, ALICE)
    with pytest.raises(ForemanError, match="2 GEN at risk") as refused:
        orders.appeal(3, "please")
    assert refused.value.code == "needs_yes"
    assert "eth_sendRawTransaction" not in asked
    assert orders.appeal(3, "please", yes=True).hash == "0xabc"


def test_where_the_contract_stands_must_be_known() -> None:
    with pytest.raises(ForemanError) as unknown:
        _ = Foreman.connect("studionet").orders
    assert unknown.value.code == "contract_unknown"
    given = Foreman.connect("studionet", contracts={"foreman": checksum(CONTRACT)})
    assert given.orders.contract == CONTRACT
