"""Signed transactions: what clients send is read as it was meant; what is wrong is refused with its own sentence."""

from collections.abc import Callable
from typing import Any

import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types
from eth_account import Account as EthAccount
from hypothesis import given
from hypothesis import strategies as st

from foreman import calldata
from foreman.address import checksum, keccak256
from foreman.errors import Refused
from foreman.transaction import (
    ADD_TRANSACTION_V5,
    ADD_TRANSACTION_V6,
    CONSENSUS_MAIN,
    MAX_NONCE,
    MAX_VALUE,
    SUBMIT_APPEAL,
    Kind,
    Signed,
    Transaction,
    deployed_address,
    message_hash,
    read_signed,
    read_transaction,
    rlp_list,
    signer_of,
)

KEY = bytes.fromhex("ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80")
SENDER = signer_of(KEY)
CONTRACT = bytes.fromhex("d1800000000000000000000000000000000f4f5e")
ZERO = bytes(20)
CHAINS = (61127, 61999)
ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141


def read(raw: bytes) -> Transaction:
    return read_transaction(read_signed(raw, CHAINS))


def refusal(raw: bytes) -> Refused:
    with pytest.raises(Refused) as refused:
        read(raw)
    assert refused.value.sentence
    return refused.value


def signed(**fields: Any) -> bytes:
    """What eth_account makes of a transaction; legacy unless a type is named."""
    whole = {"to": checksum(CONTRACT), "nonce": 0, "gas": 21000, "value": 0, "data": b"", "chainId": 61127}
    if "type" not in fields:
        whole["gasPrice"] = 0
    return bytes(EthAccount.sign_transaction(whole | fields, KEY).raw_transaction)


def abi(
    selector: bytes,
    payload: bytes,
    sender: bytes = SENDER,
    recipient: bytes = CONTRACT,
    jury: tuple[int, int] = (5, 3),
) -> bytes:
    """addTransaction as a client's ABI encoder writes it."""
    numbers = [*jury, 160 if selector == ADD_TRANSACTION_V5 else 192]
    if selector == ADD_TRANSACTION_V6:
        numbers.append(1_900_000_000)
    words = [sender.rjust(32, b"\0"), recipient.rjust(32, b"\0"), *(number.to_bytes(32, "big") for number in numbers)]
    return selector + b"".join(words) + len(payload).to_bytes(32, "big") + payload + bytes(-len(payload) % 32)


def ask(data: bytes, **fields: Any) -> bytes:
    return signed(to=checksum(CONSENSUS_MAIN), data=data, **fields)


CALL = bytes(rlp.encode([calldata.encode_call("ping", [1]), b""]))
DEPLOY = bytes(rlp.encode([b"# x\n", calldata.encode_call(None, [1]), b""]))
FORMS = [
    pytest.param({}, id="legacy"),
    pytest.param({"type": 1, "gasPrice": 0}, id="EIP-2930"),
    pytest.param(
        {"type": 1, "gasPrice": 7, "accessList": [{"address": checksum(CONTRACT), "storageKeys": ["0x" + "01" * 32]}]},
        id="EIP-2930 with an access list",
    ),
    pytest.param({"type": 2, "maxFeePerGas": 3, "maxPriorityFeePerGas": 1}, id="EIP-1559"),
]


# what clients send


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("nonce", [0, 1, 127, 128, MAX_NONCE])
@pytest.mark.parametrize("value", [0, 1, 10**18, MAX_VALUE])
def test_every_form_is_read_as_it_was_signed(form: dict[str, Any], nonce: int, value: int) -> None:
    raw = signed(nonce=nonce, value=value, **form)
    assert read_signed(raw, CHAINS) == Signed(keccak256(raw), SENDER, 61127, nonce, CONTRACT, value, b"")
    assert checksum(SENDER) == EthAccount.recover_transaction(raw)


@given(st.integers(1, ORDER - 1), st.integers(0, MAX_NONCE), st.integers(0, MAX_VALUE), st.binary(max_size=80))
def test_the_signer_is_the_one_eth_account_finds(key: int, nonce: int, value: int, data: bytes) -> None:
    secret = key.to_bytes(32, "big")
    whole = {"to": "0x" + "11" * 20, "nonce": nonce, "gas": 1, "gasPrice": 0, "value": value, "data": data}
    made = EthAccount.sign_transaction(whole | {"chainId": 61999}, secret)
    found = read_signed(bytes(made.raw_transaction), CHAINS)
    assert checksum(found.sender) == EthAccount.from_key(secret).address
    assert (found.hash, found.nonce, found.value, found.data) == (bytes(made.hash), nonce, value, data)


@pytest.mark.parametrize("selector", [ADD_TRANSACTION_V5, ADD_TRANSACTION_V6], ids=["V5", "V6"])
def test_a_call_is_read_from_both_encodings_of_add_transaction(selector: bytes) -> None:
    raw = ask(abi(selector, CALL), nonce=4, value=9)
    assert read(raw) == Transaction(
        hash=keccak256(raw),
        kind=Kind.CALL,
        sender=SENDER,
        origin=SENDER,
        nonce=4,
        target=CONTRACT,
        value=9,
        calldata=calldata.encode_call("ping", [1]),
    )


@pytest.mark.parametrize("selector", [ADD_TRANSACTION_V5, ADD_TRANSACTION_V6], ids=["V5", "V6"])
def test_a_deployment_names_the_address_that_ethereum_would_give(selector: bytes) -> None:
    asked = read(ask(abi(selector, DEPLOY, recipient=ZERO), nonce=7))
    assert (asked.kind, asked.code, asked.calldata) == (Kind.DEPLOY, b"# x\n", calldata.encode_call(None, [1]))
    assert asked.target == deployed_address(SENDER, 7)


def test_create_addresses_are_ethereums() -> None:
    """The first two contracts of the best known development key, as every EVM development chain gives them."""
    assert checksum(deployed_address(SENDER, 0)) == "0x5FbDB2315678afecb367f032d93F642f64180aa3"
    assert checksum(deployed_address(SENDER, 1)) == "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512"


@pytest.mark.parametrize(
    ("mode", "leader_only"),
    [
        pytest.param(b"", False, id="genlayer-py"),
        pytest.param(b"\0", False, id="genlayer-js"),
        pytest.param(b"\1", True, id="leader only"),
        pytest.param(b"\2", True, id="leader self validator"),
    ],
)
def test_the_execution_mode_is_read_as_both_clients_write_it(mode: bytes, leader_only: bool) -> None:
    payload = bytes(rlp.encode([calldata.encode_call("f"), mode]))
    assert read(ask(abi(ADD_TRANSACTION_V6, payload))).leader_only is leader_only


@pytest.mark.parametrize(
    "payload",
    ["d6941604617267730d09066d6574686f642470696e6780", "d6941604617267730d09066d6574686f642470696e6700"],
    ids=["genlayer-py", "genlayer-js"],
)
def test_the_recorded_envelopes_of_both_clients_are_read(payload: str) -> None:
    assert calldata.decode(read(ask(abi(ADD_TRANSACTION_V6, bytes.fromhex(payload)))).calldata) == {
        "method": "ping",
        "args": [1],
    }


def test_a_transfer_has_no_data_and_a_contract_sees_an_empty_call() -> None:
    asked = read(signed(value=5))
    assert (asked.kind, asked.target, asked.value, asked.calldata) == (Kind.TRANSFER, CONTRACT, 5, b"\x06")


# what is refused, with which sentence


def relist(raw: bytes, change: Callable[[list[bytes]], object]) -> bytes:
    """The same transaction with changed fields; the signature stays."""
    prefix, body = (raw[:1], raw[1:]) if raw[0] in (1, 2) else (b"", raw)
    fields = rlp.decode(body)
    change(fields)
    return bytes(prefix + rlp.encode(fields))


def set_field(place: int, value: bytes) -> Callable[[list[bytes]], None]:
    def change(fields: list[bytes]) -> None:
        fields[place] = value

    return change


def high_s(fields: list[bytes]) -> None:
    fields[-1] = (ORDER - int.from_bytes(fields[-1], "big")).to_bytes(32, "big")
    v = int.from_bytes(fields[-3], "big")
    flipped = v ^ 1 if v < 2 else v + 1 if v % 2 else v - 1
    fields[-3] = rlp.sedes.big_endian_int.serialize(flipped)


def pre_eip155(v: int) -> bytes:
    return relist(signed(), set_field(6, bytes([v])))


DYNAMIC = {"type": 2, "maxFeePerGas": 3, "maxPriorityFeePerGas": 1}


@pytest.mark.parametrize(
    ("raw", "code", "words"),
    [
        pytest.param(b"", "bad_transaction", "empty", id="nothing"),
        pytest.param(b"\0", "bad_transaction", "type 0", id="type 0"),
        pytest.param(b"\3" + signed()[1:], "bad_transaction", "type 3", id="a blob transaction"),
        pytest.param(b"\x7f", "bad_transaction", "type 127", id="the last type"),
        pytest.param(b"\x80", "bad_transaction", "type 128", id="a string"),
        pytest.param(b"\1", "bad_transaction", "RLP", id="a type and nothing"),
        pytest.param(signed()[:-1], "bad_transaction", "RLP", id="cut short"),
        pytest.param(signed() + b"\0", "bad_transaction", "RLP", id="a byte too many"),
        pytest.param(signed(**DYNAMIC)[:40], "bad_transaction", "RLP", id="typed and cut short"),
        pytest.param(relist(signed(), lambda f: f.pop()), "bad_transaction", "9 fields", id="a field missing"),
        pytest.param(relist(signed(**DYNAMIC), lambda f: f.append(b"")), "bad_transaction", "12 fields", id="too many"),
        pytest.param(bytes(rlp.encode([[]] * 9)), "bad_transaction", "is a list", id="fields that are lists"),
        pytest.param(pre_eip155(27), "no_replay_protection", "no chain", id="v 27"),
        pytest.param(pre_eip155(28), "no_replay_protection", "no chain", id="v 28"),
        pytest.param(pre_eip155(0), "bad_transaction", "", id="v 0 is written as an empty string"),
        pytest.param(pre_eip155(34), "bad_transaction", "v is 34", id="v 34"),
        pytest.param(signed(chainId=1), "wrong_chain", "chain 1,", id="another chain"),
        pytest.param(signed(chainId=1, **DYNAMIC), "wrong_chain", "chain 1,", id="another chain, typed"),
        pytest.param(relist(signed(), set_field(6, b"\xff" * 32)), "wrong_chain", "for chain", id="chain 2**255"),
        pytest.param(relist(signed(), set_field(6, b"\xff" * 33)), "bad_transaction", "too long", id="v of 33 bytes"),
        pytest.param(relist(signed(), high_s), "malleable_signature", "high s", id="high s"),
        pytest.param(relist(signed(**DYNAMIC), high_s), "malleable_signature", "high s", id="high s, typed"),
        pytest.param(relist(signed(), set_field(7, b"")), "bad_signature", "out of range", id="r 0"),
        pytest.param(relist(signed(), set_field(8, b"")), "bad_signature", "out of range", id="s 0"),
        pytest.param(
            relist(signed(), set_field(7, ORDER.to_bytes(32, "big"))), "bad_signature", "out of range", id="r too large"
        ),
        pytest.param(relist(signed(), set_field(7, b"\5")), "bad_signature", "no key", id="r off the curve"),
        pytest.param(relist(signed(**DYNAMIC), set_field(9, b"\2")), "bad_transaction", "parity is 2", id="parity 2"),
        pytest.param(relist(signed(), set_field(0, b"\0")), "bad_transaction", "zero byte", id="nonce with a zero"),
        pytest.param(relist(signed(), set_field(4, b"\0\1")), "bad_transaction", "zero byte", id="value with a zero"),
        pytest.param(relist(signed(), set_field(7, b"\0" + b"\1" * 31)), "bad_transaction", "zero byte", id="r with 0"),
        pytest.param(relist(signed(), set_field(4, b"\1" * 33)), "bad_transaction", "too long", id="value of 33 bytes"),
        pytest.param(
            relist(signed(), set_field(0, (2**63).to_bytes(8, "big"))), "bad_transaction", "63 bits", id="nonce 2**63"
        ),
        pytest.param(relist(signed(), set_field(3, b"\1" * 19)), "bad_transaction", "19 bytes", id="recipient"),
        pytest.param(relist(signed(), set_field(3, b"")), "no_evm", "no EVM", id="a contract creation"),
        pytest.param(signed(data=b"\1"), "unknown_recipient", "goes to", id="data for somebody else"),
        pytest.param(ask(b""), "unknown_consensus_call", "0x", id="nothing for the consensus contract"),
        pytest.param(ask(b"\x27"), "unknown_consensus_call", "0x27", id="half a selector"),
        pytest.param(ask(bytes(200)), "unknown_consensus_call", "0x00000000", id="another method"),
        pytest.param(ask(SUBMIT_APPEAL + bytes(32)), "no_network_appeals", "appeals", id="an appeal"),
        pytest.param(
            ask(abi(ADD_TRANSACTION_V6, CALL, sender=CONTRACT)), "sender_mismatch", "names 0xD180", id="a lying sender"
        ),
        pytest.param(ask(abi(ADD_TRANSACTION_V6, CALL, recipient=ZERO)), "no_recipient", "names no", id="to nobody"),
        pytest.param(ask(abi(ADD_TRANSACTION_V6, DEPLOY)), "deploy_recipient", "recipient", id="deployed to one"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_with_its_own_sentence(raw: bytes, code: str, words: str) -> None:
    found = refusal(raw)
    assert (found.code, words in found.sentence) == (code, True), found


def test_a_changed_byte_never_keeps_the_sender() -> None:
    """Whatever byte a stranger changes, it is refused or it is somebody else's transaction."""
    for form in ({}, DYNAMIC):
        raw = ask(abi(ADD_TRANSACTION_V6, CALL), **form)
        for place in range(len(raw)):
            for flip in (0x01, 0x80, 0xFF):
                changed = raw[:place] + bytes([raw[place] ^ flip]) + raw[place + 1 :]
                try:
                    assert read_signed(changed, CHAINS).sender != SENDER, place
                except Refused:
                    pass


def long_form(raw: bytes) -> bytes:
    """The same list with a length of one byte more than it needs."""
    size = raw[0] - 0xF7
    return bytes([raw[0] + 1, 0]) + raw[1 : 1 + size] + raw[1 + size :]


def test_the_same_transaction_has_one_spelling() -> None:
    """A second spelling of the same signature would be a second hash of the same transaction."""
    raw = ask(abi(ADD_TRANSACTION_V6, CALL))
    assert raw[0] > 0xF7
    assert refusal(long_form(raw)).code == "bad_transaction"
    legacy = rlp.decode(signed(nonce=5))
    body = b"\x81\x05" + b"".join(bytes(rlp.encode(field)) for field in legacy[1:])
    assert refusal(b"\xf8" + bytes([len(body)]) + body).code == "bad_transaction"


# ids


def test_a_message_has_an_id_of_its_own() -> None:
    ids = {
        message_hash(bytes([parent]) * 32, attempt, index)
        for parent in (1, 2)
        for attempt in (0, 1)
        for index in (0, 1)
    }
    assert len(ids) == 8
    assert message_hash(b"\1" * 32, 0, 1) == keccak256(b"\1" * 32 + bytes(4) + b"\0\0\0\1")


def test_the_known_key_has_its_known_address() -> None:
    assert checksum(SENDER) == "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
    for key in (bytes(32), ORDER.to_bytes(32, "big")):
        with pytest.raises(ValueError, match=r"\S"):
            signer_of(key)


@given(st.lists(st.integers(0, 2**256) | st.binary(max_size=70), max_size=12))
def test_lists_are_written_as_other_tools_write_them(fields: list[int | bytes]) -> None:
    assert rlp_list(fields) == rlp.encode(fields)


@pytest.mark.parametrize("selector", [ADD_TRANSACTION_V5, ADD_TRANSACTION_V6], ids=["V5", "V6"])
@pytest.mark.parametrize(
    ("asked", "taken"),
    [
        pytest.param((5, 3), True, id="what clients ask for"),
        pytest.param((7, 2), True, id="what the network has"),
        pytest.param((7, 3), True, id="one of each"),
        pytest.param((1, 3), False, id="one seat"),
        pytest.param((5, 0), False, id="no rotations"),
        pytest.param((2**256 - 1, 2**256 - 1), False, id="more than there can be"),
    ],
)
def test_nobody_chooses_the_jury_of_a_transaction(selector: bytes, asked: tuple[int, int], taken: bool) -> None:
    given = read_signed(ask(abi(selector, CALL, jury=asked)), CHAINS)
    if taken:
        assert read_transaction(given, (7, 2)).target == CONTRACT
        return
    with pytest.raises(Refused, match="here every jury is 7 and 2") as refused:
        read_transaction(given, (7, 2))
    assert refused.value.code == "jury_not_chosen"
