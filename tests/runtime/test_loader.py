"""Which source becomes code, once, and what of a file may live on from one run to the next."""

import builtins
import datetime
import hashlib
import sys
import threading
import time
import types
from typing import Any

import pytest

from foreman.address import Address
from foreman.runtime.header import code_hash
from foreman.runtime.loader import MAX_PROGRAMS
from foreman.runtime.runtime import ContractRuntime
from tests.runtime.world import ALICE, CONTRACTS, HEADER, PRELUDE, World

BODY = "class C(gl.Contract):\n    def __init__(self):\n        pass\n"
IMPORT = "from genlayer import *\n"


def deploying(code: bytes, world: World | None = None) -> tuple[str, str]:
    found = world or World()
    finished = found.finish(found.start(b"\x01" * 20, None, code=code))
    return finished.outcome.text, finished.stderr


@pytest.mark.parametrize(
    "header",
    [
        pytest.param('# v0.2.16\n# { "Depends": "py-genlayer:abc" }\n', id="version and action"),
        pytest.param('# { "Depends": "py-genlayer:test" }\n', id="no version"),
        pytest.param('#v0.1.8\n#{"Depends": "py-genlayer:latest"}\n', id="no spaces"),
        pytest.param('# v0.2.16\n# {\n#   "Seq": [{"Depends": "py-lib-x:1"},\n'
                     '#   {"Depends": "py-genlayer:2"}]\n# }\n', id="Seq"),
        pytest.param('# { "Depends": "py-genlayer:test" }\n# A sentence about it.\n', id="prose after the action"),
        pytest.param('# { "Depends": "py-genlayer:test" }\r\n\r\n', id="CRLF"),
    ],
)  # fmt: skip
def test_heads_that_are_right(header: str) -> None:
    assert deploying((header + IMPORT + BODY).encode()) == ("", "")


@pytest.mark.parametrize(
    ("code", "text"),
    [
        pytest.param(b"", "invalid_contract absent_runner_comment", id="nothing"),
        pytest.param(b"import os\n", "invalid_contract absent_runner_comment", id="no comment"),
        pytest.param(b"\xef\xbb\xbf# v0.2.16\n", "invalid_contract absent_runner_comment", id="byte order mark"),
        pytest.param(b"# v0.2.16\n\nimport os\n", "invalid_contract absent_runner_comment", id="version only"),
        pytest.param(b"# vx\n# {}\n", "invalid_contract absent_runner_comment", id="no version after v"),
        pytest.param(b"# \xff\n", "invalid_contract not_utf8_text", id="not UTF-8"),
        pytest.param(b"# hello\n", "runner_actions", id="no JSON"),
        pytest.param(b"# [1]\n", "runner_actions", id="no object"),
        pytest.param(b'# {"Do": 1}\n', "runner_actions", id="unknown action"),
        pytest.param(b"# {}\n", "runner_actions", id="empty action"),
        pytest.param(b'# {"Depends": "py-other:1"}\n', "runner_actions", id="another runner"),
        pytest.param(b"#" + b"[" * 100_000 + b"\n", "runner_actions", id="endless nesting"),
        pytest.param(b'# v0.3.0\n# {"Depends": "py-genlayer:1"}\n', "version_too_big", id="another SDK"),
        pytest.param(b"PK\x03\x04zip", "invalid_contract malformed_runner", id="ZIP"),
        pytest.param(b"\x00asm\x01", "invalid_contract malformed_runner", id="WASM"),
    ],
)
def test_heads_that_are_wrong(code: bytes, text: str) -> None:
    outcome, stderr = deploying(code)
    assert outcome == text
    assert stderr


def test_code_that_is_not_allowed_is_never_executed_whatever_door_it_comes_through() -> None:
    ran: list[int] = []
    trap = PRELUDE + "import builtins\nbuiltins.foreman_trap.append(1)\n" + BODY
    builtins.foreman_trap = ran  # type: ignore[attr-defined] # where the trap leaves its mark
    try:
        world = World(runtime=ContractRuntime(lambda digest: False))
        outcome, stderr = deploying(trap.encode(), world)
        assert outcome == "invalid_contract not_allowed"
        assert "--allow-contracts" in stderr
        world.state.codes[b"\x05" * 20] = trap.encode()
        assert world.finish(world.start(b"\x05" * 20, "x")).outcome.text == "invalid_contract not_allowed"
        assert world.runtime.schema(trap.encode())["methods"] == {}
        assert ran == []
        open_world = World()
        deploying(trap.encode(), open_world)
        assert len(ran) == 1, "the trap works"
    finally:
        del builtins.foreman_trap  # type: ignore[attr-defined]


def test_another_contract_that_is_not_allowed_is_not_executed_by_a_view() -> None:
    mine = PRELUDE + (
        "class C(gl.Contract):\n    def __init__(self):\n        pass\n"
        "    @gl.public.view\n    def look(self, a: Address) -> int:\n"
        "        return gl.get_contract_at(a).view().get()\n"
    )
    allowed = code_hash(mine.encode())
    world = World(runtime=ContractRuntime(lambda digest: digest == allowed))
    contract = world.deploy(mine)
    world.state.codes[b"\x05" * 20] = (PRELUDE + BODY).encode()

    assert world.error(contract, "look", Address(b"\x05" * 20))[0] == "vm error: invalid_contract not_allowed"


def test_line_ends_do_not_change_the_hash() -> None:
    text = (PRELUDE + BODY).encode()
    seen: list[bytes] = []

    def allowed(digest: bytes) -> bool:
        seen.append(digest)
        return True

    world = World(runtime=ContractRuntime(allowed))
    for spelling in (text, text.replace(b"\n", b"\r\n"), text.replace(b"\n", b"\r")):
        deploying(spelling, world)
    assert seen == [hashlib.sha256(text).digest()] * 3


def counting_imports(body: str) -> tuple[World, bytes, Any]:
    """A contract that notes each time its file is executed, in a real module outside of it."""

    note = types.ModuleType("foreman_note")
    note.times = 0  # type: ignore[attr-defined]
    sys.modules["foreman_note"] = note
    world = World()
    contract = world.deploy("import foreman_note\nforeman_note.times += 1\n" + body)
    note.times = 0  # type: ignore[attr-defined]
    return world, contract, note


METHODS = """
class C(gl.Contract):
    def __init__(self):
        pass
    @gl.public.write
    def do(self, script: str) -> typing.Any:
        names = {"self": self, "out": None}
        exec(script, globals(), names)
        return names["out"]
"""


@pytest.mark.parametrize(
    "globals_",
    [
        pytest.param("A = 1\nB = 'x'\nC_ = (1, ('a', b'b'))\nD = frozenset([1])\n", id="scalars and tuples"),
        pytest.param("import re, json, ipaddress\nP = re.compile('a')\n"
            "N = (ipaddress.ip_network('10.0.0.0/8'),)\n", id="re"),
        pytest.param("import enum\nclass E(enum.Enum):\n    A = 1\n", id="enum"),
        pytest.param("@allow_storage\n@dataclass\nclass R:\n    a: u8 = 1\n"
            "    b: DynArray[str] = field(default_factory=list)\n", id="record"),
        pytest.param("class P(typing.NamedTuple):\n    a: int = 1\n", id="named tuple"),
        pytest.param("import types\nM = types.MappingProxyType({'a': 1})\n", id="mapping proxy of constants"),
        pytest.param("import functools\ndef f(a, b=1): return a\ng = functools.partial(f, 2)\n", id="functions"),
        pytest.param("class E(gl.Event):\n    def __init__(self, a, /): ...\n@gl.evm.contract_interface\n"
            "class W:\n    class View: pass\n", id="interfaces"),
        pytest.param("LIST = [1, {'a': {2}}]\nMAP = {'a': [1]}\n"
            "BYTES = bytearray(b'x')\n", id="containers that nobody changes"),
    ],
)  # fmt: skip
def test_a_file_is_executed_once(globals_: str) -> None:
    world, contract, note = counting_imports(globals_ + METHODS)
    for _ in range(5):
        world.ok(contract, "do", "out = 1")
    assert note.times == 0


@pytest.mark.parametrize(
    ("globals_", "script", "value"),
    [
        pytest.param("N = [0]\n", "N.append(1)\nout = len(N)", 2, id="a list"),
        pytest.param("N = {'a': [0]}\n", "N['a'].append(1)\nout = len(N['a'])", 2, id="a list in a dict"),
        pytest.param("N = {'a': 1, 'b': 2}\n", "v = N.pop('a')\nN['a'] = v\nout = list(N)", ["b", "a"], id="order"),
        pytest.param("N = 0\n", "globals()['N'] += 1\nout = N", 1, id="rebinding through globals()"),
        pytest.param("N = 0\ndef up():\n    global N\n    N += 1\n    return N\n", "out = up()", 1, id="global"),
        pytest.param("class K:\n    n = 0\n", "K.n += 1\nout = K.n", 1, id="a class attribute"),
        pytest.param("class K:\n    n = [0]\n", "K.n.append(1)\nout = len(K.n)", 2, id="a list in a class"),
        pytest.param("class K:\n    pass\nk = K()\n", "out = hasattr(k, 'n')\nk.n = 1", False, id="an object"),
        pytest.param("def f(a, b=[]):\n    b.append(a)\n    return len(b)\n", "out = f(1)", 1, id="a mutable default"),
        pytest.param("def f():\n    f.n = getattr(f, 'n', 0) + 1\n"
            "    return f.n\n", "out = f()", 1, id="on a function"),
        pytest.param("def make():\n    n = [0]\n    def f():\n        n.append(1)\n        return len(n)\n"
            "    return f\nf = make()\n", "out = f()", 2, id="in a closure"),
        pytest.param("import functools\n@functools.cache\ndef f():\n    return []\n", "f().append(1)\n"
            "out = len(f())", 1, id="a cache"),
        pytest.param("T = ([0],)\n", "T[0].append(1)\nout = len(T[0])", 2, id="a list in a tuple"),
        pytest.param("m = gl.storage.inmem_allocate(TreeMap[str, u8])\n", "out = len(m)\n"
            "m['a'] = 1", 0, id="a map in memory"),
    ],
)  # fmt: skip
def test_nothing_a_run_changes_in_the_module_reaches_the_next(globals_: str, script: str, value: Any) -> None:
    world, contract, _ = counting_imports(globals_ + METHODS)
    assert [world.ok(contract, "do", script) for _ in range(3)] == [value] * 3


def test_a_file_that_looks_at_the_run_is_executed_for_every_run() -> None:
    world, contract, note = counting_imports(
        "WHO = gl.message.sender_address\nimport datetime\nT = datetime.datetime.now()\n" + METHODS
    )
    assert world.ok(contract, "do", "out = [WHO, T.isoformat()]", sender=b"\x77" * 20)[0].as_bytes == b"\x77" * 20
    assert world.ok(contract, "do", "out = WHO", sender=ALICE).as_bytes == ALICE
    assert note.times == 2


def test_runs_at_once_do_not_share_what_one_of_them_may_change() -> None:
    world, contract, _ = counting_imports("N = []\n" + METHODS)
    meet = threading.Barrier(4)

    sys.modules["foreman_note"].meet = meet.wait  # type: ignore[attr-defined] # makes the runs overlap
    found: list[Any] = []

    def read() -> None:
        found.append(world.read(contract, "do", "N.append(1)\nforeman_note.meet()\nout = len(N)"))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [1] * 4


def test_programs_are_kept_up_to_a_number() -> None:
    world = World()
    for number in range(MAX_PROGRAMS + 20):
        world.runtime.schema((HEADER + IMPORT + f"N = {number}\n" + BODY).encode())
    assert len(world.runtime._loader._programs) == MAX_PROGRAMS


def test_contracts_do_not_touch_the_interpreter() -> None:

    before = set(sys.modules), datetime.datetime, time.time
    World().deploy("import datetime, time, random, os\n" + BODY)
    assert "genlayer" not in sys.modules
    assert not any(name.startswith("contract_") for name in sys.modules)
    assert (datetime.datetime, time.time) == before[1:]


def test_from_genlayer_import_star_gives_exactly_these_names() -> None:
    world = World()
    contract = world.deploy(
        "before = set(globals())\nnames = {}\nexec('from genlayer import *', {'__builtins__': __builtins__}, names)\n"
        "NAMES = tuple(sorted(names))\nimport genlayer\nimport genlayer.gl as again\nfrom genlayer import gl as gl3\n"
        "SAME = genlayer.gl is gl and again is gl and gl3 is gl\n"
        "GL = tuple(name for name in (*dir(gl), *dir(type(gl))) if not name.startswith('_'))\n"
        "class C(gl.Contract):\n    def __init__(self):\n        pass\n"
        "    @gl.public.view\n    def get(self) -> list:\n        return [NAMES, SAME, GL]\n"
    )
    names, same, inside = world.read(contract, "get")
    ints = [f"{sign}{bits}" for sign in "ui" for bits in range(8, 257, 8)]
    assert names == sorted(
        ["Address", "Array", "DynArray", "TreeMap", "Keccak256", "allow_storage", "bigint", "gl", *ints]
    )
    assert same
    expected = (
        "Contract Event public private message message_raw contract_interface get_contract_at deploy_contract storage "
        "vm nondet eq_principle evm advanced calldata Lazy Address u8 i256 bigint trace trace_time_micro"
    )
    assert set(expected.split()) <= set(inside)
    assert not {"TreeMap", "DynArray", "allow_storage", "UserError", "exec_prompt"} & set(inside)


@pytest.mark.parametrize("name", ["foreman.py", "verdict_escrow.py"])
def test_a_shipped_contract_stays_loaded_while_it_is_used(name: str) -> None:
    """Nothing that a read, a write or a refusal does makes its file be executed again."""
    world = World()
    source = (CONTRACTS.parents[2] / "contracts" / name).read_bytes()
    contract = world.deploy(source.decode())
    module = world.runtime._loader.program(source).shared
    assert module is not None
    schema = world.runtime.schema(source)
    for method, face in schema["methods"].items():  # type: ignore[attr-defined] # a dict of methods
        if not face["params"]:
            world.start(contract, method)
        world.start(contract, method, [1] * len(face["params"]))
    assert world.runtime._loader.program(source).shared is module


def test_only_one_source_needs_hashing_per_call() -> None:
    """The program is found by the source itself; its hash is asked for once."""
    asked: list[bytes] = []

    def allowed(digest: bytes) -> bool:
        asked.append(digest)
        return True

    world = World(runtime=ContractRuntime(allowed))
    contract = world.deploy(BODY.replace("pass", "pass\n    @gl.public.view\n    def get(self):\n        return 1"))
    for _ in range(5):
        world.read(contract, "get")
    assert len(asked) == 1
