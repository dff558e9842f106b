"""A page is fetched as asked, once per request, from the checked address, and comes back as it is."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from foreman.errors import WebError
from foreman.fetch import dns
from foreman.fetch.hosts import HostMap
from foreman.fetch.web import Web
from foreman.fetch.wire import Limits
from foreman.ports import WebRequest, WebResponse
from tests.fetch.servers import PUBLIC, Line, Seen, Server, World, mapped_web, page, serving

URL = "http://demo.example.org/page?x=1"


def get(web: Web, url: str = URL, **headers: str) -> WebResponse:
    return web.fetch(WebRequest("GET", url, headers))


def failure(web: Web, request: WebRequest | str = URL) -> WebError:
    with pytest.raises(WebError) as caught:
        web.fetch(WebRequest("GET", request) if isinstance(request, str) else request)
    return caught.value


def test_a_page_comes_back_byte_for_byte() -> None:
    body = bytes(range(256)) * 3
    with Server(serving(page(body, Content_Type="text/plain", X_Twice="a", x_twice="b"))) as server:
        response = get(mapped_web(server))
    assert (response.status, response.body, response.truncated) == (200, body, False)
    assert response.headers["content-type"] == "text/plain"
    assert response.headers["x-twice"] == "a, b"
    assert response.mapped == f"127.0.0.1:{server.port}"


def test_the_request_is_what_was_asked_for_and_says_who_asks() -> None:
    with Server(serving(page())) as server:
        get(mapped_web(server), **{"X-Case": "42", "Accept": "application/json"})
    [seen] = server.seen
    assert (seen.method, seen.path) == ("GET", "/page?x=1")
    assert seen.headers["host"] == "demo.example.org"
    assert "foreman" in seen.headers["user-agent"].lower()
    assert seen.headers["accept-encoding"] == "gzip, deflate"
    assert seen.headers["connection"] == "close"
    assert (seen.headers["x-case"], seen.headers["accept"]) == ("42", "application/json")


@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "HEAD", "get"])
def test_every_method_of_the_network_is_carried_with_its_body(method: str) -> None:
    body = b"{}" if method in ("POST", "PUT", "PATCH", "DELETE") else None
    with Server(serving(page())) as server:
        response = mapped_web(server).fetch(WebRequest(method, URL, {"Content-Type": "application/json"}, body))
    assert (server.seen[0].method, server.seen[0].body) == (method.upper(), body or b"")
    assert response.body == (b"" if method == "HEAD" else b"hello")


@pytest.mark.parametrize(
    ("method", "headers", "body"),
    [
        pytest.param("CONNECT", {}, None, id="CONNECT"),
        pytest.param("TRACE", {}, None, id="TRACE"),
        pytest.param("GE T", {}, None, id="no method"),
        pytest.param("GET", {"Host": "other.example.org"}, None, id="host"),
        pytest.param("POST", {"Content-Length": "0"}, b"x", id="length"),
        pytest.param("POST", {"Transfer-Encoding": "chunked"}, b"x", id="chunked"),
        pytest.param("GET", {"Accept-Encoding": "br"}, None, id="encoding"),
        pytest.param("GET", {"Proxy-Authorization": "Basic x"}, None, id="proxy"),
        pytest.param("GET", {"X-A": "b\r\nX-C: d"}, None, id="injected line"),
        pytest.param("GET", {"X A": "b"}, None, id="space in name"),
        pytest.param("GET", {"X-A": "\u2603"}, None, id="not a header value"),
        pytest.param("POST", {}, b"x" * (256 * 1024 + 1), id="large body"),
    ],
)
def test_a_request_that_no_contract_may_make_is_refused(
    method: str, headers: dict[str, str], body: bytes | None
) -> None:
    with Server(serving(page())) as server:
        error = failure(mapped_web(server), WebRequest(method, URL, headers, body))
    assert error.code == "request_refused"
    assert server.seen == []


@pytest.mark.parametrize(
    "status", ["200 OK", "202 Accepted", "206 Partial", "304 Same", "404 None", "429 Slow", "503 No"]
)
def test_a_status_is_reported_not_judged(status: str) -> None:
    with Server(serving(page(b"", status, Retry_After="7"))) as server:
        response = get(mapped_web(server))
    assert response.status == int(status[:3])
    assert response.headers["retry-after"] == "7"


def test_interim_answers_are_skipped() -> None:
    early = b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
    with Server(serving(early + b"HTTP/1.1 100 Continue\r\n\r\n" + page())) as server:
        assert get(mapped_web(server)).body == b"hello"


def test_each_request_has_its_own_connection_from_any_number_of_threads() -> None:
    with Server(serving(page())) as server:
        web = mapped_web(server)
        with ThreadPoolExecutor(16) as pool:
            bodies = [response.body for response in pool.map(lambda _: get(web), range(64))]
        assert bodies == [b"hello"] * 64
        assert len(server.seen) == 64


def test_proxies_of_the_environment_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with Server(serving(page())) as server:
        assert get(mapped_web(server)).status == 200


# Redirects.


def moved(to: str, status: int = 302, **headers: str) -> bytes:
    return page(b"moved", f"{status} Moved", Location=to, **headers)


def test_a_redirect_is_followed_and_every_hop_is_looked_up_and_connected_anew() -> None:
    with Server(serving(moved("http://two.example.org/b", 301), moved("/c", 308), page(b"here"))) as server:
        world = World({"one.example.org": [PUBLIC], "two.example.org": ["1.1.1.1"]}, server.port)
        assert get(world.web(), "http://one.example.org/a").body == b"here"
    assert world.asked == ["one.example.org", "two.example.org", "two.example.org"]
    assert world.connections == [(PUBLIC, 80), ("1.1.1.1", 80), ("1.1.1.1", 80)]
    assert [seen.headers["host"] for seen in server.seen] == ["one.example.org", "two.example.org", "two.example.org"]
    assert [seen.path for seen in server.seen] == ["/a", "/b", "/c"]


def test_the_host_map_is_looked_up_again_on_each_hop_and_what_it_served_is_shown() -> None:
    with Server(serving(moved("https://demo.example.org/b"), moved("http://pub.example.net/"), page())) as server:
        world = World({"pub.example.net": [PUBLIC], "start.example.net": [PUBLIC]}, server.port)
        hosts = HostMap.parse([f"demo.example.org:443:127.0.0.1:{server.port}"])
        web = Web(hosts, Limits(seconds=5), world.resolve, world.connect)
        assert failure(web, "http://start.example.net/").code == "url_refused", "down from https, mapped or not"
        assert world.connections == [(PUBLIC, 80), ("127.0.0.1", server.port)]
        assert world.asked == ["start.example.net"], "a mapped name is not looked up"


def test_what_was_mapped_anywhere_on_the_way_is_shown() -> None:
    with Server(serving(moved("http://pub.example.net/"), page())) as server:
        world = World({"pub.example.net": [PUBLIC]}, server.port)
        hosts = HostMap.parse([f"demo.example.org:80:127.0.0.1:{server.port}"])
        response = get(Web(hosts, Limits(seconds=5), world.resolve, world.connect))
    assert response.mapped == f"127.0.0.1:{server.port}"
    assert world.connections == [("127.0.0.1", server.port), (PUBLIC, 80)]


def test_cookies_are_not_kept_and_a_loop_that_needs_one_ends() -> None:
    def answer(line: Line, seen: Seen) -> None:
        line.send(page() if "cookie" in seen.headers else moved(seen.path, Set_Cookie="seen=1"))

    with Server(answer) as server:
        assert failure(mapped_web(server)).code == "too_many_redirects"
    assert len(server.seen) == 6
    assert all("cookie" not in seen.headers for seen in server.seen)


@pytest.mark.parametrize(("hops", "arrives"), [(5, True), (6, False)])
def test_at_most_five_redirects_are_followed(hops: int, arrives: bool) -> None:
    answers = [moved(f"/{hop}") for hop in range(hops)]
    with Server(serving(*answers, page(b"here"))) as server:
        web = mapped_web(server)
        if arrives:
            assert get(web).body == b"here"
        else:
            assert failure(web).code == "too_many_redirects"
    assert len(server.seen) == 6


@pytest.mark.parametrize(
    ("status", "method", "becomes"),
    [
        (301, "POST", "GET"),
        (302, "POST", "GET"),
        (303, "PUT", "GET"),
        (303, "HEAD", "HEAD"),
        (307, "POST", "POST"),
        (308, "PUT", "PUT"),
    ],
)
def test_a_form_becomes_a_get_as_in_a_browser(status: int, method: str, becomes: str) -> None:
    body = None if method == "HEAD" else b"form"
    with Server(serving(moved("/b", status), page())) as server:
        mapped_web(server).fetch(WebRequest(method, URL, {"Content-Type": "text/plain"}, body))
    second = server.seen[1]
    assert second.method == becomes
    assert second.body == (b"form" if becomes in ("POST", "PUT") else b"")
    assert ("content-type" in second.headers) == (becomes == method)


def test_keys_stay_with_the_host_they_were_meant_for() -> None:
    secret = {"Authorization": "Bearer x", "Cookie": "a=b", "X-Api-Key": "k", "Accept-Language": "de"}
    with Server(serving(moved("/same"), moved("http://two.example.org/other"), page())) as server:
        world = World({"one.example.org": [PUBLIC], "two.example.org": [PUBLIC]}, server.port)
        get(world.web(), "http://one.example.org/", **secret)
    same, other = server.seen[1].headers, server.seen[2].headers
    assert {"authorization", "cookie", "x-api-key"} <= same.keys()
    assert not {"authorization", "cookie", "x-api-key"} & other.keys()
    assert other["accept-language"] == "de"
    assert other["accept-encoding"] == "gzip, deflate"


def test_a_redirect_without_a_place_and_a_multiple_choice_are_pages() -> None:
    for answer in (page(b"odd", "302 Found"), page(b"odd", "300 Choices", Location="/x")):
        with Server(serving(answer)) as server:
            assert get(mapped_web(server)).body == b"odd"


# Where it connects.


def test_the_name_is_looked_up_once_and_the_checked_address_is_the_one_connected_to() -> None:
    with Server(serving(page())) as server:
        world = World({"rebind.example.net": [[PUBLIC], ["169.254.169.254"]]}, server.port)
        get(world.web(), "http://rebind.example.net/")
    assert world.asked == ["rebind.example.net"]
    assert world.connections == [(PUBLIC, 80)]
    assert server.seen[0].headers["host"] == "rebind.example.net"


def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    with Server(serving(page())) as server:
        world = World({"two.example.net": ["1.1.1.1", PUBLIC]}, server.port)

        def connect(address: str, port: int, seconds: float) -> object:
            if address == "1.1.1.1":
                world.connections.append((address, port))
                raise ConnectionRefusedError
            return world.connect(address, port, seconds)

        web = Web(limits=Limits(seconds=5), resolver=world.resolve, connector=connect)  # type: ignore[arg-type]  # a stub
        assert get(web, "http://two.example.net/").status == 200
    assert world.connections == [("1.1.1.1", 80), (PUBLIC, 80)]


@pytest.mark.parametrize(
    "url", ["http://pub.example.net:8080/", "http://pub.example.net:0/", "https://pub.example.net:22/"]
)
def test_only_the_ports_of_the_web_are_open(url: str) -> None:
    world = World({"pub.example.net": [PUBLIC]})
    assert failure(world.web(), url).code == "url_refused"
    assert world.asked == []
    assert world.connections == []


@pytest.mark.parametrize("url", ["http://8.8.8.8/", "http://[2606:4700::1111]/"])
def test_a_public_address_needs_no_look_up(url: str) -> None:
    with Server(serving(page())) as server:
        world = World({}, server.port)
        assert get(world.web(), url).status == 200
    assert world.asked == []
    assert server.seen[0].headers["host"] == url[7:-1]


@pytest.mark.parametrize("url", ["http://127.0.0.1/", "http://[::1]/", "http://10.1.2.3/", "http://[::ffff:10.0.0.1]/"])
def test_a_private_address_is_refused_without_a_connection(url: str) -> None:
    world = World({})
    assert failure(world.web(), url).code == "address_refused"
    assert world.connections == []


def test_nobody_at_home_is_said_and_says_no_port() -> None:
    world = World({"down.example.net": [PUBLIC, "1.1.1.1"]})
    error = failure(world.web(), "http://down.example.net/")
    assert error.code == "connect_failed"
    assert "80" not in error.sentence
    assert len(world.connections) == 2


def test_the_system_resolver_reads_names_and_gives_up_on_others(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def answer(*arguments: object, **named: object) -> list[object]:
        asked.append(arguments[0])
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (PUBLIC, 0)), (socket.AF_INET6, 1, 6, "", ("::1", 0, 0, 0))]

    monkeypatch.setattr(socket, "getaddrinfo", answer)
    assert dns.system_resolver("pub.example.net", 5) == [PUBLIC, "::1"]
    assert asked == ["pub.example.net."], "as it stands, without the search domains of this machine"
    release = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: release.wait(5) and [])
    with pytest.raises(WebError, match="in time") as late:
        dns.system_resolver("slow.example.net", 0.05)
    release.set()
    assert late.value.code == "timeout"
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: (_ for _ in ()).throw(OSError()))
    with pytest.raises(WebError) as gone:
        dns.system_resolver("gone.example.net", 5)
    assert gone.value.code == "dns_failed"
