"""The node is killed while an official client sends an order: the client says so, and nobody pays twice."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.money import GEN
from foreman.sdk.client import Client
from foreman.sdk.known import KNOWN
from tests.clients.stories import install_javascript, javascript, python
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
