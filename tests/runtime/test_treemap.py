"""`TreeMap`, operation by operation (docs/genlayer.md 3.9)."""

from typing import Any

import pytest

from tests.runtime.probing import Probe


@pytest.fixture
def probe() -> Probe:
    found = Probe()
    found.do("self.ages['b'], self.ages['a'], self.ages['c'] = 2, 1, 3")
    return found


@pytest.mark.parametrize(
    ("script", "after"),
    [
        pytest.param("m['d'] = 4", {"a": 1, "b": 2, "c": 3, "d": 4}, id="new key"),
        pytest.param("m['a'] = 9", {"a": 9, "b": 2, "c": 3}, id="known key"),
        pytest.param("m['a'] += 1", {"a": 2, "b": 2, "c": 3}, id="+="),
        pytest.param("del m['b']", {"a": 1, "c": 3}, id="del"),
        pytest.param("m.pop('b')", {"a": 1, "c": 3}, id="pop"),
        pytest.param("m.pop('x', None)", {"a": 1, "b": 2, "c": 3}, id="pop with a default"),
        pytest.param("m.popitem()", {"b": 2, "c": 3}, id="popitem takes the smallest"),
        pytest.param("m.setdefault('d', 4)", {"a": 1, "b": 2, "c": 3, "d": 4}, id="setdefault of a new key"),
        pytest.param("m.setdefault('a', 4)", {"a": 1, "b": 2, "c": 3}, id="setdefault of a known key"),
        pytest.param("m.update({'a': 5, 'z': 6})", {"a": 5, "b": 2, "c": 3, "z": 6}, id="update"),
        pytest.param("m.update([('z', 6)], y=7)", {"a": 1, "b": 2, "c": 3, "y": 7, "z": 6}, id="update with pairs"),
        pytest.param("m.get_or_insert_default('d')", {"a": 1, "b": 2, "c": 3, "d": 0}, id="get_or_insert_default"),
        pytest.param("del m['a']\nm['a'] = 7", {"a": 7, "b": 2, "c": 3}, id="del and new"),
        pytest.param("m['d'] = 4\ndel m['d']", {"a": 1, "b": 2, "c": 3}, id="new and del"),
    ],
)
def test_what_changes_a_map(probe: Probe, script: str, after: dict[str, int]) -> None:
    # Within the run that changes it, and in a later one.
    assert probe.do("m = self.ages", script, "out = [dict(m), list(m), len(m)]") == [after, sorted(after), len(after)]
    assert probe.see("[dict(self.ages), list(self.ages.items()), len(self.ages)]") == [
        after, [[key, after[key]] for key in sorted(after)], len(after),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("m['a']", 1),
        ("m.get('a')", 1),
        ("m.get('x')", None),
        ("m.get('x', 7)", 7),
        ("'a' in m", True),
        ("'x' in m", False),
        ("list(m.keys())", ["a", "b", "c"]),
        ("list(m.values())", [1, 2, 3]),
        ("[k for k in m]", ["a", "b", "c"]),
        ("m.pop('b')", 2),
        ("m.popitem()", ["a", 1]),
        ("bool(m)", True),
        ("bool(self.other_ages)", False),
        ("m == {'a': 1, 'b': 2, 'c': 3}", True),
        ("m == {'a': 1}", False),
        ("repr(m)", "{'a':1,'b':2,'c':3}"),
        ("isinstance(m, TreeMap)", True),
        ("'\\ud800' in m", False),
        ("len(m.items())", 3),
        ("('a', 1) in m.items()", True),
        ("m", {"a": 1, "b": 2, "c": 3}),
    ],
)
def test_what_a_map_answers(probe: Probe, expression: str, value: Any) -> None:
    assert probe.do("m = self.ages", f"out = {expression}") == value


@pytest.mark.parametrize(
    ("script", "error"),
    [
        pytest.param("TreeMap()", "TypeError", id="TreeMap()"),
        pytest.param("TreeMap[str, u8]()", "TypeError", id="TreeMap[...]()"),
        pytest.param("m['x']", "KeyError", id="unknown key"),
        pytest.param("del m['x']", "KeyError: 'key not found'", id="del of an unknown key"),
        pytest.param("m.pop('x')", "KeyError", id="pop of an unknown key"),
        pytest.param("self.other_ages.popitem()", "KeyError", id="popitem of nothing"),
        pytest.param("m['a'] = 300", "OverflowError", id="value out of range"),
        pytest.param("m[1]", "TypeError", id="key of a wrong type"),
        pytest.param("1 in m", "TypeError", id="in with a wrong type"),
        pytest.param("self.by_number['1'] = 'x'", "TypeError", id="new key of a wrong type"),
        pytest.param("self.by_number[2**15] = 'x'", "OverflowError", id="new key out of range"),
        pytest.param("self.by_address['0x' + '00' * 20]", "AssertionError", id="text for an address"),
        pytest.param("m |= {'a': 1}", "TypeError", id="|="),
        pytest.param("reversed(m)", "TypeError", id="reversed"),
        pytest.param("hash(m)", "TypeError", id="hash"),
        pytest.param("m.clear()", "Exception: clear() fails on the network", id="clear"),
        pytest.param("m.compute_if_absent('x', lambda: 1)", "IndexError", id="compute_if_absent of a new key"),
        pytest.param(
            "self.ages = {}", "AssertionError: Is right the same storage type? `TreeMap` <- `dict`", id="dict"
        ),
        pytest.param("self.ages = self.by_number", "AssertionError", id="map of another type"),
        pytest.param("self.nested['a'] = {}", "AssertionError", id="dict into a nested map"),
    ],
)
def test_what_maps_refuse(probe: Probe, script: str, error: str) -> None:
    assert probe.fails("m = self.ages", script).startswith(error)
    assert probe.see("self.ages") == {"a": 1, "b": 2, "c": 3}


def test_keys_that_cannot_be_there_are_absent(probe: Probe) -> None:
    assert probe.see("[self.by_number.get(10**9), 10**9 in self.by_number]") == [None, False]
    assert probe.fails("del self.by_number[10**9]") == "KeyError: 'key not found'"


def test_order_is_that_of_the_keys(probe: Probe) -> None:
    probe.do(
        "for n in (5, -3, 0, 300, -300): self.by_number[n] = str(n)",
        "for n in (10**40, -1, 0, 7, -10**40): self.big[n] = 1",
        "for row, name in ((1, 'b'), (-1, 'z'), (1, 'a')): self.by_place[Place(row, name)] = 1",
        "for n in (9, 1): self.by_address[Address(bytes([n]) * 20)] = n",
    )
    assert probe.see("list(self.by_number)") == [-300, -3, 0, 5, 300]
    assert probe.see("list(self.big)") == [-(10**40), -1, 0, 7, 10**40]
    assert probe.see("[[p.row, p.name] for p in self.by_place]") == [[-1, "z"], [1, "a"], [1, "b"]]
    assert probe.see("list(self.by_address.values())") == [1, 9]
    assert probe.see("self.by_place[Place(1, 'a')]") == 1


def test_nested_containers(probe: Probe) -> None:
    probe.do(
        "self.nested.get_or_insert_default('x')['k'] = 1",
        "self.nested.get_or_insert_default('x')['l'] = 2",
        "self.nested.get_or_insert_default('y')",
        "self.lists['p'] = [1, 2]",
        "self.lists['p'].append(3)",
    )
    assert probe.see("[{k: dict(v) for k, v in self.nested.items()}, list(self.lists['p'])]") == [
        {"x": {"k": 1, "l": 2}, "y": {}},
        [1, 2, 3],
    ]
    probe.do("self.nested['y'] = self.nested['x']", "self.nested['x']['k'] = 9")
    assert probe.see("dict(self.nested['y'])") == {"k": 1, "l": 2}


def test_deleting_an_entry_removes_all_that_is_nested_in_it(probe: Probe) -> None:
    probe.do("self.leaf_by_name['a'] = Leaf(1, tags=['x', 'y'])", "self.nested.get_or_insert_default('a')['k'] = 1")
    before = probe.rows()
    probe.do(
        "self.leaf_by_name['b'] = Leaf(1, tags=['x', 'y'])",
        "self.branch_by_name['b'] = Branch('b', Leaf(1), [Leaf(2, tags=['x'])], "
        "gl.storage.inmem_allocate(TreeMap[str, Leaf]))",
        "self.nested.get_or_insert_default('b')['k'] = 1",
    )
    assert probe.rows() > before + 5
    probe.do("del self.leaf_by_name['b']", "self.branch_by_name.pop('b')", "del self.nested['b']")
    assert probe.rows() == before + 1, "only the length of the map that was empty is left, as zero"
    assert probe.do("new = self.nested.get_or_insert_default('b')", "out = dict(new)") == {}
    assert probe.do("new = self.leaf_by_name.get_or_insert_default('b')", "out = [new.n, list(new.tags)]") == [0, []]
    assert probe.see("[list(self.leaf_by_name['a'].tags), dict(self.nested['a'])]") == [["x", "y"], {"k": 1}]


def test_what_pop_returns_outlives_the_entry(probe: Probe) -> None:
    probe.do("self.leaf_by_name['a'] = Leaf(1, tags=['x'])")
    assert probe.do(
        "found = self.leaf_by_name.pop('a')",
        "self.leaf_by_name['a'] = Leaf(2, tags=['y'])",
        "out = [found.n, list(found.tags)]",
    ) == [1, ["x"]]


def test_iteration_sees_what_was_added_and_removed_ahead_of_it(probe: Probe) -> None:
    assert probe.do(
        "out = []",
        "for k in self.ages:",
        "    out.append(k)",
        "    if k == 'a':",
        "        del self.ages['b']",
        "        self.ages['bb'] = 1",
    ) == ["a", "bb", "c"]


def test_a_scan_merges_committed_and_new_keys_over_many_chunks(probe: Probe) -> None:
    probe.do("for n in range(0, 900, 3): self.by_number[n] = str(n)")
    assert probe.do(
        "for n in range(1, 900, 3): self.by_number[n] = str(n)",
        "for n in range(0, 900, 6): del self.by_number[n]",
        "out = list(self.by_number)",
    ) == sorted({*range(3, 900, 6), *range(1, 900, 3)})
    assert probe.see("[int(v) for v in self.by_number.values()]") == sorted({*range(3, 900, 6), *range(1, 900, 3)})
