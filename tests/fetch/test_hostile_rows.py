"""The rows of hostile_urls.json at the fetch layer: whatever names resolve to, no connection leaves the public web."""

import ipaddress
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from foreman.errors import WebError
from foreman.fetch.guard import is_public
from foreman.fetch.web import Web
from foreman.fetch.wire import Limits
from foreman.ports import WebRequest
from tests.fetch.servers import PUBLIC, Server, World, page, serving
from tests.fetch.test_tls import served_as, trust

ROWS = json.loads((Path(__file__).parents[1] / "cases" / "hostile_urls.json").read_text(encoding="utf-8"))["cases"]
FETCH = [pytest.param(row, id=f"{row['id']} {row['reason'][:40]}") for row in ROWS if row["layer"] == "fetch"]
DENIED = [row for row in ROWS if row["layer"] == "static" and row["expected"] == "deny"]
HOSTS = ("pub.example.net", "pub2.example.net")


def answers(row: dict[str, Any]) -> list[bytes]:
    """What the stub server answers, in order."""
    responses = row["simulate"].get("responses", [{"status": 200, "location": None}])
    if "responses_note" in row["simulate"]:  # "each of 25 hops answers 302 to the next path on the same host"
        responses = [{"status": 302, "location": f"/hop{hop}"} for hop in range(25)]
    return [
        page(b"arrived", f"{one['status']} X", **({"Location": one["location"]} if one["location"] else {}))
        for one in responses
    ]


def check_connections(world: World) -> None:
    for address, port in world.connections:
        assert is_public(ipaddress.ip_address(address)), f"connected to {address}"
        assert port in (80, 443)


@pytest.mark.parametrize("row", FETCH)
def test_a_row_of_the_fetch_layer(row: dict[str, Any]) -> None:
    names = row["simulate"].get("dns") or row["simulate"].get("dns_sequence")
    answer = serving(*answers(row))

    # One server speaks plain http, one TLS; the stub connector tells them apart by port.
    with Server(answer) as plain, Server(answer, served_as(*HOSTS)) as safe:
        world = World(names)

        def connect(address: str, port: int, seconds: float) -> socket.socket:
            world.port = safe.port if port == 443 else plain.port
            return world.connect(address, port, seconds)

        web = Web(limits=Limits(seconds=5), resolver=world.resolve, connector=connect, tls=trust())
        if row["expected"] == "allow":
            assert web.fetch(WebRequest("GET", row["url"])).body == b"arrived"
        elif row["id"] == "U304":
            # Rebinding: the first answer is public, so the page is read, from exactly there; never a second look-up.
            assert web.fetch(WebRequest("GET", row["url"])).body == b"arrived"
            assert world.connections == [(PUBLIC, 80)]
            assert len(world.asked) == 1
        else:
            with pytest.raises(WebError):
                web.fetch(WebRequest("GET", row["url"]))
    check_connections(world)


@pytest.mark.parametrize("inside", ["127.0.0.1", "169.254.169.254", "::1", "10.0.0.5"])
@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in DENIED])
def test_a_url_that_is_denied_statically_reaches_nothing_inside_either(row: dict[str, Any], inside: str) -> None:
    """Were the contract's rule to fail: every name leads inside, and still no connection is opened."""
    world = World(_Everywhere(inside))
    with pytest.raises(WebError):
        world.web().fetch(WebRequest("GET", row["url"]))
    check_connections(world)


class _Everywhere(dict[str, list[str]]):
    """Every name resolves to one address."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self._address = address

    def get(self, key: str, default: object = None) -> list[str]:
        return [self._address]
