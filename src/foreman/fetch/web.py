"""The fetcher of a network: each hop is taken apart, looked up once, checked, and connected to exactly there."""

import ssl
import threading
from collections.abc import Mapping

import certifi

from foreman.errors import WebError
from foreman.fetch import target as targets
from foreman.fetch.body import ENCODINGS
from foreman.fetch.deadline import Deadline
from foreman.fetch.dns import Resolver, system_resolver
from foreman.fetch.guard import check_answers
from foreman.fetch.hosts import HostMap, Place
from foreman.fetch.target import Target
from foreman.fetch.wire import Connector, Limits, Received, Sent, connect, exchange, open_socket, start_tls
from foreman.ports import WebRequest, WebResponse

USER_AGENT = "Mozilla/5.0 (compatible; Foreman/2.0; evidence reader)"
"""Some hosts answer 403 to a client without one (case C149)."""

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
"""What `gl.nondet.web` offers (docs/genlayer.md 6.5). CONNECT and TRACE are for proxies."""

_OURS = frozenset(
    (
        "host",
        "connection",
        "content-length",
        "transfer-encoding",
        "accept-encoding",
        "te",
        "trailer",
        "upgrade",
        "expect",
        "keep-alive",
        "proxy-connection",
        "proxy-authorization",
        "range",
    )
)
"""Headers that say how a message is carried; a contract does not choose them. A `range` would make two seats'
bodies differ by where a server cuts, and nothing needs it.
"""
_FOR_EVERY_ORIGIN = frozenset(("accept", "accept-language", "content-type", "user-agent"))
"""Headers of a contract that follow a redirect to another host; cookies, keys and all others stay behind."""


class Web:
    """One object for all seats and threads: it keeps no connection, no cookie and no answer.

    Parameters other than `hosts` and `limits` exist for tests: where names are looked up (`resolver`), who opens
    sockets (`connector`), and whom to trust (`tls`; by default the system's and certifi's authorities).
    """

    def __init__(
        self,
        hosts: HostMap | None = None,
        limits: Limits | None = None,
        resolver: Resolver = system_resolver,
        connector: Connector = open_socket,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self._hosts = hosts or HostMap()
        self._limits = limits or Limits()
        self._resolver = resolver
        self._connector = connector
        self._tls = tls
        self._tls_lock = threading.Lock()

    def fetch(self, request: WebRequest) -> WebResponse:
        """Fetch, following redirects, all within `limits.seconds`. Raises `WebError` with one of the codes
        url_refused, request_refused, dns_failed, address_refused, connect_failed, tls_failed, timeout,
        too_many_redirects, bad_response, encoding_refused.
        """
        deadline = Deadline(self._limits.seconds)
        sent = self._prepare(request)
        mapped = ""
        for _ in range(self._limits.redirects + 1):
            place = self._hosts.find(sent.target)
            mapped = str(place) if place else mapped
            received = self._hop(sent, place, deadline)
            if not received.location:
                return WebResponse(received.status, received.headers, received.body, received.truncated, mapped)
            sent = _redirected(sent, received.status, received.location)
        raise WebError(
            "too_many_redirects",
            f"the page redirects more than {self._limits.redirects} times",
            "give the address the page ends up at",
        )

    def _prepare(self, request: WebRequest) -> Sent:
        method = request.method.upper()
        if method not in METHODS:
            raise WebError("request_refused", f"{request.method[:20]!r} is not a method", f"use {', '.join(METHODS)}")
        body = request.body or b""
        if len(body) > self._limits.request_bytes:
            raise WebError("request_refused", f"a request of more than {self._limits.request_bytes} bytes")
        return Sent(method, targets.parse(request.url), _outgoing(request.headers), body)

    def _hop(self, sent: Sent, place: Place | None, deadline: Deadline) -> Received:
        addresses, port = ([place.address], place.port) if place else self._public(sent.target, deadline)
        sock = connect(self._connector, addresses, port, deadline)
        try:
            if sent.target.scheme == "https" and place is None:
                sock = start_tls(sock, self._context(), sent.target.host, deadline)
            return exchange(sock, sent, self._limits, deadline)
        finally:
            sock.close()

    def _public(self, target: Target, deadline: Deadline) -> tuple[list[str], int]:
        """The checked addresses of a name, looked up once; what is connected to is one of exactly these."""
        if target.port not in targets.OPEN_PORTS:
            raise targets.refused("a port other than 80 and 443")
        answers = [target.host] if target.is_literal else self._resolver(target.host, deadline.left())
        return check_answers(target.host, answers), target.port

    def _context(self) -> ssl.SSLContext:
        """Made on first use, because reading the authorities takes about 50 ms."""
        with self._tls_lock:
            if self._tls is None:
                context = ssl.create_default_context()
                context.load_verify_locations(certifi.where())
                self._tls = context
            return self._tls


def _outgoing(headers: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    wanted = {"user-agent": USER_AGENT, "accept": "*/*"}
    for name, value in headers.items():
        if name.lower() in _OURS:
            raise WebError("request_refused", f"the header {name[:40]} is not a contract's to choose")
        wanted[name.lower()] = value
    return (*wanted.items(), ("accept-encoding", ENCODINGS), ("connection", "close"))


def _redirected(sent: Sent, status: int, location: str) -> Sent:
    """The next hop: a form that was answered becomes a GET (as browsers do), keys stay with their host."""
    target = targets.follow(sent.target, _readable(location))
    headers, method, body = sent.headers, sent.method, sent.body
    if (status == 303 and method != "HEAD") or (status in (301, 302) and method == "POST"):
        method, body = "GET", b""
        headers = tuple(header for header in headers if header[0] != "content-type")
    if target.origin != sent.target.origin:
        keep = _FOR_EVERY_ORIGIN | {"accept-encoding", "connection"}
        headers = tuple(header for header in headers if header[0] in keep)
    return Sent(method, target, headers, body)


def _readable(location: str) -> str:
    """Headers are read as Latin-1, and servers write UTF-8 into this one."""
    try:
        return location.encode("latin-1").decode()
    except UnicodeDecodeError:
        return location
