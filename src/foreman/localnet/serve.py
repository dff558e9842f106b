"""Run a network with its HTTP door, on a thread beside a command, a test or a demo."""

import gc
import socket
import sys
import threading
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from foreman.errors import StateError
from foreman.fetch.hosts import HostMap
from foreman.fetch.web import Web
from foreman.localnet.look import evidence_reader
from foreman.node.node import Node
from foreman.rpc.app import make_app
from foreman.rpc.front import Front
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


TURN_SECONDS = 0.001
"""How long a thread of this process computes while others want to (5 ms is CPython's own): the book has a hundred short
turns in a transaction, and waits that long for each seat that is reading a page (docs/decisions/0020).
"""


def settle() -> None:
    """For a process whose one network has just started: what is there now stays, so the garbage collector need not look
    at it again. Its full rounds stop everybody, once a second under load, and take half the time after this.
    """
    gc.freeze()


class Running:
    """A network and its door on a thread of their own; `with Running(node) as running:`."""

    def __init__(self, node: Node, web: Path | None = None, samples: tuple[Mapping[str, str], ...] = ()) -> None:
        """The port of the settings is taken at once, so that the door knows its own address; 0 means any. `web` is the
        folder of the built web app; `samples` are pages that somebody serves under names of the host map (front.py).
        """
        self._socket = listen(node.settings.host, node.settings.port)
        self.port: int = self._socket.getsockname()[1]
        node.settings = replace(node.settings, port=self.port)
        self.node = node
        self.web = web
        self.samples = samples
        front = Front(web, samples, evidence_reader(Web(HostMap.parse(node.settings.host_map))))
        self._server = DoorServer(make_app(node, front))
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
        self._turn = sys.getswitchinterval()
        sys.setswitchinterval(min(self._turn, TURN_SECONDS))
        self.node.start()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join()
        self._socket.close()
        self.node.stop()
        sys.setswitchinterval(self._turn)
