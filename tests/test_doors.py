"""Proof that a test cannot leave this machine, whichever way it tries."""

import socket
from collections.abc import Callable

import httpx
import pytest

from tests.doors import DOORS, Doors, LiveCallForbidden, is_loopback_name

ATTEMPTS = [
    pytest.param(lambda: socket.create_connection(("example.com", 80), 1), id="a connection by name"),
    pytest.param(lambda: socket.create_connection(("93.184.216.34", 80), 1), id="a connection by address"),
    pytest.param(lambda: socket.socket().connect_ex(("93.184.216.34", 80)), id="connect_ex"),
    pytest.param(lambda: socket.getaddrinfo("example.com", 80), id="a look-up"),
    pytest.param(lambda: socket.gethostbyname("example.com"), id="an old look-up"),
    pytest.param(lambda: socket.create_connection(("2606:2800:220:1::1", 80), 1), id="IPv6"),
]


@pytest.mark.parametrize("attempt", ATTEMPTS)
@pytest.mark.filterwarnings("ignore:unclosed")
def test_an_attempt_to_leave_is_refused_and_remembered(attempt: Callable[[], object]) -> None:
    with pytest.raises(LiveCallForbidden):
        attempt()
    assert DOORS.knocks, "the attempt was not remembered"
    DOORS.knocks.clear()


def test_an_http_client_cannot_leave_either() -> None:
    with pytest.raises(httpx.ConnectError):
        httpx.get("http://example.com/")
    assert DOORS.knocks == ["socket.getaddrinfo 'example.com'"]
    DOORS.knocks.clear()


def test_loopback_stays_open() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname(), 5) as client:
        assert client.getpeername() == server.getsockname()
    assert not DOORS.knocks


@pytest.mark.parametrize(
    ("host", "own"),
    [
        ("127.0.0.1", True),
        (b"localhost", True),
        ("::1", True),
        ("127.9.9.9", True),
        ("10.0.0.1", False),
        ("a.b", False),
    ],
)
def test_what_counts_as_this_machine(host: object, own: bool) -> None:
    assert is_loopback_name(host) is own


def test_other_events_pass() -> None:
    doors = Doors()
    doors.hook("open", ("/etc/hosts", "r", 0))
    assert doors.knocks == []
