"""Rows come back as they were written, for every type alone and for records of any mixture."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.address import Address
from foreman.errors import StateError
from foreman.runtime.codec import record_codec, scalar_codec
from foreman.runtime.scalars import ADDRESS, BIGINT, BOOL, BYTES, FLOAT, INTS, NONE, TEXT, TIME, Scalar

zones = st.sampled_from(
    [UTC, timezone(timedelta(hours=5, minutes=30)), timezone(timedelta(seconds=-1, microseconds=3))]
)

VALUES: list[tuple[Scalar, st.SearchStrategy[Any]]] = [
    *(
        (INTS[name], st.integers(0, 2 ** int(name[1:]) - 1))
        for name in ("u8", "u16", "u24", "u32", "u64", "u72", "u256")
    ),
    *(
        (INTS[name], st.integers(-(2 ** (int(name[1:]) - 1)), 2 ** (int(name[1:]) - 1) - 1))
        for name in ("i8", "i24", "i64", "i72", "i256")
    ),
    (BIGINT, st.integers()),
    (BOOL, st.booleans()),
    (TEXT, st.text(st.characters(codec="utf-8"))),
    (BYTES, st.binary()),
    (FLOAT, st.floats(allow_nan=False)),
    (NONE, st.none()),
    (ADDRESS, st.binary(min_size=20, max_size=20).map(Address)),
    (TIME, st.datetimes(timezones=st.none() | zones)),
]


@pytest.mark.parametrize(("scalar", "values"), VALUES, ids=[scalar.name for scalar, _ in VALUES])
def test_a_scalar_comes_back_from_its_row(scalar: Scalar, values: st.SearchStrategy[Any]) -> None:
    codec = scalar_codec(scalar)

    @given(values)
    def holds(value: Any) -> None:
        checked = scalar.check(value)
        back = codec.decode(codec.encode([checked]))
        assert back == [value]
        assert type(back[0]) is type(checked)

    holds()
    assert codec.decode(codec.encode(codec.zeros())) == [scalar.zero]


@given(st.data())
def test_a_record_comes_back_from_its_row(data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(VALUES), max_size=30))
    codec = record_codec(tuple(scalar for scalar, _ in chosen))
    values = [scalar.check(data.draw(strategy)) for scalar, strategy in chosen]
    raw = codec.encode(values)
    assert codec.decode(raw) == values
    assert codec.decode(codec.encode(codec.zeros())) == [scalar.zero for scalar, _ in chosen]


def test_a_record_that_grew_fields_reads_its_older_rows() -> None:
    old = record_codec((TEXT, INTS["u8"]))
    new = record_codec((TEXT, INTS["u8"], BYTES, BOOL))
    assert new.decode(old.encode(["a", 7])) == ["a", 7, b"", False]


def test_a_row_of_a_newer_class_is_refused() -> None:
    with pytest.raises(StateError, match="4 fields"):
        record_codec((TEXT,)).decode(record_codec((TEXT, TEXT, TEXT, TEXT)).encode(["a", "b", "c", "d"]))


def test_nan_has_one_spelling_so_equal_values_are_equal_bytes() -> None:
    codec = scalar_codec(FLOAT)
    assert codec.encode([float("nan")]) == codec.encode([-float("nan")]) == bytes.fromhex("7ff8000000000000")
    negative = codec.decode(codec.encode([-0.0]))[0]
    assert str(negative) == "-0.0"


def test_zones_survive() -> None:
    moment = datetime(2026, 1, 2, 3, 4, 5, 6, timezone(timedelta(hours=2)))
    codec = scalar_codec(TIME)
    back = codec.decode(codec.encode([TIME.check(moment)]))[0]
    assert back == moment
    assert back.utcoffset() == timedelta(hours=2)
    assert isinstance(back, datetime)
