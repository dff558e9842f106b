"""A node that can be killed, and a proxy that kills it at one request, before or after the node has taken it."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path


class Node:
    """A real `foreman up` in a process of its own, which can be killed without a word and started again."""

    def __init__(self, state: Path, *options: str) -> None:
        self.state = state
        self.options = options
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/api"

    def start(self) -> None:
        words = ["up", "--port", str(self.port), "--state", str(self.state), *self.options]
        source = next(path for path in sys.path if path.endswith("src"))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "foreman.cli.main", *words],
            env={**os.environ, "PYTHONPATH": source},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if "Listening" in line:
                return
        raise AssertionError("the network did not start")

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)
        assert self.process.stdout is not None
        self.process.stdout.close()


class Proxy:
    """Between command and node: passes requests on, but kills the node at one request, before or after it."""

    def __init__(self, node: Node, after: bool, at: bytes = b"eth_sendRawTransaction") -> None:
        self._node, self._after, self._at = node, after, at
        self.deadly = True
        self.last = b""
        """The body of the last request that was deadly."""
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}/api"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                visitor, _ = self._door.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(visitor,), daemon=True).start()

    def _talk(self, visitor: socket.socket) -> None:
        with visitor:
            while request := _message(visitor):
                raw = self.deadly and self._at in request
                if raw:
                    self.last = request.partition(b"\r\n\r\n")[2]
                if raw and not self._after:
                    self._node.kill()
                    return
                request = re.sub(rb"(?im)^host:.*\r$", f"Host: 127.0.0.1:{self._node.port}\r".encode(), request)
                with socket.create_connection(("127.0.0.1", self._node.port)) as node:
                    node.sendall(request)
                    answer = _message(node)
                if raw:
                    self._node.kill()
                    return
                visitor.sendall(answer)


def _message(stream: socket.socket) -> bytes:
    """One HTTP message with a length, or what came before the end."""
    data = b""
    while b"\r\n\r\n" not in data:
        if not (more := stream.recv(65536)):
            return data
        data += more
    head, _, body = data.partition(b"\r\n\r\n")
    length = re.search(rb"(?im)^content-length: *(\d+)", head)
    while length and len(body) < int(length[1]):
        if not (more := stream.recv(65536)):
            break
        body += more
    return head + b"\r\n\r\n" + body
