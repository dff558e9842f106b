"""A URL taken apart strictly, into exactly what is connected to and asked for.

The full rule for evidence URLs is the contract's. What is refused here is what two parsers could read differently,
and what a fetcher has no business with: other schemes, credentials, odd ports.
"""

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import quote, urljoin

import idna

from foreman.errors import WebError

MAX_URL_CHARS = 8192
"""Bounds a redirect's Location; contracts cap what they send at 500. Signed storage links reach about 2,000."""

OPEN_PORTS = (80, 443)
"""What the network allows too (docs/genlayer.md 6.5). Other ports only through the host map."""

_URL = re.compile(
    r"(https?)://(\[[0-9a-f:.]{2,45}\]|[^/?#\[\]:@]+)(?::([0-9]{0,5}))?([/?#].*)?", re.IGNORECASE | re.DOTALL
)
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f-\xa0\\\u2028\u2029\ufeff]")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_NUMERIC = re.compile(r"[0-9]+|0x[0-9a-f]*")


@dataclass(frozen=True, slots=True)
class Target:
    """One hop. `host` is lower case and ASCII, an address without brackets; `path` carries the query, no fragment."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def is_literal(self) -> bool:
        """Is the host an IP address, spelled the one strict way?"""
        return ":" in self.host or self.host.rpartition(".")[2].isdigit()

    @property
    def authority(self) -> str:
        """What stands in the Host header: the port only when it is not the scheme's own."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == _own_port(self.scheme) else f"{host}:{self.port}"

    @property
    def origin(self) -> tuple[str, str, int]:
        return (self.scheme, self.host, self.port)

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.authority}{self.path}"


def parse(url: str) -> Target:
    """Take a URL apart. Raises `WebError` with code `url_refused`."""
    if len(url) > MAX_URL_CHARS:
        raise refused(f"a URL longer than {MAX_URL_CHARS} characters")
    if _FORBIDDEN.search(url):
        raise refused("a URL with spaces, control characters or backslashes")
    found = _URL.fullmatch(url)
    if found is None:
        raise refused("not a plain http or https URL", "write https://host/path, without user name or password")
    scheme, host, port, rest = found.groups()
    scheme = scheme.lower()
    return Target(scheme, _host(host), int(port) if port else _own_port(scheme), _path(rest or ""))


def follow(base: Target, location: str) -> Target:
    """Where a redirect leads. Raises `WebError` with code `url_refused`."""
    if len(location) > MAX_URL_CHARS or _FORBIDDEN.search(location):
        raise refused("a redirect to a malformed URL")
    try:
        joined = urljoin(base.url, location)
    except ValueError:
        raise refused("a redirect to a malformed URL") from None
    target = parse(joined)
    if base.scheme == "https" and target.scheme == "http":
        # What was asked for under TLS must not be answered by whoever sits on the wire.
        raise refused("a redirect from https to http")
    return target


def refused(what: str, hint: str = "") -> WebError:
    return WebError("url_refused", f"refused: {what}", hint)


def _own_port(scheme: str) -> int:
    return 443 if scheme == "https" else 80


def _host(text: str) -> str:
    if text.startswith("["):
        try:
            return str(ipaddress.IPv6Address(text[1:-1]))
        except ValueError:
            raise refused("brackets around something that is no IPv6 address") from None
    host = text.lower()
    if not host.isascii():
        try:
            host = idna.encode(host, uts46=True).decode()
        except (idna.IDNAError, UnicodeError):
            raise refused("a host name that is no valid name") from None
    host = host.removesuffix(".")
    labels = host.split(".")
    if len(host) > 253 or not all(_LABEL.fullmatch(label) for label in labels):
        raise refused("a host name that is no valid name")
    if _NUMERIC.fullmatch(labels[-1]):
        # The last label is a number, so every browser reads an IPv4 address. Only the plain spelling is one here:
        # resolvers also take 2130706433, 0x7f.1 and 0177.0.0.1 for loopback, and digits of other scripts for digits.
        try:
            return str(ipaddress.IPv4Address(host if text.isascii() else text))
        except ValueError:
            raise refused("an IPv4 address in an unusual spelling") from None
    return host


def _path(rest: str) -> str:
    path = rest.partition("#")[0]
    if not path.startswith("/"):
        path = "/" + path
    return path if path.isascii() else quote(path, safe="/?%:@!$&'()*+,;=~-._[]|{}^`\"<>")
