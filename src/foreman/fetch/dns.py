"""Names to addresses, by the system's resolver, without ever waiting longer than a deadline."""

import socket
import threading
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue

from foreman.errors import WebError

Resolver = Callable[[str, float], Sequence[str]]
"""(host, seconds) to addresses as text. Raises `WebError`: `dns_failed`, or `timeout` when the seconds are over."""

MAX_LOOKUPS = 64
"""The system's resolver cannot be interrupted: a lookup that hangs keeps its thread for up to half a minute. This
many may hang at once; beyond that new lookups wait, and fail when their time is over."""

_lookups = threading.BoundedSemaphore(MAX_LOOKUPS)


def system_resolver(host: str, seconds: float) -> list[str]:
    """Every IPv4 and IPv6 address the system knows for a name."""
    if not _lookups.acquire(timeout=seconds):
        raise WebError("timeout", f"{host} could not be looked up in time")
    answers: SimpleQueue[list[str] | WebError] = SimpleQueue()
    threading.Thread(target=_look_up, args=(host, answers), name="dns", daemon=True).start()
    try:
        answer = answers.get(timeout=seconds)
    except Empty as error:
        raise WebError("timeout", f"{host} could not be looked up in time") from error
    if isinstance(answer, WebError):
        raise answer
    return answer


def _look_up(host: str, answers: "SimpleQueue[list[str] | WebError]") -> None:
    try:
        # With its final dot the name is looked up as it stands: no search domain of this machine is tried behind it,
        # so that every seat, wherever it runs, means the same host.
        rows = socket.getaddrinfo(host + ".", None, type=socket.SOCK_STREAM)
        answers.put([str(row[4][0]) for row in rows])
    except (OSError, UnicodeError):
        answers.put(WebError("dns_failed", f"{host} has no address", "check the spelling of the host name"))
    finally:
        _lookups.release()
