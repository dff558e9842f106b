"""A view that looks into a record asks the state once for what lies below it, and sees exactly what is there."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.runtime import ahead, overlay
from foreman.runtime.memory import MemoryState
from tests.runtime.world import World

BOOK = """
@allow_storage
@dataclass
class Moment:
    t: u64
    event: str

@allow_storage
@dataclass
class Order:
    title: str
    flags: DynArray[str]
    moments: DynArray[Moment]
    claims: TreeMap[u32, u8]

class Book(gl.Contract):
    orders: TreeMap[u32, Order]
    def __init__(self):
        pass
    @gl.public.write
    def put(self, number: int, title: str, flags: list, moments: list, claims: list) -> None:
        order = self.orders.get_or_insert_default(number)
        order.title, order.flags = title, flags
        order.moments = [Moment(t, f"at {t}") for t in moments]
        for who in claims:
            order.claims[who] = 1
    @gl.public.view
    def told(self, numbers: list) -> list:
        return [self._told(self.orders[number]) for number in numbers]
    def _told(self, order):
        moments = [[moment.t, moment.event] for moment in order.moments]
        last = order.moments[-1].t if len(order.moments) else None
        return [order.title, list(order.flags), moments, last, list(order.claims), order.claims.get(7, 0)]
    @gl.public.view
    def briefly(self, numbers: list) -> list:
        orders = [self.orders[number] for number in numbers]
        return [[order.title, list(order.flags), [moment.t for moment in order.moments]] for order in orders]
    @gl.public.view
    def turn(self, number: int) -> list:
        order = self.orders[number]
        before = self._told(order)
        others = [self._told(other) for other in self.orders.values()]
        return [before == self._told(order), others]
"""


class Counted(MemoryState):
    """Counts the questions to the state."""

    questions = 0

    def get(self, contract: bytes, key: bytes) -> bytes | None:
        self.questions += 1
        return super().get(contract, key)

    def scan(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> list[tuple[bytes, bytes]]:
        self.questions += 1
        return super().scan(contract, low, high, limit)


def test_an_order_with_its_lists_takes_two_questions() -> None:
    state = Counted()
    world = World(state)
    book = world.deploy(BOOK)
    for number in range(20):
        world.ok(book, "put", number, f"order {number}", ["late"] * 3, [1, 2, 3, 4], [])
    asked = []
    for numbers in ([5], list(range(20))):
        state.questions = 0
        world.ok(book, "told", numbers, readonly=True)
        asked.append(state.questions)
    few, many = asked
    assert few <= 4  # the contract's record, the order, what lies below it, and the walk over its claims
    assert many - few <= 19 + 8  # claims are walked anew for each, everything else comes sixteen orders at a time


@pytest.mark.parametrize("numbers", [range(60), range(59, -1, -1)], ids=["upwards", "downwards"])
def test_a_page_takes_a_few_questions_whichever_way_it_is_read(numbers: range) -> None:
    state = Counted()
    world = World(state)
    book = world.deploy(BOOK)
    for number in range(60):
        world.ok(book, "put", number, f"order {number}", ["late"], [1, 2], [])
    state.questions = 0
    found = world.ok(book, "briefly", list(numbers), readonly=True)
    assert found == [[f"order {number}", ["late"], [1, 2]] for number in numbers]
    assert state.questions <= 16


entries = st.lists(st.integers(0, 70), max_size=40)
orders = st.lists(
    st.tuples(st.text(max_size=3), st.lists(st.text(max_size=3), max_size=40), entries, entries), max_size=4
)


@given(orders, st.sampled_from([1, 2, 3, 8, ahead.NEAR]), st.sampled_from([1, 2, 16]), st.randoms())
def test_a_view_sees_what_was_written_however_much_lies_below(
    books: list[tuple[str, list[str], list[int], list[int]]], near: int, step: int, rng: random.Random
) -> None:
    world = World()
    book = world.deploy(BOOK)
    for number, (title, flags, moments, claims) in enumerate(books):
        world.ok(book, "put", number, title, flags, moments, claims)
    expected = [
        [
            title,
            flags,
            [[t, f"at {t}"] for t in moments],
            moments[-1] if moments else None,
            sorted(set(claims)),
            int(7 in claims),
        ]
        for title, flags, moments, claims in books
    ]
    kept, overlay.NEAR, ahead.STEP = (overlay.NEAR, ahead.STEP), near, step  # type: ignore[attr-defined]  # imported there
    numbers = list(range(len(books)))
    try:
        for order in (numbers, numbers[::-1], rng.sample(numbers, len(numbers)), numbers * 2):
            told = world.ok(book, "told", order, readonly=True)
            assert told == [expected[number] for number in order]
        for number in range(len(books)):
            assert world.ok(book, "turn", number, readonly=True) == [True, expected]
    finally:
        overlay.NEAR, ahead.STEP = kept  # type: ignore[attr-defined]  # as above
