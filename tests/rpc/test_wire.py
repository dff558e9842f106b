"""Reading JSON without trust: bombs are refused quickly, and everything else reads as the standard library reads it."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.errors import BadInput
from foreman.rpc.wire import MAX_CONTAINERS, MAX_DEPTH, iso, read_json, write_json

REFUSED = [
    pytest.param(b"", "parse_error", id="empty"),
    pytest.param(b'{"jsonrpc":', "parse_error", id="cut off"),
    pytest.param(b"\xff\xfe", "parse_error", id="not UTF-8"),
    pytest.param(b"\xef\xbb\xbf{}", "parse_error", id="byte order mark"),
    pytest.param(b"[1,]", "parse_error", id="trailing comma"),
    pytest.param(b"{} {}", "parse_error", id="two values"),
    pytest.param(b"NaN", "parse_error", id="NaN"),
    pytest.param(b"[Infinity]", "parse_error", id="Infinity"),
    pytest.param(b"[-Infinity]", "parse_error", id="minus Infinity"),
    pytest.param(b"'a'", "parse_error", id="single quotes"),
    pytest.param(b'"\x01"', "parse_error", id="control character"),
    pytest.param(b"1e400", "invalid_request", id="beyond a double"),
    pytest.param(b"0." + b"1" * 5000, "invalid_request", id="5,000 decimals"),
    pytest.param(b"1" * 5000, "invalid_request", id="5,000 digits"),
    pytest.param(b"-" + b"1" * 101, "invalid_request", id="101 digits below zero"),
    pytest.param(b"[" * 20_000 + b"]" * 20_000, "invalid_request", id="20,000 nested arrays"),
    pytest.param(b"[" * 1_000_000, "invalid_request", id="a million opened arrays"),
    pytest.param(b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "invalid_request", id="20,000 nested objects"),
    pytest.param(b"[" + b"[]," * 200_000 + b"[]]", "invalid_request", id="200,000 arrays side by side"),
    pytest.param(b'"' + b'\\"' * 500_000, "parse_error", id="an endless string of escaped quotes"),
    pytest.param(b"[" * 65 + b'"' + b'\\"' * 500_000, "invalid_request", id="the same below 65 arrays"),
    pytest.param(b'{"method":"a","method":"b"}', "invalid_request", id="a key twice"),
    pytest.param(b'{"a":{"b":1,"\\u0062":2}}', "invalid_request", id="a key twice, once escaped"),
]


@pytest.mark.parametrize(("body", "code"), REFUSED)
def test_a_hostile_body_is_refused_quickly_with_a_sentence(body: bytes, code: str) -> None:
    started = time.perf_counter()
    with pytest.raises(BadInput) as caught:
        read_json(body)
    assert time.perf_counter() - started < 1.0
    assert caught.value.code == code
    assert caught.value.sentence


def test_the_widest_and_the_deepest_legal_bodies_pass() -> None:
    deep = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    wide = "[" + ",".join(["[]"] * (MAX_CONTAINERS - 1)) + "]"
    assert json.dumps(read_json(deep.encode())) == deep
    assert len(read_json(wide.encode())) == MAX_CONTAINERS - 1


def test_one_level_and_one_container_more_do_not() -> None:
    for body in ("[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1), "[" + ",".join(["[]"] * MAX_CONTAINERS) + "]"):
        with pytest.raises(BadInput):
            read_json(body.encode())


def test_brackets_inside_strings_are_not_nesting() -> None:
    text = '[{"' * 5_000 + '\\"' * 100
    assert read_json(json.dumps({"a": text}).encode()) == {"a": text}


def test_a_number_of_78_digits_is_read_exactly() -> None:
    assert read_json(str(2**256).encode()) == 2**256


VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**256), 2**256)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=30,
)


@given(VALUES)
def test_what_is_written_is_read_back_the_same(value: Any) -> None:
    assert read_json(write_json(value)) == value
    assert read_json(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) == value


@given(st.binary(max_size=200))
def test_any_bytes_end_in_a_value_or_a_refusal(body: bytes) -> None:
    try:
        value = read_json(body)
    except BadInput:
        return
    assert value == json.loads(body)


def test_a_lone_surrogate_goes_out_as_it_came_in() -> None:
    assert write_json(read_json(b'"\\ud800"')) == b'"\\ud800"'


@pytest.mark.parametrize(
    ("at", "text"),
    [
        (0, "1970-01-01T00:00:00.000000Z"),
        (1_800_000_000_000_001, "2027-01-15T08:00:00.000001Z"),
    ],
)
def test_times_are_written_in_utc_with_six_decimals(at: int, text: str) -> None:
    assert iso(at) == text
