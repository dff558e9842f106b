"""A network's door on a real socket, on a thread beside the test."""

import socket
import threading
from typing import Any

import httpx

from foreman.rpc.app import App, make_app
from foreman.rpc.front import Front
from foreman.rpc.server import DoorServer
from tests.node.network import Network


class Server(DoorServer):
    """Says when it listens."""

    def __init__(self, app: App, listens: threading.Event) -> None:
        super().__init__(app)
        self._listens = listens

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self._listens.set()


class Listening:
    """`with Listening(network) as door:`; `door.port`, `door.call(...)`, `door.connect()`."""

    def __init__(self, network: Network, front: Front | None = None) -> None:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        listens = threading.Event()
        self.server = Server(make_app(network.node, front or Front()), listens)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self._socket]}, daemon=True)
        self._thread.start()
        assert listens.wait(20)

    def __enter__(self) -> "Listening":
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.server.should_exit = True
        self._thread.join(30)
        assert not self._thread.is_alive()

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def call(self, method: str, *params: Any) -> Any:
        """A result, on a connection of its own."""
        return self.reply(method, *params)["result"]

    def reply(self, method: str, *params: Any) -> dict[str, Any]:
        """A whole reply, on a connection of its own."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        reply: dict[str, Any] = httpx.post(self.origin + "/api", json=request, timeout=20).json()
        return reply

    def connect(self, sent: bytes = b"") -> socket.socket:
        """A raw connection that has sent something already. Reading from it fails after 20 seconds."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=20)
        connection.sendall(sent)
        return connection

    def head(self, line: str, *lines: str) -> bytes:
        """The head of a request, whole."""
        return "\r\n".join([line, f"Host: 127.0.0.1:{self.port}", *lines, "", ""]).encode("latin-1")


def read_all(connection: socket.socket) -> bytes:
    """What comes until the other side closes; a reset ends it too."""
    parts = []
    try:
        while part := connection.recv(65536):
            parts.append(part)
    except ConnectionResetError:
        pass
    return b"".join(parts)
