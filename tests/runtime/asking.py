"""A contract whose blocks are given as expressions, and the few steps every test of blocks takes with it."""

from typing import Any

from foreman.execution import Outcome
from tests.runtime.world import Seat, World

SOURCE = """
import json

TABLE = ("a", "b")

def helper(text):
    return text.upper()

class Rules:
    def __init__(self, limit):
        self.limit = limit
    def fits(self, n):
        return n <= self.limit

@allow_storage
@dataclass
class Order:
    title: str
    n: u32
    tags: DynArray[str]

class C(gl.Contract):
    n: u32
    text: str
    order: Order
    orders: TreeMap[str, Order]

    def __init__(self):
        self.text = "stored"
        self.orders["a"] = Order("first", 3, ["x"])

    @gl.public.write.payable
    def do(self, script: str) -> typing.Any:
        names = {"self": self, "out": None}
        exec(script, globals(), names)
        return names["out"]

    @gl.public.write
    def ask(self, leader: str, validator: str = "True") -> typing.Any:
        "A block whose functions are given as expressions; `r` is what a validator sees."
        scope = {**globals(), "me": self, "order": self.orders["a"], "bag": [1], "vm": gl.vm}
        lead = eval("lambda: " + leader, scope)
        check = eval("lambda r: " + validator, scope)
        return gl.vm.run_nondet_unsafe(lead, check)

    @gl.public.write
    def swallow(self, how: str) -> int:
        self.n = 5
        if how == "bare":
            try:
                gl.eq_principle.strict_eq(lambda: 1)
            except:
                pass
        elif how == "finally":
            try:
                gl.eq_principle.strict_eq(lambda: 1)
            finally:
                return 7
        elif how == "again":
            for _ in range(3):
                try:
                    gl.eq_principle.strict_eq(lambda: 1)
                except BaseException:
                    pass
        elif how == "other":
            try:
                gl.eq_principle.strict_eq(lambda: 1)
            except BaseException:
                raise gl.vm.UserError("mine")
        return 7

    @gl.public.write
    def twice(self) -> list:
        first = gl.eq_principle.strict_eq(lambda: gl.nondet.exec_prompt("one"))
        self.text = first
        second = gl.eq_principle.strict_eq(lambda: gl.nondet.exec_prompt("two " + first))
        return [first, second]

    @gl.public.write
    def tolerant(self) -> str:
        try:
            return gl.eq_principle.strict_eq(lambda: gl.nondet.exec_prompt("x"))
        except gl.vm.UserError as e:
            return "caught " + e.message
        except BaseException as e:
            return "caught something else"
"""


def asking_world() -> tuple[World, bytes]:
    found = World()
    return found, found.deploy(SOURCE)


def block_of(world: tuple[World, bytes], leader: str, validator: str = "True") -> Any:
    return world[0].ask(world[1], "ask", leader, validator).block


def led(world: tuple[World, bytes], leader: str, io: Any = None) -> Outcome:
    return block_of(world, leader).lead(io or Seat())  # type: ignore[no-any-return] # an Outcome


def judged(world: tuple[World, bytes], validator: str, proposal: Outcome, io: Any = None) -> bool:
    return block_of(world, "1", validator).validate(proposal, io or Seat())  # type: ignore[no-any-return] # a bool


ONE = Outcome.returned(1)
BOOM = Outcome.user_error("boom")
CRASH = Outcome.vm_error("exit_code 1")
