"""`DynArray` and `Array`, operation by operation (docs/genlayer.md 3.7 and 3.8)."""

from typing import Any

import pytest

from tests.runtime.probing import Probe


@pytest.fixture
def probe() -> Probe:
    found = Probe()
    found.do("self.numbers = [1, 2, 3, 4]", "self.leaves = [Leaf(n, tags=[str(n)]) for n in (1, 2, 3)]")
    return found


@pytest.mark.parametrize(
    ("script", "after"),
    [
        pytest.param("a.append(5)", [1, 2, 3, 4, 5], id="append"),
        pytest.param("a.extend([5, 6])", [1, 2, 3, 4, 5, 6], id="extend"),
        pytest.param("a += [5]", [1, 2, 3, 4, 5], id="+="),
        pytest.param("a[0] = 9", [9, 2, 3, 4], id="set"),
        pytest.param("a[-1] = 9", [1, 2, 3, 9], id="set from the end"),
        pytest.param("del a[1]", [1, 3, 4], id="del"),
        pytest.param("del a[-1]", [1, 2, 3], id="del from the end"),
        pytest.param("del a[1:3]", [1, 4], id="del slice"),
        pytest.param("del a[::2]", [2, 4], id="del slice with a step"),
        pytest.param("a[1:2] = [7, 8]", [1, 7, 8, 3, 4], id="slice assignment"),
        pytest.param("a[::2] = [7, 8]", [7, 2, 8, 4], id="slice assignment with a step"),
        pytest.param("a.insert(0, 9)", [9, 1, 2, 3, 4], id="insert first"),
        pytest.param("a.insert(2, 9)", [1, 2, 9, 3, 4], id="insert"),
        pytest.param("a.insert(-1, 9)", [1, 2, 3, 9, 4], id="insert from the end"),
        pytest.param("a.reverse()", [4, 3, 2, 1], id="reverse"),
        pytest.param("a.remove(3)", [1, 2, 4], id="remove"),
        pytest.param("a.pop()", [1, 2, 3], id="pop"),
        pytest.param("a.append_new_get()", [1, 2, 3, 4, 0], id="append_new_get"),
        pytest.param("self.numbers = (7, 8)", [7, 8], id="assign a tuple"),
        pytest.param("self.numbers = range(2)", [0, 1], id="assign a range"),
        pytest.param("self.numbers = []", [], id="assign nothing"),
        pytest.param("self.numbers = b'ab'", [97, 98], id="assign bytes"),
    ],
)
def test_what_changes_an_array(probe: Probe, script: str, after: list[int]) -> None:
    probe.do("a = self.numbers", script)
    assert probe.see("list(self.numbers)") == after
    assert probe.see("len(self.numbers)") == len(after)
    assert probe.see("[n for n in self.numbers]") == after


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("a[1]", 2),
        ("a[-1]", 4),
        ("a[1:3]", [2, 3]),
        ("type(a[1:3]) is list", True),
        ("a[::-1]", [4, 3, 2, 1]),
        ("a.index(3)", 2),
        ("a.count(3)", 1),
        ("3 in a", True),
        ("9 in a", False),
        ("a.pop()", None),
        ("repr(a)", "[1,2,3,4]"),
        ("a == [1, 2, 3, 4]", False),
        ("a == self.numbers", True),
        ("a == self.words", False),
        ("isinstance(a, DynArray)", True),
        ("hash(a) == hash(self.numbers)", True),
        ("bool(self.words)", False),
        ("a", [1, 2, 3, 4]),
    ],
)
def test_what_an_array_answers(probe: Probe, expression: str, value: Any) -> None:
    assert probe.do("a = self.numbers", f"out = {expression}") == value


@pytest.mark.parametrize(
    ("script", "error"),
    [
        pytest.param("DynArray()", "TypeError: this class can't be instantiated by user", id="DynArray()"),
        pytest.param("DynArray[u32]()", "TypeError: this class can't be instantiated by user", id="DynArray[u32]()"),
        pytest.param("Array[u8, typing.Literal[2]]()", "TypeError", id="Array()"),
        pytest.param("a[4]", "IndexError: index out of range 4 not in 0..<4", id="index"),
        pytest.param("a[-5]", "IndexError: index out of range -5 not in 0..<4", id="index from the end"),
        pytest.param("a[4] = 1", "IndexError", id="set beyond the end"),
        pytest.param("a.insert(4, 1)", "IndexError", id="insert at the end"),
        pytest.param("a.pop(0)", "TypeError", id="pop with an index"),
        pytest.param("self.words.pop()", "Exception: can't pop from empty array", id="pop of nothing"),
        pytest.param("a.append(300)", "OverflowError", id="append out of range"),
        pytest.param("a.append('x')", "AttributeError", id="append of a wrong type"),
        pytest.param("a.remove(9)", "ValueError", id="remove of nothing"),
        pytest.param("a.index(9)", "ValueError", id="index of nothing"),
        pytest.param("a.clear()", "Exception: clear() fails on the network", id="clear"),
        pytest.param("a.sort()", "AttributeError", id="sort"),
        pytest.param("a + [1]", "TypeError", id="+"),
        pytest.param("self.numbers = (n for n in [1])", "TypeError", id="assign a generator"),
        pytest.param("self.numbers = self.words", "TypeError: incompatible vector type", id="assign another type"),
        pytest.param("self.leaves.append(1)", "AssertionError", id="append no record"),
        pytest.param("self.fixed[4]", "IndexError: index out of range 4 not in 0..<4", id="Array index"),
        pytest.param("self.fixed[::2]", "KeyError", id="Array slice with a step"),
        pytest.param("self.fixed[0] = 300", "OverflowError", id="Array element out of range"),
    ],
)
def test_what_arrays_refuse(probe: Probe, script: str, error: str) -> None:
    assert probe.fails("a = self.numbers", script).startswith(error)
    assert probe.see("list(self.numbers)") == [1, 2, 3, 4]


def test_a_refused_element_leaves_the_array_as_it_was_even_if_the_contract_catches_it(probe: Probe) -> None:
    probe.do("try:", "    self.numbers.append(300)", "except OverflowError:", "    pass")
    assert probe.see("list(self.numbers)") == [1, 2, 3, 4]


def test_elements_that_are_records_are_live_and_move_whole(probe: Probe) -> None:
    probe.do("self.leaves[0].tags.append('live')", "self.leaves[2].n = 33")
    probe.do("del self.leaves[1]", "self.leaves.insert(0, Leaf(7, tags=['new']))", "self.leaves.reverse()")
    assert probe.see("[[l.n, list(l.tags)] for l in self.leaves]") == [[33, ["3"]], [1, ["1", "live"]], [7, ["new"]]]


def test_a_slot_that_is_used_again_shows_nothing_old(probe: Probe) -> None:
    probe.do("self.leaves.pop()", "self.leaves.pop()")
    assert probe.do("new = self.leaves.append_new_get()", "out = [new.n, new.text, list(new.tags)]") == [0, "", []]


def test_arrays_of_arrays(probe: Probe) -> None:
    probe.do("self.grid = [[1, 2], [], [3]]", "self.grid[1].append(9)", "self.grid.append([4])", "del self.grid[0]")
    assert probe.see("[list(row) for row in self.grid]") == [[9], [3], [4]]
    probe.do("self.grid.append(self.grid[0])", "self.grid[0].append(8)")
    assert probe.see("[list(row) for row in self.grid]") == [[9, 8], [3], [4], [9]]


def test_iteration_has_the_length_it_started_with(probe: Probe) -> None:
    assert probe.do("out = []", "for n in self.numbers:", "    self.numbers.append(n)", "    out.append(n)") == [
        1,
        2,
        3,
        4,
    ]


def test_fixed_arrays(probe: Probe) -> None:
    probe.do("self.fixed = [1, 2, 3, 4]", "self.fixed[-1] = 9", "part = self.fixed[1:3]", "part[0] = 7")
    assert probe.see("[list(self.fixed), len(self.fixed), 7 in self.fixed]") == [[1, 7, 3, 9], 4, True]
    assert probe.see("self.fixed == [1, 7, 3, 9]") is False
    probe.do("self.fixed_leaves[1].tags.append('x')", "self.fixed_leaves[0] = Leaf(4)")
    assert probe.see("[[l.n, list(l.tags)] for l in self.fixed_leaves]") == [[4, []], [0, ["x"]]]
    probe.do("self.fixed = self.fixed", "self.fixed_leaves = list(self.fixed_leaves)[::-1]")
    assert probe.see("[list(self.fixed), [l.n for l in self.fixed_leaves]]") == [[1, 7, 3, 9], [0, 4]]
    assert probe.see("list(self.fixed_leaves[0].tags)") == ["x"]


def test_emptying_an_array_removes_its_rows(probe: Probe) -> None:
    before = Probe().rows()
    probe.do("self.numbers = []", "while len(self.leaves):", "    self.leaves.pop()")
    left = [key for key, raw in probe.world.state.rows[probe.address].items() if raw != bytes(4)]
    assert len(left) == before
