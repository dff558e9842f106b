"""What one run costs, without a network or a disk: a write, a creation, a page, a block.

    python -m bench.runtime

The contract has records of 26 fields in a map, as an escrow of orders has; 2,000 of them stand before anything is
measured. Each line is the best of five rounds, so it tells the cost of the code and not the noise of the machine.
"""

import time
from collections.abc import Callable

from foreman import calldata
from foreman.execution import Answer, Asking, Call, Finished
from foreman.ports import WebRequest, WebResponse
from foreman.runtime.fingerprint import fingerprint
from foreman.runtime.memory import MemoryState
from foreman.runtime.runtime import ContractRuntime

CONTRACT, SENDER = b"\x01" * 20, b"\xa1" * 20
ORDERS = 2_000

_TEXTS = [f"s{number}" for number in range(8)]
_NUMBERS = [f"n{number}" for number in range(6)]
_TIMES = [f"t{number}" for number in range(6)]
_FLAGS = [f"b{number}" for number in range(3)]
_SHOWN = ", ".join(f"{name!r}: o.{name}" for name in (*_TEXTS, *_NUMBERS, *_TIMES))

SOURCE = "\n".join(
    [
        '# { "Depends": "py-genlayer:test" }',
        "import itertools",
        "from dataclasses import dataclass",
        "from genlayer import *",
        "@allow_storage",
        "@dataclass",
        "class Order:",
        *(f"    {name}: str" for name in _TEXTS),
        *(f"    {name}: u256" for name in _NUMBERS),
        *(f"    {name}: u64" for name in _TIMES),
        *(f"    {name}: bool" for name in _FLAGS),
        "    client: Address",
        "    provider: Address",
        "    notes: DynArray[str]",
        "class Bench(gl.Contract):",
        "    count: u32",
        "    orders: TreeMap[u32, Order]",
        "    held: TreeMap[Address, u32]",
        "    def __init__(self):",
        "        pass",
        "    @gl.public.write",
        "    def touch(self, number: int) -> None:",
        "        order = self.orders[number]",
        "        if order.b0:",
        "            raise gl.vm.UserError('closed')",
        "        order.t1 = order.t1 + 1",
        "    @gl.public.write",
        "    def create(self, title: str) -> int:",
        "        number, sender = int(self.count), gl.message.sender_address",
        "        self.count = number + 1",
        "        values = [title] * 8 + [10**18] * 6 + [7] * 6 + [False] * 3 + [sender] * 2",
        "        self.orders[number] = Order(*values, ['made'])",
        "        self.held[sender] = self.held.get(sender, 0) + 1",
        "        return number",
        "    @gl.public.view",
        "    def page(self) -> list:",
        f"        return [{{{_SHOWN}}} for o in itertools.islice(self.orders.values(), 50)]",
        "    @gl.public.write",
        "    def judge(self, number: int, url: str) -> int:",
        "        order = self.orders[number]",
        "        title, spec = order.s0, order.s1",
        "        def leader():",
        "            return len(title + spec + gl.nondet.web.get(url).body.decode())",
        "        def validator(result):",
        "            return isinstance(result, gl.vm.Return) and abs(result.calldata - leader()) <= 15",
        "        return gl.vm.run_nondet_unsafe(leader, validator)",
    ]
)


class Page:
    """A seat whose web is one page."""

    def web(self, request: WebRequest) -> WebResponse:
        return WebResponse(200, {}, b"a page")

    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        raise AssertionError("nothing is asked here")


def main() -> None:
    runtime, state = ContractRuntime(lambda digest: True), MemoryState()

    def call(method: str | None, *args: object, code: bytes | None = None, readonly: bool = False) -> Call:
        return Call(CONTRACT, SENDER, SENDER, 0, 1, 0, calldata.encode_call(method, args), code, readonly)

    def commit(made: Call) -> None:
        finished = runtime.run(made, state)
        assert isinstance(finished, Finished)
        assert finished.outcome.ok, finished.stderr
        state.apply(CONTRACT, finished.effects)

    commit(call(None, code=SOURCE.encode()))
    create = call("create", "the title of an order")
    for _ in range(ORDERS):
        commit(create)
    judge, seat = call("judge", 5, "http://page"), Page()
    asking = runtime.run(judge, state)
    assert isinstance(asking, Asking)
    block = asking.block
    outcome = block.lead(seat)
    answers = [Answer(block.fingerprint, outcome)]
    inside = vars(block)
    touch, page = call("touch", 5), call("page", readonly=True)
    measure("a write of one field", lambda: runtime.run(touch, state))
    measure("a record of 26 fields made", lambda: runtime.run(create, state))
    measure("a page of 50 records, 20 fields each", lambda: runtime.run(page, state), 200)
    measure("a run up to its block", lambda: runtime.run(judge, state))
    measure("a run with its answer", lambda: runtime.run(judge, state, answers))
    measure("one leader", lambda: block.lead(seat))
    measure("one validator", lambda: block.validate(outcome, seat))
    measure("one fingerprint", lambda: fingerprint(inside["_module"], inside["_leader"], inside["_validator"]))


def measure(what: str, work: Callable[[], object], times: int = 1_000) -> None:
    """Print the best mean of five rounds, in microseconds."""
    best = float("inf")
    for _ in range(5):
        started = time.perf_counter()
        for _ in range(times // 5):
            work()
        best = min(best, (time.perf_counter() - started) / (times // 5))
    print(f"{what:<40} {best * 1e6:9.1f} us")


if __name__ == "__main__":
    main()
