"""An HTTP transport for chat clients whose every wait is cut by one deadline and whose answers have a largest size.

A client's own timeouts start anew with every byte that arrives, so a server that drips could hold a seat for ever.
Imported with the client it serves, never before: both take most of a second to load.
"""

import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import certifi
import httpcore2
import httpx2


class Overdue(Exception):
    """The deadline has passed."""


class TooLarge(Exception):
    """The server sent more bytes than an answer may have."""


class Broken(Exception):
    """The connection failed, or what came over it is no HTTP."""


class Allowance:
    """What is left of one question: seconds (monotonic) and bytes to be received, all attempts together."""

    def __init__(self, seconds: float, max_bytes: int) -> None:
        self._end = time.monotonic() + seconds
        self._bytes = max_bytes

    def seconds(self) -> float:
        """More than zero. Raises `Overdue`."""
        left = self._end - time.monotonic()
        if left <= 0:
            raise Overdue
        return left

    def take(self, count: int) -> None:
        """Raises `TooLarge`."""
        self._bytes -= count
        if self._bytes < 0:
            raise TooLarge


@contextmanager
def _told() -> Iterator[None]:
    """Say it in the three words of this module."""
    try:
        yield
    except httpcore2.TimeoutException as error:
        raise Overdue from error
    except (httpcore2.NetworkError, httpcore2.ProtocolError) as error:
        raise Broken from error


class _Stream(httpcore2.NetworkStream):
    def __init__(self, inner: httpcore2.NetworkStream, allowance: Allowance) -> None:
        self._inner = inner
        self._allowance = allowance

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data = self._inner.read(max_bytes, self._allowance.seconds())
        self._allowance.take(len(data))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._inner.write(buffer, self._allowance.seconds())

    def close(self) -> None:
        self._inner.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore2.NetworkStream:
        inner = self._inner.start_tls(ssl_context, server_hostname, self._allowance.seconds())
        return _Stream(inner, self._allowance)

    def get_extra_info(self, info: str) -> Any:
        return self._inner.get_extra_info(info)


class _Backend(httpcore2.NetworkBackend):
    def __init__(self, allowance: Allowance) -> None:
        self._inner = httpcore2.SyncBackend()
        self._allowance = allowance

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        inner = self._inner.connect_tcp(host, port, self._allowance.seconds(), local_address, socket_options)
        return _Stream(inner, self._allowance)


class _Body(httpx2.SyncByteStream):
    def __init__(self, inner: Iterable[bytes], close: Callable[[], None]) -> None:
        self._inner = inner
        self._close = close

    def __iter__(self) -> Iterator[bytes]:
        with _told():
            yield from self._inner

    def close(self) -> None:
        self._close()


_NEEDED = frozenset(
    (b"host", b"authorization", b"accept", b"accept-encoding", b"content-type", b"content-length", b"user-agent")
)


class Transport(httpx2.BaseTransport):
    """A new connection for every attempt. No proxy, no redirect, no decompression.

    The client adds headers of its own accord, from variables that are meant for its maker's servers (OPENAI_ORG_ID,
    OPENAI_CUSTOM_HEADERS). With `plain` they stay here: only what a chat needs goes out.
    """

    def __init__(self, allowance: Allowance, plain: bool = True) -> None:
        self._allowance = allowance
        self._plain = plain
        self._pool = httpcore2.ConnectionPool(
            ssl_context=_trust(), network_backend=_Backend(allowance), max_keepalive_connections=0
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        """Raises `Overdue`, `TooLarge` and `Broken`."""
        request.headers["accept-encoding"] = "identity"
        headers = [row for row in request.headers.raw if not self._plain or row[0].lower() in _NEEDED]
        url = request.url
        question = httpcore2.Request(
            method=request.method,
            url=httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=headers,
            content=request.stream,
            extensions={"timeout": {"pool": self._allowance.seconds()}},
        )
        with _told():
            answer = self._pool.handle_request(question)
        if any(name.lower() == b"content-encoding" and value != b"identity" for name, value in answer.headers):
            raise TooLarge  # compressed although it was asked not to be: its true size is anybody's guess
        assert isinstance(answer.stream, Iterable)
        return httpx2.Response(answer.status, headers=answer.headers, stream=_Body(answer.stream, answer.close))

    def close(self) -> None:
        self._pool.close()


_trust_lock = threading.Lock()


def _trust() -> ssl.SSLContext:
    with _trust_lock:
        return _context()


@lru_cache(maxsize=1)
def _context() -> ssl.SSLContext:
    """The system's authorities and certifi's; reading them takes about 50 ms."""
    context = ssl.create_default_context()
    context.load_verify_locations(certifi.where())
    return context
