"""Integers of five thousand digits and more through every door: read, refused or reverted, quickly, with a sentence."""

import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from foreman.address import keccak256, parse_address
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction, call_payload
from foreman.transaction import CONSENSUS_MAIN
from tests.faults.callers import CRITERIA
from tests.hostile.node import Victim, attacked, told

DIGITS = "9" * 5_000
HUGE = 10**5_000
MOST_SECONDS = 5.0


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with attacked(tmp_path_factory.mktemp("victim")) as node:
        yield node


BODIES = [
    pytest.param("eth_getBlockByNumber", "N", id="a block"),
    pytest.param("sim_increaseTime", "-N", id="below nothing"),
    pytest.param("foreman_getJournal", "N.5", id="a fraction"),
    pytest.param("foreman_getJournal", "1eN", id="an exponent"),
    pytest.param("eth_getBlockByNumber", '"N"', id="a text"),
    pytest.param("eth_getBlockByNumber", '"0xN"', id="hex"),
    pytest.param("eth_chainId", ",".join("N" * 300), id="three hundred of them"),
    pytest.param("eth_chainId", '{"N":N}', id="inside an object"),
]


@pytest.mark.parametrize(("method", "param"), BODIES)
def test_the_door_says_so(victim: Victim, method: str, param: str) -> None:
    body = f'{{"jsonrpc":"2.0","id":1,"method":"{method}","params":[{param.replace("N", DIGITS)}]}}'
    begun = time.monotonic()
    answer = httpx.post(victim.url, content=body, headers={"content-type": "application/json"}, timeout=20).json()
    assert time.monotonic() - begun < MOST_SECONDS
    told(answer)


VIEWS = ["get_order", "get_orders_page", "get_orders_by_client", "get_top_providers", "is_expired", "can_appeal"]


@pytest.mark.parametrize("method", VIEWS)
@pytest.mark.parametrize("number", [HUGE, -HUGE, 10**70_000], ids=["5,000 digits", "below nothing", "70,000 digits"])
def test_a_view_of_a_contract_answers_or_says_so(victim: Victim, method: str, number: int) -> None:
    wire = victim.wire()
    begun = time.monotonic()
    data = "0x" + call_payload(method, [number]).hex()
    answer = wire.ask("gen_call", {"type": "read", "to": wire.address, "from": "0x" + "00" * 20, "data": data})
    assert isinstance(answer, str) or told(answer)
    assert time.monotonic() - begun < MOST_SECONDS
    wire.close()


WRITES: list[tuple[str, list[Any]]] = [
    ("create_order", ["a report", "Some work", CRITERIA, HUGE]),
    ("create_order", ["a report", "Some work", CRITERIA, -HUGE]),
    ("create_order", [HUGE, HUGE, HUGE, HUGE]),
    ("claim_order", [HUGE]),
    ("submit_deliverable", [HUGE, "https://page.example/", ""]),
    ("extend_deadline", [0, HUGE]),
]


@pytest.mark.parametrize(("method", "args"), WRITES)
def test_a_write_is_reverted_and_gives_its_money_back(
    victim: Victim, request: pytest.FixtureRequest, method: str, args: list[Any]
) -> None:
    wire = victim.wire()
    account = Account(keccak256(request.node.name.encode()))
    wire.ask("sim_fundAccount", str(account), GEN)
    value = GEN if method == "create_order" else 0
    data = add_transaction(account.address, parse_address(wire.address), call_payload(method, args))
    begun = time.monotonic()
    raw = account.sign_transaction(61127, 0, CONSENSUS_MAIN, value, data)
    digest = wire.ask("eth_sendRawTransaction", "0x" + raw.hex())
    while (found := wire.ask("eth_getTransactionByHash", digest))["status"] in ("PENDING", "PROPOSING"):
        pass
    assert time.monotonic() - begun < MOST_SECONDS
    assert found["txExecutionResultName"] == "FINISHED_WITH_ERROR"
    assert "internal_error" not in str(found)
    assert int(wire.ask("eth_getBalance", str(account), "latest"), 16) >= GEN
    wire.close()
