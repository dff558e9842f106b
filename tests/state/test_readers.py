"""Readers beside the writer: each sees one moment, none waits, and together they do not make the log grow for ever."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from foreman.state import database
from foreman.state import store as store_module
from foreman.state.store import SqliteStore
from tests.state.records import ALICE, BOB

MEBIBYTE = 1 << 20


@contextmanager
def readers(count: int, read: Callable[[], None]) -> Iterator[None]:
    """Threads that read without a pause; what goes wrong in one goes wrong here."""
    stop, errors = threading.Event(), []

    def work() -> None:
        try:
            while not stop.is_set():
                read()
        except BaseException as error:  # noqa: BLE001  # told below
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert errors == []


def test_a_view_is_one_moment_while_the_writer_goes_on(tmp_path: Path) -> None:
    """Money is only moved from one account to another, so every moment has the same sum."""
    store = SqliteStore(tmp_path)
    with store.transaction():
        store.credit(ALICE, 1000)
        store.install(BOB, b"# code")
    seen: set[int] = set()

    def read() -> None:
        with store.reader() as view:
            first = view.balance(ALICE)
            height = view.get(BOB, b"k")
            assert view.balance(ALICE) + view.balance(BOB) == 1000 == view.total_balance()
            assert (view.balance(ALICE), view.get(BOB, b"k")) == (first, height), "two looks, two moments"
            assert height is None or int(height) == 1000 - first
            seen.add(first)

    with readers(3, read):
        for number in range(300):
            with store.transaction():
                store.debit(ALICE, 1)
                store.credit(BOB, 1)
                store.write(BOB, {b"k": b"%d" % (number + 1)})
    assert store.balance(BOB) == 300
    assert len(seen) > 3, "they did read meanwhile"
    store.close()


def test_the_log_stays_bounded_while_readers_read_without_a_pause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store_module, "_LOG_LARGE", 8 * MEBIBYTE)
    store = SqliteStore(tmp_path)
    with store.transaction():
        store.install(BOB, b"# code")

    def read() -> None:
        with store.reader() as view:
            view.scan(BOB, b"", None, 50)

    log = tmp_path / (database.DATABASE + "-wal")
    largest = 0
    with readers(3, read):
        for number in range(60):
            with store.transaction():
                store.write(BOB, {b"%d" % (key % 2000): bytes(1000) for key in range(number * 300, number * 300 + 300)})
            largest = max(largest, log.stat().st_size)
    assert largest < 45 * MEBIBYTE, f"{largest / MEBIBYTE:.0f} MiB of log for a state of 2 MiB; 90 without folding"
    store.close()


def test_when_the_log_is_huge_long_views_wait_until_it_is_small_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A view of a contract may take seconds, and while it is open the log cannot be folded back. So that they cannot
    relieve one another for ever, the next one waits.
    """
    monkeypatch.setattr(store_module, "_LOG_LARGE", MEBIBYTE)
    monkeypatch.setattr(store_module, "_LOG_HUGE", 2 * MEBIBYTE)
    monkeypatch.setattr(store_module, "_FOLD_PAUSE", 0.0)
    store = SqliteStore(tmp_path)
    log = tmp_path / (database.DATABASE + "-wal")
    entered = threading.Event()

    def write() -> None:
        with store.transaction():
            store.write(BOB, {b"%d" % key: bytes(1000) for key in range(300)})

    def look() -> None:
        with store.reader(long=True):
            entered.set()

    with store.transaction():
        store.install(BOB, b"# code")
    with store.reader(long=True) as view:
        view.height()
        while log.stat().st_size <= 2 * MEBIBYTE:
            write()
        next_one = threading.Thread(target=look)
        next_one.start()
        write()
        with store.reader() as short:
            assert short.height() == 0, "short questions never wait"
        assert not entered.is_set()
    write()
    assert entered.wait(5)
    next_one.join()
    assert log.stat().st_size < MEBIBYTE
    store.close()


def test_a_view_that_is_open_when_the_store_closes_ends_in_peace(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    with store.reader() as view:
        store.close()
        assert view.height() == 0
    store.close()
    SqliteStore(tmp_path).close()
