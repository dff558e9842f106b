"""Who may compute at once. Seats share one interpreter with the book, which must not queue behind all of them.

CPython lets a thread that wants to run wait for up to 5 ms per thread that is computing, at each of its hundred small
questions to the database. With 25 seats reading large pages, a plain order took seconds to be decided.
"""

from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Protocol

Over = Callable[[], bool]
"""Does nobody wait for this seat any more?"""

_LOOK_UP = 0.25
"""Seconds after which a seat that waits looks up whether it is still needed."""


class Gate(Protocol):
    """Lets in so many at once."""

    def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool: ...

    def release(self) -> None: ...


class _Open:
    """A gate that nobody has to wait at."""

    def acquire(self, blocking: bool = True, timeout: float | None = None) -> bool:
        return True

    def release(self) -> None:
        """Nothing was held."""


NO_GATE: Gate = _Open()


def wait_at(gate: Gate, over: Over) -> bool:
    """Pass a gate, however long that takes; False when nobody waits for this seat any more."""
    while not gate.acquire(timeout=_LOOK_UP):
        if over():
            return False
    return True


class Floor:
    """At most so many seats have the floor. Whoever asks the world something leaves it for that long.

    The floor changes hands thirty times an order, so it is a queue of places and not a semaphore, which is Python code:
    with semaphores an order took up to twice the processor time (docs/benchmarks.md).
    """

    def __init__(self, most: int) -> None:
        self._places: SimpleQueue[None] = SimpleQueue()
        for _ in range(most):
            self._places.put(None)

    def take(self, over: Over) -> bool:
        """Wait for the floor; False, without it, when nobody waits for this seat any more."""
        while True:
            try:
                self._places.get(timeout=_LOOK_UP)
                return True
            except Empty:
                if over():
                    return False

    def leave(self) -> None:
        """Only who has it may leave it."""
        self._places.put(None)
