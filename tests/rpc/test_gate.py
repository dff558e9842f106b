"""Who may come in: every row is a request that a browser, a wallet, a script or an attacker would make."""

from typing import Any

import pytest

from foreman.errors import Refused
from foreman.rpc.gate import Gate, Visitor
from foreman.settings import Settings

OWN = "127.0.0.1:4000"


def admit(headers: dict[str, str], port: int | None = 4000, **settings: Any) -> Visitor:
    """Ask the gate of a node that listens on `port`."""
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
    return Gate(Settings(**settings)).admit({"headers": raw, "server": ("127.0.0.1", port)})


@pytest.mark.parametrize("host", ["127.0.0.1:4000", "localhost:4000", "LocalHost:4000", "[::1]:4000"])
def test_loopback_with_the_nodes_port_is_answered(host: str) -> None:
    assert admit({"host": host}).host == host.lower()


@pytest.mark.parametrize(
    "host",
    [
        pytest.param("evil.example:4000", id="a name that resolves here"),
        pytest.param("127.0.0.1:4001", id="another port"),
        pytest.param("127.0.0.1", id="no port"),
        pytest.param("localhost.:4000", id="a final dot"),
        pytest.param("localhost.evil.example:4000", id="a prefix"),
        pytest.param("127.0.0.1:4000@evil.example", id="user info"),
        pytest.param("127.0.0.2:4000", id="another loopback address"),
        pytest.param("0.0.0.0:4000", id="the unspecified address"),
        pytest.param("[::ffff:127.0.0.1]:4000", id="a mapped address"),
        pytest.param("2130706433:4000", id="a decimal address"),
        pytest.param("", id="empty"),
    ],
)
def test_any_other_host_is_refused_with_the_way_out(host: str) -> None:
    with pytest.raises(Refused, match="--allow-host") as caught:
        admit({"host": host})
    assert caught.value.code == "host_refused"


def test_a_request_without_host_is_refused() -> None:
    with pytest.raises(Refused, match="host"):
        admit({})


def test_port_80_needs_no_port_in_the_host() -> None:
    assert admit({"host": "localhost"}, port=80).host == "localhost"


def test_an_allowed_host_is_answered_and_its_own_page_may_use_the_node() -> None:
    hosts = ("node.example:443",)
    assert admit({"host": "node.example:443"}, allow_hosts=hosts).host == "node.example:443"
    assert admit({"host": "node.example:443", "origin": "https://node.example:443"}, allow_hosts=hosts).origin


ALLOWED = [
    pytest.param("http://127.0.0.1:4000", False, id="the node's own page"),
    pytest.param("http://localhost:4000", False, id="the node's own page by name"),
    pytest.param("http://localhost:3000", False, id="the web app while it is developed"),
    pytest.param("http://127.0.0.1:3000", False, id="the same by address"),
    pytest.param("https://app.example", False, id="a page the operator trusts"),
    pytest.param("chrome-extension://nkbihfbeogaeaoehlefnkodbefgpgknn", True, id="MetaMask in Chrome"),
    pytest.param("moz-extension://7e6a2ea4-1d3a-4a6b-b3a9-2f3f4b5c6d7e", True, id="a wallet in Firefox"),
    pytest.param("safari-web-extension://E0A9F3C4-0000-0000-0000-000000000000", True, id="a wallet in Safari"),
]


@pytest.mark.parametrize(("origin", "extension"), ALLOWED)
def test_an_allowed_origin_is_let_in_and_echoed_as_it_came(origin: str, extension: bool) -> None:
    visitor = admit({"host": OWN, "origin": origin}, allow_origins=("https://app.example",))
    assert visitor.extension is extension
    assert visitor.cors == [(b"access-control-allow-origin", origin.encode()), (b"vary", b"Origin")]


@pytest.mark.parametrize(
    "origin",
    [
        pytest.param("https://evil.example", id="a page on the web"),
        pytest.param("http://127.0.0.1:5000", id="another local page"),
        pytest.param("http://localhost:3000.evil.example", id="a prefix"),
        pytest.param("https://localhost:3000", id="another scheme"),
        pytest.param("null", id="a sandboxed frame or a file"),
        pytest.param("", id="an empty origin"),
        pytest.param("http://localhost:3000, http://evil.example", id="two in one"),
        pytest.param("evil-chrome-extension://x", id="a look-alike scheme"),
        pytest.param("http://evil.example/chrome-extension://x", id="an extension further on"),
    ],
)
def test_any_other_origin_is_refused(origin: str) -> None:
    with pytest.raises(Refused, match="--allow-origin") as caught:
        admit({"host": OWN, "origin": origin})
    assert caught.value.code == "origin_refused"


def test_only_a_development_network_lists_the_web_app_under_development() -> None:
    with pytest.raises(Refused, match="localhost:3000"):
        admit({"host": OWN, "origin": "http://localhost:3000"}, dev=False)


def test_a_page_of_another_site_cannot_load_anything_from_here_but_may_link_to_it() -> None:
    """An <img> or a no-cors fetch carries no Origin, only these two headers."""
    with pytest.raises(Refused):
        admit({"host": OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors"})
    assert admit({"host": OWN, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate"})
    assert admit({"host": OWN, "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors"})


@pytest.mark.parametrize("name", ["host", "origin", "content-type"])
def test_a_header_that_stands_once_and_comes_twice_is_refused(name: str) -> None:
    headers = [(b"host", OWN.encode()), (name.encode(), b"x"), (name.encode(), b"x")]
    with pytest.raises(Refused, match="once"):
        Gate(Settings()).admit({"headers": headers, "server": ("127.0.0.1", 4000)})


def test_a_hundred_and_one_headers_are_too_many() -> None:
    headers = [(b"host", OWN.encode()), *[(b"x", b"y")] * 100]
    with pytest.raises(Refused, match="100"):
        Gate(Settings()).admit({"headers": headers, "server": ("127.0.0.1", 4000)})


@pytest.mark.parametrize("length", ["-1", "1e3", "0x10", "1" * 30, "", "٣"])
def test_a_length_that_is_no_number_is_refused(length: str) -> None:
    headers = [(b"host", OWN.encode()), (b"content-length", length.encode())]
    with pytest.raises(Refused, match="Content-Length"):
        Gate(Settings()).admit({"headers": headers, "server": ("127.0.0.1", 4000)})
