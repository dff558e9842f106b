"""Stored fields of a contract: what may be declared, what each accepts, what is there before any write."""

from typing import Any

import pytest

from foreman.address import Address
from tests.runtime.world import PRELUDE, World

EVERYTHING = """
import datetime

@allow_storage
@dataclass
class Inner:
    n: u8
    names: DynArray[str]

class C(gl.Contract):
    a: u8
    b: i16
    c: u256
    d: bigint
    e: bool
    f: str
    g: bytes
    h: float
    i: Address
    j: datetime.datetime
    k: Array[u8, typing.Literal[3]]
    l: DynArray[u32]
    m: TreeMap[str, u32]
    n: Inner
    o: None
    ignored: typing.ClassVar[int] = 3

    def __init__(self):
        pass

    @gl.public.write
    def put(self, name: str, value: typing.Any) -> typing.Any:
        setattr(self, name, tuple(value) if name == "k" and value == "tuple" else value)
        return self.get(name)

    @gl.public.view
    def get(self, name: str) -> typing.Any:
        value = getattr(self, name)
        if name == "n":
            return [value.n, list(value.names)]
        if name == "j":
            return value.isoformat()
        if name == "h":
            return repr(value)
        return list(value) if name in "kl" else value
"""


@pytest.fixture(scope="module")
def world() -> tuple[World, bytes]:
    found = World()
    return found, found.deploy(EVERYTHING)


ZEROS = {
    "a": 0, "b": 0, "c": 0, "d": 0, "e": False, "f": "", "g": b"", "h": "0.0", "i": Address.ZERO,
    "j": "1970-01-01T00:00:00", "k": [0, 0, 0], "l": [], "m": {}, "n": [0, []], "o": None,
}  # fmt: skip


@pytest.mark.parametrize(("name", "zero"), ZEROS.items(), ids=ZEROS)
def test_everything_is_zero_until_it_is_written(world: tuple[World, bytes], name: str, zero: Any) -> None:
    found, contract = world
    assert found.read(contract, "get", name) == zero


@pytest.mark.parametrize(
    ("name", "value", "stored"),
    [
        pytest.param("a", 255, 255, id="u8 at its limit"),
        pytest.param("a", True, 1, id="True is 1"),
        pytest.param("b", -(2**15), -(2**15), id="i16 at its limit"),
        pytest.param("c", 2**256 - 1, 2**256 - 1, id="u256 at its limit"),
        pytest.param("d", -(10**100), -(10**100), id="bigint has no limit"),
        pytest.param("e", 7, True, id="bool takes the truth of a value"),
        pytest.param("f", "é😀\x00", "é😀\x00", id="str"),
        pytest.param("g", b"\x00\xff", b"\x00\xff", id="bytes"),
        pytest.param("h", 3, "3.0", id="float takes an int"),
        pytest.param("i", Address(b"\x01" * 20), Address(b"\x01" * 20), id="Address"),
        pytest.param("k", [1, 2, 3], [1, 2, 3], id="Array takes a list of its size"),
        pytest.param("l", [1, 2], [1, 2], id="DynArray takes a list"),
    ],
)
def test_what_a_field_accepts(world: tuple[World, bytes], name: str, value: Any, stored: Any) -> None:
    found, contract = world
    assert found.ok(contract, "put", name, value) == stored
    assert found.read(contract, "get", name) == stored


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [
        pytest.param("a", 256, "OverflowError: int too big to convert", id="u8 too big"),
        pytest.param("a", -1, "OverflowError: can't convert negative int to unsigned", id="u8 negative"),
        pytest.param("b", -(2**15) - 1, "OverflowError: int too big to convert", id="i16 too small"),
        pytest.param("c", 2**256, "OverflowError: int too big to convert", id="u256 too big"),
        pytest.param("a", "5", "AttributeError: 'str' object has no attribute 'to_bytes'", id="str into int"),
        pytest.param("f", b"x", "AttributeError: 'bytes' object has no attribute 'encode'", id="bytes into str"),
        pytest.param("f", 1, "AttributeError: 'int' object has no attribute 'encode'", id="int into str"),
        pytest.param("g", "x", "TypeError", id="str into bytes"),
        pytest.param(
            "i", "0x" + "00" * 20, "AttributeError: 'str' object has no attribute 'as_bytes'", id="str address"
        ),
        pytest.param("k", [1, 2], "AssertionError", id="Array of another size"),
        pytest.param("k", "tuple", "AttributeError", id="Array from a tuple"),
        pytest.param("k", [1, 2, 300], "OverflowError", id="Array with an element out of range"),
        pytest.param("l", [1, -1], "OverflowError", id="DynArray with an element out of range"),
        pytest.param("l", 5, "TypeError", id="DynArray from a number"),
        pytest.param("m", {}, "AssertionError: Is right the same storage type? `TreeMap` <- `dict`", id="dict"),
        pytest.param(
            "n", None, "AssertionError: Is right the same storage type? `Inner` <- `NoneType`", id="no record"
        ),
        pytest.param("n", {}, "AssertionError: Is right the same storage type? `Inner` <- `dict`", id="dict as record"),
    ],
)
def test_what_a_field_refuses_and_how(world: tuple[World, bytes], name: str, value: Any, error: str) -> None:
    found, contract = world
    before = found.read(contract, "get", name)
    text, stderr = found.error(contract, "put", name, value)
    assert text == "exit_code 1"
    assert stderr.splitlines()[-1].startswith(error)
    assert found.read(contract, "get", name) == before


def declared(annotation: str, before: str = "") -> tuple[str, str]:
    """How the deployment of a contract with one field of this type ends."""
    world = World()
    source = f"{PRELUDE}{before}\nclass C(gl.Contract):\n    x: {annotation}\n    def __init__(self):\n        pass\n"
    finished = world.finish(world.start(b"\x01" * 20, None, code=source.encode()))
    return finished.outcome.text, finished.stderr.splitlines()[-1] if finished.stderr else ""


@pytest.mark.parametrize(
    ("annotation", "error"),
    [
        pytest.param("int", "TypeError: int cannot be stored: use bigint or a sized integer", id="int"),
        pytest.param("list[u8]", "AssertionError: list[...] cannot be stored: use DynArray", id="list[...]"),
        pytest.param("dict[str, u8]", "AssertionError: dict[...] cannot be stored: use TreeMap", id="dict[...]"),
        pytest.param("list", "TypeError", id="bare list"),
        pytest.param("dict", "TypeError", id="bare dict"),
        pytest.param("typing.Any", "TypeError", id="Any"),
        pytest.param("Plain", "TypeError: class Plain is not marked for usage within storage", id="unmarked class"),
        pytest.param(
            "Unmarked", "TypeError: class Unmarked is not marked for usage within storage", id="unmarked data"
        ),
        pytest.param("datetime.timedelta", "TypeError", id="timedelta"),
        pytest.param("Colour", "TypeError", id="enum"),
        pytest.param("typing.Optional[u8]", "Exception", id="Optional"),
        pytest.param("u8 | None", "Exception", id="union"),
        pytest.param("tuple[u8, u8]", "Exception", id="tuple"),
        pytest.param("set[u8]", "Exception", id="set"),
        pytest.param("DynArray", "TypeError", id="bare DynArray"),
        pytest.param("TreeMap", "TypeError", id="bare TreeMap"),
        pytest.param("Array[u8, 3]", "TypeError", id="Array without Literal"),
        pytest.param("TreeMap[None, u8]", "TypeError", id="a key without an order"),
        pytest.param("TreeMap[DynArray[u8], u8]", "TypeError", id="a container as key"),
        pytest.param("TreeMap[Unordered, u8]", "TypeError", id="a record without an order as key"),
        pytest.param("Frozen", "TypeError: Frozen is frozen", id="a frozen record"),
        pytest.param("DynArray[int]", "TypeError", id="int below a container"),
    ],
)
def test_what_cannot_be_declared(annotation: str, error: str) -> None:
    before = (
        "import datetime, enum\nclass Plain: pass\n@dataclass\nclass Unmarked:\n    a: u8\n"
        "class Colour(enum.Enum):\n    RED = 1\n"
        "@allow_storage\n@dataclass\nclass Unordered:\n    a: u8\n"
        "@allow_storage\n@dataclass(frozen=True)\nclass Frozen:\n    a: u8\n"
    )
    text, last = declared(annotation, before)
    assert text == "exit_code 1"
    assert last.startswith(error), last


@pytest.mark.parametrize(
    "annotation",
    [
        "Array[u8, typing.Literal[0]]",
        "'u8'",
        "DynArray['Later']",
        "TreeMap[Ordered, u8]",
        "TreeMap[bool, DynArray[u8]]",
    ],
)
def test_what_else_can_be_declared(annotation: str) -> None:
    before = (
        "@allow_storage\n@dataclass\nclass Later:\n    a: u8\n"
        "@allow_storage\n@dataclass(order=True)\nclass Ordered:\n    a: str\n    b: i8\n"
    )
    assert declared(annotation, before) == ("", "")


def test_class_level_defaults_are_ignored_and_unannotated_attributes_live_for_one_call() -> None:
    world = World()
    contract = world.deploy(
        "class C(gl.Contract):\n"
        "    a: u8 = 5\n"
        "    def __init__(self):\n        self.note = 'x'\n"
        "    @gl.public.view\n    def get(self) -> list:\n        return [self.a, hasattr(self, 'note')]\n"
    )
    assert world.read(contract, "get") == [0, False]


@pytest.mark.parametrize(
    ("classes", "count"),
    [
        pytest.param("class A(gl.Contract):\n    pass\nclass B(gl.Contract):\n    pass\n", "one", id="two contracts"),
        pytest.param("class A(gl.Contract):\n    pass\nclass B(A):\n    pass\n", "one", id="a subclass of a contract"),
        pytest.param("class A:\n    pass\n", "exactly one", id="no contract"),
    ],
)
def test_a_file_defines_exactly_one_contract(classes: str, count: str) -> None:
    world = World()
    finished = world.finish(world.start(b"\x01" * 20, None, code=(PRELUDE + classes).encode()))
    assert finished.outcome.text == "exit_code 1"
    assert finished.stderr.splitlines()[-1].startswith("TypeError")
    assert count in finished.stderr


def test_a_mixin_brings_fields_and_methods() -> None:
    world = World()
    contract = world.deploy(
        "class Owned:\n"
        "    owner: Address\n"
        "    @gl.public.view\n    def who(self) -> str:\n        return self.owner.as_hex\n"
        "class C(Owned, gl.Contract):\n"
        "    n: u8\n"
        "    def __init__(self):\n        self.owner = gl.message.sender_address\n"
    )
    assert world.read(contract, "who") == Address(b"\xa1" * 20).as_hex


def test_aware_and_naive_times_are_stored_as_they_are() -> None:
    world = World()
    contract = world.deploy(
        "import datetime\n"
        "class C(gl.Contract):\n"
        "    a: datetime.datetime\n    b: datetime.datetime\n"
        "    def __init__(self):\n"
        "        self.a = datetime.datetime.now()\n"
        "        self.b = datetime.datetime.now(datetime.timezone.utc)\n"
        "    @gl.public.view\n    def get(self) -> list:\n"
        "        aware = self.b - datetime.timedelta(hours=1) < self.b\n"
        "        return [self.a.isoformat(), self.b.isoformat(), isinstance(self.a, datetime.datetime), aware]\n"
    )
    stamp = "2024-11-26T06:42:42.424242"
    assert world.read(contract, "get") == [stamp, stamp + "+00:00", True, True]
