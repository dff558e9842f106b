"""JSON-RPC over HTTP: one request, its answer or a clear error. Whoever answers is not trusted to be a network."""

import ipaddress
import itertools
import json
import time
from typing import Any
from urllib.parse import urlsplit

import httpx

from foreman.errors import BadInput
from foreman.sdk.failures import BadAnswer, RpcFailed, Unreachable

QUIET, CONNECT = 30.0, 5.0
"""Seconds without a byte, and until a connection stands; a network answers a read within 10 s."""

LONGEST = 120.0
"""Seconds for a whole answer, so that nobody holds a caller with a byte now and then."""

MOST_BYTES = 64 * 2**20
"""Bytes of an answer; a page of 50 orders with every text at its limit has some three million."""


class Transport:
    """A connection to one network's door. Safe to use from several threads."""

    def __init__(self, url: str, http: httpx.Client | None = None, patience: float = LONGEST) -> None:
        """`patience`: seconds that one answer may take."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput("bad_url", f"{url[:200]!r} is not the address of a network", "write http://HOST:PORT/api")
        self.url = url
        self.root = f"{parts.scheme}://{parts.netloc}"
        # A proxy of the environment is for the open web; a network on this machine is never behind one.
        self.through_proxy = not _is_loopback(parts.hostname)
        timeout = httpx.Timeout(min(QUIET, patience), connect=min(CONNECT, patience))
        self.http = http or httpx.Client(timeout=timeout, trust_env=self.through_proxy)
        self._patience = patience
        self._ids = itertools.count(1)

    def close(self) -> None:
        """Let go of the connections."""
        self.http.close()

    def call(self, method: str, *params: Any) -> Any:
        """Ask one question. Raises `Unreachable`, `RpcFailed` and `BadAnswer`."""
        body = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": list(params)}
        status, content = self._ask(self.http.build_request("POST", self.url, json=body))
        answer = _parsed(self.url, status, content)
        problem = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(problem, dict):
            message = str(problem.get("message") or "the network gave no reason")
            raise RpcFailed(method, _number(problem.get("code")), message, problem.get("data"))
        if not isinstance(answer, dict) or status != 200:
            raise BadAnswer(self.url, f"HTTP {status} and no answer to JSON-RPC", status)
        return answer.get("result")  # Studio leaves a null result out (docs/genlayer.md 8.8)

    def get(self, path: str) -> Any:
        """Read a JSON document beside the door, for example `/config.json`."""
        status, content = self._ask(self.http.build_request("GET", self.root + path))
        if status != 200:
            raise RpcFailed(path, status, f"{path} answered with HTTP {status}")
        return _parsed(self.root + path, status, content)

    def _ask(self, request: httpx.Request) -> tuple[int, bytes]:
        """The status and all bytes of an answer, which is bounded in size and time."""
        url, until, pieces, size = str(request.url), time.monotonic() + self._patience, [], 0
        try:
            response = self.http.send(request, stream=True)
            try:
                for piece in response.iter_bytes():
                    pieces.append(piece)
                    size += len(piece)
                    if size > MOST_BYTES:
                        raise BadAnswer(url, f"more than {MOST_BYTES // 2**20} MiB", response.status_code)
                    if time.monotonic() > until:
                        raise Unreachable(url, f"an answer that is not complete after {self._patience:g} s")
            finally:
                response.close()
        except (httpx.HTTPError, httpx.StreamError) as error:
            raise Unreachable(url, _why(error)) from error
        return response.status_code, b"".join(pieces)


def _parsed(url: str, status: int, content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError) as error:
        raise BadAnswer(url, f"HTTP {status} and no JSON", status) from error


def _number(code: object) -> int:
    """The number of a JSON-RPC error; whatever is none proves nothing, like an HTTP status."""
    return code if isinstance(code, int) and not isinstance(code, bool) else 0


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _why(error: Exception) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "no answer in time"
    return str(error) or type(error).__name__
