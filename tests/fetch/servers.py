"""HTTP servers on loopback that do exactly what a test wants, decent or not, and fetchers that reach them."""

import socket
import ssl
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from foreman.errors import WebError
from foreman.fetch.hosts import HostMap
from foreman.fetch.web import Web
from foreman.fetch.wire import Limits, open_socket

PUBLIC = "93.184.216.34"
"""A public address; stub connectors lead it to loopback."""


@dataclass(frozen=True)
class Seen:
    """One request as it came over the wire; header names in lower case."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


Answer = Callable[["Line", Seen], None]


class Line:
    """The server's end of one connection."""

    def __init__(self, sock: socket.socket, stopped: threading.Event) -> None:
        self._sock = sock
        self.stopped = stopped
        self.sent = 0

    def send(self, data: bytes) -> None:
        self._sock.sendall(data)
        self.sent += len(data)

    def drip(self, pieces: Iterable[bytes], seconds: float) -> None:
        """Send piece by piece, with a pause that ends at once when the server stops."""
        for piece in pieces:
            self.send(piece)
            if self.stopped.wait(seconds):
                return

    def hang(self) -> None:
        """Send nothing until the server stops or the other side goes away."""
        self._sock.settimeout(0.05)
        while not self.stopped.is_set():
            try:
                if not self._sock.recv(1):
                    return
            except TimeoutError:
                continue

    def reset(self) -> None:
        """Break the connection the rude way."""
        self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\x00\x00\x00\x00\x00\x00\x00")


@dataclass
class Server:
    """Serves until the `with` block ends. `answer` gets the line and what was asked; `seen` is the log."""

    answer: Answer
    tls: ssl.SSLContext | None = None
    seen: list[Seen] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)
    greeting: bytes = b""
    """Sent before anything was asked."""

    def __enter__(self) -> "Server":
        self._stopped = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        self._threads = [threading.Thread(target=self._serve)]
        self._threads[0].start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        for thread in self._threads:
            thread.join(timeout=10)
            assert not thread.is_alive()

    def _serve(self) -> None:
        while not self._stopped.is_set():
            try:
                sock, _ = self._socket.accept()
            except OSError:
                return
            thread = threading.Thread(target=self._one, args=(sock,))
            self._threads.append(thread)
            thread.start()

    def _one(self, sock: socket.socket) -> None:
        with sock:
            sock.settimeout(10)
            try:
                inner = self.tls.wrap_socket(sock, server_side=True) if self.tls else sock
                with inner:
                    line = Line(inner, self._stopped)
                    inner.sendall(self.greeting)
                    seen = _read(inner)
                    self.seen.append(seen)
                    self.lines.append(line)
                    self.answer(line, seen)
            except OSError:
                return  # the other side went away, which is what many tests are about


def _read(sock: socket.socket) -> Seen:
    raw = b""
    while b"\r\n\r\n" not in raw:
        piece = sock.recv(65536)
        if not piece:
            raise OSError("gone")
        raw += piece
    head, _, body = raw.partition(b"\r\n\r\n")
    first, *rest = head.decode("latin-1").split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {name.lower(): value.strip() for name, _, value in (row.partition(":") for row in rest)}
    while len(body) < int(headers.get("content-length", 0)):
        body += sock.recv(65536)
    return Seen(method, path, headers, body)


def page(body: bytes = b"hello", status: str = "200 OK", **headers: str) -> bytes:
    """A decent answer, as bytes."""
    named = {"Content-Length": str(len(body)), **{name.replace("_", "-"): value for name, value in headers.items()}}
    rows = "".join(f"{name}: {value}\r\n" for name, value in named.items())
    return f"HTTP/1.1 {status}\r\n{rows}\r\n".encode("latin-1") + body


def serving(*answers: bytes) -> Answer:
    """Give these answers in turn, the last one again and again."""
    turn = iter(range(1_000_000))

    def answer(line: Line, seen: Seen) -> None:
        line.send(answers[min(next(turn), len(answers) - 1)])

    return answer


def pages(by_path: Mapping[str, bytes]) -> Answer:
    """Give an answer by path."""
    return lambda line, seen: line.send(by_path[seen.path])


@dataclass
class World:
    """A stub internet: names with addresses, and connections that all end at one loopback server, recorded."""

    names: Mapping[str, Sequence[str] | Sequence[Sequence[str]]]
    port: int = 0
    connections: list[tuple[str, int]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def resolve(self, host: str, seconds: float) -> Sequence[str]:
        turn = self.asked.count(host)
        self.asked.append(host)
        answers = self.names.get(host)
        if answers is None:
            raise WebError("dns_failed", f"{host} has no address")
        if answers and not isinstance(answers[0], str):
            return list(answers[min(turn, len(answers) - 1)])
        return [str(answer) for answer in answers]

    def connect(self, address: str, port: int, seconds: float) -> socket.socket:
        self.connections.append((address, port))
        if not self.port:
            raise ConnectionRefusedError
        return open_socket("127.0.0.1", self.port, seconds)

    def web(self, limits: Limits | None = None, tls: ssl.SSLContext | None = None) -> Web:
        return Web(HostMap(), limits or Limits(seconds=5), self.resolve, self.connect, tls)


def mapped_web(server: Server, limits: Limits | None = None, host: str = "demo.example.org") -> Web:
    """A fetcher for which `host` is served by this server, over http and https."""
    entries = [f"{host}:{port}:127.0.0.1:{server.port}" for port in (80, 443)]
    return Web(HostMap.parse(entries), limits or Limits(seconds=5))
