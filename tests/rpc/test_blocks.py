"""How a block is named, and what is told of one that is old, to come, or far beyond the chain."""

from typing import Any

import pytest

from foreman.address import checksum
from foreman.rpc.methods import eth
from tests.node.network import ALICE, RICH
from tests.rpc.caller import Caller

ADDRESS = checksum(ALICE.address)
UNKNOWN = "0x" + "ab" * 32


@pytest.mark.parametrize(
    "block", ["latest", "pending", "safe", "finalized", "0x2", 2, {"blockNumber": "0x2"}, "earliest"]
)
def test_state_is_told_for_every_way_to_name_a_recent_block(caller: Caller, block: Any) -> None:
    assert int(caller.result("eth_getBalance", ADDRESS, block), 16) == RICH


@pytest.mark.parametrize("block", ["newest", "-1", "", -1, 1.5, True, [], {"blockHash": UNKNOWN}, "0x" + "f" * 70])
def test_what_names_no_block_is_32602(caller: Caller, block: Any) -> None:
    assert caller.error("eth_getBalance", ADDRESS, block)["code"] == -32602


def test_state_of_a_block_to_come_is_refused(caller: Caller) -> None:
    error = caller.error("eth_getBalance", ADDRESS, "0xffffff")
    assert (error["code"], error["data"]["code"]) == (-32000, "no_history")


BEYOND = [
    pytest.param("0xffffff", id="far"),
    pytest.param("0x7fffffffffffffff", id="the last of 63 bits"),
    pytest.param("0x8000000000000000", id="64 bits"),
    pytest.param("0xffffffffffffffffffffffffffff", id="112 bits"),
    pytest.param("0x" + "f" * 64, id="256 bits"),
    pytest.param(2**200, id="a number"),
    pytest.param({"blockNumber": "0xffffffffffffffffffff"}, id="EIP-1898"),
]


@pytest.mark.parametrize("block", BEYOND)
def test_a_block_beyond_the_chain_is_a_block_that_is_not_there(caller: Caller, block: Any) -> None:
    assert caller.result("eth_getBlockByNumber", block, False) is None
    for method in ("eth_getBalance", "eth_getTransactionCount", "eth_getCode"):
        assert caller.error(method, ADDRESS, block)["data"]["code"] == "no_history"
    assert caller.result("eth_getLogs", {"fromBlock": block, "toBlock": block}) == []
    height = int(caller.result("eth_blockNumber"), 16)
    assert int(caller.result("eth_feeHistory", 1, block)["oldestBlock"], 16) == height


def test_an_old_block_is_refused_with_what_is_kept(caller: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(eth, "RECENT_BLOCKS", 1)
    for method in ("eth_getBalance", "eth_getTransactionCount", "eth_getCode"):
        for block in ("earliest", "0x0"):
            error = caller.error(method, ADDRESS, block)
            assert (error["data"]["code"], error["data"]["hint"]) == ("no_history", "ask for latest")
