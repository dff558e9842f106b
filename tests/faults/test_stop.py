"""SIGTERM: the commit under way is finished, no judge is waited for, and the undecided goes on at the next start."""

import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import SplitResult, urlsplit

import httpx

from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.foreman import Foreman
from tests.cli.test_up import Up, up
from tests.faults.callers import Client, Provider
from tests.faults.test_kill import Life, fund, settle

MOST_SECONDS = 10.0
"""The judge takes a minute; a busy machine may take some seconds to end a process."""


def test_a_node_that_is_told_to_stop_does_not_wait_for_its_judges(tmp_path: Path) -> None:
    client, provider = Client("client", 0, 1), Provider("provider", 0, 1)
    life = Life(tmp_path, 60.0)
    fund(life, [client, provider])
    wire = life.wire()
    client.send(wire, "create_order", -1, ["A report", "Some work", "- The page is there", 30], GEN)
    provider.send(wire, "claim_order", 0, [0])
    provider.send(wire, "submit_deliverable", 0, [0, "https://page.example/0", ""])
    while wire.ask("eth_getTransactionByHash", provider.sent[-1].hash)["status"] != "PROPOSING":
        pass
    wire.close()
    life.process.send_signal(signal.SIGTERM)
    assert life.process.wait(MOST_SECONDS) == 0
    assert life.process.stdout is not None
    life.process.stdout.close()
    again = Life(tmp_path, 0.0)
    try:
        found = settle(again, [client, provider])
        wire = again.wire()
        assert wire.view("get_order", 0)["status"] == "completed"
        wire.close()
        assert len(found) == 3
    finally:
        again.kill()


def judging(network: Up) -> str:
    """A delivery in front of judges that never answer; its hash."""
    client, provider = (
        Foreman.connect(network.client.network.url, account=Account.from_hex(DEV_ACCOUNTS[number].key))
        for number in (0, 1)
    )
    try:
        client.orders.create("A report", "Some work", "- The page is there", 30, GEN).wait().check()
        provider.orders.claim(0).wait().check()
        sent = provider.orders.submit(0, "http://work.example/gauge.json")
        while network.client.call("eth_getTransactionByHash", sent.hash)["status"] != "PROPOSING":
            pass
        return sent.hash
    finally:
        client.close()
        provider.close()


def follow(stack: ExitStack, network: Up) -> Iterator[bytes]:
    """An open stream of news."""
    url = network.client.network.url.removesuffix("/api") + "/events"
    return stack.enter_context(httpx.stream("GET", url, timeout=20)).iter_raw()


def test_sigterm_while_judges_think_ends_open_streams_in_good_order(tmp_path: Path) -> None:
    with up("--state", str(tmp_path), "--judge", "scripted:hang") as network, ExitStack() as stack:
        slow = judging(network)
        streams = [follow(stack, network) for _ in range(3)]
        assert all(next(stream).startswith(b"retry:") for stream in streams)
        begun = time.monotonic()
        code, out = network.stop(signal.SIGTERM)
        assert (code, time.monotonic() - begun < MOST_SECONDS) == (0, True)
        assert "everything acknowledged is on disk" in out
        for stream in streams:
            list(stream)  # a connection that breaks off is an error of its own; this one ends
    with up("--state", str(tmp_path), "--judge", "scripted:80") as network:
        assert network.client.wait(slow).ok


def test_a_second_signal_ends_it_at_once_and_loses_nothing(tmp_path: Path) -> None:
    """The first waits some seconds for a request whose body does not come; the second does not."""
    with up("--state", str(tmp_path), "--judge", "scripted:hang") as network:
        slow = judging(network)
        address = urlsplit(network.client.network.url)
        with socket.create_connection((str(address.hostname), int(address.port or 0)), timeout=20) as stuck:
            head = f"POST /api HTTP/1.1\r\nHost: {address.netloc}\r\nContent-Type: application/json\r\n"
            stuck.sendall(f"{head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n".encode())
            assert stuck.recv(100).startswith(b"HTTP/1.1 100"), "the node waits for this body"
            network.client.close()
            network.process.send_signal(signal.SIGTERM)
            while accepts(address):
                pass
            assert network.process.poll() is None, "it is finishing"
            network.process.send_signal(signal.SIGTERM)
            assert network.process.wait(3) == -signal.SIGTERM
    with up("--state", str(tmp_path), "--judge", "scripted:80") as network:
        assert network.client.wait(slow).ok
        assert network.client.call("foreman_getBooks")["conserved"] is True


def accepts(address: SplitResult) -> bool:
    """Does the door still take connections?"""
    try:
        socket.create_connection((str(address.hostname), int(address.port or 0)), timeout=20).close()
    except OSError:
        return False
    return True
