"""Records: views of the state and copies in memory are one class with the same checks (docs/genlayer.md 3.5, 3.6)."""

import pytest

from tests.runtime.probing import Probe


@pytest.fixture
def probe() -> Probe:
    return Probe()


def test_reading_gives_a_live_view_and_assignment_copies(probe: Probe) -> None:
    probe.do("mine = Leaf(1, 'a', ['x'])", "self.leaf = mine", "mine.n = 9", "mine.tags.append('y')")
    assert probe.see("[self.leaf.n, list(self.leaf.tags)]") == [1, ["x"]]
    probe.do("view = self.leaf", "view.n = 5", "view.tags.append('z')")
    assert probe.see("[self.leaf.n, list(self.leaf.tags)]") == [5, ["x", "z"]]


def test_views_of_one_place_alias(probe: Probe) -> None:
    probe.do("self.leaf_by_name['a'] = Leaf(1)")
    assert probe.do(
        "one, two = self.leaf_by_name['a'], self.leaf_by_name['a']",
        "one.n = 7",
        "one.tags.append('t')",
        "out = [two.n, list(two.tags), self.leaf_by_name['a'].n]",
    ) == [7, ["t"], 7]


def test_assigning_over_a_record_changes_it_in_place(probe: Probe) -> None:
    probe.do("self.leaf_by_name['a'] = Leaf(1, 'a', ['x', 'y'])")
    assert probe.do(
        "view = self.leaf_by_name['a']",
        "self.leaf_by_name['a'] = Leaf(2, 'b', ['z'])",
        "out = [view.n, view.text, list(view.tags)]",
    ) == [2, "b", ["z"]]
    assert probe.see("list(self.leaf_by_name['a'].tags)") == ["z"]


def test_records_nest_to_any_depth(probe: Probe) -> None:
    probe.do(
        "self.branch_by_name['b'] = Branch('b', Leaf(1), [Leaf(2), Leaf(3, tags=['deep'])], "
        "gl.storage.inmem_allocate(TreeMap[str, Leaf]))",
        "self.branch_by_name['b'].by_name['k'] = Leaf(4)",
    )
    probe.do("self.branch_by_name['b'].leaves[1].tags.append('er')", "self.branch_by_name['b'].leaf.n = 11")
    assert probe.do(
        "b = self.branch_by_name['b']",
        "out = [b.leaf.n, [l.n for l in b.leaves], list(b.leaves[1].tags), b.by_name['k'].n]",
    ) == [11, [2, 3], ["deep", "er"], 4]


def test_a_whole_tree_is_copied_between_places(probe: Probe) -> None:
    probe.do(
        "self.branch_by_name['b'] = Branch('b', Leaf(1), [Leaf(2, tags=['x'])], "
        "gl.storage.inmem_allocate(TreeMap[str, Leaf]))",
        "self.branch_by_name['b'].by_name['k'] = Leaf(4)",
        "self.branch = self.branch_by_name['b']",
        "self.branch_by_name['b'].leaves[0].tags.append('y')",
        "del self.branch_by_name['b'].by_name['k']",
    )
    assert probe.see(
        "[self.branch.name, list(self.branch.leaves[0].tags), list(self.branch.by_name), len(self.branch.by_name)]"
    ) == ["b", ["x"], ["k"], 1]


def test_assigning_a_place_to_itself_keeps_it(probe: Probe) -> None:
    probe.do("self.leaf = Leaf(3, 'a', ['x', 'y'])", "self.leaves = [Leaf(1, tags=['p']), Leaf(2, tags=['q'])]")
    probe.do("self.leaf = self.leaf", "self.leaves = self.leaves", "self.leaves = list(self.leaves)[::-1]")
    assert probe.see("[list(self.leaf.tags), [[l.n, list(l.tags)] for l in self.leaves]]") == [
        ["x", "y"],
        [[2, ["q"]], [1, ["p"]]],
    ]


@pytest.mark.parametrize(
    ("script", "error"),
    [
        pytest.param("Leaf(256)", "OverflowError: int too big to convert", id="constructor out of range"),
        pytest.param("Leaf(-1)", "OverflowError: can't convert negative int", id="constructor negative"),
        pytest.param("Leaf(1, 2)", "AttributeError", id="constructor of a wrong type"),
        pytest.param("x = Leaf(1)\nx.n = 999", "OverflowError", id="assignment in memory"),
        pytest.param("Gen('x', [])", "TypeError: use gl.storage.inmem_allocate", id="generic without types"),
        pytest.param("Gen[str]('x', [])", "TypeError: use gl.storage.inmem_allocate", id="generic with types"),
        pytest.param("Plain()", "TypeError: Plain has no __init__", id="plain class without a constructor"),
        pytest.param("self.leaf = Place(1, 'a')", "AssertionError: Is right the same storage type?", id="other record"),
        pytest.param("hash(Leaf(1))", "TypeError: unhashable", id="records are not hashable"),
    ],
)
def test_what_records_refuse(probe: Probe, script: str, error: str) -> None:
    assert probe.fails(script).startswith(error)


def test_dataclass_tools_work(probe: Probe) -> None:
    assert probe.do(
        "one = Leaf(1, tags=['x'])",
        "two = dataclasses.replace(one, n=2)",
        "two.tags.append('y')",
        "out = [one.text, two.n, list(one.tags), list(two.tags), repr(Place(1, 'p')), Place(1, 'p') == Place(1, 'p'),",
        "       Place(1, 'p') < Place(2, 'a'), dataclasses.asdict(Place(1, 'p')),",
        "       [f.name for f in dataclasses.fields(Leaf)]]",
    ) == [
        "leaf", 2, ["x"], ["x", "y"], "Place(row=1, name='p')", True, True, {"row": 1, "name": "p"},
        ["n", "text", "tags"],
    ]  # fmt: skip


def test_a_returned_record_is_a_map_of_its_fields(probe: Probe) -> None:
    probe.do("self.leaf = Leaf(1, 'a', ['x'])")
    assert probe.see("self.leaf") == {"n": 1, "text": "a", "tags": ["x"]}


def test_frozen_records_work_in_memory(probe: Probe) -> None:
    assert probe.see("[Fixed(3).n, hash(Fixed(3)) == hash(Fixed(3))]") == [3, True]
    assert probe.fails("Fixed(300)").startswith("OverflowError")
    assert probe.fails("Fixed(3).n = 4") == "FrozenInstanceError: cannot assign to field 'n'"


def test_generic_records_are_stored_and_allocated(probe: Probe) -> None:
    probe.do("self.text = gl.storage.inmem_allocate(Gen[str], 'x', ['a'])", "self.text.more.append('b')")
    assert probe.see("[self.text.value, list(self.text.more), isinstance(self.text, Gen)]") == ["x", ["a", "b"], True]
    assert probe.fails("gl.storage.inmem_allocate(Gen[u8], 'x', [])").startswith("AttributeError")


def test_plain_classes_are_filled_through_a_view_and_keep_their_methods(probe: Probe) -> None:
    probe.do("self.plain.n = 4")
    assert probe.see("self.plain.double()") == 8


def test_copies_in_memory_are_independent(probe: Probe) -> None:
    probe.do("self.leaf = Leaf(1, 'a', ['x'])", "self.ages['a'] = 1")
    assert probe.do(
        "kept, ages = gl.storage.copy_to_memory(self.leaf), gl.storage.copy_to_memory(self.ages)",
        "also = copy.deepcopy(self.leaf)",
        "self.leaf.n = 2",
        "self.leaf.tags.append('y')",
        "self.ages['a'] = 2",
        "kept.tags.append('mine')",
        "out = [kept.n, list(kept.tags), dict(ages), also.n, list(also.tags), list(self.leaf.tags)]",
    ) == [1, ["x", "mine"], {"a": 1}, 1, ["x"], ["x", "y"]]


@pytest.mark.parametrize(
    ("script", "error"),
    [
        pytest.param("gl.storage.copy_to_memory(self.numbers)", "KeyError", id="copy of an array"),
        pytest.param("gl.storage.copy_to_memory('x')", "KeyError", id="copy of a string"),
        pytest.param("gl.storage.inmem_allocate(DynArray[u8])", "TypeError", id="allocating an array"),
        pytest.param("gl.storage.inmem_allocate(u8, 1)", "TypeError", id="allocating a number"),
    ],
)
def test_free_functions_refuse_what_the_network_refuses(probe: Probe, script: str, error: str) -> None:
    assert probe.fails(script).startswith(error)


def test_allocated_maps_and_strings(probe: Probe) -> None:
    assert probe.do(
        "m = gl.storage.inmem_allocate(TreeMap[str, u8])",
        "m['b'], m['a'] = 2, 1",
        "self.ages = m",
        "m['c'] = 3",
        "out = [dict(self.ages), gl.storage.inmem_allocate(str, 'x')]",
    ) == [{"a": 1, "b": 2}, "x"]


def test_a_view_of_a_deleted_place_stays_readable_and_writes_to_nothing(probe: Probe) -> None:
    probe.do("self.leaf_by_name['a'] = Leaf(1, tags=['old'])")
    assert probe.do(
        "stale = self.leaf_by_name['a']",
        "del self.leaf_by_name['a']",
        "self.leaf_by_name['a'] = Leaf(2)",
        "stale.n = 99",
        "out = [stale.n, self.leaf_by_name['a'].n, list(self.leaf_by_name['a'].tags)]",
    ) == [99, 2, []]
    assert probe.see("[self.leaf_by_name['a'].n, list(self.leaf_by_name['a'].tags)]") == [2, []]


def test_setting_what_was_there_is_no_write(probe: Probe) -> None:
    probe.do("self.leaf = Leaf(1, 'a')", "self.number = 3")
    finished = probe.world.call(probe.address, "do", "self.number = 3\nself.leaf.n = 1\nself.leaf.text = 'a'")
    assert finished.effects.writes == {}
