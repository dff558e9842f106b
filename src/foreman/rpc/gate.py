"""Who may come in, decided from the headers before a byte of the body is read.

A page somewhere on the web can make the browser of whoever reads it send requests to this machine, and a name that
resolves to 127.0.0.1 makes them look local. So: the Host header must name loopback with this node's port (or be
allowed by the operator), the Origin header must be absent, the node's own, or allowed, and a body must be JSON, which
no page can send unasked.
"""

from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass
from typing import Any

from foreman.errors import Refused
from foreman.settings import Settings

Scope = MutableMapping[str, Any]
Headers = list[tuple[bytes, bytes]]

DEV_ORIGINS = ("http://localhost:3000", "http://127.0.0.1:3000")
"""Where the web app runs while it is developed; a development network lists them."""

EXTENSIONS = (b"chrome-extension://", b"moz-extension://", b"safari-web-extension://")
"""Origins of browser extensions: wallets. They never get to the `sim_` methods."""

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who was let in. `origin` is empty outside a browser, and echoed in every reply to one."""

    host: str
    origin: bytes = b""
    extension: bool = False
    content_type: bytes = b""
    length: int | None = None

    @property
    def cors(self) -> Headers:
        """The headers that let the visiting page read the reply: its own origin, never a wildcard."""
        if not self.origin:
            return [(b"vary", b"Origin")]
        return [(b"access-control-allow-origin", self.origin), (b"vary", b"Origin")]


class Gate:
    """The rules for one network's door."""

    def __init__(self, settings: Settings) -> None:
        self._allowed_hosts = frozenset(host.lower() for host in settings.allow_hosts)
        listed = [*settings.allow_origins, *(DEV_ORIGINS if settings.dev else ())]
        for host in self._allowed_hosts:
            listed += [f"http://{host}", f"https://{host}"]
        self._listed = frozenset(origin.lower().rstrip("/").encode() for origin in listed)
        self._by_port: dict[int | None, tuple[frozenset[str], frozenset[bytes]]] = {}

    def admit(self, scope: Scope) -> Visitor:
        """Let a request in. Raises `Refused` with a code of `STATUS`."""
        seen = _read(scope["headers"])
        server = scope.get("server")
        hosts, origins = self._own(server[1] if server else None)
        host = seen.host.lower()
        if host not in hosts:
            raise Refused(
                "host_refused",
                f"this node does not answer to the host {seen.host[:80]!r}",
                "use 127.0.0.1 or localhost with the node's port, or start the node with --allow-host",
            )
        origin = seen.origin.lower()
        if not origin:
            if seen.site == b"cross-site" and seen.mode != b"navigate":
                raise Refused("origin_refused", "another site's page may not ask this node", "open it directly")
            return Visitor(host, b"", False, seen.content_type, seen.length)
        if origin in origins:
            return Visitor(host, seen.origin, False, seen.content_type, seen.length)
        if origin.startswith(EXTENSIONS):
            return Visitor(host, seen.origin, True, seen.content_type, seen.length)
        raise Refused(
            "origin_refused",
            f"pages of {origin[:80].decode('latin-1')!r} may not use this node",
            "start the node with --allow-origin if you trust that page",
        )

    def _own(self, port: int | None) -> tuple[frozenset[str], frozenset[bytes]]:
        """The Host values and the origins of a node that listens on this port."""
        found = self._by_port.get(port)
        if found is None:
            names = {f"{name}:{port}" for name in LOOPBACK}
            if port in (80, None):
                names.update(LOOPBACK)
            origins = self._listed | {f"http://{name}".encode() for name in names}
            found = self._by_port[port] = (self._allowed_hosts | names, frozenset(origins))
        return found


STATUS = {
    "host_refused": 403,
    "origin_refused": 403,
    "bad_headers": 400,
    "not_json": 415,
    "too_large": 413,
    "too_slow": 408,
    "too_many_headers": 431,
    "busy": 503,
    "method_not_allowed": 405,
    "no_such_page": 404,
    "bad_cursor": 400,
}
"""The HTTP status of what is refused before it is a JSON-RPC request."""

MAX_HEADERS = 100


@dataclass(slots=True)
class _Seen:
    host: str = ""
    origin: bytes = b""
    site: bytes = b""
    mode: bytes = b""
    content_type: bytes = b""
    length: int | None = None


def _read(headers: Iterable[tuple[bytes, bytes]]) -> _Seen:
    """The headers that matter. What must stand once and stands twice is refused: two readers would differ."""
    seen = _Seen()
    hosts = origins = types = 0
    count = 0
    for name, value in headers:
        count += 1
        if name == b"host":
            hosts += 1
            seen.host = value.decode("latin-1")
        elif name == b"content-type":
            types += 1
            seen.content_type = value
        elif name == b"content-length":
            seen.length = _length(value)
        elif name == b"origin":
            origins += 1
            seen.origin = value or b"null"
        elif name == b"sec-fetch-site":
            seen.site = value
        elif name == b"sec-fetch-mode":
            seen.mode = value
    if count > MAX_HEADERS:
        raise Refused("too_many_headers", f"a request has at most {MAX_HEADERS} headers", "send fewer")
    if hosts > 1 or origins > 1 or types > 1:
        raise Refused("bad_headers", "Host, Origin and Content-Type stand once in a request", "send each once")
    return seen


def _length(value: bytes) -> int:
    if not value.isdigit() or len(value) > 18:
        raise Refused("bad_headers", "Content-Length is not a number of bytes", "let your HTTP client set it")
    return int(value)
