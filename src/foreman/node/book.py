"""The book: one thread, the only writer of the database. It takes work, runs it, commits, and only then tells.

Everything that arrived while the last commit was on its way to the disk shares the next one.
"""

import logging
import queue
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from threading import Thread
from time import monotonic
from typing import Any

from foreman.errors import ForemanError, StateError
from foreman.node.life import Life

_MOST_PER_COMMIT = 512
"""Pieces of work that share one commit at most, so that the first of them is not told late."""

_PAUSE = 0.25
"""Seconds between attempts while the database takes no commits."""

_log = logging.getLogger("foreman.book")


@dataclass(slots=True)
class Work:
    """Something to do on the book's thread, and who waits for it."""

    run: Callable[[], Any]
    future: Future[Any] | None = None
    alone: bool = False
    """Does its own commits: snapshots."""


class Book:
    """The thread and its inbox. What is done with a transaction is told in `life.py`."""

    def __init__(self, life: Life) -> None:
        self._life = life
        self._inbox: queue.SimpleQueue[Work | None] = queue.SimpleQueue()
        self._thread = Thread(target=self._write, name="book", daemon=True)
        self._ended: StateError | None = None
        self._stale = False
        self._pause = 0.0
        self._since: float | None = None
        life.post = self.post

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Write down what was posted before, then end. What is recorded but not decided goes on at the next start."""
        self._inbox.put(None)
        if self._thread.is_alive():
            self._thread.join()

    @property
    def status(self) -> str:
        """`ok`; `unwritable` while the database takes no commits; `stopped` after the end, or a bug that ended it."""
        if self._ended is not None:
            return "stopped"
        return "unwritable" if self._pause else "ok"

    @property
    def waiting(self) -> int:
        """Pieces of work that arrived and were not taken up yet."""
        return self._inbox.qsize()

    def busy_seconds(self) -> float:
        """How long the commit that is being made has taken so far; 0 while the book sleeps."""
        since = self._since
        return 0.0 if since is None else monotonic() - since

    def ask[T](self, run: Callable[[], T], alone: bool = False) -> "Future[T]":
        """Do something on the book; the future is done once its effects are on disk."""
        future: Future[T] = Future()
        self._inbox.put(Work(run, future, alone))
        if self._ended is not None:  # looked at after putting: nobody may take it out any more
            self._refuse_what_waits(self._ended)
        return future

    def post(self, run: Callable[[], Any]) -> None:
        """The same, with nobody waiting."""
        self._inbox.put(Work(run))

    # on the book's thread

    def _write(self) -> None:
        open_for_work = True
        ended = StateError("book_stopped", "the node is shutting down", "send it again when it is back")
        while open_for_work:
            batch, open_for_work = self._take()
            self._since = monotonic()
            try:
                self._commit(batch)
            except StateError as error:
                self._fail(batch, error)
            except BaseException:  # noqa: BLE001  # a fault of our own: say so to everybody, then stop
                _log.exception("the book has stopped; restart the node")
                ended = StateError(
                    "book_stopped", "the node has stopped after a fault of its own; its log says which", "restart it"
                )
                _refuse(batch, ended)
                break
            self._since = None
        self._ended = ended
        self._refuse_what_waits(ended)

    def _take(self) -> tuple[list[Work], bool]:
        """Wait for work, then take everything that is there; False with it when it is the last."""
        batch: list[Work] = []
        try:
            while len(batch) < _MOST_PER_COMMIT:
                if batch or (self._life.runnable and not self._pause):
                    work = self._inbox.get_nowait()
                else:
                    work = self._inbox.get(timeout=self._pause or self._life.idle_seconds())
                if work is None:
                    return batch, False
                if work.future is None or work.future.set_running_or_notify_cancel():
                    batch.append(work)
                    if work.alone:
                        break
        except queue.Empty:
            pass
        return batch, True

    def _commit(self, batch: list[Work]) -> None:
        alone = batch[-1] if batch and batch[-1].alone else None
        with self._life.commit():
            if self._stale:
                self._life.load(prove=True)
            done = [(work, *_attempt(work)) for work in batch if work is not alone]
            self._life.advance()
        if self._stale:
            _log.warning("the database takes commits again")
        self._stale, self._pause = False, 0.0
        _tell(done)
        self._life.tell()
        if alone is not None:
            _tell([(alone, *_attempt(alone))])
            self._life.tell()

    def _fail(self, batch: list[Work], error: StateError) -> None:
        """The database did not take a commit: what was in memory is not so. Read it again before the next attempt, and
        give the database a moment.
        """
        self._life.measures.failed_commits += 1
        if not self._stale:
            _log.error("%s", error)
        _refuse(batch, error)
        self._stale, self._pause = True, _PAUSE

    def _refuse_what_waits(self, why: StateError) -> None:
        while True:
            try:
                work = self._inbox.get_nowait()
            except queue.Empty:
                return
            if work is not None:
                _refuse([work], why)


def _attempt(work: Work) -> tuple[Any, ForemanError | None]:
    """What it gave, or the expected error it met. A database that takes nothing fails the whole batch; what is done
    alone fails alone.
    """
    try:
        return work.run(), None
    except StateError as error:
        if not work.alone:
            raise
        return None, error
    except ForemanError as error:
        return None, error


def _tell(done: list[tuple[Work, Any, ForemanError | None]]) -> None:
    for work, result, error in done:
        if work.future is None:
            continue
        if error is not None:
            work.future.set_exception(error)
        else:
            work.future.set_result(result)


def _refuse(batch: list[Work], error: ForemanError) -> None:
    for work in batch:
        if work.future is not None and not work.future.done():
            work.future.set_exception(error)
