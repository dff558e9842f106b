"""Non-deterministic blocks: asked, answered, replayed; what they may do, and what nobody can talk them into."""

import threading
from typing import Any

import pytest

from foreman.execution import Answer, Outcome
from tests.runtime.asking import BOOM, CRASH, ONE, asking_world, block_of, judged, led
from tests.runtime.world import Seat, World, agreed


@pytest.fixture
def world() -> tuple[World, bytes]:
    return asking_world()


class TestAsking:
    def test_a_run_stops_at_its_block_and_is_finished_with_the_answer(self, world: tuple[World, bytes]) -> None:
        found, contract = world
        first = found.ask(contract, "twice")
        assert (first.index, first.differs) == (0, False)
        outcome = first.block.lead(Seat(answers=["A"]))
        second = found.ask(contract, "twice", answers=[agreed(first, outcome)])
        assert (second.index, second.differs) == (1, False)
        seat = Seat(answers=["B"])
        answers = [agreed(first, outcome), agreed(second, second.block.lead(seat))]
        assert seat.prompts == ["two A"]
        finished = found.call(contract, "twice", answers=answers)
        assert (finished.outcome.value, finished.answers_used) == (["A", "B"], 2)

    def test_an_answer_to_another_question_is_not_taken(self, world: tuple[World, bytes]) -> None:
        found, contract = world
        first = found.ask(contract, "twice")
        wrong = Answer(b"\x00" * 32, ONE)
        again = found.ask(contract, "twice", answers=[wrong])
        assert (again.index, again.differs, again.block.fingerprint) == (0, True, first.block.fingerprint)
        second = found.ask(contract, "twice", answers=[agreed(first, Outcome.returned("A")), wrong])
        assert (second.index, second.differs) == (1, True)

    def test_answers_that_are_left_over_are_told(self, world: tuple[World, bytes]) -> None:
        finished = world[0].call(world[1], "do", "out = 1", answers=[Answer(b"", ONE)])
        assert finished.answers_used == 0

    @pytest.mark.parametrize("how", ["bare", "finally", "again", "other"])
    def test_no_contract_can_swallow_a_question(self, world: tuple[World, bytes], how: str) -> None:
        asking = world[0].ask(world[1], "swallow", how)
        assert asking.index == 0
        assert asking.block.lead(Seat()).value == 1

    def test_a_leaders_user_error_is_raised_and_can_be_caught(self, world: tuple[World, bytes]) -> None:
        found, contract = world
        asking = found.ask(contract, "tolerant")
        assert found.ok(contract, "tolerant", answers=[agreed(asking, BOOM)]) == "caught boom"

    def test_a_leaders_vm_error_ends_the_run_whatever_the_contract_catches(self, world: tuple[World, bytes]) -> None:
        found, contract = world
        asking = found.ask(contract, "tolerant")
        finished = found.call(contract, "tolerant", answers=[agreed(asking, CRASH)])
        assert finished.outcome == CRASH
        assert finished.effects.writes == {}
        assert finished.answers_used == 1

    def test_reads_cannot_ask(self, world: tuple[World, bytes]) -> None:
        text, stderr = world[0].error(world[1], "ask", "1", readonly=True)
        assert (text, stderr.splitlines()[-1]) == ("exit_code 1", "SystemError: 6: forbidden")

    @pytest.mark.parametrize(
        "script",
        ["gl.nondet.exec_prompt('x')", "gl.nondet.web.get('http://x')", "gl.nondet.web.render('http://x')"],
    )
    def test_deterministic_code_cannot_ask_the_world(self, world: tuple[World, bytes], script: str) -> None:
        text, stderr = world[0].error(world[1], "do", script)
        assert (text, stderr.splitlines()[-1]) == ("exit_code 1", "SystemError: 6: forbidden")


class TestLeader:
    @pytest.mark.parametrize(
        ("leader", "value"),
        [
            pytest.param("helper('x')", "X", id="functions of the file"),
            pytest.param("[TABLE, Rules(3).fits(2)]", [["a", "b"], True], id="constants and classes of the file"),
            pytest.param("(1, (2,))", [1, [2]], id="values come through calldata"),
            pytest.param("gl.message.value", 0, id="the message"),
            pytest.param("me.address.as_bytes", b"\x01" * 20, id="the contract's address"),
            pytest.param("order.__class__ is Order", True, id="a view has its class"),
            pytest.param(
                "__import__('datetime').datetime.now().isoformat()", "2024-11-26T06:42:42.424242", id="the time"
            ),
            pytest.param("bag.append(2) or bag", [1, 2], id="its own copy of what it closed over"),
            pytest.param("exit(0)", None, id="exit(0)"),
        ],
    )
    def test_what_a_leader_returns(self, world: tuple[World, bytes], leader: str, value: Any) -> None:
        assert led(world, leader).value == value

    @pytest.mark.parametrize(
        ("leader", "outcome"),
        [
            pytest.param("1 / 0", CRASH, id="a crash"),
            pytest.param("1.5", CRASH, id="a float"),
            pytest.param("{1}", CRASH, id="a set"),
            pytest.param("exit(3)", Outcome.vm_error("exit_code 3"), id="exit"),
            pytest.param("gl.vm.unpack_result(gl.vm.UserError('no'))", Outcome.user_error("no"), id="a UserError"),
            pytest.param("gl.vm.unpack_result(gl.vm.VMError('x'))", Outcome.user_error("vm error: x"), id="a VMError"),
            pytest.param("gl.advanced.user_error_immediate('now')", Outcome.user_error("now"), id="at once"),
            pytest.param("me.n", CRASH, id="a field of the contract"),
            pytest.param("me.orders", CRASH, id="a container of the contract"),
            pytest.param("me.orders['a']", CRASH, id="an entry"),
            pytest.param("order.title", CRASH, id="a field of a view"),
            pytest.param("order.tags[0]", CRASH, id="an element of a view"),
            pytest.param("list(order.tags)", CRASH, id="a scan of a view"),
            pytest.param("setattr(order, 'n', 1)", CRASH, id="writing a view"),
            pytest.param("me.balance", CRASH, id="a balance"),
            pytest.param("gl.get_contract_at(me.address).balance", CRASH, id="another's balance"),
            pytest.param("gl.get_contract_at(me.address).view().x()", CRASH, id="a call"),
            pytest.param("gl.get_contract_at(me.address).emit().x()", CRASH, id="a message"),
            pytest.param("gl.deploy_contract(code=b'#')", CRASH, id="a deployment"),
            pytest.param("gl.advanced.emit_raw_event([], {})", CRASH, id="an event"),
            pytest.param("gl.storage.Root.get()", CRASH, id="the root"),
            pytest.param("gl.eq_principle.strict_eq(lambda: 1)", CRASH, id="a block in a block"),
            pytest.param("gl.vm.run_nondet(lambda: 1, lambda r: True)", CRASH, id="another block in a block"),
        ],
    )
    def test_how_a_leader_fails(self, world: tuple[World, bytes], leader: str, outcome: Outcome) -> None:
        assert led(world, leader) == outcome

    def test_a_copy_in_memory_can_be_read(self, world: tuple[World, bytes]) -> None:
        script = (
            "kept = gl.storage.copy_to_memory(self.orders['a'])\nall_ = gl.storage.copy_to_memory(self.orders)\n"
            "out = gl.vm.run_nondet_unsafe(lambda k=kept, a=all_: [k.title, list(k.tags), a['a'].n], lambda r: True)"
        )
        assert world[0].ask(world[1], "do", script).block.lead(Seat()).value == ["first", ["x"], 3]

    def test_two_blocks_led_at_once_do_not_see_each_other(self, world: tuple[World, bytes]) -> None:
        block = block_of(world, "[bag.append(gl.nondet.exec_prompt('?')), list(bag)][1]")
        meet = threading.Barrier(4, timeout=10)
        found: list[Any] = []

        def lead(name: str) -> None:
            def answer(prompt: str) -> str:
                meet.wait()
                return name

            found.append(block.lead(Seat(answers=answer)).value)

        threads = [threading.Thread(target=lead, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(found) == [[1, "a"], [1, "b"], [1, "c"], [1, "d"]]

    def test_a_block_outlives_its_run_and_its_state(self, world: tuple[World, bytes]) -> None:
        block = block_of(world, "[bag, helper('x')]")
        world[0].state.rows.clear()
        assert [block.lead(Seat()).value for _ in range(3)] == [[[1], "X"]] * 3


class TestModuleGlobals:
    SOURCE = (
        "SEEN = []\nRULES = {'limit': 3}\n"
        "def note(x):\n    SEEN.append(x)\n    return len(SEEN)\n"
        "class C(gl.Contract):\n    def __init__(self):\n        pass\n"
        "    @gl.public.write\n    def ask(self) -> int:\n"
        "        return gl.vm.run_nondet_unsafe(lambda: [note(1), len(SEEN), RULES['limit']], lambda r: note(1) == 1)\n"
    )

    def test_each_use_of_a_block_has_its_own_copy_of_what_may_change(self) -> None:
        world = World()
        contract = world.deploy(self.SOURCE)
        block = world.ask(contract, "ask").block
        assert [block.lead(Seat()).value for _ in range(3)] == [[1, 1, 3]] * 3
        assert [block.validate(ONE, Seat()) for _ in range(3)] == [True] * 3
        assert world.ask(contract, "ask").block.fingerprint == block.fingerprint


class TestValidator:
    @pytest.mark.parametrize(
        ("validator", "proposal", "verdict"),
        [
            pytest.param("r.calldata == 1", ONE, True, id="it sees the value"),
            pytest.param("r.calldata == 2", ONE, False, id="it may disagree"),
            pytest.param("r == vm.UserError('boom')", BOOM, True, id="it sees a UserError"),
            pytest.param("r == vm.VMError('exit_code 1')", CRASH, True, id="it sees a VMError"),
            pytest.param("isinstance(r, vm.Return)", BOOM, False, id="kinds differ"),
            pytest.param("1", ONE, False, id="1 is not True"),
            pytest.param("'yes'", ONE, False, id="a text is not True"),
            pytest.param("None", ONE, False, id="nothing is not True"),
            pytest.param("1 / 0", ONE, False, id="a crash disagrees"),
            pytest.param("vm.unpack_result(r)", BOOM, False, id="a UserError disagrees"),
            pytest.param("exit(0)", ONE, False, id="exit disagrees"),
            pytest.param("gl.advanced.user_error_immediate('x')", ONE, False, id="an immediate end disagrees"),
            pytest.param("me.n == 0", ONE, False, id="storage is forbidden"),
            pytest.param("me.orders == {}", ONE, False, id="containers are forbidden"),
        ],
    )
    def test_only_true_agrees(
        self, world: tuple[World, bytes], validator: str, proposal: Outcome, verdict: bool
    ) -> None:
        assert judged(world, validator, proposal) is verdict

    def test_a_leader_and_a_validator_may_share_what_they_closed_over_but_not_between_uses(
        self, world: tuple[World, bytes]
    ) -> None:
        block = block_of(world, "len(bag)", "(bag.append(1) or len(bag)) == 2")
        assert [block.validate(ONE, Seat()) for _ in range(3)] == [True] * 3
        assert block.lead(Seat()).value == 1
