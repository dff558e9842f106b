"""What the door counts while it answers: requests by method and ending, and who was not let in. Plain numbers.

Names come from the method table and from error codes in the source, never from a caller, so there is an end to them.
"""

from collections import Counter, defaultdict

UNKNOWN = "unknown"
"""The one name of all methods that are not in the table, and of what is no request."""

MOST_ENDINGS = 2_000
"""Pairs of method and ending that are told apart; there are about 50 methods with a handful of endings each."""


class Meter:
    """Lives on the event loop: one thread adds, others may read."""

    def __init__(self) -> None:
        self.requests: Counter[tuple[str, str]] = Counter()
        """By method and ending: `ok`, or the error's code."""
        self.seconds: defaultdict[str, float] = defaultdict(float)
        """By method, waiting for commits and threads included."""
        self.refused: Counter[str] = Counter()
        """By code: what was refused before it was a request."""

    def answered(self, method: str, ending: str, seconds: float) -> None:
        key = (method, ending)
        if key not in self.requests and len(self.requests) >= MOST_ENDINGS:
            key = (method, "other")
        self.requests[key] += 1
        self.seconds[method] += seconds

    def shut_out(self, code: str) -> None:
        self.refused[code] += 1
