"""Seats as they speak: follows a network's stream beside a command that waits, and prints a line per vote."""

import threading
from typing import Any

from foreman.cli import show
from foreman.errors import ForemanError
from foreman.sdk.client import Client
from foreman.sdk.stream import FROM_THE_END

_OPENING = 2.0
"""Seconds to wait for the stream before sending; without it the command works the same and only tells less."""


class Voting:
    """`with Voting(client, on) as voting: ...; voting.follow(hash)`. Off, or on a network without a stream: silent."""

    def __init__(self, client: Client, on: bool) -> None:
        self._client = client
        self._on = on and client.embedded
        self._hash = ""
        self._early: list[dict[str, Any]] = []
        self._lock = threading.Lock()
        self._open = threading.Event()
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
            self._hash, early, self._early = hash, self._early, []
            for event in early:
                self._tell(event)

    def _listen(self) -> None:
        """Ends with the connection: the command closes it, or its process goes."""
        try:
            for event in self._client.events(after=FROM_THE_END):
                if event.get("event") != "seat":
                    if event.get("event") == "reset":  # the answer to this cursor: from here on nothing is missed
                        self._open.set()
                    continue
                with self._lock:
                    if self._over:
                        return
                    if self._hash:
                        self._tell(event)
                    elif len(self._early) < 1000:
                        self._early.append(event)
        except (ForemanError, RuntimeError):
            self._open.set()  # no stream, or the client was closed under it

    def _tell(self, event: dict[str, Any]) -> None:
        if event.get("hash") != self._hash or event.get("stage") == "asking":
            return
        said = event.get("vote") or event.get("stage")
        line = f"  seat {show.plain(event.get('seat'), 8)}  {show.plain(event.get('judge'), 40)}: {show.plain(said, 40)}"
        show.err().print(line, style="dim", markup=False)
