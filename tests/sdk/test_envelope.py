"""What the client sends is what the words read, down to the recorded bytes of the official client."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman import calldata
from foreman.sdk import envelope
from foreman.sdk.account import Account
from foreman.transaction import CONSENSUS_MAIN, Kind, deployed_address, read_signed, read_transaction

ACCOUNT = Account(b"\x07" * 32)
CONTRACT = bytes.fromhex("d180" + "00" * 16 + "4f5e")


def test_a_call_is_the_recorded_one_of_the_official_client() -> None:
    """docs/genlayer.md 8.2: `add(3)` as genlayer-py 0.18 sends it."""
    data = envelope.add_transaction(ACCOUNT.address, CONTRACT, envelope.call_payload("add", [3]))
    words = [data[4 + at : 36 + at] for at in range(0, len(data) - 4, 32)]
    assert data[:4].hex() == "e71d5196"
    assert words[0][12:] == ACCOUNT.address
    assert words[1][12:] == CONTRACT
    assert [int.from_bytes(word, "big") for word in words[2:7]] == [5, 3, 0xC0, 0, 0x16]
    assert words[7].hex() == "d5931604617267730d19066d6574686f641c61646480" + "00" * 10


@given(args=st.lists(st.one_of(st.integers(), st.text(), st.booleans(), st.binary()), max_size=4))
def test_a_call_arrives_as_it_was_meant(args: list[calldata.Value]) -> None:
    payload = envelope.call_payload("ping", args)
    data = envelope.add_transaction(ACCOUNT.address, CONTRACT, payload)
    raw = ACCOUNT.sign_transaction(61127, 0, CONSENSUS_MAIN, 5, data)
    found = read_transaction(read_signed(raw, (61127,)))
    assert (found.kind, found.target, found.value) == (Kind.CALL, CONTRACT, 5)
    assert found.calldata == calldata.encode_call("ping", args)


@pytest.mark.parametrize("args", [[], [1, "x"]], ids=["no arguments", "arguments"])
def test_a_deployment_arrives_as_it_was_meant(args: list[calldata.Value]) -> None:
    data = envelope.add_transaction(ACCOUNT.address, envelope.NO_CONTRACT, envelope.deploy_payload(b"# x\n", args))
    found = read_transaction(read_signed(ACCOUNT.sign_transaction(61127, 4, CONSENSUS_MAIN, 0, data), (61127,)))
    assert (found.kind, found.code) == (Kind.DEPLOY, b"# x\n")
    assert found.target == deployed_address(ACCOUNT.address, 4)
    assert found.calldata == calldata.encode_call(None, args)
