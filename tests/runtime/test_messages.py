"""What a run emits: messages, deployments, transfers and events, and what it may read of other contracts."""

import pytest

from foreman.address import Address, keccak256
from foreman.calldata import decode, encode, encode_call
from foreman.execution import Emission, Event, On, Transfer
from foreman.runtime.genlayer.messages import salted_address
from tests.runtime.world import ALICE, World

OTHER = Address(b"\x0f" * 20)

SOURCE = """
@gl.evm.contract_interface
class Token:
    class View:
        def balance_of(self, who: Address, /) -> u256: ...
    class Write:
        def transfer(self, to: Address, amount: u256, /) -> bool: ...
        def many(self, a: u8, b: i256, c: bytes, d: str, e: bool, f: list[u256], g: tuple[u8, str],
                 h: gl.evm.bytes32, /): ...

@gl.contract_interface
class Friend:
    class View:
        def get(self) -> int: ...
    class Write:
        def put(self, n: int, /) -> None: ...

class Transferred(gl.Event):
    def __init__(self, to: Address, amount: u256, /, **blob): ...

class Ping(gl.Event):
    pass

class Named(gl.Event):
    name = "Other"
    def __init__(self, text, /): ...

class C(gl.Contract):
    n: u32

    def __init__(self):
        pass

    @gl.public.write.payable
    def do(self, script: str) -> typing.Any:
        names = {"self": self, "out": None, "other": Address(b"\\x0f" * 20)}
        exec(script, globals(), names)
        return names["out"]

    @gl.public.view
    def get(self) -> int:
        return self.n

    @gl.public.view
    def context(self) -> list:
        m = gl.message
        return [m.contract_address, m.sender_address, m.origin_address, m.value, len(gl.message_raw["stack"])]

    @gl.public.view
    def fail(self, how: str) -> int:
        if how == "user":
            raise gl.vm.UserError("not today")
        if how == "immediate":
            gl.advanced.user_error_immediate("at once")
        if how == "write":
            self.n = 1
        if how == "emit":
            gl.get_contract_at(self.address).emit().x()
        if how == "block":
            return gl.eq_principle.strict_eq(lambda: 1)
        return 1 // 0

    @gl.public.view
    def deeper(self, left: int) -> int:
        return 0 if left == 0 else 1 + gl.get_contract_at(self.address).view().deeper(left - 1)
"""


@pytest.fixture
def world() -> tuple[World, bytes]:
    found = World()
    contract = found.deploy(SOURCE)
    found.state.credit(contract, 100)
    return found, contract


def emitted(world: tuple[World, bytes], script: str, value: int = 0) -> list[Transfer | Emission]:
    finished = world[0].call(world[1], "do", script, value=value, commit=False)
    assert finished.outcome.ok, finished.stderr
    return finished.effects.emitted


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        pytest.param("gl.get_contract_at(other).emit().put(1, k=[2])",
                     Emission(b"\x0f" * 20, encode_call("put", [1], {"k": [2]}), 0, On.FINALIZED), id="emit"),
        pytest.param("gl.get_contract_at(other).emit(value=7, on='accepted').put()",
                     Emission(b"\x0f" * 20, encode_call("put"), 7, On.ACCEPTED), id="emit with value, on acceptance"),
        pytest.param("Friend(other).emit().put(1)", Emission(b"\x0f" * 20, encode_call("put", [1]), 0, On.FINALIZED),
                     id="through an interface"),
        pytest.param("gl.get_contract_at(other).emit_transfer(value=3)",
                     Emission(b"\x0f" * 20, encode({}), 3, On.FINALIZED), id="emit_transfer"),
        pytest.param("Token(other).emit_transfer(value=9)", Transfer(b"\x0f" * 20, 9), id="EVM transfer"),
        pytest.param("Token(other).emit_transfer(value=0)", Transfer(b"\x0f" * 20, 0), id="EVM transfer of nothing"),
        pytest.param("gl.deploy_contract(code=b'# x', args=[1], kwargs={'a': 2}, value=5)",
                     Emission(b"", encode_call(None, [1], {"a": 2}), 5, On.FINALIZED, b"# x"), id="deployment"),
        pytest.param("gl.deploy_contract(code='# x', salt_nonce=1, on='accepted')",
                     Emission(salted_address(b"\x01" * 20, 1, 61999).as_bytes, encode({}), 0, On.ACCEPTED, b"# x"),
                     id="deployment with a salt"),
    ],
)  # fmt: skip
def test_emissions(world: tuple[World, bytes], script: str, expected: Transfer | Emission) -> None:
    assert emitted(world, script) == [expected]


def test_emissions_keep_their_order_and_share_one_balance(world: tuple[World, bytes]) -> None:
    script = (
        "Token(other).emit_transfer(value=60)\n"
        "gl.get_contract_at(other).emit(value=40).put()\n"
        "gl.get_contract_at(other).emit(value=5).put()\n"
        "out = [self.balance, gl.get_contract_at(self.address).balance]"
    )
    finished = world[0].call(world[1], "do", script, value=10)
    assert [item.value for item in finished.effects.emitted] == [60, 40, 5]
    assert finished.outcome.value == [5, 110]
    assert world[0].state.balance(world[1]) == 5
    assert world[0].state.balance(OTHER.as_bytes) == 60, "a transfer has arrived, messages are under way"


@pytest.mark.parametrize(
    ("script", "error"),
    [
        pytest.param("Token(other).emit_transfer(value=101)", "SystemError: 7: inbalance", id="transfer of too much"),
        pytest.param("gl.get_contract_at(other).emit(value=101).x()", "SystemError: 7: inbalance", id="message"),
        pytest.param("gl.deploy_contract(code=b'', value=101)", "SystemError: 7: inbalance", id="deployment"),
        pytest.param("Token(other).emit_transfer(value=60)\nToken(other).emit_transfer(value=60)",
                     "SystemError: 7: inbalance", id="too much in sum"),
        pytest.param("Token(other).emit_transfer(value=-1)", "OverflowError", id="less than nothing"),
        pytest.param("gl.get_contract_at(other).emit_transfer(value=0)", "ValueError", id="a transfer of nothing"),
        pytest.param("gl.get_contract_at(other).emit(on='soon').x()", "SystemError: 2: inval", id="unknown moment"),
        pytest.param("gl.get_contract_at('0x' + '00' * 20)", "TypeError: address expected", id="text for an address"),
        pytest.param("Token('0x' + '00' * 20)", "TypeError: address expected", id="text for an EVM address"),
        pytest.param("gl.get_contract_at(other).emit().x(1.5)", "TypeError: not calldata encodable", id="float"),
        pytest.param("Token(other).emit(value=9).transfer(other, 1)", "ValueError: emit(value=) sends", id="value"),
        pytest.param("Token(other).emit().approve()", "AttributeError", id="unknown EVM method"),
        pytest.param("Token(other).view().balance_of(other)", "AttributeError: EVM contracts", id="EVM view"),
        pytest.param("Token(other).emit().transfer(other)", "TypeError: 2 arguments are expected", id="too few"),
        pytest.param("Token(other).emit().transfer(other, -1)", "OverflowError", id="an argument out of range"),
        pytest.param("gl.get_contract_at(other).view(state=1).x()", "SystemError: 2: inval", id="finalized state"),
        pytest.param("gl.deploy_contract(code=b'', salt=1)", "TypeError", id="salt= is wrong"),
    ],
)  # fmt: skip
def test_what_cannot_be_emitted(world: tuple[World, bytes], script: str, error: str) -> None:
    text, stderr = world[0].error(world[1], "do", script)
    assert text == "exit_code 1"
    assert stderr.splitlines()[-1].startswith(error)


def test_a_caught_inbalance_emits_nothing(world: tuple[World, bytes]) -> None:
    script = "try:\n    Token(other).emit_transfer(value=101)\nexcept SystemError:\n    out = self.balance"
    finished = world[0].call(world[1], "do", script)
    assert (finished.outcome.value, finished.effects.emitted) == (100, [])


def test_a_run_that_fails_emits_nothing(world: tuple[World, bytes]) -> None:
    finished = world[0].call(world[1], "do", "Token(other).emit_transfer(value=1)\nPing().emit()\n1 // 0")
    assert (finished.effects.emitted, finished.effects.events) == ([], [])


def test_emissions_are_bounded(world: tuple[World, bytes]) -> None:
    for script in ("Token(other).emit_transfer(value=0)", "Ping().emit()"):
        _, stderr = world[0].error(world[1], "do", f"for _ in range(5000):\n    {script}")
        assert stderr.splitlines()[-1] == "SystemError: 1: overflow"


def test_nothing_is_sent_until_a_method_is_named(world: tuple[World, bytes]) -> None:
    assert emitted(world, "gl.get_contract_at(other).emit(value=5)") == []


def test_a_deployment_with_a_salt_tells_its_address(world: tuple[World, bytes]) -> None:
    assert world[0].ok(world[1], "do", "out = gl.deploy_contract(code=b'#', salt_nonce=1)") == salted_address(
        world[1], 1, 61999
    )
    assert world[0].ok(world[1], "do", "out = gl.deploy_contract(code=b'#')") is None


@pytest.mark.parametrize(
    ("deployer", "chain_id", "address"),
    [
        pytest.param(b"\x11" * 20, 61999, "0x00CA67aa958c02C82Aea6e7ad98e3868FE7A8048", id="as recorded"),
        pytest.param(b"\x01" + bytes(19), 0, "0xf539Cb83f077Cd01BDd1a4E002866dCC0D15D633", id="as upstream tests it"),
    ],
)
def test_addresses_of_deployments_with_a_salt(deployer: bytes, chain_id: int, address: str) -> None:
    assert salted_address(deployer, 1, chain_id).as_hex == address


def test_evm_calls_are_encoded(world: tuple[World, bytes]) -> None:
    (sent,) = emitted(world, "Token(other).emit().transfer(other, 5)")
    assert isinstance(sent, Transfer)
    assert sent.value == 0
    assert sent.data.hex() == "a9059cbb" + "00" * 12 + "0f" * 20 + f"{5:064x}"


def test_evm_selectors_and_arguments_are_those_of_the_abi(world: tuple[World, bytes]) -> None:
    from eth_abi.abi import encode as reference  # a slow import, for this test only

    (sent,) = emitted(
        world, "Token(other).emit().many(1, -2, b'abc', 'é' * 40, True, [1, 2**256 - 1], (3, 'x'), b'\\x07' * 32)"
    )
    assert isinstance(sent, Transfer)
    assert sent.data[:4].hex() == "27595327"
    kinds = ["uint8", "int256", "bytes", "string", "bool", "uint256[]", "(uint8,string)", "bytes32"]
    values = [1, -2, b"abc", "é" * 40, True, [1, 2**256 - 1], (3, "x"), b"\x07" * 32]
    assert sent.data[4:] == reference(kinds, values)


def test_evm_interfaces_need_positional_only_parameters() -> None:
    world = World()
    source = "@gl.evm.contract_interface\nclass T:\n    class Write:\n        def f(self, a: u8): ...\n"
    with pytest.raises(AssertionError, match="positional-only"):
        world.deploy(source + "class C(gl.Contract):\n    def __init__(self):\n        pass\n")


def events(world: tuple[World, bytes], script: str) -> list[Event]:
    finished = world[0].call(world[1], "do", script, commit=False)
    assert finished.outcome.ok, finished.stderr
    return finished.effects.events


def test_event_values_bind_to_the_sorted_names(world: tuple[World, bytes]) -> None:
    (event,) = events(world, "Transferred(other, 5, extra='x').emit()")
    assert decode(event.blob) == {"amount": OTHER, "to": 5, "extra": "x"}
    assert event.topics[1] == (b"\x18" + OTHER.as_bytes).ljust(32, b"\x00")
    assert event.topics[2] == b"\x29".ljust(32, b"\x00")


@pytest.mark.parametrize(
    ("source", "topic"),
    [
        pytest.param("class Transfer(gl.Event):\n    def __init__(self, to, amount, /, **blob): ...\n",
                     "7c0804756cc65baf93cb9df96b0ce67d579fbfdc4c982b2793d9d78e38bf673f", id="Transfer(amount,to)"),
        pytest.param("class Ping(gl.Event):\n    pass\n",
                     "ca6e822df923f741dfe968d15d80a18abd25bd1e748bcb9ad81fea5bbb7386af", id="Ping()"),
        pytest.param("class Pong(gl.Event):\n    name = 'Ping'\n",
                     "ca6e822df923f741dfe968d15d80a18abd25bd1e748bcb9ad81fea5bbb7386af", id="its own name"),
    ],
)  # fmt: skip
def test_event_signatures(source: str, topic: str) -> None:
    world = World()
    name = source.split()[1].split("(")[0]
    args = "1, 2" if name == "Transfer" else ""
    contract = world.deploy(
        source + "class C(gl.Contract):\n    def __init__(self):\n        pass\n"
        f"    @gl.public.write\n    def do(self):\n        {name}({args}).emit()\n"
    )
    assert world.call(contract, "do").effects.events[0].topics[0].hex() == topic


def test_long_topics_are_hashed_and_raw_events_are_free(world: tuple[World, bytes]) -> None:
    (long,) = events(world, "Named('x' * 100).emit()")
    assert long.topics[1] == keccak256(encode("x" * 100))
    (raw,) = events(world, "gl.advanced.emit_raw_event([b'\\x01' * 32], {'a': [1]})")
    assert raw == Event((b"\x01" * 32,), encode({"a": [1]}))
    assert "2: inval" in world[0].error(world[1], "do", "gl.advanced.emit_raw_event([b'\\x01' * 32] * 5, {})")[1]


@pytest.mark.parametrize(
    "parameters",
    ["self, a", "self, a, /, b", "self, a, /, *, b", "self, *a", "self, a, b, c, d, /"],
)
def test_events_that_cannot_be_declared(parameters: str) -> None:
    world = World()
    source = f"class E(gl.Event):\n    def __init__({parameters}): ...\n"
    with pytest.raises(AssertionError, match="TypeError"):
        world.deploy(source + "class C(gl.Contract):\n    def __init__(self):\n        pass\n")


def test_a_view_runs_on_committed_state_with_the_callers_message(world: tuple[World, bytes]) -> None:
    found, contract = world
    friend = found.deploy(SOURCE)
    found.ok(friend, "do", "self.n = 5")
    at = f"gl.get_contract_at(Address(bytes.fromhex('{friend.hex()}')))"
    assert found.ok(contract, "do", f"out = {at}.view().get()") == 5
    assert found.ok(contract, "do", f"out = {at}.view().context()", value=3) == [
        Address(friend), Address(ALICE), Address(ALICE), 0, 1,
    ]  # fmt: skip
    assert found.ok(contract, "do", "self.n = 9\nout = [self.n, gl.get_contract_at(self.address).view().get()]") == [
        9,
        0,
    ]


def test_what_a_view_reads_is_on_record(world: tuple[World, bytes]) -> None:
    found, contract = world
    friend = found.deploy(SOURCE)
    finished = found.call(contract, "do", f"gl.get_contract_at(Address(bytes.fromhex('{friend.hex()}'))).view().get()")
    assert finished.reads.keys == {(friend, b"\x00")}


@pytest.mark.parametrize(
    ("how", "text"),
    [
        pytest.param("user", "not today", id="its UserError"),
        pytest.param("immediate", "at once", id="its immediate UserError"),
        pytest.param("crash", "vm error: exit_code 1", id="its crash"),
        pytest.param("write", "vm error: exit_code 1", id="it may not write"),
        pytest.param("emit", "vm error: exit_code 1", id="it may not emit"),
        pytest.param("block", "vm error: exit_code 1", id="it may not ask"),
    ],
)
def test_how_a_view_fails(world: tuple[World, bytes], how: str, text: str) -> None:
    script = f"gl.get_contract_at(self.address).view().fail('{how}')"
    caught = f"try:\n    {script}\nexcept gl.vm.UserError as e:\n    out = e.message"
    assert world[0].ok(world[1], "do", caught) == text
    assert world[0].error(world[1], "do", script)[0] == text


def test_a_view_of_nothing(world: tuple[World, bytes]) -> None:
    assert (
        world[0].error(world[1], "do", "gl.get_contract_at(other).view().x()")[0] == "vm error: invalid_contract absent"
    )


def test_views_nest_to_a_limit(world: tuple[World, bytes]) -> None:
    assert world[0].read(world[1], "deeper", 32) == 32
    assert world[0].error(world[1], "deeper", 33)[0].startswith("vm error")


def test_values_between_contracts_are_calldata(world: tuple[World, bytes]) -> None:
    found, contract = world
    echo = found.deploy(
        "class E(gl.Contract):\n    def __init__(self):\n        pass\n"
        "    @gl.public.view\n    def echo(self, x: typing.Any) -> typing.Any:\n"
        "        return [type(x).__name__, (1, x)]\n"
    )
    at = f"gl.get_contract_at(Address(bytes.fromhex('{echo.hex()}'))).view()"
    assert found.ok(contract, "do", f"r = {at}.echo((1,))\nout = [type(r[1]).__name__, r]") == [
        "list",
        ["list", [1, [1]]],
    ]
    assert "key is not string" in found.error(contract, "do", f"{at}.echo({{1: 2}})")[1]


UPGRADABLE = """
class C(gl.Contract):
    n: u32
    def __init__(self, open: bool):
        self.n = 7
        root = gl.storage.Root.get()
        if open:
            root.upgraders.get().append(gl.message.sender_address)
        root.lock_default()
    @gl.public.write
    def upgrade(self, code: bytes) -> int:
        held = gl.storage.Root.get().code.get()
        held.truncate()
        held.extend(code)
        return len(held)
    @gl.public.view
    def version(self) -> int:
        return 1
    @gl.public.write
    def join(self) -> None:
        gl.storage.Root.get().upgraders.get().append(gl.message.sender_address)
    @gl.public.view
    def who(self) -> list:
        return [a.as_hex for a in gl.storage.Root.get().upgraders.get()]
"""


def test_upgraders_replace_the_source_and_keep_the_state() -> None:
    world = World()
    contract = world.deploy(UPGRADABLE, True)
    new = world.state.codes[contract].replace(b"return 1", b"return self.n").replace(b"n: u32", b"n: u32\n    m: u8")
    assert world.read(contract, "who") == [Address(ALICE).as_hex]
    assert world.ok(contract, "upgrade", new) == len(new)
    assert world.state.codes[contract] == new
    assert world.read(contract, "version") == 7


@pytest.mark.parametrize("open_", [True, False])
def test_nobody_else_may_replace_the_source_or_become_an_upgrader(open_: bool) -> None:
    world = World()
    contract = world.deploy(UPGRADABLE, open_)
    before = world.state.codes[contract]
    assert world.error(contract, "upgrade", b"# x", sender=b"\x66" * 20)[1].endswith("SystemError: 6: forbidden")
    assert world.error(contract, "join", sender=b"\x66" * 20)[0] == "exit_code 1"
    assert world.error(contract, "upgrade", b"# x", readonly=True)[0] == "exit_code 1"
    assert world.state.codes[contract] == before
