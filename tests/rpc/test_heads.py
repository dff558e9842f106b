"""The limit of a request's head, on real sockets: the same however the head is sent, and whatever came before it."""

import re
import socket
from collections.abc import Callable, Iterator

import pytest

from foreman.rpc import server as server_module
from tests.node.network import Network
from tests.rpc.listening import Listening, read_all

CHAIN_ID = b'{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}'
JSON = "Content-Type: application/json"


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Listening]:
    with Network(tmp_path_factory.mktemp("state")) as running, Listening(running) as listening:
        yield listening


def test_a_head_without_end_is_cut_off(door: Listening) -> None:
    with door.connect(b"POST /api HTTP/1.1\r\n") as connection:
        try:
            for _ in range(10_000):
                connection.sendall(b"x: " + b"y" * 10_000 + b"\r\n")
        except (ConnectionResetError, BrokenPipeError):
            pass
        else:
            pytest.fail("100 MB of headers were taken")
    assert door.call("eth_chainId") == "0xeec7"


def test_a_head_above_the_limit_is_told_so(door: Listening) -> None:
    with door.connect(b"POST /" + b"a" * 40_000) as connection:
        assert read_all(connection).startswith(b"HTTP/1.1 431 ")


def sized(door: Listening, size: int, many: bool = False) -> bytes:
    """The head of a GET of exactly so many bytes, in one large header or in 90; the connection ends after it."""
    count = 90 if many else 1
    names = [f"X-{number}: " for number in range(count)]
    plain = len(door.head("GET /health/live HTTP/1.1", "Connection: close", *names))
    each, rest = divmod(size - plain, count)
    values = ["y" * (each + (rest if number == 0 else 0)) for number in range(count)]
    head = door.head("GET /health/live HTTP/1.1", "Connection: close", *map("".join, zip(names, values, strict=True)))
    assert len(head) == size
    return head


def whole(sent: bytes) -> list[bytes]:
    return [sent]


def pieces(sent: bytes) -> list[bytes]:
    return [sent[at : at + 1000] for at in range(0, len(sent), 1000)]


def last_bytes(sent: bytes) -> list[bytes]:
    """The blank line comes a byte at a time."""
    return [sent[:-4], *(sent[at : at + 1] for at in range(len(sent) - 4, len(sent)))]


@pytest.mark.parametrize("cut", [whole, pieces, last_bytes])
@pytest.mark.parametrize("many", [False, True], ids=["one header", "many headers"])
@pytest.mark.parametrize("before", ["nothing", "a GET", "a body", "a body that ends elsewhere"])
@pytest.mark.parametrize(
    ("size", "status"),
    [(server_module.HEAD_BYTES, 200), (server_module.HEAD_BYTES + 1, 431), (33_000, 431), (66_000, 431)],
)
def test_a_head_is_as_long_as_it_is_however_it_is_sent(
    door: Listening, cut: Callable[[bytes], list[bytes]], many: bool, before: str, size: int, status: int
) -> None:
    post = door.head("POST /api HTTP/1.1", JSON, f"Content-Length: {len(CHAIN_ID) + 40_000}")
    first = {
        "nothing": b"",
        "a GET": door.head("GET /health/live HTTP/1.1"),
        "a body": post + CHAIN_ID + b" " * 40_000,
        "a body that ends elsewhere": post + CHAIN_ID + b"\r\n" * 20_000,
    }[before]
    with door.connect() as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            for piece in cut(first + sized(door, size, many)):
                connection.sendall(piece)
        except (ConnectionResetError, BrokenPipeError):
            assert status == 431
        received = read_all(connection)
    answers = re.findall(rb"HTTP/1\.1 (\d+)", received)
    assert answers == ([] if before == "nothing" else [b"200"]) + [b"%d" % status]


def test_a_request_in_chunks_is_the_last_of_its_connection(door: Listening) -> None:
    head = door.head("POST /api HTTP/1.1", JSON, "Transfer-Encoding: chunked")
    body = b"%x\r\n%s\r\n0\r\n\r\n" % (len(CHAIN_ID), CHAIN_ID)
    with door.connect(head + body + sized(door, 60_000) + b"more") as connection:
        answer = read_all(connection)
    assert answer.count(b"HTTP/1.1 ") == 1
    assert b"0xeec7" in answer
    assert b"connection: close" in answer
