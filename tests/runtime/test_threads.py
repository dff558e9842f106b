"""Runs, reads and blocks in many threads at once see only their own message, time, state and numbers."""

import threading
from typing import Any

from foreman.calldata import encode_call
from foreman.execution import Call, Finished
from tests.runtime.world import Seat, World

SOURCE = """
import random
import datetime

class C(gl.Contract):
    last: str
    seen: TreeMap[str, u32]

    def __init__(self):
        pass

    @gl.public.write.payable
    def note(self) -> list:
        out = []
        for n in range(40):
            m = gl.message
            self.last = m.sender_address.as_hex
            self.seen[m.sender_address.as_hex] = n
            out.append([m.sender_address.as_hex, m.value, datetime.datetime.now().isoformat(), self.last,
                        len(self.seen), random.random().hex()])
        return out

    @gl.public.write
    def ask(self, word: str) -> typing.Any:
        def lead():
            found = []
            for n in range(10):
                found.append(word)
                gl.nondet.exec_prompt(word)
                found.append(gl.message.sender_address.as_hex)
            return found
        return gl.vm.run_nondet_unsafe(lead, lambda r: r.calldata == lead())
"""


def test_runs_in_many_threads_do_not_mix() -> None:
    world = World()
    contract = world.deploy(SOURCE)
    expected: dict[int, Any] = {}
    wrong: list[Any] = []

    def call(number: int) -> Any:
        sender = bytes([number]) * 20
        at = 1_700_000_000_000_000 + number * 1_000_000
        made = Call(contract, sender, sender, number, 1, at, encode_call("note"))
        finished = world.runtime.run(made, world.state)
        assert isinstance(finished, Finished)
        return finished.outcome.value

    for number in range(1, 5):
        expected[number] = call(number)
        rows = expected[number]
        assert {row[1] for row in rows} == {number}
        assert rows[0][0] == rows[0][3]
        assert len({row[5] for row in rows}) == len(rows), "the numbers of one run differ"
    assert [row[5] for row in expected[1]] == [row[5] for row in expected[2]], "every run draws the same numbers"

    def work(number: int) -> None:
        for _ in range(15):
            found = call(number)
            if found != expected[number]:
                wrong.append((number, found))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_blocks_in_many_threads_do_not_mix() -> None:
    world = World()
    contract = world.deploy(SOURCE)
    blocks = {
        number: world.ask(contract, "ask", f"word {number}", sender=bytes([number]) * 20).block
        for number in range(1, 5)
    }
    meet = threading.Barrier(4, timeout=30)
    wrong: list[Any] = []

    def answer(prompt: str) -> str:
        meet.wait()
        return prompt

    def work(number: int) -> None:
        outcome = blocks[number].lead(Seat(answers=answer))
        if set(outcome.value) != {f"word {number}", outcome.value[1]} or len(outcome.value) != 20:
            wrong.append(outcome.value)
        if not blocks[number].validate(outcome, Seat(answers=answer)):
            wrong.append("disagrees with itself")

    threads = [threading.Thread(target=work, args=(number,)) for number in blocks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
