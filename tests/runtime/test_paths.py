"""Keys sort as their values do, read back as what they were, and no key's rows lie among those of another."""

import itertools
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.address import Address
from foreman.runtime.paths import end_of, field_path
from foreman.runtime.scalars import ADDRESS, BIGINT, BOOL, BYTES, FLOAT, INTS, TEXT, TIME, Scalar

text = st.text(st.characters(codec="utf-8"), max_size=6) | st.text(
    st.sampled_from("\x00\x01\x02aé😀\uffff"), max_size=5
)
raw = st.binary(max_size=5) | st.lists(st.sampled_from([0, 1, 2, 254, 255]), max_size=5).map(bytes)
big = st.integers() | st.integers(-(2**2000), 2**2000) | st.sampled_from([2**960 - 1, 2**960, -(2**960), -(2**952)])

KINDS = [
    pytest.param(TEXT, text, id="str"),
    pytest.param(BYTES, raw, id="bytes"),
    pytest.param(INTS["u8"], st.integers(0, 255), id="u8"),
    pytest.param(INTS["u256"], st.integers(0, 2**256 - 1), id="u256"),
    pytest.param(INTS["i16"], st.integers(-(2**15), 2**15 - 1), id="i16"),
    pytest.param(INTS["i256"], st.integers(-(2**255), 2**255 - 1), id="i256"),
    pytest.param(BIGINT, big, id="bigint"),
    pytest.param(BOOL, st.booleans(), id="bool"),
    pytest.param(FLOAT, st.floats(allow_nan=False), id="float"),
    pytest.param(ADDRESS, st.binary(min_size=20, max_size=20).map(Address), id="Address"),
    pytest.param(TIME, st.datetimes(), id="datetime"),
    pytest.param(TIME, st.datetimes(timezones=st.just(UTC)), id="aware datetime"),
]


@pytest.mark.parametrize(("scalar", "values"), KINDS)
def test_keys_sort_as_their_values_do_and_read_back(scalar: Scalar, values: st.SearchStrategy[Any]) -> None:
    assert scalar.keys is not None
    encode, decode = scalar.keys

    @given(values, values)
    def holds(one: Any, two: Any) -> None:
        a, b = encode(one), encode(two)
        assert (a < b, a == b) == (one < two, one == two)
        assert decode(a) == one
        assert a == b or not a.startswith(b), "an encoded key is no prefix of another"

    holds()


@given(st.binary(max_size=4) | st.lists(st.sampled_from([0, 254, 255]), max_size=4).map(bytes), st.binary(max_size=3))
def test_the_end_of_a_prefix_is_the_first_key_after_all_that_start_with_it(prefix: bytes, rest: bytes) -> None:
    end = end_of(prefix)
    if end is None:
        assert prefix == b"\xff" * len(prefix)
    else:
        assert prefix + rest < end
        assert not end.startswith(prefix)
        assert end_of(prefix + rest + b"\xff") is None or prefix + rest + b"\xff" < end


def test_field_paths_sort_by_number_and_are_no_prefix_of_each_other() -> None:
    paths = [field_path(number) for number in range(1000)]
    assert paths == sorted(paths)
    for one, two in itertools.pairwise(paths):
        assert not two.startswith(one)
    assert all(path[0] not in (0x00, 0xFF) for path in paths), "00 is a row, ff the root"


@pytest.mark.parametrize(
    ("scalar", "key", "error"),
    [
        pytest.param(INTS["u8"], 256, OverflowError, id="too big"),
        pytest.param(INTS["u8"], -1, OverflowError, id="negative"),
        pytest.param(INTS["i8"], 128, OverflowError, id="too big for signed"),
        pytest.param(INTS["u8"], "1", TypeError, id="text for a number"),
        pytest.param(TEXT, 1, TypeError, id="number for a text"),
        pytest.param(TEXT, "\ud800", UnicodeEncodeError, id="lone surrogate"),
        pytest.param(ADDRESS, "0x00", AssertionError, id="text for an address"),
        pytest.param(FLOAT, float("nan"), ValueError, id="NaN"),
    ],
)
def test_what_is_no_key_is_refused(scalar: Scalar, key: Any, error: type[Exception]) -> None:
    assert scalar.keys is not None
    with pytest.raises(error):
        scalar.keys[0](key)


def test_equal_keys_of_other_types_are_the_same_key() -> None:
    """As `<` says on the network: True is 1, 2.0 is 2, -0.0 is 0.0."""
    number, real = INTS["u32"].keys, FLOAT.keys
    assert number is not None
    assert real is not None
    assert number[0](True) == number[0](1)
    assert number[0](2.0) == number[0](2)
    assert real[0](-0.0) == real[0](0)
    assert datetime(1969, 12, 31) < datetime(1970, 1, 1)
