"""Run a network with its HTTP door: in this process until told to stop, or on a thread beside a test or a demo."""

import socket
import threading
from dataclasses import replace
from pathlib import Path

from foreman.errors import StateError
from foreman.node.node import Node
from foreman.rpc.app import make_app
from foreman.rpc.server import DoorServer


def listen(host: str, port: int) -> socket.socket:
    """Take the port, 0 for any. Raises `StateError` when it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family, socket.SOCK_STREAM)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host, port))
    except OSError as error:
        door.close()
        raise StateError(
            "port_taken", f"cannot listen on {host}:{port}: {error.strerror}", "choose another with --port"
        ) from error
    door.listen(1024)
    return door


def server_for(node: Node, web: Path | None = None) -> DoorServer:
    """The HTTP server of a node; give it the socket of `listen`. `web` is the folder of the built web app."""
    return DoorServer(make_app(node, web))


class Running:
    """A network and its door on a thread of their own; `with Running(node) as running:`."""

    def __init__(self, node: Node, web: Path | None = None) -> None:
        """The port of the settings is taken at once, so that the door knows its own address; 0 means any."""
        self._socket = listen(node.settings.host, node.settings.port)
        self.port: int = self._socket.getsockname()[1]
        node.settings = replace(node.settings, port=self.port)
        self.node = node
        self.web = web
        self._server = server_for(node, web)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [self._socket]}, daemon=True)

    @property
    def url(self) -> str:
        """Where JSON-RPC is answered."""
        return f"{self.origin}/api"

    @property
    def origin(self) -> str:
        host = self.node.settings.host
        return f"http://{f'[{host}]' if ':' in host else host}:{self.port}"

    def __enter__(self) -> "Running":
        self.node.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
        self.node.stop()


def serve(node: Node, door: socket.socket, web: Path | None = None) -> None:
    """Start the node and answer on this thread until a signal comes; then finish the commit under way."""
    node.start()
    try:
        server_for(node, web).run(sockets=[door])
    finally:
        node.stop()
