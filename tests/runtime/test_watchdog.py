"""Code that does not end is ended, whatever it catches; nothing else is ever struck."""

import gc
import sys
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from foreman.address import Address
from foreman.execution import Outcome
from foreman.ports import SeatFailed
from foreman.runtime.runtime import ContractRuntime
from foreman.runtime.watchdog import WATCHDOG
from tests.runtime.world import PRELUDE, Seat, World


@pytest.fixture(autouse=True)
def _as_in_a_node() -> Iterator[None]:
    """A plain interpreter: property tests leave a higher recursion limit, whose deep stacks take long to unwind,
    and garbage of earlier tests that is finalized at the bottom of a deep stack fails there and is told at length.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    gc.collect()
    gc.disable()
    yield
    gc.enable()
    sys.setrecursionlimit(limit)


LOOPS = {
    "while": "while True: pass",
    "for": "for _ in iter(int, 1): pass",
    "swallow": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "finally": "try:\n    while True: pass\nfinally:\n    while True: pass",
    "generator": "sum(1 for _ in itertools.count())",
    "map": "sum(map(one, itertools.count()))",
    "calls": "while True: one(1)",
    "comprehension": "[x for x in itertools.count() if False]",
    "sandbox": "gl.vm.spawn_sandbox(endless)\nwhile True: pass",
    "storage": "while True: self.n",
    "appending": "while True: self.log.get('x')",
    "recursion that catches": "deep()",
}

SOURCE = """
import itertools

def one(x):
    return 1

def endless():
    while True: pass

def deep():
    try:
        deep()
    except BaseException:
        deep()

class C(gl.Contract):
    n: u32
    log: TreeMap[str, u8]

    def __init__(self):
        pass

    @gl.public.write
    def quick(self) -> int:
        self.n += 1
        return self.n

    @gl.public.view
    def look(self, a: Address) -> typing.Any:
        try:
            return gl.get_contract_at(a).view().spin()
        except BaseException:
            return "caught"

    @gl.public.view
    def spin(self) -> None:
        endless()

    @gl.public.write
    def run(self) -> str:
        self.n = 9
        {loop}
        return "came to an end"

    @gl.public.write
    def ask(self) -> typing.Any:
        def lead():
            {deep_loop}
            return "came to an end"
        return gl.vm.run_nondet_unsafe(lead, lambda r: lead() == 1)

    @gl.public.write
    def ask_world(self) -> typing.Any:
        return gl.vm.run_nondet_unsafe(lambda: gl.nondet.exec_prompt("x"), lambda r: True)
"""


def world_with(loop: str, deterministic: float = 0.2, block: float = 0.2) -> tuple[World, bytes]:
    world = World(
        runtime=ContractRuntime(lambda digest: True, deterministic_seconds=deterministic, block_seconds=block)
    )
    source = SOURCE.replace("{loop}", loop.replace("\n", "\n        "))
    source = source.replace("{deep_loop}", loop.replace("\n", "\n            ").replace("self.", "[]."))
    return world, world.deploy(source)


def struck() -> list[Any]:
    """Code objects for which the interpreter still reports steps."""
    return list(WATCHDOG._struck)


@pytest.mark.parametrize("loop", LOOPS.values(), ids=LOOPS)
def test_a_run_that_does_not_end_is_ended(loop: str) -> None:
    world, contract = world_with(loop)
    started = time.monotonic()
    finished = world.call(contract, "run")
    assert finished.outcome == Outcome.vm_error("timeout")
    assert finished.effects.writes == {}
    assert finished.stderr
    assert time.monotonic() - started < 5
    assert struck() == []
    assert world.ok(contract, "quick") == 1, "the next run is whole"


@pytest.mark.parametrize(
    "loop", [LOOPS["while"], LOOPS["swallow"], LOOPS["finally"]], ids=["while", "swallow", "finally"]
)
def test_a_block_that_does_not_end_fails_its_seat(loop: str) -> None:
    world, contract = world_with(loop)
    block = world.ask(contract, "ask").block
    for work in (lambda: block.lead(Seat()), lambda: block.validate(Outcome.returned(1), Seat())):
        with pytest.raises(SeatFailed) as failed:
            work()
        assert failed.value.timed_out
    assert struck() == []


def test_a_file_that_does_not_end_is_ended_too() -> None:
    world = World(runtime=ContractRuntime(lambda digest: True, deterministic_seconds=0.2))
    finished = world.finish(world.start(b"\x01" * 20, None, code=(PRELUDE + "while True: pass\n").encode()))
    assert finished.outcome == Outcome.vm_error("timeout")


def test_a_view_that_does_not_end_ends_the_run_that_called_it() -> None:
    world, contract = world_with(LOOPS["while"])

    assert world.call(contract, "look", Address(contract)).outcome == Outcome.vm_error("timeout")


def test_waiting_for_the_world_does_not_count_as_running() -> None:
    world, contract = world_with("pass", block=0.2)
    block = world.ask(contract, "ask_world").block
    gone = threading.Event()

    def slow(prompt: str) -> str:
        gone.wait(0.6)
        return "late"

    assert block.lead(Seat(answers=slow)) == Outcome.returned("late")


def test_a_run_that_ends_in_time_is_never_struck() -> None:
    """Many short runs whose time is nearly up, in several threads, each of which must come to its own end."""
    world, contract = world_with("for _ in range(2_000): pass", deterministic=0.1)
    wrong: list[Any] = []

    def work() -> None:
        until = time.monotonic() + 1.0
        while time.monotonic() < until:
            try:
                finished = world.finish(world.start(contract, "run"))
            except BaseException as error:  # noqa: BLE001 # whatever comes out is wrong
                wrong.append(error)
                return
            if finished.outcome not in (Outcome.returned("came to an end"), Outcome.vm_error("timeout")):
                wrong.append(finished)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert struck() == []


def test_one_run_whose_time_is_up_leaves_the_others_of_its_contract_alone() -> None:
    slow, contract = world_with(LOOPS["while"], deterministic=0.3)
    patient = ContractRuntime(lambda digest: True, deterministic_seconds=60)
    patient._loader = slow.runtime._loader
    other = World(state=slow.state, runtime=patient)
    results: list[Any] = []
    hung = threading.Thread(target=lambda: results.append(slow.start(contract, "run").outcome))  # type: ignore[union-attr]
    hung.start()
    values = []
    while hung.is_alive():
        values.append(other.finish(other.start(contract, "quick")).outcome)
    hung.join()
    assert results == [Outcome.vm_error("timeout")]
    assert set(values) == {Outcome.returned(1)}


def test_the_watchdog_sleeps_when_nothing_runs() -> None:
    world, contract = world_with("pass")
    world.ok(contract, "quick")
    until = time.monotonic() + 2
    while WATCHDOG._work.is_set() and time.monotonic() < until:
        threading.Event().wait(0.01)
    assert not WATCHDOG._work.is_set()
    assert WATCHDOG._lapses == {}
    assert sys.monitoring.get_tool(4) in (None, "foreman-watchdog")
