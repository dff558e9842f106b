"""What the node keeps: money that cannot go below zero, contracts, records, the journal; all of a commit or nothing."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.errors import StateError
from foreman.money import MAX_WEI
from foreman.receipt import Receipt, Record, Status
from foreman.state.rows import record_in, record_out
from foreman.state.store import SqliteStore
from foreman.transaction import Kind, Transaction
from tests.state.records import ALICE, BOB, CAROL, asked, decided, pending


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    found = SqliteStore(tmp_path)
    yield found
    found.close()


# money


def test_balances_hold_every_amount_to_the_wei(store: SqliteStore) -> None:
    with store.transaction():
        store.credit(ALICE, MAX_WEI)
        store.debit(ALICE, 1)
        store.credit(BOB, 1)
    assert (store.balance(ALICE), store.balance(BOB), store.balance(CAROL)) == (MAX_WEI - 1, 1, 0)
    assert store.total_balance() == MAX_WEI


def test_a_balance_cannot_go_below_zero(store: SqliteStore) -> None:
    with store.transaction():
        store.credit(ALICE, 5)
    with pytest.raises(ValueError, match="holds 5 wei, 6 were to leave it"), store.transaction():
        store.debit(ALICE, 6)
    with pytest.raises(OverflowError), store.transaction():
        store.credit(ALICE, -6)
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        store._connection.execute("UPDATE accounts SET balance = x'ff'")
    assert store.balance(ALICE) == 5


def test_a_balance_cannot_grow_beyond_256_bits(store: SqliteStore) -> None:
    with pytest.raises(OverflowError), store.transaction():
        store.credit(ALICE, MAX_WEI + 1)
    assert store.balance(ALICE) == 0


def test_a_nonce_counts_what_was_recorded_and_leaves_the_balance(store: SqliteStore) -> None:
    with store.transaction():
        store.spend_nonce(ALICE)
        store.credit(ALICE, 7)
        store.spend_nonce(ALICE)
    assert (store.nonce(ALICE), store.balance(ALICE), store.nonce(BOB)) == (2, 7, 0)


# all or nothing


class Broken(Exception):
    """Something fails in the middle of a commit."""


def change_everything(store: SqliteStore) -> None:
    store.credit(ALICE, 5)
    store.spend_nonce(ALICE)
    store.install(BOB, b"# code")
    store.write(BOB, {b"k": b"v"})
    store.save(pending(0))
    store.log(asked(0).hash, Status.PENDING, 1)
    store.set_meta("minted", "5")


def change_and_break(store: SqliteStore) -> None:
    with store.transaction():
        change_everything(store)
        raise Broken


def test_a_commit_that_fails_leaves_nothing(store: SqliteStore) -> None:
    with pytest.raises(Broken):
        change_and_break(store)
    assert store.balance(ALICE) == store.nonce(ALICE) == store.last_change() == store.total_balance() == 0
    assert (store.code(BOB), store.record(asked(0).hash), store.meta("minted")) == (None, None, None)
    with pytest.raises(ValueError, match="no contract at"), store.transaction():
        store.write(BOB, {b"k": b"v"})
    with store.transaction():
        store.install(BOB, b"# code")
        assert store.get(BOB, b"k") is None


def test_nobody_sees_a_commit_before_it_is_made(store: SqliteStore) -> None:
    with store.transaction():
        store.credit(ALICE, 5)
        assert store.balance(ALICE) == 5, "the writer sees its own"
        with store.reader() as view:
            assert view.balance(ALICE) == 0
    with store.reader() as view:
        assert view.balance(ALICE) == 5


def write_much(store: SqliteStore) -> None:
    with store.transaction():
        store.credit(ALICE, 5)
        store.write(BOB, {b"%d" % number: bytes(2000) for number in range(50)})


def test_a_database_without_room_takes_nothing_and_says_so(store: SqliteStore) -> None:
    with store.transaction():
        store.install(BOB, b"# code")
    (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
    store._connection.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(StateError) as refused:
        write_much(store)
    assert refused.value.code == "state_unwritable"
    assert "room" in refused.value.hint
    assert store.balance(ALICE) == 0
    store._connection.execute("PRAGMA max_page_count = 1000000")
    with store.transaction():
        store.credit(ALICE, 5)
    assert store.balance(ALICE) == 5


def read_and_go_on(store: SqliteStore) -> None:
    with store.transaction():
        store.credit(ALICE, 5)
        store._connection.execute("ALTER TABLE state RENAME TO gone")  # stands for a disk that does not answer
        try:
            store.get(BOB, b"k")
        except StateError:
            pass


def test_a_commit_after_a_read_that_failed_is_refused(store: SqliteStore) -> None:
    """Whoever read from a failing disk may have taken the failure for an answer, contract code for one."""
    with store.transaction():
        store.install(BOB, b"# code")
    with pytest.raises(StateError) as refused:
        read_and_go_on(store)
    assert refused.value.code == "state_unreadable"
    with store.transaction():
        assert store.get(BOB, b"k") is None
    assert store.balance(ALICE) == 0


# contracts


def test_new_code_under_a_contract_keeps_its_state(store: SqliteStore) -> None:
    with store.transaction():
        store.install(BOB, b"# one")
        store.write(BOB, {b"k": b"v", b"gone": b"v"})
        store.install(BOB, b"# two")
        store.write(BOB, {b"gone": None, b"never": None})
    assert (store.code(BOB), store.get(BOB, b"k"), store.get(BOB, b"gone")) == (b"# two", b"v", None)
    assert sorted(store.sources()) == [b"# one", b"# two"]


def test_contracts_do_not_see_each_others_state(store: SqliteStore) -> None:
    with store.transaction():
        for contract in (BOB, CAROL):
            store.install(contract, b"# same")
            store.write(contract, {b"k": contract})
    assert (store.get(BOB, b"k"), store.get(CAROL, b"k")) == (BOB, CAROL)
    assert store.scan(BOB, b"", None, 9) == [(b"k", BOB)]
    assert store.get(ALICE, b"k") is None
    assert store.scan(ALICE, b"", None, 9) == []
    assert store.scan_keys(ALICE, b"", None, 9) == []


def test_looking_at_many_addresses_keeps_nothing_in_memory(store: SqliteStore) -> None:
    """Every transfer asks whether a contract stands at its target."""
    for number in range(5_000):
        store.code(number.to_bytes(20, "big"))
    assert len(store._ids) < 100


# records

WEI = st.integers(0, MAX_WEI)
TRANSACTIONS = st.builds(
    Transaction,
    hash=st.binary(min_size=32, max_size=32),
    kind=st.sampled_from(Kind),
    sender=st.binary(min_size=20, max_size=20),
    origin=st.binary(min_size=20, max_size=20),
    nonce=st.integers(0, 2**63 - 1),
    target=st.binary(min_size=20, max_size=20),
    value=WEI,
    calldata=st.binary(max_size=40),
    code=st.none() | st.binary(max_size=40),
    leader_only=st.booleans(),
    parent=st.none() | st.binary(min_size=32, max_size=32),
    errored=st.booleans(),
    depth=st.integers(0, 33),
)
RECORDS = st.builds(
    Record,
    transaction=TRANSACTIONS,
    status=st.sampled_from(Status),
    recorded_at=st.integers(0, 2**62),
    position=st.none() | st.integers(1, 2**62),
    at=st.none() | st.integers(0, 2**62),
    block=st.none() | st.integers(1, 2**62),
)


@given(RECORDS)
def test_a_record_reads_back_equal(record: Record) -> None:
    assert record_in(record_out(record)) == record


def test_saving_again_changes_how_it_ended_and_never_what_was_asked(store: SqliteStore) -> None:
    record = pending(3)
    with store.transaction():
        store.save(record)
    after = decided(3, 9)
    with store.transaction():
        store.save(after)
    found = store.record(record.transaction.hash)
    assert found == after
    assert list(store.open_records()) == []


def test_a_nonce_is_spent_once_whatever_the_hash(store: SqliteStore) -> None:
    with store.transaction():
        store.save(pending(0))
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        store.save(pending(0, target=CAROL))
    with store.transaction():
        store.save(pending(0, target=CAROL, parent=b"\1" * 32))
        store.save(pending(0, target=CAROL, parent=b"\2" * 32))


@pytest.mark.parametrize("column", ["block", "position"])
def test_a_place_in_an_order_is_given_once(store: SqliteStore, column: str) -> None:
    first, second = decided(0, 1), decided(1, 2)
    setattr(second, column, getattr(first, column))
    with store.transaction():
        store.save(first)
    with pytest.raises(sqlite3.IntegrityError), store.transaction():
        store.save(second)
    assert store.record(second.transaction.hash) is None


def test_children_are_told_in_the_order_they_were_sent(store: SqliteStore) -> None:
    parent = decided(0, 1)
    digest = parent.transaction.hash
    children = [pending(0, target=bytes([number]) * 20, parent=digest) for number in (9, 3, 7)]
    with store.transaction():
        store.save(parent)
        for child in children:
            store.save(child)
    found = store.record(digest)
    assert found is not None
    assert found.children == tuple(child.transaction.hash for child in children) == store.children(digest)


def test_history_is_newest_first_from_or_to_an_address_each_once(store: SqliteStore) -> None:
    with store.transaction():
        for number in range(10):
            store.save(decided(number, number + 1, sender=ALICE, target=(BOB, CAROL, ALICE)[number % 3]))
    by_alice = [record.transaction.nonce for record in store.history(ALICE, 100)]
    assert by_alice == list(range(9, -1, -1))
    assert [record.transaction.nonce for record in store.history(BOB, 2)] == [9, 6]
    assert store.history(ALICE, 3) == store.history(ALICE, 100)[:3]
    assert store.history(b"\0" * 20, 5) == []


def test_blocks_and_their_times(store: SqliteStore) -> None:
    with store.transaction():
        store.save(decided(0, 1))
        store.save(decided(1, 2))
        store.save(pending(2))
    assert (store.height(), store.block_time(2), store.block_time(3)) == (2, 5_002, None)
    found = store.block_record(1)
    assert found is not None
    assert found.transaction.nonce == 0
    assert store.last_position() == (2, 4_002)


def test_records_with_events_are_found_by_block_and_contract(store: SqliteStore) -> None:
    quiet = decided(9, 7)
    quiet.receipt = Receipt(Status.ACCEPTED, quiet.receipt.outcome, stderr='"events":[],"x":["events"')  # type: ignore[union-attr]
    with store.transaction():
        for number in range(6):
            store.save(decided(number, number + 1, events=number % 2, target=BOB if number < 4 else CAROL))
        store.save(quiet)

    def blocks(contract: bytes | None, first: int, last: int, limit: int) -> list[int | None]:
        return [record.block for record in store.event_records(contract, first, last, limit)]

    assert blocks(None, 1, 9, 10) == [2, 4, 6]
    assert blocks(None, 1, 9, 2) == [2, 4]
    assert blocks(BOB, 1, 9, 10) == [2, 4]
    assert blocks(None, 3, 5, 10) == [4]


def test_open_records_are_what_a_restart_resumes(store: SqliteStore) -> None:
    with store.transaction():
        store.save(pending(0))
        store.save(decided(1, 1, Status.ACCEPTED))
        store.save(decided(2, 2, Status.FINALIZED))
        store.save(decided(3, 3, Status.UNDETERMINED))
        store.save(decided(4, 4, Status.CANCELED))
    assert [record.transaction.nonce for record in store.open_records()] == [0, 1]


# the journal


def test_the_journal_is_read_from_a_cursor(store: SqliteStore) -> None:
    with store.transaction():
        made = [store.log(asked(number).hash, Status.PENDING, number) for number in range(5)]
    assert [change.seq for change in made] == [1, 2, 3, 4, 5]
    assert store.changes(0, 100) == made
    assert store.changes(2, 2) == made[2:4]
    assert store.changes(5, 100) == []
    assert store.last_change() == 5
