"""Hostile bytes: whatever is sent as a transaction is read or refused with a sentence, and never does anything else."""

from typing import Any

import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types
from hypothesis import example, given
from hypothesis import strategies as st

from foreman.errors import Refused
from foreman.transaction import ADD_TRANSACTION_V5, ADD_TRANSACTION_V6, CONSENSUS_MAIN, SUBMIT_APPEAL, read_envelope
from tests.test_transaction import CALL, CONTRACT, DYNAMIC, SENDER, abi, ask, read, refusal

# hostile arguments


def words(*numbers: int | bytes) -> bytes:
    return b"".join(
        number.rjust(32, b"\0") if isinstance(number, bytes) else number.to_bytes(32, "big") for number in numbers
    )


@pytest.mark.parametrize(
    "arguments",
    [
        pytest.param(b"", id="no arguments"),
        pytest.param(words(SENDER), id="one argument"),
        pytest.param(words(SENDER, CONTRACT, 5, 3, 192, 0), id="no payload"),
        pytest.param(words(SENDER, CONTRACT, 5, 3, 192, 0, 1), id="payload shorter than it says"),
        pytest.param(words(SENDER, CONTRACT, 5, 3, 2**256 - 1, 0, 0), id="offset 2**256 - 1"),
        pytest.param(words(SENDER, CONTRACT, 5, 3, 2**64, 0, 0), id="offset beyond every memory"),
        pytest.param(words(SENDER, CONTRACT, 5, 3, 193, 0, 0), id="offset just past the last word"),
        pytest.param(words(SENDER, CONTRACT, 5, 3, 192, 0, 2**256 - 1), id="length 2**256 - 1"),
        pytest.param(words(SENDER, CONTRACT, 5, 3, 0, 0, 0), id="offset on the sender"),
        pytest.param(words(b"\1" + SENDER.rjust(31, b"\0"), CONTRACT, 5, 3, 192, 0, 0), id="sender of 32 bytes"),
        pytest.param(words(SENDER, b"\1" + CONTRACT.rjust(31, b"\0"), 5, 3, 192, 0, 0), id="recipient of 32 bytes"),
        pytest.param(words(SENDER, CONTRACT, 5, 3, 192, 0, 0), id="an empty payload"),
        pytest.param(words(SENDER, CONTRACT, 2**256 - 1, 2**256 - 1, 192, 2**256 - 1, 0), id="huge numbers everywhere"),
    ],
)
@pytest.mark.parametrize("selector", [ADD_TRANSACTION_V5, ADD_TRANSACTION_V6], ids=["V5", "V6"])
def test_hostile_arguments_are_refused(selector: bytes, arguments: bytes) -> None:
    assert refusal(ask(selector + arguments)).code == "bad_transaction"


def nested(depth: int, inside: bytes = b"\xc0") -> bytes:
    """Lists in lists, `depth` deep; well-formed."""
    parts, size = [inside], len(inside)
    for _ in range(depth):
        head = bytes([0xC0 + size]) if size < 56 else b"\xfa" + size.to_bytes(3, "big")
        if 56 <= size < 256:
            head = b"\xf8" + bytes([size])
        elif 256 <= size < 65536:
            head = b"\xf9" + size.to_bytes(2, "big")
        parts.append(head)
        size += len(head)
    return b"".join(reversed(parts))


@pytest.mark.parametrize(
    "payload",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\x80", id="a string"),
        pytest.param(b"\xc0", id="an empty list"),
        pytest.param(bytes(rlp.encode([b"x"])), id="one part"),
        pytest.param(bytes(rlp.encode([b"x"] * 4)), id="four parts"),
        pytest.param(bytes(rlp.encode([[b"x"], b""])), id="a part that is a list"),
        pytest.param(CALL + b"\0", id="a byte too many"),
        pytest.param(CALL[:-1], id="a byte too few"),
        pytest.param(nested(100), id="lists in lists"),
        pytest.param(nested(100_000), id="lists in lists, very deep"),
        pytest.param(b"\xff" * 9, id="a length of 2**64 - 1"),
    ],
)
def test_a_payload_that_is_neither_call_nor_deployment_is_refused(payload: bytes) -> None:
    with pytest.raises(Refused) as refused:
        read_envelope(payload)
    assert refused.value.code == "bad_transaction"


@pytest.mark.parametrize("prefix", [b"", b"\1", b"\2"], ids=["legacy", "EIP-2930", "EIP-1559"])
def test_deep_nesting_is_refused_and_not_a_crash(prefix: bytes) -> None:
    assert refusal(prefix + nested(100_000)).code == "bad_transaction"
    fields = b"\x80" * 8 + nested(60_000) + b"\x80" * 3
    assert refusal(b"\2\xfa" + len(fields).to_bytes(3, "big") + fields).code in ("bad_transaction", "wrong_chain")


# nothing but Refused, whatever comes


def only_refused(raw: bytes) -> None:
    """Read or refused: anything else that is raised fails the test."""
    try:
        read(raw)
    except Refused:
        pass


@given(st.binary(max_size=400))
@example(b"\xf8" + b"\xff" * 8)
@example(b"\x01\xc0")
def test_no_bytes_do_anything_but_get_refused(raw: bytes) -> None:
    only_refused(raw)


ATOMS = st.one_of(
    st.binary(max_size=40),
    st.sampled_from([b"", b"\0", SENDER, CONSENSUS_MAIN, CONTRACT, b"\xff" * 32, b"\xff" * 33]),
    st.integers(0, 2**256 - 1).map(rlp.sedes.big_endian_int.serialize),
)
TREES = st.recursive(ATOMS, lambda inner: st.lists(inner, max_size=13), max_leaves=30)


@given(st.sampled_from([b"", b"\1", b"\2", b"\3"]), st.lists(TREES, min_size=8, max_size=13))
def test_no_fields_do_anything_but_get_refused(prefix: bytes, fields: list[Any]) -> None:
    only_refused(prefix + bytes(rlp.encode(fields)))


@given(st.sampled_from([ADD_TRANSACTION_V5, ADD_TRANSACTION_V6, SUBMIT_APPEAL]), st.binary(max_size=400), TREES)
def test_no_signed_data_does_anything_but_get_refused(selector: bytes, tail: bytes, payload: Any) -> None:
    only_refused(ask(selector + tail))
    only_refused(ask(abi(selector, bytes(rlp.encode(payload)))))


@given(st.data())
def test_no_change_of_a_good_transaction_does_anything_but_get_refused(data: st.DataObject) -> None:
    raw = bytearray(ask(abi(ADD_TRANSACTION_V6, CALL), **data.draw(st.sampled_from([{}, DYNAMIC]))))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(raw) - 1))
        raw[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
        if not raw:
            break
    only_refused(bytes(raw))
