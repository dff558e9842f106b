"""Ten thousand connections that do nothing, and hundred-megabyte bodies: whoever means well is served meanwhile."""

import os
import resource
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from tests.hostile.node import MEBIBYTE, Victim, attacked
from tests.rpc.listening import read_all

IDLE = int(os.environ.get("FOREMAN_IDLE_CONNECTIONS", "10000"))

MOST_SECONDS = 5.0
"""For a request beside them, new connection and all, on a machine that is busy with other things; 0.1 s at rest."""


@pytest.fixture(scope="module")
def victim(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Victim]:
    with attacked(tmp_path_factory.mktemp("victim")) as node:
        yield node


@contextmanager
def many_files(count: int) -> Iterator[None]:
    """This process may open so many; the node keeps what the system gave it."""
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < count:
        pytest.skip(f"this system lets a process open {most} files; {count} are needed")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before, count), most))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))


@pytest.mark.parametrize("sent", [b"", b"POST /api HTTP/1.1\r\nHost: 127"], ids=["silent", "in the middle of a head"])
def test_ten_thousand_idle_connections_cost_little_and_hold_up_nobody(victim: Victim, sent: bytes) -> None:
    """No more are kept than the setting says: the one that idles longest makes room."""
    before, slowest = victim.memory, 0.0
    with many_files(IDLE + 500), ExitStack() as stack:
        for number in range(IDLE):
            stack.enter_context(victim.connect(sent))
            if number % 1000 == 999:
                slowest = max(slowest, victim.served())
        more = victim.memory - before
        slowest = max(slowest, *(victim.served() for _ in range(5)))
        kept = len(list(Path(f"/proc/{victim.process.pid}/fd").iterdir()))
    print(f"{IDLE} connections: {more >> 20} MiB more, {kept} files open, slowest answer {slowest:.3f} s")
    assert slowest < MOST_SECONDS
    assert more < 64 * MEBIBYTE
    assert kept < 700


def pour(connection: socket.socket, size: int, chunked: bool) -> None:
    """Send a body until it is over or nobody takes it."""
    piece = b"[" * 65536
    framed = b"%x\r\n%b\r\n" % (len(piece), piece) if chunked else piece
    try:
        for _ in range(size // len(piece)):
            connection.sendall(framed)
    except OSError:
        pass  # refused and closed, which is the right answer


@pytest.mark.parametrize("chunked", [False, True], ids=["announced", "in chunks without end"])
def test_hundred_megabyte_bodies_are_refused_with_a_sentence_and_never_held(victim: Victim, chunked: bool) -> None:
    before, most = victim.memory, 0
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {100 * MEBIBYTE}"
    head = victim.head("POST /api HTTP/1.1", "Content-Type: application/json", length)
    with ExitStack() as stack:
        bodies = [stack.enter_context(victim.connect(head)) for _ in range(8)]
        threads = [threading.Thread(target=pour, args=(body, 100 * MEBIBYTE, chunked)) for body in bodies]
        for thread in threads:
            thread.start()
        while any(thread.is_alive() for thread in threads):
            most = max(most, victim.memory)
            assert victim.served() < MOST_SECONDS
        answers = [read_all(body) for body in bodies]
    print(f"{(most - before) >> 20} MiB more at most")
    assert most - before < 64 * MEBIBYTE
    seen = [answer for answer in answers if answer]
    assert seen, "who has written all of it gets to read why"
    for answer in seen:
        assert answer.startswith(b"HTTP/1.1 413 ")
        assert b"a body has at most" in answer


def test_bodies_just_below_the_limit_by_the_hundred_are_held_within_a_budget(victim: Victim) -> None:
    """A hundred clients announce two megabytes each, send all but the last byte, and wait."""
    before = victim.memory
    size = 2 * MEBIBYTE
    head = victim.head("POST /api HTTP/1.1", "Content-Type: application/json", f"Content-Length: {size}")
    with ExitStack() as stack:
        bodies = [stack.enter_context(victim.connect(head)) for _ in range(100)]
        threads = [threading.Thread(target=pour, args=(body, size - 65536, False)) for body in bodies]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
        assert victim.served() < MOST_SECONDS
        more = victim.memory - before
    print(f"{more >> 20} MiB more")
    assert more < 160 * MEBIBYTE, "64 MiB of unfinished bodies, what joins them, and what the allocator keeps"
