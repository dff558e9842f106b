"""One request on one connection: connect to a checked address, speak TLS, send, and read no more than was agreed.

Sockets are driven directly, with the HTTP grammar left to h11, because every single wait (connect, handshake, each
read and write) has to be cut by the same deadline. A client that only offers a timeout per read lets a page that
sends one byte a second run for ever.
"""

import socket
import ssl
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import h11

from foreman.errors import WebError
from foreman.fetch.body import Body
from foreman.fetch.deadline import Deadline, overdue
from foreman.fetch.target import Target

Connector = Callable[[str, int, float], socket.socket]
"""(address, port, seconds) to a connected socket. Raises OSError."""

MAX_ADDRESSES = 4
"""Addresses of one name that are tried, one after the other."""
_READ_BYTES = 65536
_REDIRECTS = (301, 302, 303, 307, 308)
_MAX_INTERIM = 8
"""1xx answers before the real one; servers send one or two."""
_MAX_PIECES = 20_000
"""Chunks of one body. A mebibyte sent in chunks of one byte would cost seconds of computing."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one fetch may take. Bytes and seconds."""

    seconds: float = 20.0
    """Everything together, redirects too (docs/judges.md)."""
    body_bytes: int = 1024 * 1024
    """Decompressed. The contracts show a judge 15,000 characters; HTML is reduced to its text after this limit."""
    header_bytes: int = 32 * 1024
    request_bytes: int = 256 * 1024
    """Body of an outgoing request."""
    redirects: int = 5


@dataclass(frozen=True, slots=True)
class Sent:
    """One request as it goes out; header names are lower case and do not include Host."""

    method: str
    target: Target
    headers: tuple[tuple[str, str], ...]
    body: bytes


@dataclass(frozen=True, slots=True)
class Received:
    """One answer. Repeated headers are joined with a comma."""

    status: int
    headers: dict[str, str]
    body: bytes
    truncated: bool = False

    @property
    def location(self) -> str:
        """Where a redirect leads, as it was sent; empty when this is none."""
        return self.headers.get("location", "") if self.status in _REDIRECTS else ""


def open_socket(address: str, port: int, seconds: float) -> socket.socket:
    """The connector of a real network: straight to an address, no name looked up, no proxy asked."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    try:
        sock.settimeout(seconds)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.connect((address, port))
    except BaseException:
        sock.close()
        raise
    return sock


def connect(connector: Connector, addresses: Sequence[str], port: int, deadline: Deadline) -> socket.socket:
    """The first of the addresses that answers; each gets its share of the time. Raises `WebError`."""
    tried = addresses[:MAX_ADDRESSES]
    for index, address in enumerate(tried):
        try:
            return connector(address, port, deadline.left() / (len(tried) - index))
        except OSError:
            deadline.left()
    raise WebError("connect_failed", "the host does not answer", "check that the page is online")


def start_tls(sock: socket.socket, context: ssl.SSLContext, host: str, deadline: Deadline) -> socket.socket:
    """TLS with the certificate checked for the name. Raises `WebError`."""
    sock.settimeout(deadline.left())
    try:
        return context.wrap_socket(sock, server_hostname=host, suppress_ragged_eofs=False)
    except TimeoutError:
        raise overdue() from None
    except (ssl.SSLError, ssl.CertificateError, ValueError):
        raise WebError(
            "tls_failed",
            f"the certificate or TLS of {host} does not hold",
            "the page needs a valid certificate from a public authority",
        ) from None
    except OSError:
        raise WebError("connect_failed", "the connection broke during the TLS handshake") from None


def exchange(sock: socket.socket, sent: Sent, limits: Limits, deadline: Deadline) -> Received:
    """Send one request and read its answer. Raises `WebError`."""
    grammar = h11.Connection(h11.CLIENT, max_incomplete_event_size=limits.header_bytes)
    try:
        _send(sock, _compose(grammar, sent), deadline)
        return _receive(sock, grammar, sent, limits, deadline)
    except h11.RemoteProtocolError:
        raise WebError("bad_response", "the host does not speak proper HTTP, or cut its answer short") from None
    except TimeoutError:
        raise overdue() from None
    except OSError:  # a reset, or TLS that ends without a goodbye
        raise WebError("connect_failed", "the connection broke before the page was complete") from None


def _compose(grammar: h11.Connection, sent: Sent) -> bytes:
    headers = [("host", sent.target.authority), *sent.headers]
    if sent.body or sent.method in ("POST", "PUT", "PATCH"):
        headers.append(("content-length", str(len(sent.body))))
    try:
        request = h11.Request(method=sent.method, target=sent.target.path, headers=headers)
        out = grammar.send(request) or b""
    except (h11.LocalProtocolError, UnicodeEncodeError):
        raise WebError("request_refused", "a request header holds what no header may hold") from None
    if sent.body:
        out += grammar.send(h11.Data(data=sent.body)) or b""
    return out + (grammar.send(h11.EndOfMessage()) or b"")


def _send(sock: socket.socket, data: bytes, deadline: Deadline) -> None:
    rest = memoryview(data)
    while rest:
        sock.settimeout(deadline.left())
        rest = rest[sock.send(rest) :]


def _receive(sock: socket.socket, grammar: h11.Connection, sent: Sent, limits: Limits, deadline: Deadline) -> Received:
    head = _receive_head(sock, grammar, limits, deadline)
    headers = _headers(head)
    if Received(head.status_code, headers, b"").location:
        return Received(head.status_code, headers, b"")  # nobody reads the page of a redirect
    body = Body(headers.get("content-encoding", "") if sent.method != "HEAD" else "", limits.body_bytes)
    for _ in range(_MAX_PIECES):
        event = _next(sock, grammar, deadline)
        if isinstance(event, h11.Data):
            body.feed(event.data)
            if body.full:
                break
        elif isinstance(event, h11.EndOfMessage):
            break
        else:
            raise WebError("bad_response", "the host cut its answer short")
    else:
        raise WebError("bad_response", "the page comes in too many tiny pieces")
    return Received(head.status_code, headers, body.finish(), body.full)


def _receive_head(sock: socket.socket, grammar: h11.Connection, limits: Limits, deadline: Deadline) -> h11.Response:
    for _ in range(_MAX_INTERIM):
        event = _next(sock, grammar, deadline)
        if isinstance(event, h11.Response):
            if sum(len(name) + len(value) + 4 for name, value in event.headers) > limits.header_bytes:
                raise WebError("bad_response", "the host sends too many headers")
            return event
        if not isinstance(event, h11.InformationalResponse):
            raise WebError("bad_response", "the host closed the connection without an answer")
    raise WebError("bad_response", "the host announces an answer again and again and never gives it")


def _next(sock: socket.socket, grammar: h11.Connection, deadline: Deadline) -> object:
    while True:
        event = grammar.next_event()
        if event is not h11.NEED_DATA:
            return event
        sock.settimeout(deadline.left())
        grammar.receive_data(sock.recv(_READ_BYTES))


def _headers(head: h11.Response) -> dict[str, str]:
    headers: dict[str, str] = {}
    for raw_name, raw_value in head.headers:
        name, value = raw_name.decode("latin-1"), raw_value.decode("latin-1")
        headers[name] = f"{headers[name]}, {value}" if name in headers else value
    return headers
