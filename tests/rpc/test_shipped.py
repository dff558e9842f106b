"""The door before the shipped contract: reverts in words, long arguments, spellings of addresses, restarts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman import calldata
from foreman.address import checksum, parse_address
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.money import GEN
from foreman.node.node import Node
from foreman.sdk.account import Account
from foreman.sdk.envelope import add_transaction, call_payload, deploy_payload
from foreman.settings import Settings
from foreman.transaction import CONSENSUS_MAIN, deployed_address
from tests.rpc.caller import Caller

CONTRACT = Path(__file__).parents[2] / "contracts" / "foreman.py"
ALICE, BOB = (Account.from_hex(known.key) for known in DEV_ACCOUNTS[:2])
ORDER = ["A gauge", "A JSON file", "is valid JSON", 7]


def started(settings: Settings) -> Iterator[Node]:
    running = build(settings)
    running.start()
    yield running
    running.stop()


@pytest.fixture
def node(tmp_path: Path) -> Iterator[Node]:
    """As `foreman up` starts it: only the shipped contracts run."""
    yield from started(Settings(state_dir=tmp_path / "state"))


@pytest.fixture
def open_node(tmp_path: Path) -> Iterator[Node]:
    """As `foreman up --allow-contracts` starts it."""
    yield from started(Settings(state_dir=tmp_path / "open", allow_contracts=True))


@pytest.fixture
def caller(node: Node) -> Iterator[Caller]:
    with Caller(node) as asking:
        yield asking


def signed(account: Account, nonce: int, to: bytes, payload: bytes, value: int = 0) -> str:
    """A raw transaction to a contract, as hex."""
    data = add_transaction(account.address, to, payload)
    return "0x" + account.sign_transaction(61127, nonce, CONSENSUS_MAIN, value, data).hex()


def view(node: Node, method: str, *args: Any, **rest: Any) -> dict[str, Any]:
    """A call object for a view of Foreman."""
    data = "0x" + rlp.encode([calldata.encode_call(method, args), b""]).hex()
    return {"type": "read", "to": node.contracts()["foreman"], "data": data, **rest}


def wait(caller: Caller, digest: str) -> dict[str, Any]:
    """The transaction, once it is decided: asked for as clients do."""
    while True:
        found: dict[str, Any] = caller.result("eth_getTransactionByHash", digest)
        if "consensus_data" in found:
            return found


def test_c006_a_write_straight_after_a_deployment_finds_its_contract(caller: Caller) -> None:
    source = CONTRACT.read_bytes()
    sent = []
    for round in range(20):
        nonce = 2 * round
        deployment = signed(ALICE, nonce, bytes(20), deploy_payload(source, []))
        escrow = deployed_address(ALICE.address, nonce)
        create = signed(ALICE, nonce + 1, escrow, call_payload("create_order", ORDER), GEN)
        sent += [caller.result("eth_sendRawTransaction", raw) for raw in (deployment, create)]
    for digest in sent:
        assert wait(caller, digest)["consensus_data"]["leader_receipt"][0]["execution_result"] == "SUCCESS"


REFUSALS = [
    pytest.param("get_order", ["nope"], "unknown order", id="no number"),
    pytest.param("get_order", [999], "unknown order", id="unknown"),
    pytest.param("get_order", [-1], "unknown order", id="negative"),
    pytest.param("get_order", [], "argument", id="too few arguments"),
    pytest.param("get_order", [1, 2], "argument", id="too many arguments"),
    pytest.param("get_orders_page", [0, 10, "green"], "open", id="unknown status"),
    pytest.param("no_such_method", [], "no_such_method", id="unknown method"),
]


@pytest.mark.parametrize(("method", "args", "word"), REFUSALS)
def test_c019_c044_a_view_that_refuses_says_why_and_shows_nothing_of_this_machine(
    caller: Caller, node: Node, method: str, args: list[Any], word: str
) -> None:
    reply = caller.call("gen_call", view(node, method, *args))
    error = reply["error"]
    assert error["code"] == -32000
    told = error["message"] + error["data"]["receipt"]["genvm_result"]["stderr"]
    assert word in told
    for leak in ("Traceback", 'File "', "/src/", str(Path.home())):
        assert leak not in str(reply)


@pytest.mark.parametrize("length", [240, 252, 253, 300, 70_000])
def test_c024_long_arguments_reach_the_contract(caller: Caller, node: Node, length: int) -> None:
    assert "unknown order" in caller.error("gen_call", view(node, "get_order", "A" * length))["message"]
    assert caller.result("gen_call", view(node, "get_orders_by_client", "x" * length)) == "05"


def test_c066_a_contract_knows_an_account_in_every_spelling(caller: Caller, node: Node) -> None:
    foreman = parse_address(node.contracts()["foreman"])
    digest = caller.result(
        "eth_sendRawTransaction", signed(ALICE, 0, foreman, call_payload("create_order", ORDER), GEN)
    )
    wait(caller, digest)
    address = checksum(ALICE.address)
    answers = {
        caller.result("gen_call", view(node, "get_orders_by_client", spelling))
        for spelling in (address, address.lower(), "0x" + address[2:].upper())
    }
    (answer,) = answers
    (order,) = calldata.decode(bytes.fromhex(answer))
    assert order["client"] == address
    assert order["escrow_wei"] == GEN


@pytest.mark.parametrize("source", ["def broken(:", "import os\nos.abort()", "class C: ...", "", "\0", "x" * 100_000])
def test_c044_a_source_that_is_no_contract_is_an_error_and_the_node_lives(caller: Caller, source: str) -> None:
    """Such source is read, never run: os.abort() would end this very process."""
    header = '# v0.2.16\n# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }\n'
    for text in (source, header + source):
        reply = caller.call("gen_getContractSchemaForCode", "0x" + text.encode().hex())
        assert reply["error"]["code"] in (-32602, -32000), reply
        assert reply["error"]["message"]
        assert "Traceback" not in str(reply)
        assert 'File "' not in str(reply)
    assert caller.result("eth_chainId") == "0xeec7"


def test_c060_the_same_bytes_after_a_restart_lock_the_money_once(tmp_path: Path) -> None:
    settings = Settings(state_dir=tmp_path / "state")
    hashes = set()
    for _ in range(2):
        node = build(settings)
        node.start()
        with Caller(node) as caller:
            foreman = parse_address(node.contracts()["foreman"])
            raw = signed(ALICE, 0, foreman, call_payload("create_order", ORDER), GEN)
            hashes |= {caller.result("eth_sendRawTransaction", raw) for _ in range(2)}
            wait(caller, next(iter(hashes)))
            assert caller.result("gen_call", view(node, "get_order_count")) == calldata.encode(1).hex()
            assert int(caller.result("eth_getBalance", checksum(foreman)), 16) == GEN
        node.stop()
    assert len(hashes) == 1


PROBE = b"""# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
from genlayer import *


class Probe(gl.Contract):
    def __init__(self):
        pass

    @gl.public.view
    def stats_of(self, address: str) -> dict:
        return gl.get_contract_at(Address(address)).view().get_stats()
"""


def test_c041_a_contract_reads_another(open_node: Node) -> None:
    with Caller(open_node) as caller:
        wait(caller, caller.result("eth_sendRawTransaction", signed(BOB, 0, bytes(20), deploy_payload(PROBE, []))))
        there = checksum(deployed_address(BOB.address, 0))
        asked = view(open_node, "stats_of", open_node.contracts()["foreman"], to=there)
        answer = calldata.decode(bytes.fromhex(caller.result("gen_call", asked)))
        assert answer["orders"] == 0


def test_a_contract_that_is_not_shipped_does_not_run(caller: Caller) -> None:
    found = wait(caller, caller.result("eth_sendRawTransaction", signed(BOB, 0, bytes(20), deploy_payload(PROBE, []))))
    receipt = found["consensus_data"]["leader_receipt"][0]
    assert receipt["execution_result"] == "ERROR"
    assert "--allow-contracts" in receipt["genvm_result"]["stderr"]


def test_c034_the_schema_tells_what_takes_money_and_what_reads(caller: Caller, node: Node) -> None:
    methods = caller.result("gen_getContractSchema", node.contracts()["foreman"])["methods"]
    assert {name for name, method in methods.items() if method.get("payable")} == {"create_order", "appeal_delivery"}
    assert methods["get_stats"]["readonly"] is True
    assert methods["claim_order"]["readonly"] is False


def test_c017_a_refund_is_on_its_way_until_it_is_final(tmp_path: Path) -> None:
    for node in started(Settings(state_dir=tmp_path / "window", finality_window=3600)):
        with Caller(node) as caller:
            foreman, start = parse_address(node.contracts()["foreman"]), node.balance(ALICE.address)
            made = signed(ALICE, 0, foreman, call_payload("create_order", ORDER), GEN)
            assert wait(caller, caller.result("eth_sendRawTransaction", made))["status"] == "ACCEPTED"
            undone = signed(ALICE, 1, foreman, call_payload("cancel_order", [0]))
            digest = caller.result("eth_sendRawTransaction", undone)
            assert wait(caller, digest)["status"] == "ACCEPTED"
            order: Any = calldata.decode(bytes.fromhex(caller.result("gen_call", view(node, "get_order", 0))))
            assert order["status"] == "cancelled"
            assert node.balance(ALICE.address) == start - GEN, "it is accepted, and not yet paid"
            assert int(caller.result("foreman_getBooks")["in_flight_wei"], 16) == GEN
            node.travel(3601).result(20)
            while caller.result("eth_getTransactionByHash", digest)["status"] != "FINALIZED":
                pass  # each question is answered after one more look at the clock
            assert node.balance(ALICE.address) == start
