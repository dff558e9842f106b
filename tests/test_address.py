"""Addresses: one account has one meaning in every spelling, and a typo is never a new account."""

import base64
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from eth_utils.address import to_checksum_address
from hypothesis import given
from hypothesis import strategies as st

from foreman.address import Address, checksum, keccak256, parse_address
from foreman.errors import BadInput

RAW = bytes.fromhex("5aaeb6053f3e94c9b9a09f33669435e7ef1beaed")
RIGHT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed"

EIP_55 = [
    "0x52908400098527886E0F7030069857D2E4169EE7",
    "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
    "0xde709f2102306220921060314715629080e2fb77",
    "0x27b1fdb04752bbc536007a920d24acb045561c26",
    RIGHT,
    "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
    "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
]


def test_keccak_is_ethereums_and_not_nists() -> None:
    assert keccak256(b"").hex() == "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"


@pytest.mark.parametrize("text", EIP_55)
def test_the_standards_own_examples_keep_their_case(text: str) -> None:
    assert checksum(bytes.fromhex(text[2:])) == text
    assert checksum(parse_address(text)) == text


@given(st.binary(min_size=20, max_size=20))
def test_checksums_are_the_ones_other_tools_write(raw: bytes) -> None:
    assert checksum(raw) == to_checksum_address(raw)
    assert parse_address(checksum(raw)) == raw


@pytest.mark.parametrize(
    "spell",
    [
        pytest.param(str, id="EIP-55"),
        pytest.param(str.lower, id="lower case"),
        pytest.param(lambda text: "0x" + text[2:].upper(), id="upper case"),
        pytest.param(lambda text: "0X" + text[2:], id="0X"),
        pytest.param(lambda text: "0X" + text[2:].upper(), id="0X and upper case"),
    ],
)
def test_c066_every_spelling_is_the_same_account(spell: Callable[[str], str]) -> None:
    assert parse_address(spell(RIGHT)) == RAW


@pytest.mark.parametrize("place", [place for place, digit in enumerate(RIGHT) if digit.isalpha() and place > 1])
def test_c066_one_digit_in_the_wrong_case_is_refused_with_the_right_spelling(place: int) -> None:
    wrong = RIGHT[:place] + RIGHT[place].swapcase() + RIGHT[place + 1 :]
    with pytest.raises(BadInput) as refused:
        parse_address(wrong)
    assert refused.value.code == "bad_checksum"
    assert RIGHT in refused.value.hint


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("", id="empty"),
        pytest.param("0x", id="only 0x"),
        pytest.param(RIGHT[2:], id="no 0x"),
        pytest.param(RIGHT[:-1], id="a digit short"),
        pytest.param(RIGHT + "0", id="a digit long"),
        pytest.param(" " + RIGHT, id="a space before"),
        pytest.param(RIGHT + "\n", id="a line end after"),
        pytest.param(RIGHT[:-1] + "g", id="not a digit"),
        pytest.param("0x" + "١" * 40, id="digits of another script"),
        pytest.param("0x" + "ａ" * 40, id="full-width letters"),
        pytest.param("0x" + "ab " * 13 + "a", id="spaces between the digits"),
        pytest.param("0x" + "0" * 1_000_000, id="a million digits"),
    ],
)
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_address(text)
    assert refused.value.code == "bad_address"
    assert len(refused.value.sentence) < 200


@given(st.text(max_size=50))
def test_no_text_does_anything_but_get_read_or_refused(text: str) -> None:
    try:
        assert len(parse_address(text)) == 20
    except BadInput:
        pass


# what contracts see, docs/genlayer.md 3.2


@given(st.binary(min_size=20, max_size=20))
def test_an_address_comes_back_from_each_of_its_spellings(raw: bytes) -> None:
    address = Address(raw)
    assert Address(address.as_hex) == Address(address.as_hex.lower()) == Address(address.as_b64) == address
    assert Address(bytearray(raw)) == Address(memoryview(raw)) == pickle.loads(pickle.dumps(address)) == address
    assert hash(Address(raw)) == hash(address)
    assert address.as_int == int.from_bytes(raw, "little")
    assert (address.as_bytes, address.as_hex) == (raw, checksum(raw))


def test_formats_are_the_ones_contracts_know() -> None:
    address = Address(RAW)
    assert str(address) == f"{address:x}" == f"{address:s}" == RIGHT
    assert repr(address) == f"{address}" == f'Address("{RIGHT}")'
    assert f"{address:b64}" == base64.b64encode(RAW).decode()
    assert f"{address:cd}" == "addr#" + RAW.hex()
    with pytest.raises(TypeError, match="format"):
        f"{address:>50}"


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("", id="empty"),
        pytest.param("alice", id="a name"),
        pytest.param("0x" + "ab " * 12 + "abab", id="spaces between the digits"),
        pytest.param("0x" + "ab\n" * 12 + "abab", id="line ends between the digits"),
        pytest.param("0x" + "zz" * 20, id="not digits"),
        pytest.param("0X" + "11" * 20, id="0X is not hex to a contract"),
        pytest.param(base64.b64encode(bytes(21)).decode(), id="base64 of 21 bytes"),
        pytest.param(base64.b64encode(bytes(19)).decode(), id="base64 of 19 bytes"),
        pytest.param("é" * 30, id="not ASCII"),
        pytest.param(bytes(19), id="19 bytes"),
        pytest.param(bytes(21), id="21 bytes"),
        pytest.param(b"", id="no bytes"),
    ],
)
def test_what_is_no_address_makes_none(value: str | bytes) -> None:
    with pytest.raises(Exception, match=r"\S"):
        Address(value)


@pytest.mark.parametrize("value", [Address(RAW), 5, None, ["0x"]], ids=["address", "int", "none", "list"])
def test_other_types_are_a_type_error_as_on_the_real_network(value: Any) -> None:
    with pytest.raises(TypeError, match="an address is made from"):
        Address(value)


def test_an_address_equals_only_an_address_and_orders_only_with_one() -> None:
    low, high = Address(bytes(20)), Address(b"\xff" * 20)
    assert low == Address.ZERO
    assert low != low.as_hex
    assert low < high
    assert low <= high
    assert high > low
    assert high >= low
    with pytest.raises(AssertionError):
        _ = low < "0x"
