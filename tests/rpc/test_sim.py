"""What only a simulator has: the faucet, time, snapshots, cancelling; and what other networks refuse of it."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from foreman.address import checksum, keccak256
from foreman.judges.scripted import Scripted
from foreman.rpc.table import METHODS
from foreman.sdk.account import Account
from tests.node.network import ALICE, BOB, RICH, Network
from tests.rpc.caller import Caller

FRESH = checksum(b"\x5a" * 20)
NOW = 1_800_000_000


@pytest.mark.parametrize(
    ("amount", "wei"),
    [(7, 7), ("7", 7), ("0x7", 7), (10**21, 10**21), (1e21, 10**21), ("1000000000000000000000", 10**21)],
    ids=["int", "decimal", "hex", "big int", "as JavaScript writes it", "big decimal"],
)
def test_the_faucet_takes_an_amount_in_every_spelling_clients_use(
    caller: Caller, network: Network, amount: Any, wei: int
) -> None:
    digest = caller.result("sim_fundAccount", FRESH, amount)
    assert len(digest) == 66, "genlayer-py reads it as the bytes of a hash"
    network.wait(bytes.fromhex(digest[2:]))
    assert int(caller.result("eth_getBalance", FRESH), 16) == wei
    network.assert_conserved()


@pytest.mark.parametrize(
    "amount", [0, -1, 1.5, "", "1.5", "0x", "-1", "1e18", True, None, [], 2**256, "9" * 78, "0x1" + "0" * 64, "٣"]
)
def test_what_is_no_amount_is_refused_and_mints_nothing(caller: Caller, amount: Any) -> None:
    before = caller.result("foreman_getBooks")
    assert caller.error("sim_fundAccount", FRESH, amount)["code"] == -32602
    assert caller.result("foreman_getBooks") == before


def test_time_is_told_and_turned_forward(caller: Caller) -> None:
    assert caller.result("sim_getTime") == {
        "effective_datetime": "2027-01-15T08:00:00.000000Z",
        "timestamp": NOW,
        "microseconds": NOW * 1_000_000,
    }
    assert caller.result("sim_increaseTime", 90)["timestamp"] == NOW + 90
    assert caller.result("sim_increaseTime", "0x10")["timestamp"] == NOW + 106
    assert caller.result("sim_setTime", "2030-01-01T00:00:00Z")["effective_datetime"].startswith("2030-01-01T00:00:00")
    later = caller.result("sim_setTime", "2030-01-01T02:00:00+01:00")
    assert later["effective_datetime"].startswith("2030-01-01T01:00")
    assert caller.result("sim_setTime", 1_900_000_000)["timestamp"] == 1_900_000_000


@pytest.mark.parametrize(
    ("method", "value"),
    [
        ("sim_increaseTime", 0),
        ("sim_increaseTime", -5),
        ("sim_increaseTime", 10**12),
        ("sim_increaseTime", "soon"),
        ("sim_setTime", "tomorrow"),
        ("sim_setTime", "2020-01-01T00:00:00Z"),
        ("sim_setTime", "0001-01-01T00:00:00"),
        ("sim_setTime", "9999-12-31T23:59:59-23:59"),
        ("sim_setTime", 2**62),
        ("sim_setTime", None),
    ],
)
def test_time_goes_forward_and_not_too_far(caller: Caller, method: str, value: Any) -> None:
    assert caller.error(method, value)["code"] == -32602
    assert caller.result("sim_getTime")["timestamp"] == NOW


@pytest.mark.parametrize(
    ("method", "value", "code"),
    [
        ("sim_increaseTime", -1, "bad_number"),
        ("sim_increaseTime", "soon", "bad_number"),
        ("sim_restoreSnapshot", True, "bad_number"),
        ("sim_setTime", -1, "bad_time"),
        ("sim_setTime", None, "bad_time"),
    ],
)
def test_what_is_no_money_is_not_refused_as_money(caller: Caller, method: str, value: Any, code: str) -> None:
    error = caller.error(method, value)
    assert error["data"]["code"] == code
    assert "wei" not in error["message"]


@pytest.mark.parametrize("value", ["9999-12-31T23:59:59Z", "1969-12-31T23:59:59Z", -1, 2**62, "0001-01-01T00:00:00"])
def test_a_time_out_of_range_is_called_so_and_the_range_is_said(caller: Caller, value: Any) -> None:
    error = caller.error("sim_setTime", value)
    assert "is out of range" in error["message"]
    assert "1970 to 9000" in error["data"]["hint"]


@pytest.mark.parametrize("value", ["2020-01-01T00:00:00Z", "9000-12-31T23:59:59Z"])
def test_a_time_the_clock_cannot_be_turned_to_is_told_with_those_it_can(caller: Caller, value: str) -> None:
    hint = caller.error("sim_setTime", value)["data"]["hint"]
    assert hint == "name a time between 2027-01-15T08:00:00+00:00 and 2126-12-22T08:00:00+00:00"


def test_a_snapshot_brings_the_state_back(caller: Caller, network: Network) -> None:
    snapshot = caller.result("sim_createSnapshot")
    assert isinstance(snapshot, int), "genlayer-test insists"
    network.do(ALICE, ["write", "a", "b"])
    assert caller.result("sim_restoreSnapshot", snapshot) is True
    assert network.state("a") == ""
    assert caller.result("eth_getTransactionCount", checksum(ALICE.address)) == "0x0"
    assert caller.result("sim_restoreSnapshot", 99) is False


@pytest.mark.parametrize("method", [method.name for method in METHODS if method.dev])
def test_other_networks_have_none_of_the_developers_powers(tmp_path: Path, method: str) -> None:
    with Network(tmp_path, dev=False) as network, Caller(network) as caller:
        error = caller.error(method, *_arguments(method))
        assert (error["code"], error["data"]["code"]) == (-32000, "not_a_development_network")


def _arguments(method: str) -> list[Any]:
    if method == "sim_fundAccount":
        return [FRESH, 1]
    return [1] if method in ("sim_increaseTime", "sim_setTime", "sim_restoreSnapshot") else []


def test_the_developers_powers_are_marked() -> None:
    assert {method.name for method in METHODS if method.dev} == {
        "sim_fundAccount",
        "sim_increaseTime",
        "sim_setTime",
        "sim_getTime",
        "sim_createSnapshot",
        "sim_restoreSnapshot",
    }


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[tuple[Network, Caller, str]]:
    """A transaction that waits behind one whose jury does not answer until the test is over."""
    go = Event()
    judge = Scripted(lambda prompt: "yes" if go.wait(20) else "late", name="held", concurrency=100)
    with Network(tmp_path, judges=[judge]) as network, Caller(network) as caller:
        network.send(ALICE, ["ask", "slow"])
        digest = network.send(ALICE, ["write", "a", "b"], value=5)
        yield network, caller, "0x" + digest.hex()
        go.set()


def sign_cancel(account: Account, digest: str) -> str:
    """What genlayer-js signs: keccak256("cancel_transaction" + hash), as an Ethereum message (EIP-191)."""
    message = keccak256(b"cancel_transaction" + bytes.fromhex(digest[2:]))
    return "0x" + account.sign_digest(keccak256(b"\x19Ethereum Signed Message:\n32" + message)).hex()


def test_the_sender_takes_a_waiting_transaction_back(waiting: tuple[Network, Caller, str]) -> None:
    network, caller, digest = waiting
    assert caller.result("sim_cancelTransaction", digest, sign_cancel(ALICE, digest))["status"] == "CANCELED"
    assert caller.result("gen_getTransactionStatus", digest) == {"status": "CANCELED", "statusCode": 8}
    assert caller.result("eth_getTransactionReceipt", digest)["status"] == "0x0"
    assert network.node.balance(ALICE.address) == RICH


def test_nobody_else_takes_it_back(waiting: tuple[Network, Caller, str]) -> None:
    _, caller, digest = waiting
    assert caller.error("sim_cancelTransaction", digest, sign_cancel(BOB, digest))["data"]["code"] == "not_yours"
    for signature in ("0x", "0x" + "00" * 65, "0x" + "ff" * 65, sign_cancel(ALICE, digest)[:-2] + "07"):
        assert caller.error("sim_cancelTransaction", digest, signature)["code"] == -32602
    other = "0x" + "ab" * 32
    assert caller.error("sim_cancelTransaction", other, sign_cancel(ALICE, other))["code"] == -32001
    assert caller.result("gen_getTransactionStatus", digest)["status"] == "PENDING"


def test_while_its_jury_sits_a_transaction_is_proposing(waiting: tuple[Network, Caller, str]) -> None:
    _, caller, _ = waiting
    first = caller.result("sim_getTransactionsForAddress", checksum(ALICE.address))[1]
    assert first["status"] == "PROPOSING"
    assert caller.error("sim_cancelTransaction", first["hash"], sign_cancel(ALICE, first["hash"]))["code"] == -32000


def test_the_transactions_of_an_address_newest_first(caller: Caller, network: Network) -> None:
    hashes = [network.transfer(ALICE, BOB.address, 1), network.transfer(BOB, ALICE.address, 2)]
    network.wait(*hashes)
    sent, received = ("0x" + digest.hex() for digest in hashes)
    address = checksum(ALICE.address)

    def listed(*params: str) -> list[str]:
        return [found["hash"] for found in caller.result("sim_getTransactionsForAddress", address, *params)][:2]

    assert listed() == listed("all") == [received, sent]
    assert listed("from") == [sent]
    assert listed("to")[0] == received
    assert caller.error("sim_getTransactionsForAddress", address, "whatever")["code"] == -32602
    assert caller.result("sim_getTransactionsForAddress", checksum(b"\x77" * 20)) == []


def test_the_consensus_contract_is_not_told_because_clients_know_it(caller: Caller) -> None:
    assert caller.error("sim_getConsensusContract", "ConsensusMain")["code"] == -32601


def test_the_journal_is_read_by_cursor(caller: Caller, network: Network) -> None:
    start = caller.result("foreman_getJournal")["last"]
    digest = network.do(ALICE, ["write", "a", "b"]).transaction.hash
    page = caller.result("foreman_getJournal", start)
    assert [change["status"] for change in page["changes"]][-1] == "FINALIZED"
    assert {change["hash"] for change in page["changes"]} == {"0x" + digest.hex()}
    assert page["changes"][-1]["seq"] == page["last"]
    assert caller.result("foreman_getJournal", page["last"])["changes"] == []
    assert len(caller.result("foreman_getJournal", 0, 2)["changes"]) == 2
    assert len(caller.result("foreman_getJournal", 0, 10**9)["changes"]) == page["last"]


def test_the_books_balance_and_say_so_exactly(caller: Caller) -> None:
    books = caller.result("foreman_getBooks")
    assert books["conserved"] is True
    assert int(books["minted_wei"], 16) == int(books["balances_wei"], 16) == 3 * RICH


def test_the_seats_are_told_by_number_address_and_judge(caller: Caller) -> None:
    seats = caller.result("foreman_getSeats")
    assert [seat["seat"] for seat in seats] == [0, 1, 2, 3, 4]
    assert {seat["judge"] for seat in seats} == {"scripted"}
