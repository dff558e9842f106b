"""The state in memory: ordered keys, balances that never fall below zero, and effects applied as a whole."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.execution import Effects, Emission, On, Transfer
from foreman.runtime.memory import MemoryState

CONTRACT = b"\x01" * 20
keys = st.binary(max_size=3)


@given(st.lists(st.dictionaries(keys, st.none() | st.binary(max_size=2))), keys, st.none() | keys, st.integers(1, 5))
def test_scans_are_those_of_a_sorted_map(
    commits: list[dict[bytes, bytes | None]], low: bytes, high: bytes | None, limit: int
) -> None:
    state, model = MemoryState(), dict[bytes, bytes]()
    for writes in commits:
        state.apply(CONTRACT, Effects(writes=writes))
        model.update({key: raw for key, raw in writes.items() if raw is not None})
        for key in [key for key, raw in writes.items() if raw is None]:
            model.pop(key, None)
    expected = [pair for pair in sorted(model.items()) if low <= pair[0] and (high is None or pair[0] < high)][:limit]
    assert state.scan(CONTRACT, low, high, limit) == expected
    assert state.scan_keys(CONTRACT, low, high, limit) == [key for key, _ in expected]
    assert all(state.get(CONTRACT, key) == model.get(key) for key in [low, *model])


def test_what_is_not_there_is_empty() -> None:
    state = MemoryState()
    assert (state.get(CONTRACT, b""), state.scan(CONTRACT, b"", None, 9), state.code(CONTRACT)) == (None, [], None)
    assert state.balance(CONTRACT) == 0


def test_effects_move_money_and_code() -> None:
    state = MemoryState()
    state.credit(CONTRACT, 10)
    emitted: list[Transfer | Emission] = [Transfer(b"\x02" * 20, 3), Emission(b"\x03" * 20, b"", 4, On.FINALIZED)]
    state.apply(CONTRACT, Effects(code=b"#", emitted=emitted))
    assert (state.balance(CONTRACT), state.balance(b"\x02" * 20), state.balance(b"\x03" * 20)) == (3, 3, 0)
    assert state.code(CONTRACT) == b"#"


def test_a_balance_never_falls_below_zero() -> None:
    with pytest.raises(AssertionError, match="would hold -1 wei"):
        MemoryState().credit(CONTRACT, -1)
