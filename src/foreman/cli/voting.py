"""Seats as they speak: follows a network's stream beside a command that waits, and prints a line per vote."""

import threading
import time
from collections import deque
from typing import Any

from foreman.cli import show
from foreman.errors import ForemanError
from foreman.sdk.client import Client
from foreman.sdk.stream import FROM_THE_END

_OPENING = 2.0
"""Seconds to wait for the stream before sending; without it the command works the same and only tells less."""

_RECENT = 1000
"""Votes and changes kept until somebody asks for them; the oldest go first."""


class Voting:
    """`with Voting(client, on) as voting: ...; voting.follow(hash)`. Off, or on a network without a stream: silent.

    Without `speak` nothing is printed, and `changed` still wakes up whoever waits.
    """

    def __init__(self, client: Client, on: bool, speak: bool = True) -> None:
        self._client = client
        self._on = on and client.embedded
        self._speak = speak
        self._followed: set[str] = set()
        self._votes: deque[dict[str, Any]] = deque(maxlen=_RECENT)
        self._changes: deque[str] = deque(maxlen=_RECENT)
        self._lock = threading.Lock()
        self._open = threading.Event()
        self._news = threading.Event()
        self._over = False

    def __enter__(self) -> "Voting":
        if self._on:
            threading.Thread(target=self._listen, daemon=True).start()
            self._open.wait(_OPENING)
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._over = True

    def follow(self, hash: str) -> None:
        """Tell of this transaction from now on, and what has been heard of it already."""
        with self._lock:
            if hash not in self._followed:
                self._followed.add(hash)
                for event in self._votes:
                    if event.get("hash") == hash:
                        self._tell(event)

    def changed(self, seconds: float) -> list[str]:
        """Wait for a change of any transaction, so long at the most; the hashes of those that changed meanwhile."""
        if not self._on:
            time.sleep(seconds)
            return []
        self._news.wait(seconds)
        with self._lock:
            self._news.clear()
            found = list(dict.fromkeys(self._changes))
            self._changes.clear()
            return found

    def _listen(self) -> None:
        """Ends with the connection: the command closes it, or its process goes."""
        try:
            for event in self._client.events(after=FROM_THE_END):
                with self._lock:
                    if self._over:
                        return
                    self._hear(event)
        except (ForemanError, RuntimeError):
            self._open.set()  # no stream, or the client was closed under it

    def _hear(self, event: dict[str, Any]) -> None:
        kind, hash = event.get("event"), str(event.get("hash"))
        if kind == "reset":  # the answer to this cursor: from here on nothing is missed
            self._open.set()
        elif kind == "change":
            self._changes.append(hash)
            self._news.set()
        elif kind == "seat" and hash in self._followed:
            self._tell(event)
        elif kind == "seat":
            self._votes.append(event)

    def _tell(self, event: dict[str, Any]) -> None:
        if not self._speak or event.get("stage") == "asking":
            return
        said = event.get("vote") or event.get("stage")
        line = (
            f"  seat {show.plain(event.get('seat'), 8)}  {show.plain(event.get('judge'), 40)}: {show.plain(said, 40)}"
        )
        show.err().print(line, style="dim", markup=False)
