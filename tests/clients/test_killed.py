"""The node is killed while an official client sends an order: the client says so, and nobody pays twice."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from foreman.address import parse_address
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.known import KNOWN
from foreman.sdk.orders import Orders
from tests.clients.stories import install_javascript, javascript, python
from tests.clients.terminal import NEW_ACCOUNT, ROOT, UNLOCK, converse, genlayer
from tests.mortal import Node, Proxy

DEV0 = bytes.fromhex(KNOWN[0][2:])


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    node = Node(tmp_path / "state", "--no-samples")
    yield node
    node.kill()


@pytest.fixture(params=["genlayer-py", "genlayer-js"])
def open_order(request: pytest.FixtureRequest) -> Callable[..., dict[str, Any]]:
    """The same story with either client."""
    if request.param == "genlayer-py":
        return lambda *arguments: python("one_order.py", *arguments)
    install_javascript()
    return lambda *arguments: javascript("one_order.mjs", *arguments)


@pytest.mark.parametrize("after", [False, True], ids=["before it was taken", "after it was taken"])
def test_a_client_whose_node_is_killed_says_so_and_its_retry_pays_once(
    after: bool, node: Node, open_order: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", "0x" + DEV_ACCOUNTS[0].key)
    with Client(node.url) as network:
        before, foreman = network.balance(DEV0), network.config["contracts"]["foreman"]
    proxy = Proxy(node, after)
    shown = open_order(proxy.url, foreman, "0")["shown"]
    assert "Connection aborted" in shown or "fetch failed" in shown, shown
    node.start()
    proxy.deadly = False
    again = open_order(proxy.url, foreman, "0")["sent"]
    assert (again == "before") is after
    resent = httpx.post(node.url, content=proxy.last, headers={"content-type": "application/json"}).json()["result"]
    assert after or resent == again, "the same order is the same bytes, so the same transaction"
    proxy.close()
    with Client(node.url) as network:
        assert network.wait(resent).ok
        assert (network.nonce(DEV0), network.balance(DEV0)) == (1, before - GEN)


@pytest.mark.timeout(600)  # it may install the client
def test_the_genlayer_cli_says_so_and_a_second_try_changes_nothing_more(node: Node, tmp_path: Path) -> None:
    with Client(node.url) as network:
        foreman = network.config["contracts"]["foreman"]
        account = Account(bytes.fromhex(DEV_ACCOUNTS[0].key))
        number = Orders(network, parse_address(foreman), account).create("A gauge", "JSON", "- is valid JSON", 7, GEN)
        order = str(number.value())
    proxy = Proxy(node, after=True)
    desk = {"HOME": str(tmp_path), "PATH": os.environ["PATH"], "TERM": "xterm"}
    command = [genlayer(), "write", foreman, "claim_order", "--args", order, "--rpc", proxy.url]
    code, shown = converse(command, NEW_ACCOUNT, cwd=ROOT, env=desk)
    assert (code, "fetch failed" in shown) == (1, True), shown
    node.start()
    proxy.deadly = False
    code, shown = converse(command, UNLOCK, cwd=ROOT, env=desk)
    assert (code, "the order is claimed" in shown) == (0, True), shown
    proxy.close()
    with Client(node.url) as network:
        timeline = Orders(network, parse_address(foreman)).get(int(order)).raw["timeline"]
        assert [moment["event"] for moment in timeline] == ["created", "claimed"]
