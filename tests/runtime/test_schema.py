"""The public face of a source: the official sample to the byte, what has no schema, and both ways to read one."""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from foreman.errors import BadInput
from foreman.runtime.runtime import ContractRuntime
from tests.runtime.world import CONTRACTS, PRELUDE, World

SAMPLE = """
class C(gl.Contract):
    def __init__(self, x: int = 7):
        pass
    @gl.public.view
    def get(self) -> int: ...
    @gl.public.write
    def add(self, n): ...
    @gl.public.write.payable
    def pay(self): ...
    @gl.public.write
    def kw(self, *, k: bool) -> None: ...
    @gl.public.view
    def m(self, a: dict[str, int], b: list[str], c: str | None, d: Address) -> tuple[int, str]: ...
    @gl.public.write.min_gas(leader=10, validator=20).payable
    def mg(self): ...
    def private(self): ...
"""

OFFICIAL = (
    '{"ctor":{"params":[["x","int"]],"kwparams":{}},"methods":{'
    '"add":{"params":[["n","any"]],"kwparams":{},"readonly":false,"ret":"any","payable":false},'
    '"get":{"params":[],"kwparams":{},"readonly":true,"ret":"int"},'
    '"kw":{"params":[],"kwparams":{"k":"bool"},"readonly":false,"ret":"null","payable":false},'
    '"m":{"params":[["a",{"$dict":"int"}],["b",[{"$rep":"string"}]],["c",{"$or":["string","null"]}],["d","address"]],'
    '"kwparams":{},"readonly":true,"ret":["int","string"]},'
    '"mg":{"params":[],"kwparams":{},"min_gas_leader":10,"min_gas_validator":20,"readonly":false,"ret":"any","payable":true},'
    '"pay":{"params":[],"kwparams":{},"readonly":false,"ret":"any","payable":true}}}'
)

IMPORTED = ContractRuntime(lambda digest: True)
READ = ContractRuntime(lambda digest: False)
BOTH = [pytest.param(IMPORTED, id="imported"), pytest.param(READ, id="read")]


@pytest.mark.parametrize("runtime", BOTH)
def test_the_official_sample_to_the_byte(runtime: ContractRuntime) -> None:
    assert json.dumps(runtime.schema((PRELUDE + SAMPLE).encode()), separators=(",", ":")) == OFFICIAL


def test_a_call_returns_the_same_text() -> None:
    world = World()
    assert world.read(world.deploy(SAMPLE), "#get-schema") == OFFICIAL


@pytest.mark.parametrize("runtime", BOTH)
@pytest.mark.parametrize(
    ("annotation", "schema"),
    [
        ("int", "int"),
        ("u256", "int"),
        ("gl.u8", "int"),
        ("bigint", "int"),
        ("str", "string"),
        ("bytes", "bytes"),
        ("bytearray", "array"),
        ("bool", "bool"),
        ("None", "null"),
        ("Address", "address"),
        ("list", "array"),
        ("dict", "dict"),
        ("typing.Any", "any"),
        ("typing.Literal['a', 'b']", "any"),
        ("typing.Optional[int]", {"$or": ["int", "null"]}),
        ("typing.Union[int, str, None]", {"$or": ["int", "string", "null"]}),
        ("int | str", {"$or": ["int", "string"]}),
        ("list[list[u8]]", [{"$rep": [{"$rep": "int"}]}]),
        ("typing.List[str]", [{"$rep": "string"}]),
        ("typing.Sequence[str]", [{"$rep": "string"}]),
        ("tuple[int, ...]", [{"$rep": "int"}]),
        ("tuple[int, str]", ["int", "string"]),
        ("dict[str, typing.Any]", {"$dict": "any"}),
        ("typing.Mapping[str, int]", {"$dict": "int"}),
        ("Point", {"x": "int", "y": [{"$rep": "string"}]}),
        ("Any", "any"),
    ],
)
def test_types(runtime: ContractRuntime, annotation: str, schema: Any) -> None:
    source = (
        "from typing import Any\n@dataclass\nclass Point:\n    x: u32\n    y: list[str]\n"
        f"class C(gl.Contract):\n    def __init__(self):\n        pass\n"
        f"    @gl.public.view\n    def f(self, a: {annotation}) -> {annotation}: ...\n"
    )
    methods: Any = runtime.schema((PRELUDE + source).encode())["methods"]
    assert methods == {"f": {"params": [["a", schema]], "kwparams": {}, "readonly": True, "ret": schema}}


@pytest.mark.parametrize("runtime", BOTH)
@pytest.mark.parametrize(
    ("method", "why"),
    [
        pytest.param("def f(self, a: float): ...", "float", id="float"),
        pytest.param("def f(self, a: set): ...", "set", id="set"),
        pytest.param("def f(self, a: object): ...", "object", id="object"),
        pytest.param("def f(self) -> dict[Address, int]: ...", "keys are not strings", id="keys that are no strings"),
        pytest.param("def f(self) -> TreeMap[str, u8]: ...", "TreeMap", id="TreeMap"),
        pytest.param("def f(self) -> DynArray[u8]: ...", "DynArray", id="DynArray"),
        pytest.param("def f(self, *a): ...", "args", id="*args"),
        pytest.param("def f(self, **a): ...", "args", id="**kwargs"),
        pytest.param("def __receive__(self): ...", "two underscores", id="public __receive__"),
        pytest.param("def f(self, a: 'int'): ...", "int", id="a text for an annotation"),
        pytest.param("def f(self, a: Plain): ...", "Plain", id="a plain class"),
    ],
)
def test_what_has_no_schema(runtime: ContractRuntime, method: str, why: str) -> None:
    source = (
        "class Plain:\n    pass\nclass C(gl.Contract):\n    def __init__(self):\n        pass\n"
        f"    @gl.public.write\n    {method}\n"
    )
    with pytest.raises(BadInput, match=why) as refused:
        runtime.schema((PRELUDE + source).encode())
    assert refused.value.code == "no_schema"


@pytest.mark.parametrize("runtime", BOTH)
@pytest.mark.parametrize(
    "source",
    [
        pytest.param("class C(gl.Contract):\n    pass\n", id="no constructor"),
        pytest.param("class C:\n    pass\n", id="no contract"),
        pytest.param(
            "class A(gl.Contract):\n    def __init__(self): pass\nclass B(gl.Contract):\n    pass\n", id="two"
        ),
        pytest.param("def (:\n", id="no Python"),
        pytest.param("x = " + "(" * 5000 + "\n", id="nested without end"),
    ],
)
def test_sources_without_a_schema(runtime: ContractRuntime, source: str) -> None:
    with pytest.raises(BadInput):
        runtime.schema((PRELUDE + source).encode())


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("while True:\n    pass\n", id="never ends"),
        pytest.param("raise SystemExit(3)\n", id="exits"),
        pytest.param("raise KeyboardInterrupt\n", id="plays the user"),
        pytest.param("class Odd(BaseException):\n    pass\nraise Odd\n", id="no Exception"),
    ],
)
def test_a_source_that_ends_its_import_oddly_has_no_schema(source: str) -> None:
    runtime = ContractRuntime(lambda digest: True, deterministic_seconds=0.2)
    with ThreadPoolExecutor(1) as pool, pytest.raises(BadInput) as refused:
        pool.submit(runtime.schema, (PRELUDE + source).encode()).result()
    assert refused.value.code == "no_schema"


@pytest.mark.parametrize("runtime", BOTH)
def test_a_file_without_its_head_has_no_schema(runtime: ContractRuntime) -> None:
    with pytest.raises(BadInput, match="absent_runner_comment"):
        runtime.schema(b"import os\n")


@pytest.mark.parametrize("runtime", BOTH)
def test_methods_of_bases_and_the_mark_that_wins(runtime: ContractRuntime) -> None:
    source = (
        "class Base:\n    @gl.public.view\n    def f(self) -> int: ...\n    @gl.public.view\n"
        "    def g(self) -> int: ...\n"
        "class C(Base, gl.Contract):\n    def __init__(self, a: str, *, b: bool = True):\n        pass\n"
        "    @gl.public.write\n    def g(self) -> str: ...\n"
        "    @gl.public.view\n    @gl.public.write\n    def h(self): ...\n"
        "    @gl.public.write.min_gas(1, 2)\n    def i(self): ...\n"
    )
    found: Any = runtime.schema((PRELUDE + source).encode())
    assert found["ctor"] == {"params": [["a", "string"]], "kwparams": {"b": "bool"}}
    assert list(found["methods"]) == ["f", "g", "h", "i"]
    assert found["methods"]["f"]["ret"] == "int"
    assert found["methods"]["g"]["readonly"] is False
    assert found["methods"]["h"]["readonly"] is True
    assert found["methods"]["i"]["min_gas_validator"] == 2


SHIPPED = sorted((CONTRACTS.parents[2] / "contracts").glob("*.py"))


@pytest.mark.parametrize(
    "path", [*SHIPPED, CONTRACTS / "ledger.py", CONTRACTS / "probe.py"], ids=lambda path: path.name
)
def test_shipped_contracts_have_the_same_schema_both_ways(path: Any) -> None:
    assert SHIPPED
    assert IMPORTED.schema(path.read_bytes()) == READ.schema(path.read_bytes())


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def test_shipped_contracts_are_shared_by_all_runs(path: Any) -> None:
    """Executing a file for every run costs milliseconds; the shipped ones keep nothing that can change."""
    with IMPORTED._loader.borrow(path.read_bytes(), lambda codes: None) as module:
        assert not module.volatile
