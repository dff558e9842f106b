"""A node in a process of its own, to be attacked: what it holds in memory, and whether it still serves others."""

import json
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.faults.test_kill import Life
from tests.faults.up import memory

MEBIBYTE = 1 << 20


class Victim(Life):
    """The node of tests/faults/server.py, with the eyes of an attacker."""

    @property
    def port(self) -> int:
        found = urlsplit(self.url).port
        assert found is not None
        return found

    @property
    def memory(self) -> int:
        """Bytes it holds now."""
        return memory(self.process.pid)

    @property
    def alive(self) -> bool:
        return self.process.poll() is None

    def connect(self, sent: bytes = b"", seconds: float = 20.0) -> socket.socket:
        """A connection that has sent something already."""
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=seconds)
        if sent:
            connection.sendall(sent)
        return connection

    def head(self, line: str, *lines: str) -> bytes:
        return "\r\n".join([line, f"Host: 127.0.0.1:{self.port}", *lines, "", ""]).encode("latin-1")

    def served(self) -> float:
        """Seconds until somebody who means well has an answer, connection and all."""
        begun = time.monotonic()
        wire = self.wire()
        assert wire.ask("eth_chainId") == hex(61127)
        wire.close()
        return time.monotonic() - begun


@contextmanager
def attacked(folder: Path) -> Iterator[Victim]:
    """A node; after the attack it must be there, well, and balanced."""
    victim = Victim(folder, 0.0)
    try:
        victim.served()
        yield victim
        assert victim.alive, "the node has crashed"
        wire = victim.wire()
        assert wire.ask("foreman_getBooks")["conserved"] is True
        wire.close()
    finally:
        victim.kill()


def told(answer: Any) -> str:
    """The sentence of an error; fails for whatever is no JSON-RPC error with a code, a sentence and a number."""
    assert isinstance(answer, dict), answer
    error = answer.get("error", answer)
    assert isinstance(error["code"], int), answer
    assert isinstance(error["message"], str)
    assert " " in error["message"].strip(), f"{error['message']!r} is no sentence"
    assert isinstance(error["data"]["code"], str)
    assert error["code"] != -32603, answer
    for leak in ("Traceback", 'File "', "site-packages"):
        assert leak not in json.dumps(answer), answer
    return str(error["message"])
