"""The node is killed in the middle of a command: a clear error, and a retry that never pays twice."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from foreman.cli.exits import Exit
from foreman.money import GEN
from foreman.sdk.client import Client
from foreman.sdk.known import KNOWN
from tests.cli.conftest import Cli

DEV0 = bytes.fromhex(KNOWN[0][2:])
CREATE = ("order", "create", "--title", "Levels", "--spec", "A week.", "--criteria", "- The page is valid JSON")


class Node:
    """A real `foreman up` in a process of its own, which can be killed without a word and started again."""

    def __init__(self, state: Path) -> None:
        self.state = state
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api"

    def start(self) -> None:
        words = ["up", "--port", str(self.port), "--state", str(self.state), "--no-samples"]
        source = next(path for path in sys.path if path.endswith("src"))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "foreman.cli.main", *words],
            env={**os.environ, "PYTHONPATH": source},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if "Listening" in line:
                return
        raise AssertionError("the network did not start")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    node = Node(tmp_path / "state")
    yield node
    node.kill()


class Proxy:
    """Between command and node: passes requests on, but kills the node at one request, before or after it."""

    def __init__(self, node: Node, after: bool, at: bytes = b"eth_sendRawTransaction") -> None:
        self._node, self._after, self._at = node, after, at
        self.deadly = True
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}/api"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                visitor, _ = self._door.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(visitor,), daemon=True).start()

    def _talk(self, visitor: socket.socket) -> None:
        with visitor:
            while request := _message(visitor):
                raw = self.deadly and self._at in request
                if raw and not self._after:
                    self._node.kill()
                    return
                request = re.sub(rb"(?im)^host:.*\r$", f"Host: 127.0.0.1:{self._node.port}\r".encode(), request)
                with socket.create_connection(("127.0.0.1", self._node.port)) as node:
                    node.sendall(request)
                    answer = _message(node)
                if raw:
                    self._node.kill()
                    return
                visitor.sendall(answer)


def _message(stream: socket.socket) -> bytes:
    """One HTTP message with a length, or what came before the end."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := stream.recv(65536)):
            return data
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?im)^content-length: *(\d+)", head)
    while length and len(body) < int(length[1]):
        if not (more := stream.recv(65536)):
            break
        body += more
    return head + b"\r\n\r\n" + body


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
