"""What a run has read is exactly what it looked at: a row for a look-up, the walked range for a scan, no more."""

from typing import Any

import pytest

from foreman.execution import Effects, Reads
from tests.runtime.probing import Probe
from tests.runtime.world import World

MANY = 100_000


class Counting:
    """A state that counts the rows it hands out."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.handed = 0
        self.asked = 0

    def get(self, contract: bytes, key: bytes) -> bytes | None:
        self.asked += 1
        self.handed += 1
        found: bytes | None = self.inner.get(contract, key)
        return found

    def scan(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> Any:
        self.asked += 1
        found = self.inner.scan(contract, low, high, limit)
        self.handed += len(found)
        return found

    def scan_keys(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> Any:
        self.asked += 1
        return self.inner.scan_keys(contract, low, high, limit)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


SOURCE = """
import itertools

@allow_storage
@dataclass
class Order:
    title: str
    paid: u256
    notes: DynArray[str]

class C(gl.Contract):
    count: u32
    owner: str
    orders: TreeMap[u32, Order]
    log: DynArray[str]

    def __init__(self):
        pass

    @gl.public.write
    def add(self, number: int) -> None:
        self.orders[number] = Order(f"order {number}", number, ["made"])

    @gl.public.write
    def do(self, script: str) -> typing.Any:
        names = {"self": self, "out": None}
        exec(script, {**globals()}, names)
        return names["out"]
"""


@pytest.fixture(scope="module")
def large() -> tuple[World, bytes]:
    """A contract with 100,000 orders, all rows multiplied from one that a real transaction made."""
    world = World()
    contract = world.deploy(SOURCE)
    world.ok(contract, "add", 1)
    made = dict(world.state.rows[contract])
    sample = [key for key in made if key[:2] in (b"\x03\x01", b"\x03\x02")]
    writes: dict[bytes, bytes | None] = {}
    for number in range(MANY):
        for key in sample:
            writes[key[:2] + number.to_bytes(4, "big") + key[6:]] = made[key]
    writes[b"\x03\x00"] = MANY.to_bytes(4, "big")
    world.state.apply(contract, Effects(writes=writes))
    return world, contract


def reads_of(large: tuple[World, bytes], *lines: str) -> tuple[Any, Reads, Counting]:
    world, contract = large
    counting = Counting(world.state)
    world.state = counting  # type: ignore[assignment] # it stands in for the state
    try:
        finished = world.call(contract, "do", "\n".join(lines), commit=False)
    finally:
        world.state = counting.inner
    assert finished.outcome.ok, finished.stderr
    return finished.outcome.value, finished.reads, counting


def keys_of(reads: Reads, contract: bytes) -> set[bytes]:
    assert all(owner == contract for owner, _ in reads.keys)
    return {key for _, key in reads.keys}


def entry(number: int) -> bytes:
    return b"\x03\x01" + number.to_bytes(4, "big")


@pytest.mark.parametrize(
    ("script", "value", "keys"),
    [
        pytest.param("out = self.orders[7].title", "order 1", {entry(7)}, id="a look-up reads its entry"),
        pytest.param("out = 7 in self.orders", True, {entry(7)}, id="membership reads the entry"),
        pytest.param("out = self.orders.get(10**6)", None, {entry(10**6)}, id="a miss reads the place it missed"),
        pytest.param("out = len(self.orders)", MANY, {b"\x03\x00"}, id="len reads the length"),
        pytest.param("out = self.owner", "", {b"\x00"}, id="a scalar reads the contract's row"),
        pytest.param("self.orders[7].paid = 1", None, {entry(7)}, id="changing a field reads its record"),
        pytest.param("out = self.orders[7].notes[0]", "made",
                     {entry(7), b"\x03\x02\x00\x00\x00\x07\x03\x01" + bytes(4)},
                     id="an element reads its record and itself"),
        pytest.param("o = self.orders[7]\nout = [o.title, o.paid, self.orders[7].title]", ["order 1", 1, "order 1"],
                     {entry(7)}, id="what is known is not read again"),
        pytest.param("out = None", None, set(), id="nothing"),
    ],
)  # fmt: skip
def test_single_rows(large: tuple[World, bytes], script: str, value: Any, keys: set[bytes]) -> None:
    found, reads, counting = reads_of(large, script)
    assert found == value
    assert keys_of(reads, large[1]) == keys
    assert reads.ranges == []
    assert counting.handed == len(keys)


def test_appending_reads_the_length_and_nothing_else_of_the_array(large: tuple[World, bytes]) -> None:
    _, reads, _ = reads_of(large, "self.orders[7].notes.append('x')")
    assert keys_of(reads, large[1]) == {entry(7), b"\x03\x02\x00\x00\x00\x07\x03\x00"}


def test_a_new_entry_costs_the_same_however_many_there_are(large: tuple[World, bytes]) -> None:
    """Its own place, the map's length, and the new record's own array."""
    _, reads, counting = reads_of(large, f"self.orders[{MANY}] = Order('new', 1, ['made'])")
    new = b"\x03\x02" + MANY.to_bytes(4, "big")
    assert keys_of(reads, large[1]) == {entry(MANY), b"\x03\x00", new + b"\x03\x00"}
    assert counting.handed == 3


def test_a_scan_of_three_of_many_reads_three(large: tuple[World, bytes]) -> None:
    value, reads, counting = reads_of(large, "out = [o.title for o in itertools.islice(self.orders.values(), 3)]")
    assert value == ["order 1"] * 3
    assert keys_of(reads, large[1]) == set()
    assert reads.ranges == [(large[1], b"\x03\x01", entry(2) + b"\x00")]
    assert counting.handed <= 16
    assert not reads.touched_by(large[1], {entry(3): None})
    assert reads.touched_by(large[1], {entry(2): None})


def test_skipping_by_keys_touches_no_record(large: tuple[World, bytes]) -> None:
    value, reads, counting = reads_of(large, "out = list(itertools.islice(self.orders, 500, 503))")
    assert value == [500, 501, 502]
    assert counting.handed == 0
    assert counting.asked <= 4
    assert reads.ranges == [(large[1], b"\x03\x01", entry(502) + b"\x00")]


def test_a_page_is_one_row_per_record_even_if_records_have_arrays(large: tuple[World, bytes]) -> None:
    _, reads, counting = reads_of(large, "out = [o.title for o in itertools.islice(self.orders.values(), 50)]")
    assert counting.handed <= 16 + 64
    assert counting.asked == 2
    assert reads.ranges == [(large[1], b"\x03\x01", entry(49) + b"\x00")]


def test_a_scan_to_the_end_covers_all_that_could_come_after() -> None:
    probe = Probe()
    probe.do("self.ages['a'] = 1")
    finished = probe.world.call(probe.address, "do", "out = list(self.ages)", commit=False)
    ((contract, low, high),) = finished.reads.ranges
    assert high is not None
    assert finished.reads.touched_by(contract, {low + b"zzz\x00\x01": b""})
    assert not finished.reads.touched_by(contract, {high: b""})


def test_a_scan_that_was_never_started_reads_nothing() -> None:
    probe = Probe()
    finished = probe.world.call(probe.address, "do", "self.ages.values()\niter(self.ages)")
    assert finished.reads.ranges == []


def test_an_empty_map_is_read_as_the_range_where_its_keys_would_be() -> None:
    probe = Probe()
    finished = probe.world.call(probe.address, "do", "out = list(self.ages)")
    ((contract, low, high),) = finished.reads.ranges
    assert high is not None
    assert low < high
    assert finished.reads.touched_by(contract, {low + b"a\x00\x01": b""})


def test_what_a_block_asks_has_the_reads_before_it_as_premises() -> None:
    world = World()
    contract = world.deploy(
        "class C(gl.Contract):\n"
        "    a: TreeMap[u8, u8]\n    b: u8\n"
        "    def __init__(self):\n        self.a[1] = 1\n"
        "    @gl.public.write\n    def ask(self) -> int:\n"
        "        before = self.a[1]\n"
        "        found = gl.eq_principle.strict_eq(lambda: 5)\n"
        "        return before + found + self.b\n"
    )
    asking = world.ask(contract, "ask")
    assert asking.premises.keys == {(contract, b"\x01\x01\x01")}
    finished = world.judged(contract, "ask")
    assert finished.reads.keys == {(contract, b"\x01\x01\x01"), (contract, b"\x00")}


def test_balances_that_were_looked_at_are_on_record() -> None:
    world = World()
    contract = world.deploy(
        "class C(gl.Contract):\n    def __init__(self):\n        pass\n"
        "    @gl.public.view\n    def look(self) -> int:\n"
        "        return self.balance + gl.get_contract_at(Address(b'\\x07' * 20)).balance\n"
    )
    assert world.call(contract, "look").reads.balances == {contract, b"\x07" * 20}
