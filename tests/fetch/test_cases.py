"""Topics EV and SS of the case collection, from a real socket to the text that a judge is shown."""

import gzip
import http.client
import io
import zipfile

import pytest

from contracts.shared.fence import page_text
from foreman.errors import WebError
from foreman.fetch.wire import Limits
from foreman.ports import WebRequest, WebResponse
from tests.fetch.servers import PUBLIC, Line, Seen, Server, World, mapped_web, page, serving

URL = "http://demo.example.org/evidence"
GREETING = "日本語 ✓"


def fetch(answer: bytes, limits: Limits | None = None) -> WebResponse:
    with Server(serving(answer)) as server:
        return mapped_web(server, limits).fetch(WebRequest("GET", URL))


def read(answer: bytes) -> str:
    response = fetch(answer)
    return page_text(response.body, response.headers)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(page(GREETING.encode(), Content_Type="text/html"), id="C135 no charset"),
        pytest.param(page(GREETING.encode(), Content_Type="text/plain; charset=utf-8"), id="C135 charset"),
        pytest.param(page(GREETING.encode()), id="C135 no type"),
        pytest.param(page(gzip.compress(GREETING.encode()), Content_Encoding="gzip"), id="C135 gzip"),
        pytest.param(page(b"\xef\xbb\xbf" + GREETING.encode()), id="C137 UTF-8 with BOM"),
        pytest.param(page(GREETING.encode("utf-16")), id="C137 UTF-16LE with BOM"),
        pytest.param(page(b"\xfe\xff" + GREETING.encode("utf-16-be")), id="C137 UTF-16BE with BOM"),
    ],
)
def test_the_judge_sees_the_text_that_was_written(answer: bytes) -> None:
    assert read(answer) == GREETING


def test_c138_a_page_of_scripts_shows_its_few_words() -> None:
    shell = f"<html><body><script>{'x();' * 20_000}</script><div>Loading...</div></body></html>"
    assert read(page(shell.encode(), Content_Type="text/html")) == "Loading..."


@pytest.mark.parametrize("status", ["200 OK", "202 Accepted", "204 None", "205 Reset", "304 Same", "206 Partial"])
@pytest.mark.parametrize("body", [b"", b"   \n"])
def test_c139_an_empty_page_comes_with_its_status_and_nothing_else(status: str, body: bytes) -> None:
    if status[:3] in ("204", "205", "304"):
        body = b""
    response = fetch(page(body, status))
    assert (response.status, page_text(response.body, response.headers)) == (int(status[:3]), "")


@pytest.mark.parametrize("status", ["200 OK", "403 Forbidden", "503 Unavailable"])
def test_c140_a_challenge_page_is_told_with_its_status(status: str) -> None:
    response = fetch(page(b"<html><title>Just a moment...</title></html>", status, Content_Type="text/html"))
    assert (response.status, page_text(response.body, response.headers)) == (int(status[:3]), "Just a moment...")


def zipped() -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("a.txt", "delivered")
    return file.getvalue()


@pytest.mark.parametrize("body", [b"%PDF-1.7\n\x00\x01", b"\x89PNG\r\n\x1a\n\x00", zipped()], ids=["pdf", "png", "zip"])
def test_c142_binary_arrives_whole_and_is_no_text(body: bytes) -> None:
    response = fetch(page(body, Content_Type="text/html"))
    assert response.body == body
    with pytest.raises(ValueError, match="binary"):
        page_text(response.body, response.headers)


def test_c142_a_nul_in_a_page_is_dropped() -> None:
    assert read(page(b"<html><p>deli\x00vered in full</p></html>" + b" " * 60, Content_Type="text/html")) == (
        "delivered in full"
    )


def test_c143_ten_megabytes_of_json_stop_early() -> None:
    body = b"[" + b"1," * 5_000_000 + b"1]"
    sent: list[int] = []

    def answer(line: Line, seen: Seen) -> None:
        try:
            line.send(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % len(body))
            for start in range(0, len(body), 65536):
                line.send(body[start : start + 65536])
        finally:
            sent.append(line.sent)

    with Server(answer) as server:
        response = mapped_web(server).fetch(WebRequest("GET", URL))
    assert (len(response.body), response.truncated) == (1024 * 1024, True)
    assert sent[0] < len(body), "the rest was not even asked for"


@pytest.mark.parametrize("size", [14_999, 15_000, 15_001])
def test_c143_pages_around_the_judges_limit_arrive_whole(size: int) -> None:
    response = fetch(page(b"a" * size))
    assert (len(response.body), response.truncated) == (size, False)


def test_c146_each_request_gets_the_page_of_its_moment() -> None:
    with Server(serving(page(b"visitor 1"), page(b"visitor 2"), page(b"visitor 3"))) as server:
        web = mapped_web(server)
        assert [web.fetch(WebRequest("GET", URL)).body[-1:] for _ in range(3)] == [b"1", b"2", b"3"]


def test_c148_redirects_that_lead_round_end(subtests: pytest.Subtests) -> None:
    loops = {
        "a to b to a": {"/evidence": "/b", "/b": "/evidence"},
        "to itself": {"/evidence": "/evidence"},
    }
    for name, loop in loops.items():
        with subtests.test(name), Server(_redirects(loop)) as server:
            with pytest.raises(WebError) as caught:
                mapped_web(server).fetch(WebRequest("GET", URL))
            assert caught.value.code == "too_many_redirects"
            assert len(server.seen) == 6


def _redirects(loop: dict[str, str]):  # type: ignore[no-untyped-def]  # an Answer
    return lambda line, seen: line.send(page(b"", "302 Found", Location=loop[seen.path]))


def test_c149_a_host_that_wants_to_know_who_asks_is_told() -> None:
    def answer(line: Line, seen: Seen) -> None:
        line.send(page() if seen.headers.get("user-agent") else page(b"", "403 Forbidden"))

    with Server(answer) as server:
        assert mapped_web(server).fetch(WebRequest("GET", URL)).status == 200


@pytest.mark.parametrize("status", [404, 410, 429, 500, 503])
def test_c150_an_error_page_is_an_answer_with_its_status(status: int) -> None:
    response = fetch(page(b"sorry", f"{status} {http.client.responses[status]}", Retry_After="120"))
    assert (response.status, response.headers["retry-after"]) == (status, "120")


def test_c150_a_reset_connection_has_its_own_class() -> None:
    def answer(line: Line, seen: Seen) -> None:
        line.reset()

    with Server(answer) as server, pytest.raises(WebError) as caught:
        mapped_web(server).fetch(WebRequest("GET", URL))
    assert caught.value.code == "connect_failed"


# SS: what the fetcher must not reach.

INSIDE = [
    pytest.param("http://[::ffff:7f00:1]/", None, id="C111 mapped"),
    pytest.param("http://[2002:a9fe:a9fe::1]/", None, id="C112 6to4"),
    pytest.param("http://[::127.0.0.1]/", None, id="C112 compatible"),
    pytest.param("http://[::ffff:0:127.0.0.1]/", None, id="C112 translated"),
    pytest.param("http://0.0.0.0/", None, id="C115 unspecified"),
    pytest.param("http://[::]/", None, id="C115 unspecified v6"),
    pytest.param("http://0/", None, id="C115 zero"),
    pytest.param("http://localhost./", ["127.0.0.1"], id="C117 final dot"),
    pytest.param("http://db.localhost/", ["127.0.0.1"], id="C117 below localhost"),
    pytest.param("http://127.0.0.1:6666\\@1.1.1.1", None, id="C118 backslash"),
    pytest.param("http://127.0.0.1\t@1.1.1.1/", None, id="C118 tab"),
    pytest.param("http://1.1.1.1\r\n@127.0.0.1/", None, id="C118 line break"),
    pytest.param("http://127。0。0。1/", None, id="C120 ideographic dots"),
    pytest.param("http://①⑥⑨.254.169.254/", None, id="C120 circled digits"),
    pytest.param("http://mixed.example.net/", [PUBLIC, "10.0.0.5"], id="C124 one private answer"),
    pytest.param("http://v6only.example.net/", ["::1"], id="C124 only loopback"),
    pytest.param("http://nx.example.net/", [], id="C128 no answer"),
    pytest.param("http://metadata.goog/", ["169.254.169.254"], id="C130 metadata.goog"),
    pytest.param("http://metadata.google.internal/", ["169.254.169.254"], id="C130 metadata.google.internal"),
    pytest.param("http://instance-data/", ["169.254.169.254"], id="C130 instance-data"),
    pytest.param("http://host.docker.internal/", ["192.168.65.254"], id="C130 docker"),
    pytest.param("http://kubernetes.default.svc/", ["10.96.0.1"], id="C130 kubernetes"),
    pytest.param("http://metadata.azure.example/", ["168.63.129.16"], id="C130 wire server"),
]


@pytest.mark.parametrize(("url", "addresses"), INSIDE)
def test_what_leads_inside_is_refused_before_any_connection(url: str, addresses: list[str] | None) -> None:
    host = url[7:].strip("/").removesuffix(".")
    world = World({} if addresses is None else {host: addresses})
    with pytest.raises(WebError) as caught:
        world.web().fetch(WebRequest("GET", url))
    assert caught.value.code in ("url_refused", "address_refused", "dns_failed")
    assert world.connections == []


@pytest.mark.parametrize("host", ["fda.gov", "fcm.googleapis.com", "fdic.gov", "localhost.com", "example.com."])
def test_c113_c117_names_that_only_look_private_are_fetched(host: str) -> None:
    with Server(serving(page())) as server:
        world = World({host.removesuffix("."): [PUBLIC]}, server.port)
        assert world.web().fetch(WebRequest("GET", f"http://{host}/")).status == 200
