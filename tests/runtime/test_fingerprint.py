"""Equal questions have equal fingerprints, in every process; any difference that could change an answer changes it."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from foreman.runtime import loader
from tests.runtime.world import Seat, World

SOURCE = """
import functools
import json
import re
from datetime import datetime

PATTERN = re.compile("a+")
TABLE = ("x", frozenset(["p", "q", "r"]))
LIMIT = 5

@allow_storage
@dataclass
class Order:
    title: str
    tags: DynArray[str]

@dataclass
class Plain:
    a: int
    b: list

def leaf(text):
    return (text, LIMIT, PATTERN, TABLE)

def even(n):
    return n == 0 or odd(n - 1)

def odd(n):
    return n != 0 and even(n - 1)

class C(gl.Contract):
    n: u32
    orders: TreeMap[str, Order]

    def __init__(self):
        self.orders["a"] = Order("first", ["x"])

    @gl.public.write
    def ask(self, what: str, value: typing.Any = None) -> typing.Any:
        {body}
"""

BODY = """
        order = self.orders["a"]
        kept = gl.storage.copy_to_memory(order)
        plain = Plain(1, [2, value])
        names = {"a", "b", "c", str(value)}
        now = datetime.now()

        def inner(depth=3, *, width=(1, 2)):
            return [leaf(what), even(2), json.dumps(value), inner, depth, width, self, order]

        def leader():
            return [inner(), kept.title, plain, names, now, functools.partial(leaf, value)]

        def validator(result):
            return result == value
        return gl.vm.run_nondet_unsafe(leader, validator)
"""


def print_of(source: str = SOURCE, body: str = BODY, what: str = "q", value: Any = 1, script: str = "") -> str:
    world = World()
    contract = world.deploy(source.replace("{body}", body.strip()))
    if script:
        world.ok(contract, script)
    return world.ask(contract, "ask", what, value).block.fingerprint.hex()


def test_the_same_question_has_the_same_fingerprint_in_one_process() -> None:
    assert print_of() == print_of()


def test_it_is_the_same_in_processes_with_other_hash_seeds() -> None:
    root = Path(__file__).parents[2]
    code = "from tests.runtime.test_fingerprint import print_of; print(print_of())"
    found = {
        subprocess.run(
            [sys.executable, "-W", "error", "-c", code],
            cwd=root,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": f"{root}/src:{root}"},
            check=True,
            capture_output=True,
            text=True,
            timeout=60,
        ).stdout.strip()
        for seed in ("1", "2", "77")
    }
    assert found == {print_of()}


def test_it_does_not_depend_on_what_was_asked_before() -> None:
    world = World()
    contract = world.deploy(SOURCE.replace("{body}", BODY.strip()))
    first = world.ask(contract, "ask", "q", 1).block.fingerprint
    world.ask(contract, "ask", "other", 2)
    assert world.ask(contract, "ask", "q", 1).block.fingerprint == first


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("LIMIT = 5", "LIMIT = 6", id="a constant of the file"),
        pytest.param('compile("a+")', 'compile("b+")', id="a pattern"),
        pytest.param('frozenset(["p", "q", "r"])', 'frozenset(["p", "q"])', id="a set"),
        pytest.param(
            "return n == 0 or odd(n - 1)", "return n == 0 or odd(n - 2)", id="a function that a function names"
        ),
        pytest.param("depth=3", "depth=4", id="a default"),
        pytest.param("width=(1, 2)", "width=(1, 3)", id="a keyword default"),
        pytest.param("return result == value", "return result != value", id="the validator"),
        pytest.param("\n        order = self", "\n\n        order = self", id="a line more"),
    ],
)
def test_other_code_is_another_question(old: str, new: str) -> None:
    """The contract's code hash is part of it, so every change of the source counts."""
    whole = SOURCE.replace("{body}", BODY.strip())
    assert old in whole
    assert print_of(whole.replace(old, new)) != print_of(whole)


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -1, 2**70, "1", b"1", [1], [[1]], {"a": 1}, {"a": {"b": []}}, "", b""],
    ids=repr,
)
def test_another_value_is_another_question(value: Any) -> None:
    assert print_of(value=value) != print_of(value=1)


WALK = """
        values = {
            "int": 1, "bool": True, "float": 1.0, "str": "1", "bytes": b"1", "list": [1], "tuple": (1,), "set": {1},
            "frozenset": frozenset([1]), "dict": {1: 2}, "dict in another order": {"b": 1, "a": 2},
            "dict in order": {"a": 2, "b": 1}, "none": None, "nested": [(1, [2])], "nested otherwise": [(1, (2,))],
            "record": Order("t", ["x"]), "record with another tag": Order("t", ["y"]), "plain": Plain(1, []),
            "plain otherwise": Plain(2, []), "view": self.orders["a"], "map": self.orders, "self": self,
            "map in memory": gl.storage.inmem_allocate(TreeMap[str, u8]), "class": Order, "other class": Plain,
            "module": json, "other module": re, "function": leaf, "other function": even, "builtin": len,
            "other builtin": max, "method": "x".upper, "other method": "y".upper, "bound": self.ask,
            "time": datetime.now(),
            "pattern": re.compile("x"), "flags": re.compile("x", re.I), "partial": functools.partial(leaf, 1),
            "partial otherwise": functools.partial(leaf, 2), "float zero": 0.0, "minus zero": -0.0, "inf": float("inf"),
            "empty list": [], "empty dict": {}, "empty text": "", "lambda": lambda: 1, "other lambda": lambda: 2,
            "huge": 2**300, "surrogate": "\\ud800", "bytearray": bytearray(b"1"), "complex": 1j, "range": range(3),
            "range otherwise": range(4),
        }
        v = values[what]
        return gl.vm.run_nondet_unsafe(lambda: v, lambda r: True)
"""


def test_every_kind_of_value_is_told_from_every_other() -> None:
    world = World()
    contract = world.deploy(SOURCE.replace("{body}", WALK.strip()))
    names = [
        "int", "bool", "float", "str", "bytes", "list", "tuple", "set", "frozenset", "dict", "dict in another order",
        "dict in order", "none", "nested", "nested otherwise", "record", "record with another tag", "plain",
        "plain otherwise", "view", "map", "self", "map in memory", "class", "other class", "module", "other module",
        "function", "other function", "builtin", "other builtin", "method", "other method", "bound", "time", "pattern",
        "flags", "partial", "partial otherwise", "float zero", "minus zero", "inf", "empty list", "empty dict",
        "empty text", "lambda", "other lambda", "huge", "surrogate", "bytearray", "complex", "range", "range otherwise",
    ]  # fmt: skip
    prints = {name: world.ask(contract, "ask", name).block.fingerprint for name in names}
    assert len(set(prints.values())) == len(names)
    assert prints == {name: world.ask(contract, "ask", name).block.fingerprint for name in names}


def test_a_view_is_one_token_whatever_it_holds() -> None:
    """A block cannot look into a view, so its content is no part of the question."""
    source = SOURCE.replace(
        "{body}", "v = self.orders['a']\n        return gl.vm.run_nondet_unsafe(lambda: v, lambda r: True)"
    )
    change = "\n    @gl.public.write\n    def change(self):\n        self.orders['a'].title = 'other'\n"
    assert print_of(source + change) == print_of(source + change, script="change")


def test_a_copy_in_memory_counts_by_content() -> None:
    source = SOURCE.replace(
        "{body}",
        "v = gl.storage.copy_to_memory(self.orders['a'])\n"
        "        return gl.vm.run_nondet_unsafe(lambda: v, lambda r: True)",
    )
    change = "\n    @gl.public.write\n    def change(self):\n        self.orders['a'].title = 'other'\n"
    assert print_of(source + change) != print_of(source + change, script="change")


MUTABLE = """
COUNT = {"n": 0}

def peek():
    return COUNT["n"]

class Holder:
    def get(self):
        return COUNT["n"]

class C(gl.Contract):
    def __init__(self):
        pass

    @gl.public.write
    def ask(self, what: str, n: int) -> typing.Any:
        COUNT["n"] = n
        if what == "direct":
            return gl.vm.run_nondet_unsafe(lambda: COUNT["n"], lambda r: True)
        if what == "by function":
            return gl.vm.run_nondet_unsafe(lambda: peek(), lambda r: True)
        return gl.vm.run_nondet_unsafe(lambda: Holder().get(), lambda r: True)
"""


@pytest.mark.parametrize("what", ["direct", "by function", "by method"])
def test_globals_that_a_run_changed_before_its_block_count(what: str) -> None:
    world = World()
    contract = world.deploy(MUTABLE)
    one, two = (world.ask(contract, "ask", what, n).block.fingerprint for n in (1, 2))
    assert one != two
    assert world.ask(contract, "ask", what, 1).block.fingerprint == one


def test_one_file_asks_another_question_than_its_copy_with_another_comment() -> None:
    body = "return gl.eq_principle.strict_eq(lambda: 1)"
    assert print_of(body=body) != print_of(source=SOURCE + "# more\n", body=body)


@pytest.mark.parametrize(
    ("value", "why"),
    [
        pytest.param("(n for n in [1])", "generator", id="a generator"),
        pytest.param("__import__('threading').Lock()", "lock", id="a lock"),
        pytest.param("iter(__import__('io').StringIO())", "", id="a stream is told by its content"),
    ],
)
def test_what_has_no_content_to_tell_is_refused(value: str, why: str) -> None:
    world = World()
    body = f"v = {value}\n        return gl.vm.run_nondet_unsafe(lambda: v, lambda r: True)"
    contract = world.deploy(SOURCE.replace("{body}", body))
    if why:
        text, stderr = world.error(contract, "ask", "x")
        assert text == "exit_code 1"
        assert "TypeError" in stderr
        assert why in stderr
    else:
        world.ask(contract, "ask", "x")


def test_globals_whose_content_cannot_be_told_are_fixed_by_the_source_if_they_cannot_change() -> None:
    source = "import types\nDECODER = json.JSONDecoder()\nTABLE_ = types.MappingProxyType({'a': (1, 2)})\n"
    body = "return gl.vm.run_nondet_unsafe(lambda: [DECODER.decode('1'), TABLE_['a'][0]], lambda r: True)"
    whole = SOURCE.replace("{body}", body).replace("LIMIT = 5", "LIMIT = 5\n" + source)
    assert print_of(whole) == print_of(whole)
    world = World()
    assert world.ask(world.deploy(whole), "ask", "q").block.lead(Seat()).value == [1, 1]


@pytest.mark.parametrize(
    "value",
    [
        pytest.param("(lambda l: l.append(l) or l)([])", id="a list in itself"),
        pytest.param("(lambda d: d.update(a=d) or d)({})", id="a dict in itself"),
    ],
)
def test_cycles_end(value: str) -> None:
    world = World()
    body = f"v = {value}\n        return gl.vm.run_nondet_unsafe(lambda: len(v), lambda r: True)"
    contract = world.deploy(SOURCE.replace("{body}", body))
    asking = world.ask(contract, "ask", "x")
    assert asking.block.fingerprint == world.ask(contract, "ask", "x").block.fingerprint


@pytest.mark.parametrize("what", ["deep", "wide"])
def test_values_that_are_nested_too_deeply_or_too_large_are_refused(what: str) -> None:
    world = World()
    body = (
        "v = 'x' * 100_000\n        for _ in range(100_000 if what == 'deep' else 12):\n"
        "            v = [v] if what == 'deep' else (v, v)\n"
        "        return gl.vm.run_nondet_unsafe(lambda: len(v), lambda r: True)"
    )
    contract = world.deploy(SOURCE.replace("{body}", body))
    assert "too large or nested too deeply" in world.error(contract, "ask", what)[1]


def with_one_hash(monkeypatch: pytest.MonkeyPatch, source: str) -> str:
    """The fingerprint as if every source had the same hash: what is left is the walk."""
    monkeypatch.setattr(loader, "code_hash", lambda code: b"same" * 8)
    return print_of(source)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("LIMIT = 5", "LIMIT = 6", id="a constant of the file"),
        pytest.param('compile("a+")', 'compile("b+")', id="a pattern"),
        pytest.param('frozenset(["p", "q", "r"])', 'frozenset(["p", "q"])', id="a set"),
        pytest.param(
            "return n == 0 or odd(n - 1)", "return n == 0 or odd(n - 2)", id="a function that a function names"
        ),
        pytest.param("return n != 0 and even(n - 1)", "return n != 0 and odd(n - 1)", id="one further away"),
        pytest.param("depth=3", "depth=4", id="a default"),
        pytest.param("width=(1, 2)", "width=(1, 3)", id="a keyword default"),
        pytest.param("return result == value", "return result != value", id="the validator"),
        pytest.param("kept.title", "kept.tags", id="an attribute"),
        pytest.param("import json", "import json as re2, re as json", id="a module"),
        pytest.param("functools.partial(leaf, value)", "functools.partial(leaf, what)", id="a captured name"),
    ],
)
def test_the_walk_alone_tells_what_matters(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    whole = SOURCE.replace("{body}", BODY.strip())
    assert old in whole
    assert with_one_hash(monkeypatch, whole.replace(old, new)) != with_one_hash(monkeypatch, whole)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("LIMIT = 5", "# a comment\nLIMIT = 5", id="comments and lines"),
        pytest.param("n: u32", "n: u64", id="a field that the block does not see"),
        pytest.param("import functools", "import functools\nOTHER = 3\n\ndef unused():\n"
            "    return OTHER\n", id="a global nobody names"),
    ],
)  # fmt: skip
def test_the_walk_alone_is_blind_to_what_does_not(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> None:
    whole = SOURCE.replace("{body}", BODY.strip())
    assert old in whole
    assert with_one_hash(monkeypatch, whole.replace(old, new)) == with_one_hash(monkeypatch, whole)
