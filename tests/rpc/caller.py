"""Asks a network through its real ASGI application, in memory: what a client sends, and what it gets."""

import asyncio
import itertools
import json
from typing import Any

import httpx

from foreman.node.node import Node
from foreman.rpc.app import App, make_app
from foreman.rpc.front import Front
from tests.node.network import Network

ORIGIN = "http://127.0.0.1:4000"


class Caller:
    """A client of one network's door; close it with `with`."""

    def __init__(self, network: Network | Node, origin: str = ORIGIN, front: Front | None = None) -> None:
        node = network.node if isinstance(network, Network) else network
        self.app = make_app(node, front or Front())
        self._runner = asyncio.Runner()
        self._origin = origin
        self._ids = itertools.count(1)
        self.mount(self.app)

    def mount(self, app: App) -> None:
        """Ask another application from now on."""
        self.app = app
        self._http = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=self._origin)

    def __enter__(self) -> "Caller":
        return self

    def __exit__(self, *_: object) -> None:
        self._runner.run(self._http.aclose())
        self._runner.close()
        self.app.close()

    def request(self, method: str, path: str, headers: dict[str, str] | None = None, **rest: Any) -> httpx.Response:
        return self._runner.run(self._http.request(method, path, headers=headers, **rest))

    def post(self, body: bytes | str, headers: dict[str, str] | None = None, path: str = "/api") -> httpx.Response:
        content = body if isinstance(body, bytes) else body.encode()
        return self.request("POST", path, {"content-type": "application/json", **(headers or {})}, content=content)

    def send(self, payload: Any, **headers: str) -> Any:
        """The JSON reply to a JSON payload."""
        return self.post(json.dumps(payload), headers).json()

    def call(self, method: str, *params: Any) -> dict[str, Any]:
        reply: dict[str, Any] = self.send(
            {"jsonrpc": "2.0", "id": next(self._ids), "method": method, "params": list(params)}
        )
        return reply

    def result(self, method: str, *params: Any) -> Any:
        reply = self.call(method, *params)
        assert "error" not in reply, reply
        return reply["result"]

    def error(self, method: str, *params: Any) -> dict[str, Any]:
        reply = self.call(method, *params)
        assert "result" not in reply, reply
        error: dict[str, Any] = reply["error"]
        return error
