"""A hard point in time that every step of one fetch shares."""

import time

from foreman.errors import WebError


class Deadline:
    """Counts down from the moment it is made. Monotonic seconds."""

    __slots__ = ("_end",)

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """Seconds left, more than zero. Raises `WebError` with code `timeout`."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise overdue()
        return left


def overdue() -> WebError:
    return WebError("timeout", "the page took too long", "serve the evidence from a faster host")
