"""Who is told what has changed, after it is on disk."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from foreman.ledger import Change
from foreman.receipt import Vote


@dataclass(frozen=True, slots=True)
class SeatNews:
    """One seat spoke; live only, never stored. `stage` is `asking`, `answered` or `voted`."""

    hash: bytes
    block: int
    round: int
    seat: int
    judge: str
    vote: Vote | None
    stage: str


News = Change | SeatNews
Listener = Callable[[Sequence[News]], None]

_log = logging.getLogger("foreman.feed")


class Feed:
    """The listeners. They are called from the network's threads and must not block."""

    def __init__(self) -> None:
        self._listeners: tuple[Listener, ...] = ()
        self._lock = Lock()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Tell `listener` everything from now on, until the returned function is called."""
        with self._lock:
            self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(known for known in self._listeners if known is not listener)

        return unsubscribe

    def publish(self, news: Sequence[News]) -> None:
        """Tell everybody. A listener that fails harms neither the network nor the others."""
        if news:
            for listener in self._listeners:
                try:
                    listener(news)
                except Exception:  # noqa: BLE001  # told in the log
                    _log.exception("a listener failed")

    def __bool__(self) -> bool:
        return bool(self._listeners)
