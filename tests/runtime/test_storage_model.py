"""Stored containers behave as Python's own, whatever is done in whatever order, within runs and across commits."""

from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from foreman.calldata import encode_call
from foreman.execution import Call, Effects, Reads
from foreman.runtime.current import CURRENT, Frame, MessageType, Run
from foreman.runtime.overlay import Overlay
from foreman.runtime.plans import SPACE_AT
from foreman.runtime.watchdog import WATCHDOG
from tests.runtime.probing import Probe

keys = st.sampled_from(["", "a", "b", "b\x00", "b\x00\xff", "c", "é"])
numbers = st.integers(0, 255)
indexes = st.integers(-4, 4)


class Model(RuleBasedStateMachine):
    """Drives the probe's containers directly on an overlay; a commit starts a new one on the state it left."""

    @initialize()
    def start(self) -> None:
        self.probe = Probe()
        self.ages: dict[str, int] = {}
        self.numbers: list[int] = []
        self.leaves: dict[str, tuple[int, list[str]]] = {}
        self.nested: dict[str, dict[str, int]] = {}
        self.grid: list[list[int]] = []
        self.settled = 0
        self.open()

    def open(self) -> None:
        world, address = self.probe.world, self.probe.address
        source = world.state.codes[address]
        call = Call(address, address, address, 0, 1, 0, encode_call("do"))
        self.lapse = WATCHDOG.start(1000)
        run = Run(world.runtime, call, self.lapse, world.state)
        self.overlay = Overlay(address, world.state, Reads(), True)
        with world.runtime._loader.borrow(source, lambda codes: None) as module:
            self.module = module
            self.stored: Any = object.__new__(module.cls)
            self.stored.__dict__[SPACE_AT] = self.overlay
            message = MessageType(*[None] * 3, 0, 0)  # type: ignore[call-arg,arg-type]  # no rule looks at it
            self.token = CURRENT.set(Frame(run, message, self.overlay, module=module, readonly=False))

    def teardown(self) -> None:
        if hasattr(self, "token"):
            CURRENT.reset(self.token)
            self.lapse.stop()

    @rule()
    def commit(self) -> None:
        rows = self.probe.world.state
        rows.apply(self.probe.address, Effects(writes=self.overlay.writes()))
        CURRENT.reset(self.token)
        self.lapse.stop()
        self.settled += 1
        self.open()

    @rule(key=keys, value=numbers)
    def put(self, key: str, value: int) -> None:
        self.stored.ages[key] = value
        self.ages[key] = value

    @rule(key=keys)
    def drop(self, key: str) -> None:
        assert self.stored.ages.pop(key, None) == self.ages.pop(key, None)

    @rule()
    def drop_smallest(self) -> None:
        if self.ages:
            smallest = min(self.ages)
            assert self.stored.ages.popitem() == (smallest, self.ages.pop(smallest))

    @rule(value=numbers)
    def append(self, value: int) -> None:
        self.stored.numbers.append(value)
        self.numbers.append(value)

    @rule(at=indexes, value=numbers)
    def insert(self, at: int, value: int) -> None:
        if -len(self.numbers) <= at < len(self.numbers):
            self.stored.numbers.insert(at, value)
            self.numbers.insert(at, value)

    @rule(at=indexes)
    def delete(self, at: int) -> None:
        if -len(self.numbers) <= at < len(self.numbers):
            del self.stored.numbers[at]
            del self.numbers[at]

    @rule(low=indexes, high=indexes, values=st.lists(numbers, max_size=3))
    def splice(self, low: int, high: int, values: list[int]) -> None:
        self.stored.numbers[low:high] = values
        self.numbers[low:high] = values

    @rule(key=keys, value=numbers, tags=st.lists(keys, max_size=3))
    def put_record(self, key: str, value: int, tags: list[str]) -> None:
        self.stored.leaf_by_name[key] = self.module.globals["Leaf"](value, "", tags)
        self.leaves[key] = (value, list(tags))

    @rule(key=keys, tag=keys, value=numbers)
    def change_record(self, key: str, tag: str, value: int) -> None:
        if key in self.leaves:
            view = self.stored.leaf_by_name[key]
            view.n = value
            view.tags.append(tag)
            self.leaves[key] = (value, [*self.leaves[key][1], tag])

    @rule(key=keys, other=keys)
    def copy_record(self, key: str, other: str) -> None:
        if key in self.leaves:
            self.stored.leaf_by_name[other] = self.stored.leaf_by_name[key]
            self.leaves[other] = (self.leaves[key][0], list(self.leaves[key][1]))

    @rule(key=keys)
    def drop_record(self, key: str) -> None:
        if key in self.leaves:
            del self.stored.leaf_by_name[key]
            del self.leaves[key]

    @rule(key=keys, inner=keys, value=numbers)
    def put_nested(self, key: str, inner: str, value: int) -> None:
        self.stored.nested.get_or_insert_default(key)[inner] = value
        self.nested.setdefault(key, {})[inner] = value

    @rule(key=keys, other=keys)
    def copy_nested(self, key: str, other: str) -> None:
        if key in self.nested:
            self.stored.nested[other] = self.stored.nested[key]
            self.nested[other] = dict(self.nested[key])

    @rule(key=keys)
    def drop_nested(self, key: str) -> None:
        if key in self.nested:
            del self.stored.nested[key]
            del self.nested[key]

    @rule(values=st.lists(numbers, max_size=2))
    def add_row(self, values: list[int]) -> None:
        self.stored.grid.append(values)
        self.grid.append(list(values))

    @rule(at=indexes, value=numbers)
    def change_row(self, at: int, value: int) -> None:
        if -len(self.grid) <= at < len(self.grid):
            self.stored.grid[at].append(value)
            self.grid[at].append(value)

    @rule(at=indexes)
    def drop_row(self, at: int) -> None:
        if -len(self.grid) <= at < len(self.grid):
            del self.stored.grid[at]
            del self.grid[at]

    @invariant()
    def agrees(self) -> None:
        if not hasattr(self, "stored"):
            return
        stored = self.stored
        assert list(stored.ages.items()) == sorted(self.ages.items())
        assert len(stored.ages) == len(self.ages)
        assert list(stored.numbers) == self.numbers
        assert {key: (leaf.n, list(leaf.tags)) for key, leaf in stored.leaf_by_name.items()} == self.leaves
        assert {key: dict(inner) for key, inner in stored.nested.items()} == self.nested
        assert [list(row) for row in stored.grid] == self.grid
        assert len(stored.grid) == len(self.grid)

    @rule()
    def leave_nothing_behind(self) -> None:
        """Whatever is in the overlay belongs to something that is there: emptied, only lengths of zero are left."""
        for key in list(self.leaves):
            self.drop_record(key)
        for key in list(self.nested):
            self.drop_nested(key)
        left = list(self.overlay.scan_keys(b"", None))
        for field in vars(self.module.cls)["__foreman_layout__"].fields:
            if field.name in ("leaf_by_name", "nested"):
                assert all(len(key) == 2 for key in left if key.startswith(field.path)), left


TestModel = Model.TestCase
TestModel.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
