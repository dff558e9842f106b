"""Nothing a server sends, or does not send, takes more time or memory than was agreed."""

import gzip
import time
import tracemalloc
import zlib
from collections.abc import Iterator

import pytest

from foreman.errors import WebError
from foreman.fetch.web import Web
from foreman.fetch.wire import Limits
from foreman.ports import WebRequest, WebResponse
from tests.fetch.servers import PUBLIC, Answer, Line, Seen, Server, World, mapped_web, page, serving

URL = "http://demo.example.org/"
SOON = Limits(seconds=0.4)
KIB = 1024


def get(server: Server, limits: Limits | None = None) -> WebResponse:
    return mapped_web(server, limits).fetch(WebRequest("GET", URL))


def code(server: Server, limits: Limits | None = None) -> str:
    with pytest.raises(WebError) as caught:
        get(server, limits)
    return caught.value.code


# Time.


def drip_headers(line: Line, seen: Seen) -> None:
    head = b"HTTP/1.1 200 OK\r\n" + b"X-A: b\r\n" * 1000
    line.drip((head[at : at + 1] for at in range(len(head))), 0.02)


def drip_body(line: Line, seen: Seen) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    line.drip((b"x" for _ in range(100_000)), 0.02)


def drip_chunks(line: Line, seen: Seen) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    line.drip((b"1\r\nx\r\n" for _ in range(100_000)), 0.02)


def drip_interim(line: Line, seen: Seen) -> None:
    line.drip((b"HTTP/1.1 102 Processing\r\n\r\n" for _ in range(7)), 0.2)


def drip_gzip_of_nothing(line: Line, seen: Seen) -> None:
    line.send(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n")
    line.drip((gzip.compress(b"") for _ in range(100_000)), 0.02)


def say_nothing(line: Line, seen: Seen) -> None:
    line.hang()


def redirect_and_hang(line: Line, seen: Seen) -> None:
    if seen.path == "/":
        line.send(page(b"", "302 Found", Location="/next"))
    else:
        line.hang()


def slow_redirects(line: Line, seen: Seen) -> None:
    line.drip(iter([b""]), 0.15)
    line.send(page(b"", "302 Found", Location=seen.path + "x"))


DRIPS = [
    *(drip_headers, drip_body, drip_chunks, drip_interim, drip_gzip_of_nothing),
    *(say_nothing, redirect_and_hang, slow_redirects),
]


@pytest.mark.parametrize("answer", DRIPS, ids=lambda answer: answer.__name__)
def test_one_deadline_cuts_every_way_to_be_slow(answer: Answer) -> None:
    with Server(answer) as server:
        before = time.monotonic()
        assert code(server, SOON) == "timeout"
        assert 0.3 < time.monotonic() - before < 2


def test_time_for_the_look_up_is_not_given_again_to_the_connection() -> None:
    asked: list[float] = []

    def resolve(host: str, seconds: float) -> list[str]:
        asked.append(seconds)
        return [PUBLIC, "1.1.1.1"]

    def connect(address: str, port: int, seconds: float) -> object:
        asked.append(seconds)
        raise TimeoutError

    web = Web(limits=Limits(seconds=4), resolver=resolve, connector=connect)  # type: ignore[arg-type]  # a stub
    with pytest.raises(WebError):
        web.fetch(WebRequest("GET", URL))
    look_up, first, second = asked
    assert look_up <= 4
    assert first <= 2, "each address has its share"
    assert second <= look_up


def test_a_deadline_of_nothing_is_a_timeout_not_a_crash() -> None:
    with Server(serving(page())) as server:
        assert code(server, Limits(seconds=0)) == "timeout"


def test_a_connection_nobody_takes_is_cut() -> None:
    def connect(address: str, port: int, seconds: float) -> object:
        time.sleep(0)
        raise TimeoutError

    web = Web(limits=Limits(seconds=0.01), resolver=lambda *_: [PUBLIC], connector=connect)  # type: ignore[arg-type]  # a stub
    with pytest.raises(WebError) as caught:
        web.fetch(WebRequest("GET", URL))
    assert caught.value.code in ("timeout", "connect_failed")


# Size.


@pytest.mark.parametrize(
    ("size", "kept", "truncated"), [(999, 999, False), (1000, 1000, False), (1001, 1000, True), (9_000_000, 1000, True)]
)
@pytest.mark.parametrize("coding", ["identity", "gzip", "deflate", "raw deflate", "chunked", "until close"])
def test_a_body_is_kept_up_to_the_limit_and_no_further(coding: str, size: int, kept: int, truncated: bool) -> None:
    with Server(lambda line, seen: line.send(coded(b"a" * size, coding))) as server:
        response = get(server, Limits(seconds=5, body_bytes=1000))
    assert response.body == b"a" * kept
    assert response.truncated is truncated


def coded(body: bytes, coding: str) -> bytes:
    if coding == "gzip":
        return page(gzip.compress(body), Content_Encoding="gzip")
    if coding == "deflate":
        return page(zlib.compress(body), Content_Encoding="deflate")
    if coding == "raw deflate":
        return page(zlib.compress(body, wbits=-15), Content_Encoding="Deflate")
    if coding == "chunked":
        head = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        return head + b"%x;ext=1\r\n%b\r\n0\r\nTrailer: x\r\n\r\n" % (len(body), body)
    if coding == "until close":
        return b"HTTP/1.0 200 OK\r\n\r\n" + body
    return page(body)


def bomb(window: int, pieces: int) -> Iterator[bytes]:
    """A compressed stream of `pieces` mebibytes of zeros."""
    squeeze = zlib.compressobj(9, wbits=window)
    for _ in range(pieces):
        yield squeeze.compress(bytes(KIB * KIB))
    yield squeeze.flush()


@pytest.mark.parametrize(("coding", "window"), [("gzip", 31), ("deflate", 15)])
def test_c131_a_gigabyte_in_a_megabyte_stops_at_the_limit_and_stays_small(coding: str, window: int) -> None:
    def answer(line: Line, seen: Seen) -> None:
        line.send(b"HTTP/1.1 200 OK\r\nContent-Encoding: %b\r\n\r\n" % coding.encode())
        for piece in bomb(window, 1024):
            line.send(piece)

    with Server(answer) as server:
        tracemalloc.start()
        response = get(server)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert response.truncated
    assert response.body == bytes(KIB * KIB)
    assert peak < 12 * KIB * KIB, f"{peak} bytes at the worst moment"


def test_c131_one_packet_that_holds_sixty_megabytes_stays_small() -> None:
    packet = gzip.compress(bytes(60 * KIB * KIB))  # about 60 KiB, so that one read has all of it

    with Server(serving(page(packet, Content_Encoding="gzip"))) as server:
        tracemalloc.start()
        response = get(server, Limits(seconds=5, body_bytes=1000))
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
    assert response.truncated
    assert peak < 4 * KIB * KIB, f"{peak} bytes at the worst moment"


def test_c131_a_nested_bomb_is_not_unpacked_twice() -> None:
    inner = gzip.compress(bytes(10 * KIB * KIB))
    with Server(serving(page(gzip.compress(inner), Content_Encoding="gzip"))) as server:
        assert get(server).body == inner
    with Server(serving(page(gzip.compress(inner), Content_Encoding="gzip, gzip"))) as server:
        assert code(server) == "encoding_refused"


@pytest.mark.parametrize("coding", ["br", "zstd", "compress", "x-unknown", "gzip, br"])
def test_c131_an_encoding_that_was_not_asked_for_is_refused(coding: str) -> None:
    with Server(serving(page(b"?" * 100, Content_Encoding=coding))) as server:
        assert code(server) == "encoding_refused"


@pytest.mark.parametrize("coding", ["", "identity", "Identity, identity"])
def test_no_encoding_by_any_name_is_taken(coding: str) -> None:
    with Server(serving(page(b"plain", Content_Encoding=coding))) as server:
        assert get(server).body == b"plain"


def test_members_of_gzip_are_joined_and_padding_is_ignored() -> None:
    body = gzip.compress(b"one ") + gzip.compress(b"two") + bytes(64)
    with Server(serving(page(body, Content_Encoding="x-gzip"))) as server:
        assert get(server).body == b"one two"


HEAD = b"HTTP/1.1 200 OK\r\n"
LIES = [
    pytest.param(HEAD + b"Content-Length: 50\r\n\r\nshort", "bad_response", id="length too long"),
    pytest.param(HEAD + b"Transfer-Encoding: chunked\r\n\r\n5\r\nhello", "bad_response", id="chunks without an end"),
    pytest.param(HEAD + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n", "bad_response", id="no chunk size"),
    pytest.param(HEAD + b"Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello!", "bad_response", id="two lengths"),
    pytest.param(HEAD + b"Content-Length: -5\r\n\r\nhello", "bad_response", id="negative length"),
    pytest.param(HEAD + b"X-" + b"a" * 40_000 + b": b\r\n\r\n", "bad_response", id="endless header"),
    pytest.param(HEAD + b"X-A: b\r\n" * 8000 + b"\r\n", "bad_response", id="too many headers"),
    pytest.param(b"HTTP/1.1 102 Wait\r\n\r\n" * 20 + page(), "bad_response", id="interim for ever"),
    pytest.param(b"\x16\x03\x01\x02\x00garbage\r\n\r\n", "bad_response", id="not HTTP"),
    pytest.param(b"SSH-2.0-OpenSSH_9.6\r\n\r\n", "bad_response", id="another protocol"),
    pytest.param(b"", "bad_response", id="nothing"),
    pytest.param(HEAD + b"Content-Encoding: gzip\r\n\r\nnot gzip", "bad_response", id="not gzip"),
    pytest.param(page(gzip.compress(b"x" * 999)[:-9], Content_Encoding="gzip"), "bad_response", id="gzip cut"),
    pytest.param(page(gzip.compress(b"")[:6], Content_Encoding="gzip"), "bad_response", id="gzip header cut"),
    pytest.param(page(zlib.compress(b"x" * 99)[:-6], Content_Encoding="deflate"), "bad_response", id="deflate cut"),
    pytest.param(
        HEAD + b"Transfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 30_000 + b"0\r\n\r\n",
        "bad_response",
        id="crumbs",
    ),
    pytest.param(
        HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"") * 200_000, "bad_response", id="empty members"
    ),
]


@pytest.mark.parametrize(("answer", "expected"), LIES)
def test_a_lie_is_a_clear_failure(answer: bytes, expected: str) -> None:
    with Server(serving(answer)) as server:
        before = time.monotonic()
        assert code(server) == expected
        assert time.monotonic() - before < 3


def test_more_than_was_announced_is_not_read() -> None:
    with Server(serving(page(b"hello", Content_Length="4"))) as server:
        assert get(server).body == b"hell"


def test_an_empty_body_with_an_encoding_is_empty() -> None:
    for status in ("200 OK", "204 No Content", "304 Not Modified"):
        with Server(serving(page(b"", status, Content_Encoding="gzip"))) as server:
            assert get(server).body == b""


def test_a_broken_connection_is_a_connection_failure() -> None:
    def answer(line: Line, seen: Seen) -> None:
        line.send(b"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\nhel")
        line.reset()

    with Server(answer) as server:
        assert code(server) == "connect_failed"


def test_the_page_of_a_redirect_is_not_read() -> None:
    def answer(line: Line, seen: Seen) -> None:
        if seen.path == "/next":
            line.send(page(b"here"))
        else:
            line.send(b"HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Encoding: br\r\n\r\n")
            line.hang()

    with Server(answer) as server:
        assert get(server).body == b"here"


def test_the_same_failure_reads_the_same_on_every_seat() -> None:
    sentences: set[str] = set()
    for _ in range(3):
        with Server(say_nothing) as server, pytest.raises(WebError) as caught:
            get(server, Limits(seconds=0.05))
        sentences.add(str(caught.value))
    world = World({})
    for _ in range(2):
        with pytest.raises(WebError) as caught:
            world.web().fetch(WebRequest("GET", "http://10.0.0.1/"))
        sentences.add(str(caught.value))
    assert len(sentences) == 2
