"""The node is killed in the middle of a command: a clear error, and a retry that never pays twice."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from foreman.cli.exits import Exit
from foreman.money import GEN
from foreman.sdk.client import Client
from foreman.sdk.known import KNOWN
from tests.cli.conftest import Cli
from tests.mortal import Node, Proxy

DEV0 = bytes.fromhex(KNOWN[0][2:])
CREATE = ("order", "create", "--title", "Levels", "--spec", "A week.", "--criteria", "- The page is valid JSON")


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    node = Node(tmp_path / "state", "--no-samples")
    yield node
    node.kill()


@pytest.mark.parametrize("after", [False, True], ids=["before it was taken", "after it was taken"])
def test_a_command_whose_node_is_killed_says_so_and_its_retry_pays_once(after: bool, node: Node, alone: Cli) -> None:
    with Client(node.url) as client:
        before = client.balance(DEV0)
    proxy = Proxy(node, after)
    ended = alone(*CREATE, "--escrow", "1", "--account", "dev0", "--network", proxy.url, "--id", "one", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (Exit.UNREACHABLE, "unreachable")
    assert "the same id never sends twice" in ended.err
    assert ended.err.count("\n") == 2
    node.start()
    proxy.deadly = False
    again = alone(*CREATE, "--escrow", "1", "--account", "dev0", "--network", proxy.url, "--id", "one", "--json")
    proxy.close()
    assert again.code == Exit.OK, again.err
    with Client(node.url) as client:
        assert client.balance(DEV0) == before - GEN
        assert client.nonce(DEV0) == 1


def test_a_command_whose_node_is_killed_while_it_waits_tells_the_hash_to_wait_for(node: Node, alone: Cli) -> None:
    with Client(node.url) as client:
        before = client.balance(DEV0)
    proxy = Proxy(node, after=False, at=b"eth_getTransactionByHash")
    words = (*CREATE, "--escrow", "1", "--account", "dev0", "--network", proxy.url, "--id", "one")
    ended = alone(*words)
    assert ended.code == Exit.UNREACHABLE
    found = re.search(r"transaction (0x[0-9a-f]{64}) was sent and may still complete", ended.err)
    assert found, ended.err
    node.start()
    proxy.deadly = False
    waited = alone("order", "wait", found[1], "--network", proxy.url, "--json")
    assert (waited.code, waited.json["state"], waited.json["value"]) == (Exit.OK, "final", 0)
    assert alone(*words, "--json").json["hash"] == found[1]
    proxy.close()
    with Client(node.url) as client:
        assert client.balance(DEV0) == before - GEN


def test_an_id_that_was_sent_to_a_chain_that_is_gone_is_new_on_its_successor(node: Node, alone: Cli) -> None:
    words = (*CREATE, "--escrow", "1", "--account", "dev0", "--network", node.url, "--id", "one", "--json")
    first = alone(*words)
    assert first.code == Exit.OK, first.err
    assert alone(*words).json["hash"] == first.json["hash"]
    node.kill()
    shutil.rmtree(node.state)
    node.start()
    again = alone(*words)
    assert again.code == Exit.OK, again.err
    with Client(node.url) as client:
        assert client.nonce(DEV0) == 1, "it was sent here, once"
        assert client.result(again.json["hash"]).ok
    assert alone(*words).json["hash"] == again.json["hash"]
