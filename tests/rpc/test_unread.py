"""Answers that nobody takes, on real sockets: bounded, given up, and never in the way of others."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from foreman.rpc import server as server_module
from tests.node.network import ALICE, Network
from tests.rpc.listening import Listening, read_all

JSON = "Content-Type: application/json"


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    with Network(tmp_path_factory.mktemp("state")) as running:
        yield running


@pytest.fixture(scope="module")
def door(network: Network) -> Iterator[Listening]:
    with Listening(network) as listening:
        yield listening


def large_question(network: Network, count: int) -> bytes:
    """A batch that asks for a large transaction again and again: half a megabyte each time."""
    digest = network.do(ALICE, ["write", "large", "x" * 350_000]).transaction.hash
    ask = {"jsonrpc": "2.0", "id": 1, "method": "eth_getTransactionByHash", "params": ["0x" + digest.hex()]}
    return json.dumps([ask] * count).encode()


def test_a_client_that_takes_nothing_of_its_answer_is_cut_off(
    door: Listening, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server_module, "PATIENCE", 0.3)
    unsent = door.server._app._dispatcher.unsent
    body = large_question(network, 12)
    with door.connect(door.head("POST /api HTTP/1.1", JSON, f"Content-Length: {len(body)}") + body) as connection:
        wait_until(lambda: unsent.held > 1_000_000)
        wait_until(lambda: unsent.held == 0)
        assert len(read_all(connection)) < 12 * 350_000
    assert door.call("eth_chainId") == "0xeec7"


def test_when_all_connections_are_taken_and_none_idles_the_one_that_takes_nothing_makes_room(
    door: Listening, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    unsent = door.server._app._dispatcher.unsent
    body = large_question(network, 12)
    with door.connect(door.head("POST /api HTTP/1.1", JSON, f"Content-Length: {len(body)}") + body):
        wait_until(lambda: unsent.held > 1_000_000)
        monkeypatch.setattr(door.server.protocol, "most", 1)
        with ExitStack() as stack:
            for _ in range(3):
                stack.enter_context(door.connect())
                assert door.call("eth_chainId") == "0xeec7"
            wait_until(lambda: unsent.held == 0)


def test_what_finds_no_room_in_a_reply_is_told_so_and_what_is_sent_is_done(door: Listening, network: Network) -> None:
    """Answers come in order; a transaction behind too many long ones is taken all the same."""
    asked = json.loads(large_question(network, 40))
    raw = "0x" + network.raw(ALICE, [["write", "k", "behind"]]).hex()
    asked.append({"jsonrpc": "2.0", "id": 2, "method": "eth_sendRawTransaction", "params": [raw]})
    answers = httpx.post(door.origin + "/api", json=asked, timeout=20).json()
    assert [answer["id"] for answer in answers] == [1] * 40 + [2]
    kinds = ["result" if "result" in answer else answer["error"]["data"]["code"] for answer in answers[:40]]
    assert kinds == sorted(kinds, reverse=True)
    assert set(kinds) == {"result", "reply_too_large"}
    network.wait(bytes.fromhex(answers[-1]["result"][2:]))
    assert network.state("k") == "behind"


def test_many_answers_that_nobody_takes_are_refused_to_the_next_one(
    door: Listening, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door.server._app._dispatcher.unsent, "most", 300_000)
    answer = httpx.post(
        door.origin + "/api",
        content=large_question(network, 1)[1:-1],
        headers={"content-type": "application/json"},
        timeout=20,
    )
    assert answer.status_code == 503
    assert answer.json()["error"]["data"]["code"] == "busy"
    assert door.call("eth_chainId") == "0xeec7"


class Turns:
    """Nobody's turn comes before it is said."""

    def __init__(self) -> None:
        self.go = threading.Event()

    async def __aenter__(self) -> None:
        await asyncio.to_thread(self.go.wait, 20)

    async def __aexit__(self, *_: object) -> None:
        return


def test_long_questions_that_wait_for_their_turn_are_held_within_the_same_budget(
    door: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While others read, whole bodies wait too; the third of these is too many."""
    app = door.server._app
    monkeypatch.setattr(app._bodies, "_most", 250_000)
    monkeypatch.setattr(app._dispatcher, "_turns", turns := Turns())
    ask = {"jsonrpc": "2.0", "id": 1, "method": "eth_getTransactionByHash", "params": ["0x" + "ab" * 32]}
    body = json.dumps([ask]).encode() + b" " * 100_000
    head = door.head("POST /api HTTP/1.1", JSON, f"Content-Length: {len(body)}")
    with ExitStack() as stack:
        first = [stack.enter_context(door.connect(head + body)) for _ in range(2)]
        wait_until(lambda: app._bodies._held > 200_000)
        assert b"503" in read_all(stack.enter_context(door.connect(head + body)))[:20]
        assert door.call("eth_chainId") == "0xeec7", "a short one finds room"
        turns.go.set()
        for line in first:
            assert b'"result":null' in line.recv(65536)
        wait_until(lambda: app._bodies._held == 0)


def wait_until(there: Callable[[], bool]) -> None:
    """The test's own timeout ends it otherwise."""
    while not there():
        time.sleep(0.002)
