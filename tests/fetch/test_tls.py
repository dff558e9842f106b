"""https is checked: the name, the authority, the whole body; and the checked address is the one connected to."""

import ssl

import pytest
import trustme

from foreman.errors import WebError
from foreman.fetch.web import Web
from foreman.fetch.wire import Limits
from foreman.ports import WebRequest
from tests.fetch.servers import PUBLIC, Server, World, page, serving

URL = "https://pub.example.net/"
AUTHORITY = trustme.CA()


def served_as(*names: str, authority: trustme.CA = AUTHORITY) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(*names).configure_cert(context)
    return context


def trust(authority: trustme.CA = AUTHORITY) -> ssl.SSLContext:
    context = ssl.create_default_context()
    authority.configure_trust(context)
    return context


def code(web: Web, url: str = URL) -> str:
    with pytest.raises(WebError) as caught:
        web.fetch(WebRequest("GET", url))
    return caught.value.code


def test_a_page_under_tls_is_fetched_from_the_checked_address_under_its_name() -> None:
    named: list[str | None] = []
    context = served_as("pub.example.net")
    context.sni_callback = lambda sock, name, _: named.append(name)
    with Server(serving(page(b"safe")), context) as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        response = world.web(tls=trust()).fetch(WebRequest("GET", URL))
    assert (response.body, response.mapped) == (b"safe", "")
    assert world.connections == [(PUBLIC, 443)]
    assert named == ["pub.example.net"]
    assert server.seen[0].headers["host"] == "pub.example.net"


def test_c150_a_self_signed_certificate_is_not_taken() -> None:
    with Server(serving(page()), served_as("pub.example.net", authority=trustme.CA())) as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        assert code(world.web(tls=trust())) == "tls_failed"
        assert server.seen == []


def test_the_authorities_of_the_system_do_not_know_the_one_of_this_test() -> None:
    with Server(serving(page()), served_as("pub.example.net")) as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        assert code(world.web()) == "tls_failed"


def test_a_certificate_for_another_name_is_not_taken() -> None:
    with Server(serving(page()), served_as("other.example.net")) as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        assert code(world.web(tls=trust())) == "tls_failed"


def test_a_server_without_tls_is_a_tls_failure() -> None:
    with Server(serving(page()), greeting=b"HTTP/1.1 400 Bad Request\r\n\r\n") as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        assert code(world.web(tls=trust())) == "tls_failed"


def test_a_handshake_that_hangs_is_cut() -> None:
    with Server(lambda line, seen: line.hang()) as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        assert code(world.web(Limits(seconds=0.3), trust())) == "timeout"


def test_a_body_that_ends_without_a_goodbye_may_have_been_cut_by_somebody() -> None:
    with Server(serving(b"HTTP/1.0 200 OK\r\n\r\nhalf of it"), served_as("pub.example.net")) as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        assert code(world.web(tls=trust())) == "connect_failed"


def test_a_redirect_from_https_to_http_is_refused() -> None:
    with Server(
        serving(page(b"", "302 F", Location="http://pub.example.net/")), served_as("pub.example.net")
    ) as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        assert code(world.web(tls=trust())) == "url_refused"
    assert len(server.seen) == 1


def test_an_unmapped_https_name_never_goes_to_a_mapped_place() -> None:
    world = World({"pub.example.net": ["127.0.0.1"]})
    assert code(world.web(tls=trust())) == "address_refused"
    assert world.connections == []
