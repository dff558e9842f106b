"""The same id never sends twice: in one process, in the next one, in two at once, and when the answer was lost."""

import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from foreman.address import keccak256
from foreman.errors import BadInput, ForemanError, StateError
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.failures import RpcFailed, Unreachable
from foreman.sdk.outbox import Outbox, Posted
from foreman.sdk.transport import Transport

URL = "http://127.0.0.1:4000/api"
ALICE = Account(b"\x01" * 32)
SHOP = b"\x0c" * 20


class Network:
    """Takes raw transactions as a node does: known bytes give their hash again. It may lose answers or refuse."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.lose: Callable[[], bool] = lambda: False
        self.refuse = 0
        self.embedded = False
        self.forgets = False
        self.born = "one"
        self.journal: Any = None

    def client(self, folder: Path | None = None) -> Client:
        http = httpx.Client(transport=httpx.MockTransport(self._answer))
        return Client(URL, Transport(URL, http), Outbox(folder))

    def _answer(self, request: httpx.Request) -> httpx.Response:
        if request.method == "GET":
            return httpx.Response(200, json={"network": "local" if self.embedded else "other"})
        body = json.loads(request.content)
        result: Any = "0x1"
        if body["method"] == "foreman_getJournal":
            assert body["params"] == [0, 1]
            told = self.journal or {"changes": [{"hash": "0x1", "at": self.born}], "last": 9}
            return httpx.Response(200, json={"result": told})
        if body["method"] == "eth_getTransactionByHash":
            known = {"0x" + keccak256(bytes.fromhex(raw[2:])).hex() for raw in self.taken}
            found = {"status": "PENDING"} if body["params"][0] in known and not self.forgets else None
            return httpx.Response(200, json={"id": body["id"], "result": found})
        if body["method"] == "eth_getTransactionCount":
            result = hex(len(self.taken))
        elif body["method"] == "eth_sendRawTransaction":
            raw = body["params"][0]
            if self.refuse:
                return httpx.Response(
                    200 if self.refuse < 0 else self.refuse, json={"error": {"code": self.refuse, "message": "no"}}
                )
            if raw not in self.taken:
                self.taken.append(raw)
            if self.lose():
                raise httpx.ReadError("connection reset")
            result = "0x" + keccak256(bytes.fromhex(raw[2:])).hex()
        return httpx.Response(200, json={"id": body["id"], "result": result})


@pytest.mark.parametrize("on_disk", [False, True], ids=["memory", "folder"])
def test_a_retry_after_a_lost_answer_sends_the_same_bytes(on_disk: bool, tmp_path: Path) -> None:
    network = Network()
    client = network.client(tmp_path if on_disk else None)
    network.lose = lambda: True
    with pytest.raises(Unreachable) as lost:
        client.transfer(ALICE, SHOP, 5)
    assert lost.value.id in lost.value.hint
    network.lose = lambda: False
    again = (network.client(tmp_path) if on_disk else client).transfer(ALICE, SHOP, 5, id=lost.value.id)
    assert len(network.taken) == 1
    assert again.hash == "0x" + keccak256(bytes.fromhex(network.taken[0][2:])).hex()


def test_an_id_that_was_taken_gives_its_hash_without_asking() -> None:
    network = Network()
    client = network.client()
    first = client.transfer(ALICE, SHOP, 5, id="a7")
    network.refuse = -32000
    assert client.transfer(ALICE, SHOP, 5, id="a7") == first
    assert first.id == "a7"


def test_an_id_names_one_write_of_one_sender() -> None:
    client = Network().client()
    client.transfer(ALICE, SHOP, 5, id="a7")
    with pytest.raises(BadInput, match="used for another write"):
        client.transfer(ALICE, SHOP, 6, id="a7")
    client.transfer(Account(b"\x02" * 32), SHOP, 6, id="a7")


def test_writes_without_an_id_are_different_writes() -> None:
    network = Network()
    client = network.client()
    assert client.transfer(ALICE, SHOP, 5) != client.transfer(ALICE, SHOP, 5)
    assert len(network.taken) == 2


def test_what_the_network_refused_leaves_the_id_free_and_a_broken_proxy_does_not(tmp_path: Path) -> None:
    network = Network()
    client = network.client(tmp_path)
    network.refuse = -32000
    with pytest.raises(RpcFailed):
        client.transfer(ALICE, SHOP, 5, id="a7")
    assert not client.was_sent(ALICE, "a7")
    network.refuse = 502
    with pytest.raises(RpcFailed):
        client.transfer(ALICE, SHOP, 5, id="a7")
    assert client.was_sent(ALICE, "a7")


def lost(network: Network, client: Client) -> None:
    """A write that was taken, while the network refuses to see it again: other networks do so with known bytes."""
    network.lose = lambda: True
    with pytest.raises(Unreachable):
        client.transfer(ALICE, SHOP, 5, id="a7")
    network.lose, network.refuse = (lambda: False), -32000


def test_a_retry_that_the_network_refuses_is_looked_up_and_never_signed_anew() -> None:
    network = Network()
    client = network.client()
    lost(network, client)
    again = client.transfer(ALICE, SHOP, 5, id="a7")
    assert again.hash == "0x" + keccak256(bytes.fromhex(network.taken[0][2:])).hex()
    assert client.transfer(ALICE, SHOP, 5, id="a7") == again
    assert len(network.taken) == 1


@pytest.mark.parametrize(("embedded", "code", "free"), [(True, "rpc_error", True), (False, "id_unclear", False)])
def test_a_refused_retry_that_nobody_knows_frees_its_id_only_where_that_proves_it(
    embedded: bool, code: str, free: bool
) -> None:
    network = Network()
    network.embedded = embedded
    client = network.client()
    lost(network, client)
    network.forgets = True
    with pytest.raises(ForemanError) as refused:
        client.transfer(ALICE, SHOP, 5, id="a7")
    assert refused.value.code == code
    assert client.was_sent(ALICE, "a7") is not free


@pytest.mark.parametrize("on_disk", [False, True], ids=["memory", "folder"])
def test_an_id_of_another_chain_at_the_same_address_was_never_sent_on_this_one(on_disk: bool, tmp_path: Path) -> None:
    network = Network()
    network.embedded = True
    box = Outbox(tmp_path if on_disk else None)

    def client() -> Client:
        return Client(URL, network.client().transport, box)

    first, chain = client().transfer(ALICE, SHOP, 5, id="a7"), network.taken
    network.born, network.taken = "two", []
    assert not client().was_sent(ALICE, "a7")
    client().transfer(ALICE, SHOP, 6, id="a7")
    assert len(network.taken) == 1, "the id is free on the new chain, for whatever it names there"
    network.born, network.taken = "one", chain
    assert client().transfer(ALICE, SHOP, 5, id="a7").hash == first.hash
    assert len(network.taken) == 1, "and on the old one it still names what was sent there"


@pytest.mark.parametrize("journal", ["x", {"changes": 7}, {"changes": [7]}, [1]], ids=repr)
def test_without_knowing_the_chain_nothing_is_sent_under_an_id(journal: Any) -> None:
    network = Network()
    network.embedded, network.journal = True, journal
    with pytest.raises(RpcFailed, match="a journal that cannot be read"):
        network.client().transfer(ALICE, SHOP, 5, id="a7")
    assert network.taken == []


def test_a_chain_that_went_back_to_a_snapshot_takes_the_write_again() -> None:
    network = Network()
    network.embedded = True
    client = network.client()
    client.transfer(ALICE, SHOP, 5, id="a7")
    network.taken = []
    assert not client.was_sent(ALICE, "a7")
    client.transfer(ALICE, SHOP, 5, id="a7")
    assert len(network.taken) == 1


def test_a_network_elsewhere_that_forgot_a_write_never_gets_a_second_one() -> None:
    network = Network()
    client = network.client()
    client.transfer(ALICE, SHOP, 5, id="a7")
    network.taken = []
    with pytest.raises(ForemanError, match="knows no such transaction") as unclear:
        client.transfer(ALICE, SHOP, 5, id="a7")
    assert unclear.value.code == "id_unclear"
    assert network.taken == []


def test_a_retry_while_the_network_is_away_tells_the_id_again(tmp_path: Path) -> None:
    network = Network()
    network.embedded = True
    network.client(tmp_path).transfer(ALICE, SHOP, 5, id="a7")
    gone = httpx.Client(transport=httpx.MockTransport(_refuse))
    with pytest.raises(Unreachable) as away:
        Client(URL, Transport(URL, gone), Outbox(tmp_path)).transfer(ALICE, SHOP, 5, id="a7")
    assert away.value.id == "a7"
    with pytest.raises(Unreachable) as before:
        Client(URL, Transport(URL, gone), Outbox(tmp_path)).transfer(ALICE, SHOP, 5)
    assert (before.value.id, "foreman up" in before.value.hint) == ("", True), "nothing was signed, so nothing arrived"


def _refuse(_: httpx.Request) -> httpx.Response:
    raise httpx.ConnectError("refused")


def test_two_at_once_with_one_id_send_one_transaction(tmp_path: Path) -> None:
    network = Network()
    clients = [network.client(tmp_path) for _ in range(8)]
    hashes: list[str] = []

    def send(client: Client) -> None:
        hashes.append(client.transfer(ALICE, SHOP, 5, id="a7").hash)

    threads = [threading.Thread(target=send, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(hashes)) == 1
    assert len(network.taken) == 1


def test_a_damaged_file_is_told_and_nothing_is_sent(tmp_path: Path) -> None:
    network = Network()
    network.client(tmp_path).transfer(ALICE, SHOP, 5, id="a7")
    (file,) = tmp_path.iterdir()
    file.write_text("{", "utf-8")
    with pytest.raises(StateError, match="damaged"):
        network.client(tmp_path).transfer(ALICE, SHOP, 5, id="a7")
    assert len(network.taken) == 1


def test_the_files_hold_no_key_and_are_their_owners(tmp_path: Path) -> None:
    Network().client(tmp_path / "box").transfer(ALICE, SHOP, 5, id="a7")
    (file,) = (tmp_path / "box").iterdir()
    assert ALICE.secret.hex() not in file.read_text("utf-8")
    assert (file.stat().st_mode & 0o777, file.parent.stat().st_mode & 0o777) == (0o600, 0o700)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("foreman.sdk.outbox.REMEMBERED", 3)
    box = Outbox()
    for number in range(5):
        box.keep(str(number), Posted("", ""))
    assert [box.find(str(number)) is None for number in range(5)] == [True, True, False, False, False]
