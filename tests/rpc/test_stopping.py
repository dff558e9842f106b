"""A node that stops while reads wait: whoever waits is told in JSON-RPC, what runs may finish, no traceback."""

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from foreman.rpc.front import Front
from foreman.sdk.failures import RpcFailed
from foreman.sdk.transport import Transport
from tests.node.network import Network
from tests.rpc.listening import Listening

PATIENCE = 20.0
AT_ONCE = 4
"""Threads of either kind: `evidence_reads_at_once` of the settings, and `READERS` of the door."""

LATE = 6
BATCH = 3


class Held:
    """Work that goes on until it is let go."""

    def __init__(self) -> None:
        self.let_go = threading.Event()
        self._begun = threading.Semaphore(0)

    def __call__(self, *_: Any) -> dict[str, Any]:
        self._begun.release()
        assert self.let_go.wait(PATIENCE)
        return {"done": True}

    def wait(self) -> None:
        """Until every thread is at it."""
        for _ in range(AT_ONCE):
            assert self._begun.acquire(timeout=PATIENCE)


@pytest.fixture
def held() -> Iterator[Held]:
    made = Held()
    yield made
    made.let_go.set()


@pytest.fixture
def network(tmp_path_factory: pytest.TempPathFactory, held: Held, monkeypatch: pytest.MonkeyPatch) -> Iterator[Network]:
    with Network(tmp_path_factory.mktemp("state")) as running:
        monkeypatch.setattr(running.node, "books_balance", held)
        yield running


ASKED = pytest.mark.parametrize(
    ("method", "params"),
    [
        pytest.param("foreman_readEvidence", ["https://page.example/"], id="pages"),
        pytest.param("foreman_getBooks", [], id="reads"),
    ],
)


def waiting(door: Listening) -> int:
    inside = door.server._app._door
    assert inside._lookers is not None
    return inside._lookers._asked + inside._readers._asked


def ask(door: Listening, method: str, params: list[str], count: int = 1) -> httpx.Response:
    requests = [{"jsonrpc": "2.0", "id": number, "method": method, "params": params} for number in range(count)]
    return httpx.post(f"{door.origin}/api", json=requests if count > 1 else requests[0], timeout=PATIENCE)


def told_busy(reply: dict[str, Any], ident: int) -> bool:
    error = reply["error"]
    assert (reply["id"], error["code"], error["data"]["code"]) == (ident, -32005, "busy"), reply
    return "the node is stopping" in error["message"]


def until(door: Listening, count: int) -> None:
    deadline = time.monotonic() + PATIENCE
    while waiting(door) < count:
        assert time.monotonic() < deadline
        time.sleep(0.005)


@ASKED
def test_reads_that_wait_are_told_that_the_node_stops_and_those_that_run_may_finish(
    network: Network, held: Held, method: str, params: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    door = Listening(network, Front(read_evidence=held))
    with ThreadPoolExecutor(32) as clients:
        running = [clients.submit(ask, door, method, params) for _ in range(AT_ONCE)]
        held.wait()
        late = [clients.submit(ask, door, method, params) for _ in range(LATE)]
        batch = clients.submit(ask, door, method, params, BATCH)
        transport = Transport(f"{door.origin}/api")
        by_sdk = clients.submit(transport.call, method, *params)
        page = clients.submit(httpx.get, f"{door.origin}/metrics", timeout=PATIENCE) if not params else None
        until(door, AT_ONCE + LATE + 2 + (page is not None))
        stopped = clients.submit(door.stop)
        for answer in late:
            assert answer.result(PATIENCE).status_code == 200
            assert told_busy(answer.result().json(), 0)
        assert all(told_busy(reply, number) for number, reply in enumerate(batch.result(PATIENCE).json()))
        with pytest.raises(RpcFailed, match="the node is stopping") as refused:
            by_sdk.result(PATIENCE)
        assert refused.value.code == "busy"
        transport.close()
        if page is not None:
            assert page.result(PATIENCE).status_code == 503
            assert page.result().json()["error"]["data"]["code"] == "busy"
        held.let_go.set()
        assert [answer.result(PATIENCE).json()["result"] for answer in running] == [{"done": True}] * AT_ONCE
        stopped.result(PATIENCE)
    assert caplog.text == ""


@ASKED
def test_what_still_runs_when_the_time_to_finish_is_over_is_told_too(
    network: Network, held: Held, method: str, params: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    door = Listening(network, Front(read_evidence=held))
    door.server.config.timeout_graceful_shutdown = 1
    head = door.head("POST /api HTTP/1.1", "Content-Type: application/json", "Content-Length: 100", "Connection: close")
    with ThreadPoolExecutor(32) as clients, door.connect(head + b"[") as unfinished:
        running = [clients.submit(ask, door, method, params) for _ in range(AT_ONCE)]
        held.wait()
        door.stop()
        for answer in running:
            assert answer.result(PATIENCE).status_code == 200
            assert told_busy(answer.result().json(), 0)
        told = unfinished.recv(4096)
        assert told.startswith(b"HTTP/1.1 503 ")
        assert b"the node is stopping" in told
        held.let_go.set()
    assert "Traceback" not in caplog.text
    assert "CancelledError" not in caplog.text
