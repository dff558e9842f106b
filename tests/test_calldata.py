"""The argument encoding: the examples of docs/genlayer.md 1.2, the refusals of 1.5, and every round trip."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.address import Address
from foreman.calldata import DecodingError, decode, encode, encode_call

SOMEBODY = Address("0x5b38da6a701c568545dcfcb03fcb875f56beddc4")

VECTORS: list[tuple[Any, str]] = [
    (None, "00"),
    (False, "08"),
    (True, "10"),
    (0, "01"),
    (1, "09"),
    (15, "79"),
    (16, "8101"),
    (127, "f907"),
    (128, "8108"),
    (2**64, "81808080808080808010"),
    (2**256 - 1, "f9" + "ff" * 35 + "7f"),
    (-1, "02"),
    (-16, "7a"),
    (-17, "8201"),
    (b"", "03"),
    (b"\xde\xad", "13dead"),
    ("", "04"),
    ("abc", "1c616263"),
    ("é", "14c3a9"),
    ("😀", "24f09f9880"),
    ("a" * 20, "a401" + "61" * 20),
    ([], "05"),
    ([1, [2], None], "1d090d1100"),
    ({}, "06"),
    ({"b": 1, "a": 2}, "16016111016209"),
    ({"a": 1, "": 0, "aa": 2}, "1e000101610902616111"),
    ({"\uffff": 1, "\U00010000": 2}, "1603efbfbf0904f090808011"),
    (SOMEBODY, "18" + "5b38da6a701c568545dcfcb03fcb875f56beddc4"),
]


@pytest.mark.parametrize(("value", "text"), VECTORS, ids=[repr(value)[:30] for value, _ in VECTORS])
def test_vectors_both_ways(value: Any, text: str) -> None:
    assert encode(value).hex() == text
    assert decode(bytes.fromhex(text)) == value


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        pytest.param(encode_call("get"), "0e066d6574686f641c676574", id="get()"),
        pytest.param(encode_call("ping", [1]), "1604617267730d09066d6574686f642470696e67", id="ping(1)"),
        pytest.param(
            encode_call("ping", [1, "x"], {"k": True}),
            "1e046172677315090c78066b77617267730e016b10066d6574686f642470696e67",
            id="ping(1, 'x', k=True)",
        ),
        pytest.param(encode_call(None), "06", id="constructor without arguments"),
        pytest.param(
            encode_call(None, [100], {"name": "T"}),
            "1604617267730da106066b77617267730e046e616d650c54",
            id="constructor(100, name='T')",
        ),
    ],
)
def test_calls(raw: bytes, text: str) -> None:
    assert raw.hex() == text


@dataclass
class Point:
    x: int
    y: str


class Spelled:
    def __to_calldata__(self) -> list[int]:
        return [1, 2]


class Pairs(Mapping[str, int]):
    def __getitem__(self, key: str) -> int:
        return {"a": 1}[key]

    def __iter__(self) -> Any:
        return iter(["a"])

    def __len__(self) -> int:
        return 1


@pytest.mark.parametrize(
    ("value", "same_as"),
    [
        pytest.param((1, 2), [1, 2], id="tuple"),
        pytest.param(range(3), [0, 1, 2], id="range"),
        pytest.param(bytearray(b"\x01"), b"\x01", id="bytearray"),
        pytest.param(memoryview(b"\x01"), b"\x01", id="memoryview gets a header too"),
        pytest.param(Point(1, "a"), {"x": 1, "y": "a"}, id="dataclass"),
        pytest.param(Spelled(), [1, 2], id="__to_calldata__"),
        pytest.param(Pairs(), {"a": 1}, id="mapping"),
    ],
)
def test_what_else_can_be_encoded(value: Any, same_as: Any) -> None:
    assert encode(value) == encode(same_as)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        pytest.param(1.5, "not calldata encodable", id="float"),
        pytest.param({1}, "not calldata encodable", id="set"),
        pytest.param(datetime(2026, 1, 1), "not calldata encodable", id="datetime"),
        pytest.param(object(), "not calldata encodable", id="object"),
        pytest.param({1: 2}, "key is not string", id="number as key"),
        pytest.param([{SOMEBODY: 1}], "key is not string", id="address as key, nested"),
    ],
)
def test_what_cannot_be_encoded(value: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        encode(value)


def test_a_list_that_holds_itself_is_refused() -> None:
    endless: list[Any] = []
    endless.append(endless)
    with pytest.raises(TypeError, match="nested deeper"):
        encode(endless)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param("", "unexpected end", id="nothing"),
        pytest.param("80", "unexpected end", id="a number without its end"),
        pytest.param("1cab", "unexpected end", id="a string without its end"),
        pytest.param("18" + "00" * 19, "unexpected end", id="an address without its end"),
        pytest.param("0d", "unexpected end", id="an array without its element"),
        pytest.param("20", "unknown special", id="unknown special"),
        pytest.param("07", "type 7", id="type 7"),
        pytest.param("8100", "most significant", id="a number longer than it must be"),
        pytest.param("16016211016109", "ascending", id="keys out of order"),
        pytest.param("16016111016109", "ascending", id="a key twice"),
        pytest.param("0000", "left over", id="bytes after the value"),
        pytest.param("14ffff", "UTF-8", id="a string that is no UTF-8"),
        pytest.param("0d" * 200 + "00", "nested deeper", id="nested too deeply"),
    ],
)
def test_what_is_not_calldata(text: str, reason: str) -> None:
    with pytest.raises(DecodingError, match=reason):
        decode(bytes.fromhex(text))


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(codec="utf-8"))
    | st.binary()
    | st.binary(min_size=20, max_size=20).map(Address),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=20,
)


@given(VALUES)
def test_every_value_comes_back(value: Any) -> None:
    assert decode(encode(value)) == value


@given(st.binary())
def test_bytes_from_anywhere_are_refused_or_have_one_spelling(raw: bytes) -> None:
    try:
        value = decode(raw)
    except DecodingError:
        return
    assert encode(value) == raw


def test_a_long_number_is_read_in_reasonable_time() -> None:
    for number in (7**400_000, -(7**400_000), 2**1024, 2**1024 - 1, 2**1021 - 1, 2**1021):
        assert decode(encode(number)) == number


def test_long_keys_are_written_like_short_ones() -> None:
    value = {"k" * size: size for size in (0, 1, 64, 65, 127, 128, 20_000)}
    assert decode(encode(value)) == value


class Liar(str):
    """A text that says it is another: equal to it, found like it, and with bytes of its own."""

    def __eq__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return hash("client")

    def encode(self, *_: Any, **__: Any) -> bytes:
        return b"liar"


def test_what_one_map_leaves_behind_never_shows_in_another() -> None:
    """Keys are kept encoded for all contracts, so nothing that a contract makes may be found in their place."""
    encode({Liar("someone"): 1})
    assert decode(encode({"client": 1})) == {"client": 1}
    assert decode(encode({"client": 1, "provider": 2})) == {"client": 1, "provider": 2}


@given(st.dictionaries(st.text(max_size=40), st.integers(-(2**300), 2**300), max_size=80))
def test_the_order_in_which_a_map_was_filled_does_not_show(value: dict[str, int]) -> None:
    backwards = dict(reversed(value.items()))
    assert encode(backwards) == encode(value)
    assert decode(encode(value)) == value
