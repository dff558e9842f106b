"""Reads that run contract code: one at a time, none lost, and a slow one holds up no other for long."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Future, wait
from typing import Any

import pytest

from foreman.rpc.readers import Mail, Parcel, Readers

PATIENCE = 20.0
"""Seconds after which a test is told that nothing happened."""


@pytest.fixture
def readers() -> Iterator[Readers]:
    made = Readers(3, "test-read")
    yield made
    made.shutdown()


def submit[T](readers: Readers, work: Callable[..., T], *args: Any) -> "Future[T]":
    """A read, and a future of this thread's world for what it finds."""
    future: Future[T] = Future()
    readers.put(future, work, args)
    return future


class Held:
    """A read that goes on until it is let go."""

    def __init__(self, readers: Readers) -> None:
        self._let_go = threading.Event()
        self.begun = threading.Event()
        self.future: Future[str] = submit(readers, self._read)

    def _read(self) -> str:
        self.begun.set()
        assert self._let_go.wait(PATIENCE)
        return threading.current_thread().name

    def let_go(self) -> None:
        self._let_go.set()
        self.future.result(PATIENCE)


def test_reads_that_are_fast_never_run_at_the_same_time(readers: Readers) -> None:
    inside, most = 0, 0

    def read() -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        sum(range(2_000))
        inside -= 1

    def ask() -> None:
        asked = [submit(readers, read) for _ in range(300)]
        assert not wait(asked, PATIENCE).not_done

    askers = [threading.Thread(target=ask) for _ in range(4)]
    for asker in askers:
        asker.start()
    for asker in askers:
        asker.join(PATIENCE)
    assert not any(asker.is_alive() for asker in askers)
    assert most <= 2  # a read that the machine held up for SLOW has one beside it


def test_a_slow_read_holds_nobody_up(readers: Readers) -> None:
    slow = Held(readers)
    assert slow.begun.wait(PATIENCE)
    assert submit(readers, lambda: 7).result(PATIENCE) == 7
    assert [submit(readers, int, number).result(PATIENCE) for number in range(50)] == list(range(50))
    assert not slow.future.done()
    slow.let_go()


def test_when_every_thread_is_held_up_the_next_read_waits_for_one(readers: Readers) -> None:
    slow = [Held(readers) for _ in range(3)]
    for one in slow:
        assert one.begun.wait(PATIENCE)
    late = submit(readers, int, 5)
    assert not late.done()
    slow[1].let_go()
    assert late.result(PATIENCE) == 5
    slow[0].let_go()
    slow[2].let_go()
    assert len({one.future.result() for one in slow}) == 3


def test_a_read_that_fails_fails_for_its_asker_only(readers: Readers) -> None:
    failed, fine = submit(readers, int, "no number"), submit(readers, int, "7")
    with pytest.raises(ValueError, match="no number"):
        failed.result(PATIENCE)
    assert fine.result(PATIENCE) == 7


def test_at_the_end_what_waits_is_dropped_and_nothing_more_is_taken(readers: Readers) -> None:
    slow = [Held(readers) for _ in range(3)]
    for one in slow:
        assert one.begun.wait(PATIENCE)
    late = submit(readers, int, 5)
    readers.shutdown()
    with pytest.raises(CancelledError):
        late.result(PATIENCE)
    with pytest.raises(RuntimeError, match="closed"):
        submit(readers, int, 6)
    for one in slow:
        one.let_go()


def test_what_an_event_loop_asks_for_comes_back_to_it_whatever_it_is(readers: Readers) -> None:
    async def ask() -> tuple[list[object], list[bool]]:
        loop = asyncio.get_running_loop()
        mail = Mail(loop)

        def put(work: Callable[..., Any], *args: Any) -> asyncio.Future[Any]:
            future = loop.create_future()
            readers.put(Parcel(future, mail), work, args)
            return future

        asked = [put(int, str(number)) for number in range(200)]
        failing, stopping = put(int, "no number"), put(next, iter(()))
        given_up = put(int, "3")
        given_up.cancel()
        last = put(int, "4")
        found = await asyncio.wait_for(asyncio.gather(*asked, last), PATIENCE)
        await asyncio.wait({failing, stopping}, timeout=PATIENCE)
        return [*found, type(failing.exception()), type(stopping.exception())], [given_up.cancelled()]

    assert asyncio.run(ask()) == ([*range(200), 4, ValueError, RuntimeError], [True])


def test_at_the_end_an_event_loop_learns_that_its_read_is_dropped(readers: Readers) -> None:
    async def ask() -> bool:
        loop = asyncio.get_running_loop()
        slow = [Held(readers) for _ in range(3)]
        for one in slow:
            await asyncio.to_thread(one.begun.wait, PATIENCE)
        future = loop.create_future()
        readers.put(Parcel(future, Mail(loop)), int, ("5",))
        readers.shutdown()
        await asyncio.wait({future}, timeout=PATIENCE)
        for one in slow:
            one.let_go()
        return future.cancelled()

    assert asyncio.run(ask())


def test_what_another_promise_becomes_reaches_the_loop() -> None:
    async def ask() -> list[object]:
        loop = asyncio.get_running_loop()
        mail, promises = Mail(loop), [Future[int]() for _ in range(3)]
        parcels = [Parcel(loop.create_future(), mail) for _ in promises]
        for promise, parcel in zip(promises, parcels, strict=True):
            promise.add_done_callback(parcel.take)

        def keep() -> None:
            promises[0].set_result(7)
            promises[1].set_exception(ValueError("refused"))
            promises[2].cancel()

        await asyncio.to_thread(keep)
        await asyncio.wait([parcel.future for parcel in parcels], timeout=PATIENCE)
        return [parcels[0].future.result(), str(parcels[1].future.exception()), parcels[2].future.cancelled()]

    assert asyncio.run(ask()) == [7, "refused", True]
