"""Accounts that cheat: nonces by the thousand, other chains, replays, signatures turned over, senders that are not."""

import threading
from collections import Counter
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman.address import keccak256, parse_address
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction, call_payload
from foreman.transaction import CONSENSUS_MAIN, rlp_list
from tests.faults.callers import CRITERIA, Wire
from tests.hostile.node import MEBIBYTE, Victim, attacked, told

ORDER = ["a report", "Some work", CRITERIA, 30]
CHAIN = 61127
FLOOD = 4_000
_ORDER_OF_THE_CURVE = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with attacked(tmp_path_factory.mktemp("victim")) as node:
        yield node


@pytest.fixture
def wire(victim: Victim) -> Iterator[Wire]:
    line = victim.wire()
    yield line
    line.close()


class Purse:
    """A new account with money."""

    def __init__(self, wire: Wire, name: str) -> None:
        self.account = Account(keccak256(name.encode()))
        self.wire = wire
        wire.ask("sim_fundAccount", str(self.account), 100 * GEN)

    def raw(self, nonce: int, chain: int = CHAIN, value: int = GEN // 1000, sender: bytes | None = None) -> bytes:
        contract = parse_address(self.wire.address)
        data = add_transaction(sender or self.account.address, contract, call_payload("create_order", ORDER))
        return self.account.sign_transaction(chain, nonce, CONSENSUS_MAIN, value, data)

    def send(self, raw: bytes) -> Any:
        return self.wire.ask("eth_sendRawTransaction", "0x" + raw.hex())

    @property
    def nonce(self) -> int:
        return int(self.wire.ask("eth_getTransactionCount", str(self.account), "latest"), 16)

    @property
    def orders(self) -> int:
        return len(self.wire.view("get_orders_by_client", str(self.account)))


def refused(answer: Any, code: str) -> str:
    sentence = told(answer)
    assert answer["data"]["code"] == code, answer
    return sentence


@pytest.mark.parametrize("nonce", [1, 2, 63, 64, 1_000, 2**32, 2**63 - 1])
def test_a_nonce_with_a_gap_is_refused_with_the_expected_one(wire: Wire, nonce: int) -> None:
    purse = Purse(wire, f"gap {nonce}")
    assert "the next nonce of" in refused(purse.send(purse.raw(nonce)), "nonce_too_high")
    assert (purse.nonce, purse.orders) == (0, 0)


def test_thousands_of_nonces_of_one_account_are_bounded_and_nothing_happens_twice(victim: Victim, wire: Wire) -> None:
    """Every nonce from a list ten times, shuffled among four connections, with gaps, from the past and the future."""
    purse = Purse(wire, "flood")
    before = victim.memory
    raws = [purse.raw(number % (FLOOD // 10)) for number in range(FLOOD)]
    answers: Counter[str] = Counter()
    lock = threading.Lock()

    def pour(share: list[bytes]) -> None:
        with httpx.Client(timeout=60) as line:
            for at in range(0, len(share), 100):
                calls = [
                    {"jsonrpc": "2.0", "id": 1, "method": "eth_sendRawTransaction", "params": ["0x" + raw.hex()]}
                    for raw in share[at : at + 100]
                ]
                for answer in line.post(victim.url, json=calls).json():
                    if "error" in answer:
                        told(answer)
                    with lock:
                        answers[answer["error"]["data"]["code"] if "error" in answer else "taken"] += 1

    threads = [threading.Thread(target=pour, args=(raws[number::4],)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(dict(answers), f"{(victim.memory - before) >> 20} MiB more")
    assert set(answers) <= {"taken", "nonce_too_high", "nonce_too_low", "too_many_pending"}
    assert victim.served() < 5
    while wire.ask("eth_getTransactionByHash", "0x" + keccak256(raws[purse.nonce - 1]).hex())["status"] != "FINALIZED":
        pass
    count = purse.nonce
    assert len({keccak256(raw) for raw in raws[:count]}) == count
    assert wire.ask("eth_getBalance", str(purse.account), "latest") == hex(100 * GEN - count * (GEN // 1000))
    assert victim.memory - before < 64 * MEBIBYTE


def test_many_accounts_with_future_nonces_leave_nothing_behind(victim: Victim, wire: Wire) -> None:
    """Nothing is kept of what is refused: no queue of the future that could be filled."""
    before = wire.ask("eth_blockNumber")
    contract = parse_address(wire.address)
    for number in range(300):
        account = Account(keccak256(b"future %d" % number))
        data = add_transaction(account.address, contract, call_payload("create_order", ORDER))
        raw = account.sign_transaction(CHAIN, 1 + number % 70, CONSENSUS_MAIN, 0, data)
        refused(wire.ask("eth_sendRawTransaction", "0x" + raw.hex()), "nonce_too_high")
    assert wire.ask("eth_blockNumber") == before


@pytest.mark.parametrize("chain", [0, 1, 4221, 61128, 2**63, 2**256 - 1])
def test_what_is_signed_for_another_chain_is_refused(wire: Wire, chain: int) -> None:
    purse = Purse(wire, f"chain {chain}")
    answer = purse.send(purse.raw(0, chain))
    assert told(answer)
    assert answer["data"]["code"] in ("wrong_chain", "bad_transaction", "no_chain", "bad_signature"), answer
    assert (purse.nonce, purse.orders) == (0, 0)


def test_a_replay_is_the_same_transaction_and_happens_once(wire: Wire) -> None:
    purse = Purse(wire, "replay")
    raw = purse.raw(0)
    first = purse.send(raw)
    assert {purse.send(raw) for _ in range(50)} == {first}
    while wire.ask("eth_getTransactionByHash", first)["status"] != "FINALIZED":
        pass
    assert purse.send(raw) == first, "also when it is long decided"
    assert (purse.nonce, purse.orders) == (1, 1)


def items(raw: bytes) -> list[bytes]:
    """The fields of a signed legacy transaction."""
    return [bytes(field) for field in rlp.decode(raw)]


@pytest.mark.parametrize("sent_before", [True, False], ids=["after the original", "instead of it"])
def test_a_signature_that_is_turned_over_is_refused(wire: Wire, sent_before: bool) -> None:
    """(r, n - s) with the other parity is valid mathematics and another hash: it must not be another transaction."""
    purse = Purse(wire, f"malleable {sent_before}")
    raw = purse.raw(0)
    if sent_before:
        assert isinstance(purse.send(raw), str)
    fields = items(raw)
    v, s = int.from_bytes(fields[6]), int.from_bytes(fields[8])
    even = CHAIN * 2 + 35
    turned = rlp_list([*fields[:6], v ^ (even ^ (even + 1)), fields[7], _ORDER_OF_THE_CURVE - s])
    assert turned != raw
    refused(purse.send(turned), "malleable_signature")
    assert purse.nonce == int(sent_before)


@pytest.mark.parametrize(
    ("r", "s"),
    [(0, 1), (1, 0), (0, 0), (_ORDER_OF_THE_CURVE, 1), (1, _ORDER_OF_THE_CURVE), (2**256 - 1, 2**256 - 1), (5, 7)],
)
def test_numbers_that_are_no_signature_are_refused(wire: Wire, r: int, s: int) -> None:
    purse = Purse(wire, "no signature")
    fields = items(purse.raw(0))
    answer = purse.send(rlp_list([*fields[:7], r, s]))
    assert told(answer)
    assert answer["data"]["code"] in ("bad_signature", "bad_transaction", "malleable_signature", "sender_mismatch"), (
        answer
    )
    assert purse.nonce == 0


def test_a_sender_word_that_lies_is_refused(wire: Wire) -> None:
    """What says `from` inside is compared with who has signed: nobody spends for another one."""
    rich, thief = Purse(wire, "rich"), Purse(wire, "thief")
    refused(thief.send(thief.raw(0, sender=rich.account.address)), "sender_mismatch")
    assert (rich.nonce, rich.orders, thief.nonce) == (0, 0, 0)


def test_a_from_field_that_lies_changes_nothing_in_a_view_or_a_simulation(wire: Wire) -> None:
    """Anybody may ask what would happen if somebody else asked; it only never happens."""
    rich = Purse(wire, "rich in a simulation")
    data = "0x" + call_payload("create_order", ORDER).hex()
    call = {"type": "write", "to": wire.address, "from": str(rich.account), "data": data, "value": hex(GEN)}
    assert isinstance(wire.ask("gen_call", call), str)
    assert isinstance(wire.ask("sim_call", call), dict)
    assert (rich.nonce, rich.orders) == (0, 0)
    for method in ("eth_sendTransaction", "eth_sign", "personal_sign", "eth_signTransaction"):
        told(wire.ask(method, {"from": str(rich.account), "to": str(rich.account), "value": "0x1"}))


def test_money_that_is_set_aside_is_not_spent_again(victim: Victim, wire: Wire) -> None:
    """Two hundred attempts to spend everything: one is taken, and the next nonce buys nothing more."""
    purse = Purse(wire, "spends twice")
    answers = [purse.send(purse.raw(0, value=99 * GEN + number)) for number in range(100)]
    taken = [answer for answer in answers if isinstance(answer, str)]
    assert len(taken) == 1
    for number in range(100):
        refused(purse.send(purse.raw(1, value=2 * GEN + number)), "insufficient_funds")
    assert purse.nonce == 1
    assert wire.ask("foreman_getBooks")["conserved"] is True
    assert victim.alive
