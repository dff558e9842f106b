"""The ordered map of a contract, against a dictionary that is sorted."""

from pathlib import Path

from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from foreman.state.store import SqliteStore

CONTRACTS = [b"\1" * 20, b"\2" * 20]
KEYS = st.binary(max_size=3) | st.sampled_from([b"", b"\0", b"\xff", b"\xff\xff", b"a\0", b"a\xff", b"b"])
BOUNDS = st.none() | KEYS
LIMITS = st.integers(0, 5) | st.just(1_000_000)
WRITES = st.dictionaries(KEYS, st.none() | st.binary(max_size=4), max_size=5)


class Broken(Exception):
    """A commit that fails."""


class OrderedMap(RuleBasedStateMachine):
    """The database on one side, a dictionary per contract on the other."""

    folder: Path

    @initialize()
    def begin(self) -> None:
        self.store = SqliteStore(self.folder / str(len(list(self.folder.iterdir()))))
        self.model: dict[bytes, dict[bytes, bytes]] = {contract: {} for contract in CONTRACTS}
        with self.store.transaction():
            for contract in CONTRACTS:
                self.store.install(contract, b"# code")

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.store.close()

    @rule(contract=st.sampled_from(CONTRACTS), writes=WRITES)
    def write(self, contract: bytes, writes: dict[bytes, bytes | None]) -> None:
        with self.store.transaction():
            self.store.write(contract, writes)
        for key, value in writes.items():
            if value is None:
                self.model[contract].pop(key, None)
            else:
                self.model[contract][key] = value

    @rule(contract=st.sampled_from(CONTRACTS), writes=WRITES)
    def write_and_fail(self, contract: bytes, writes: dict[bytes, bytes | None]) -> None:
        try:
            with self.store.transaction():
                self.store.write(contract, writes)
                raise Broken
        except Broken:
            pass

    @rule(contract=st.sampled_from(CONTRACTS), low=KEYS, high=BOUNDS, limit=LIMITS)
    def scan(self, contract: bytes, low: bytes, high: bytes | None, limit: int) -> None:
        rows = [
            (key, value)
            for key, value in sorted(self.model[contract].items())
            if low <= key and (high is None or key < high)
        ][:limit]
        assert self.store.scan(contract, low, high, limit) == rows
        with self.store.reader() as view:
            assert view.scan_keys(contract, low, high, limit) == [key for key, _ in rows]

    @rule(contract=st.sampled_from(CONTRACTS), key=KEYS)
    def get(self, contract: bytes, key: bytes) -> None:
        assert self.store.get(contract, key) == self.model[contract].get(key)

    @precondition(lambda self: hasattr(self, "store"))
    @rule()
    def reopen(self) -> None:
        directory = self.store._directory
        self.store.close()
        self.store = SqliteStore(directory)

    @invariant()
    def everything_is_there_in_order(self) -> None:
        if hasattr(self, "store"):
            for contract in CONTRACTS:
                assert self.store.scan(contract, b"", None, 1000) == sorted(self.model[contract].items())


def test_the_state_of_a_contract_is_an_ordered_map(tmp_path: Path) -> None:
    OrderedMap.folder = tmp_path
    OrderedMap.TestCase.settings = hypothesis_settings(max_examples=30, stateful_step_count=20, deadline=None)
    OrderedMap.TestCase("runTest").runTest()
