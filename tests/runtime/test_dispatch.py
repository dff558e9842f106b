"""Which method a call reaches, and what it becomes when there is none (docs/genlayer.md 4.2)."""

from typing import Any

import pytest

from foreman.calldata import encode
from foreman.execution import Code
from foreman.runtime.ending import MAX_STDERR
from tests.runtime.world import ALICE, PRELUDE, World

SOURCE = """
import abc

class C(gl.Contract):
    n: u32
    log: str

    def __init__(self, start: int = 0, *, bonus: int = 0):
        self.n = start + bonus

    @gl.public.view
    def get(self) -> int:
        return self.n

    @gl.public.write
    def add(self, by: int, /, *, twice: bool = False) -> int:
        self.n += by * (2 if twice else 1)
        return self.n

    @gl.public.write.payable
    def pay(self) -> int:
        self.n += 1
        return gl.message.value

    @gl.public.write
    @gl.public.view
    def both(self) -> None:
        pass

    @gl.private
    def secret(self) -> None:
        pass

    def plain(self) -> None:
        pass

    @gl.public.write
    @abc.abstractmethod
    def later(self) -> None:
        pass

    @gl.public.write
    def end(self, how: typing.Any) -> typing.Any:
        self.n += 1
        if how == "user":
            raise gl.vm.UserError("no: ü")
        if how == "number as message":
            raise gl.vm.UserError(5)
        if how == "crash":
            raise KeyError("gone")
        if how == "base":
            raise BaseException("no ordinary exception")
        if how == "cancel":
            raise GeneratorExit
        if how == "exit text":
            exit("bye")
        if how == "recursion":
            return self.end(how)
        if how == "memory":
            raise MemoryError
        if how == "immediate":
            try:
                gl.advanced.user_error_immediate("at once")
            except BaseException:
                pass
            return 1
        if how == "float":
            return 1.5
        if how == "set":
            return {1}
        if how == "address keys":
            return {self.address: 1}
        if how == "long":
            raise ValueError("x" * 100_000)
        if how == "bad repr":
            class Bad(Exception):
                def __str__(self):
                    raise RuntimeError("no text")
            raise Bad
        exit(how)

    @gl.public.view
    async def soon(self) -> int:
        return 1

    @gl.public.view
    def write_in_view(self) -> int:
        self.n = 77
        return self.n

    def __on_errored_message__(self):
        self.log += "errored;"


class NoPublic:
    pass
"""

PAYING = """
class C(gl.Contract):
    log: str
    def __init__(self):
        pass
    @gl.public.write{payable}
    def __receive__(self):
        self.log = "received"
        return "received"
    @gl.public.write{undefined}
    def __handle_undefined_method__(self, name, args, kwargs):
        return [name, args, kwargs]
    def known(self):
        pass
"""


@pytest.fixture
def world() -> tuple[World, bytes]:
    found = World()
    return found, found.deploy(SOURCE, 5, bonus=2)


def test_constructor_arguments_and_value(world: tuple[World, bytes]) -> None:
    found, contract = world
    assert found.read(contract, "get") == 7
    assert found.read(found.deploy(SOURCE, value=9), "get") == 0
    assert found.state.balance(b"\x02" * 20) == 9


def test_arguments_come_by_place_and_by_name(world: tuple[World, bytes]) -> None:
    found, contract = world
    assert found.ok(contract, "add", 3) == 10
    assert found.ok(contract, "add", 3, kwargs={"twice": True}) == 16
    assert found.ok(contract, "pay", value=4) == 4


@pytest.mark.parametrize(
    ("method", "args", "value", "stderr"),
    [
        pytest.param("nothing", [], 0, "ValueError: call to unknown method `nothing`", id="unknown"),
        pytest.param("secret", [], 0, "ValueError: call to private method `secret`", id="private"),
        pytest.param("plain", [], 0, "ValueError: call to private method `plain`", id="not public"),
        pytest.param("balance", [], 0, "ValueError: call to private method `balance`", id="a property"),
        pytest.param("n", [], 0, "ValueError: call to private method `n`", id="a field"),
        pytest.param("later", [], 0, "ValueError: call to abstract method `later`", id="abstract"),
        pytest.param("__init__", [], 0, "ValueError: call to forbidden method `__init__`", id="constructor by name"),
        pytest.param("__receive__", [], 0, "ValueError: call to forbidden method", id="__receive__ by name"),
        pytest.param("#what", [], 0, "ValueError: call to forbidden method `#what`", id="unknown #"),
        pytest.param(
            "get", [], 1, "ValueError: `get` is non-payable: it takes no value, this call sends 1 wei", id="value view"
        ),
        pytest.param("add", [1], 1, "ValueError: `add` is non-payable: it takes no value, this", id="value on a write"),
        pytest.param("add", [], 0, "TypeError: `add` takes the arguments (by, *, twice=), ", id="too few"),
        pytest.param("add", [1, 2], 0, "TypeError: `add` takes the arguments (by, *, twice=), ", id="too many"),
        pytest.param("", [], 0, "ValueError: the contract takes no plain transfers", id="plain transfer"),
        pytest.param("", [], 5, "ValueError: the contract takes no plain transfers", id="plain transfer of value"),
        pytest.param("soon", [], 0, "TypeError: not calldata encodable", id="async"),
    ],
)
def test_what_cannot_be_called(
    world: tuple[World, bytes], method: str, args: list[Any], value: int, stderr: str
) -> None:
    found, contract = world
    text, why = found.error(contract, method, *args, value=value)
    assert text == "exit_code 1"
    assert why.splitlines()[-1].startswith(stderr)


@pytest.mark.parametrize(
    ("how", "code", "text"),
    [
        pytest.param("user", Code.USER_ERROR, "no: ü", id="UserError"),
        pytest.param("number as message", Code.VM_ERROR, "exit_code 1", id="UserError with a number"),
        pytest.param("crash", Code.VM_ERROR, "exit_code 1", id="any exception"),
        pytest.param("base", Code.VM_ERROR, "exit_code 1", id="BaseException"),
        pytest.param("cancel", Code.VM_ERROR, "exit_code 1", id="GeneratorExit"),
        pytest.param(3, Code.VM_ERROR, "exit_code 3", id="exit(3)"),
        pytest.param("exit text", Code.VM_ERROR, "exit_code 1", id="exit with a text"),
        pytest.param("recursion", Code.VM_ERROR, "exit_code 1", id="RecursionError"),
        pytest.param("memory", Code.VM_ERROR, "OOM", id="MemoryError"),
        pytest.param("immediate", Code.USER_ERROR, "at once", id="user_error_immediate cannot be caught"),
        pytest.param("float", Code.VM_ERROR, "exit_code 1", id="a float is no calldata"),
        pytest.param("set", Code.VM_ERROR, "exit_code 1", id="a set is no calldata"),
        pytest.param("address keys", Code.VM_ERROR, "exit_code 1", id="keys that are no strings"),
        pytest.param("long", Code.VM_ERROR, "exit_code 1", id="a long text"),
        pytest.param("bad repr", Code.VM_ERROR, "exit_code 1", id="an exception that cannot describe itself"),
    ],
)
def test_how_a_run_ends_and_that_nothing_of_it_stays(
    world: tuple[World, bytes], how: Any, code: Code, text: str
) -> None:
    found, contract = world
    finished = found.call(contract, "end", how)
    assert (finished.outcome.code, finished.outcome.text) == (code, text)
    assert finished.effects.writes == {}
    assert len(finished.stderr) <= MAX_STDERR
    assert found.read(contract, "get") == 7


@pytest.mark.parametrize("how", [0, None])
def test_exit_with_success_returns_null_and_keeps_what_was_written(world: tuple[World, bytes], how: Any) -> None:
    found, contract = world
    assert found.ok(contract, "end", how) is None
    assert found.read(contract, "get") == 8


def test_a_traceback_shows_the_contracts_own_lines(world: tuple[World, bytes]) -> None:
    _, why = world[0].error(world[1], "end", "crash")
    lines = why.splitlines()
    assert lines[0].startswith("Traceback of the contract")
    assert lines[1].endswith("in end")
    assert lines[-1] == "KeyError: 'gone'"
    assert all("foreman" not in line for line in lines)


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"", id="nothing"),
        pytest.param(b"\xff\xff", id="garbage"),
        pytest.param(encode([1]), id="no map"),
        pytest.param(encode({"method": 5}), id="method is no string"),
        pytest.param(encode({"method": "get", "args": 5}), id="args is no array"),
        pytest.param(encode({"method": "get", "kwargs": [1]}), id="kwargs is no map"),
    ],
)
def test_calldata_that_is_no_call(world: tuple[World, bytes], raw: bytes) -> None:
    found, contract = world
    finished = found.finish(found.start(contract, None, raw=raw))
    assert finished.outcome.text == "exit_code 1"
    assert finished.stderr


def test_reads_may_not_write_but_may_reach_write_methods_that_do_not(world: tuple[World, bytes]) -> None:
    found, contract = world
    text, why = found.error(contract, "write_in_view", readonly=True)
    assert text == "exit_code 1"
    assert why.splitlines()[-1] == "SystemError: 6: forbidden"
    assert found.ok(contract, "write_in_view") == 77, "a transaction may reach a view that writes"
    assert "forbidden" in found.error(contract, "pay", readonly=True)[1]
    assert found.read(contract, "both") is None
    assert found.read(contract, "get") == 77


def test_the_hook_for_failed_messages_runs_without_checks(world: tuple[World, bytes]) -> None:
    found, contract = world
    finished = found.finish(found.start(contract, "whatever", errored=True, value=5))
    assert finished.outcome.ok
    assert finished.effects.writes
    assert found.ok(contract, "#error") is None


def test_the_default_hook_does_nothing() -> None:
    found = World()
    contract = found.deploy("class C(gl.Contract):\n    def __init__(self):\n        pass\n")
    finished = found.finish(found.start(contract, None, errored=True))
    assert finished.outcome.ok
    assert finished.effects.writes == {}


@pytest.mark.parametrize(
    ("payable", "undefined", "value", "result"),
    [
        pytest.param("", "", 0, "received", id="__receive__ without value"),
        pytest.param(".payable", "", 5, "received", id="payable __receive__ with value"),
        pytest.param("", ".payable", 5, ["", [], {}], id="__receive__ not payable: the undefined handler"),
        pytest.param("", "", 5, None, id="neither is payable"),
    ],
)
def test_plain_transfers(payable: str, undefined: str, value: int, result: Any) -> None:
    found = World()
    contract = found.deploy(PAYING.replace("{payable}", payable).replace("{undefined}", undefined))
    finished = found.finish(found.start(contract, None, value=value))
    if result is None:
        assert finished.outcome.text == "exit_code 1"
    else:
        assert finished.outcome.value == result


def test_unknown_names_reach_the_undefined_handler_and_known_private_ones_do_not() -> None:
    found = World()
    contract = found.deploy(PAYING.replace("{payable}", "").replace("{undefined}", ""))
    assert found.ok(contract, "anything", 1, kwargs={"a": 2}) == ["anything", [1], {"a": 2}]
    assert "private method `known`" in found.error(contract, "known")[1]
    assert "non-payable" in found.error(contract, "anything", value=1)[1]


@pytest.mark.parametrize(
    ("source", "args", "why"),
    [
        pytest.param("class C(gl.Contract):\n    @gl.public.write\n    def __init__(self):\n        pass\n", [],
                     "ValueError: __init__ must not be public", id="public constructor"),
        pytest.param("class C(gl.Contract):\n    pass\n", [1], "TypeError", id="arguments without a constructor"),
        pytest.param("class C(gl.Contract):\n    def __init__(self):\n        raise ValueError('no')\n", [],
                     "ValueError: no", id="a constructor that crashes"),
        pytest.param("def (:\n", [], "SyntaxError", id="no Python"),
        pytest.param("1 / 0\n", [], "ZeroDivisionError", id="a file that crashes"),
        pytest.param("from genlayer import nothing_such\n", [], "ImportError", id="no such name"),
        pytest.param("from . import x\n", [], "ImportError", id="a relative import"),
        pytest.param("@gl.public.write.payable()\ndef f(): pass\n", [], "TypeError", id="payable with parentheses"),
    ],
)  # fmt: skip
def test_deployments_that_fail_leave_no_code(source: str, args: list[Any], why: str) -> None:
    found = World()
    code = (PRELUDE + source).encode()
    finished = found.finish(found.start(b"\x01" * 20, None, args, code=code))
    assert finished.outcome.text == "exit_code 1"
    assert finished.stderr.splitlines()[-1].startswith(why)
    assert finished.effects.code is None


def test_a_contract_without_a_constructor_deploys_as_zeros() -> None:
    found = World()
    contract = found.deploy(
        "class C(gl.Contract):\n    n: u8\n    @gl.public.view\n    def get(self):\n        return self.n\n"
    )
    assert found.read(contract, "get") == 0


def test_a_call_of_nothing_says_so() -> None:
    found = World()
    finished = found.finish(found.start(b"\x09" * 20, "get"))
    assert finished.outcome.text == "invalid_contract absent"
    assert "no contract at 0x0909" in finished.stderr


def test_what_a_contract_prints_is_kept_for_its_author_up_to_a_limit(capsys: pytest.CaptureFixture[str]) -> None:
    found = World()
    contract = found.deploy(
        "class C(gl.Contract):\n    def __init__(self):\n        pass\n"
        "    @gl.public.view\n    def say(self, times: int) -> None:\n"
        "        print('a', 1, sep='-', end='!')\n        gl.trace('t', [2])\n"
        "        for _ in range(times):\n            print('x' * 1000)\n"
    )
    assert found.call(contract, "say", 0).stdout == "a-1!'t' [2]\n"
    assert len(found.call(contract, "say", 1000).stdout) == 16_384
    assert capsys.readouterr().out == ""


def test_the_message() -> None:
    found = World()
    contract = found.deploy(
        "class C(gl.Contract):\n    def __init__(self):\n        pass\n"
        "    @gl.public.write.payable\n    def who(self) -> list:\n"
        "        m, raw = gl.message, gl.message_raw\n"
        "        return [m.contract_address, m.sender_address, m.origin_address, m.value, m.chain_id, m._fields,\n"
        "                self.address == m.contract_address, self.balance, raw['datetime'], raw['is_init'],\n"
        "                raw['stack'],\n"
        "                raw['entry_kind'], gl.calldata.decode(raw['entry_data'])['method'], sorted(raw)]\n"
    )
    found.state.credit(contract, 100)
    (own, sender, origin, value, chain, fields, same, balance, at, init, stack, kind, method, keys) = found.ok(
        contract, "who", value=5
    )
    assert (own.as_bytes, sender.as_bytes, origin.as_bytes) == (contract, ALICE, ALICE)
    assert (value, chain, same, balance) == (5, 61999, True, 105)
    assert fields == ["contract_address", "sender_address", "origin_address", "value", "chain_id"]
    assert (at, init, stack, kind, method) == ("2024-11-26T06:42:42.424242+00:00", False, [], 0, "who")
    assert keys == sorted([*fields, "stack", "datetime", "is_init", "entry_kind", "entry_data", "entry_stage_data"])


def test_state_that_cannot_be_read_is_no_error_of_the_contract() -> None:
    found = World()
    contract = found.deploy(
        "class C(gl.Contract):\n    n: u8\n    def __init__(self):\n        pass\n"
        "    @gl.public.view\n    def get(self) -> int:\n"
        "        try:\n            return self.n\n        except BaseException:\n            return 7\n"
    )

    class Broken(type(found.state)):  # type: ignore[misc] # the class of the state at hand
        def get(self, contract: bytes, key: bytes) -> bytes | None:
            raise OSError("the disk is gone")

    found.state.__class__ = Broken
    with pytest.raises(OSError, match="the disk is gone"):
        found.start(contract, "get")


def test_schema_by_call(world: tuple[World, bytes]) -> None:
    found, contract = world
    text = found.read(contract, "#get-schema")
    assert text.startswith('{"ctor":{"params":[["start","int"]],"kwparams":{"bonus":"int"}},"methods":{"add":')
