"""JSON-RPC over HTTP: one request, its answer or a clear error, and the stream of what changes."""

import ipaddress
import itertools
import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx

from foreman.errors import BadInput
from foreman.sdk.failures import RpcFailed, Unreachable

TIMEOUT = httpx.Timeout(30.0, connect=5.0)
"""Seconds; a network answers a read within its 10 s limit for deterministic runs."""


class Transport:
    """A connection to one network's door. Safe to use from several threads."""

    def __init__(self, url: str, http: httpx.Client | None = None) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput("bad_url", f"{url[:200]!r} is not the address of a network", "write http://HOST:PORT/api")
        self.url = url
        self.root = f"{parts.scheme}://{parts.netloc}"
        # A proxy of the environment is for the open web; a network on this machine is never behind one.
        self._http = http or httpx.Client(timeout=TIMEOUT, trust_env=not _is_loopback(parts.hostname))
        self._ids = itertools.count(1)

    def close(self) -> None:
        """Let go of the connections."""
        self._http.close()

    def call(self, method: str, *params: Any) -> Any:
        """Ask one question. Raises `Unreachable` and `RpcFailed`."""
        body = {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": list(params)}
        try:
            response = self._http.post(self.url, json=body)
        except httpx.HTTPError as error:
            raise Unreachable(self.url, _why(error)) from error
        return self._read(method, response)

    def get(self, path: str) -> Any:
        """Read a JSON document beside the door, for example `/config.json`."""
        try:
            response = self._http.get(self.root + path)
        except httpx.HTTPError as error:
            raise Unreachable(self.root + path, _why(error)) from error
        if response.status_code != 200:
            raise RpcFailed(path, response.status_code, f"{path} answered with HTTP {response.status_code}")
        return response.json()

    def stream(self, path: str) -> Iterator[dict[str, Any]]:
        """Follow a server-sent stream: one object per event, `event` and `id` beside its data. Ends with the server."""
        try:
            with self._http.stream("GET", self.root + path, timeout=httpx.Timeout(30.0, read=None)) as response:
                if response.status_code != 200:
                    raise RpcFailed(path, response.status_code, f"{path} answered with HTTP {response.status_code}")
                yield from read_events(response.iter_lines())
        except httpx.HTTPError as error:
            raise Unreachable(self.root + path, _why(error)) from error

    def _read(self, method: str, response: httpx.Response) -> Any:
        try:
            answer = response.json()
        except ValueError as error:
            told = f"{self.url} answered with HTTP {response.status_code} and no JSON"
            raise RpcFailed(method, response.status_code, told) from error
        problem = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(problem, dict):
            message = str(problem.get("message") or "the network gave no reason")
            raise RpcFailed(method, int(problem.get("code") or 0), message, problem.get("data"))
        if not isinstance(answer, dict) or response.status_code != 200:
            raise RpcFailed(method, response.status_code, f"{self.url} answered with HTTP {response.status_code}")
        return answer.get("result")  # Studio leaves a null result out (facts sheet 8.8)


def read_events(lines: Iterator[str]) -> Iterator[dict[str, Any]]:
    """Server-sent events as objects; a comment line keeps the connection alive and says nothing."""
    event: dict[str, Any] = {}
    data: list[str] = []
    for line in lines:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if name == "data":
            data.append(value)
        elif name in ("event", "id"):
            event[name] = value
        elif not line:
            if data:
                yield {**json.loads("\n".join(data)), **event}
            event, data = {}, []


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _why(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "no answer in time"
    return str(error) or type(error).__name__
