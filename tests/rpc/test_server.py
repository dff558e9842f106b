"""The door on real sockets against clients that stall, flood, trickle and go away; others are served meanwhile."""

import http.client
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import httpx
import pytest

from foreman.node.feed import Listener, SeatNews
from foreman.rpc import app as app_module
from foreman.rpc import body as body_module
from foreman.rpc import server as server_module
from foreman.rpc import stream as stream_module
from foreman.rpc.server import DoorProtocol
from tests.node.network import ALICE, Network
from tests.rpc.listening import Listening, read_all

CHAIN_ID = b'{"jsonrpc":"2.0","id":7,"method":"eth_chainId","params":[]}'
JSON = "Content-Type: application/json"


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short deadlines, so that a test sees them pass."""
    monkeypatch.setattr(body_module, "BODY_SECONDS", 0.3)
    monkeypatch.setattr(server_module, "HEAD_SECONDS", 0.3)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    """One for the whole file: nothing here leaves a trace that another test would see."""
    with Network(tmp_path_factory.mktemp("state")) as running:
        yield running


@pytest.fixture(scope="module")
def door(network: Network) -> Iterator[Listening]:
    with Listening(network) as listening:
        yield listening


def test_a_plain_request_is_answered(door: Listening) -> None:
    assert door.call("eth_chainId") == "0xeec7"


def test_one_connection_serves_many_requests(door: Listening) -> None:
    with door.connect() as connection:
        for _ in range(3):
            connection.sendall(door.head("POST /api HTTP/1.1", JSON, f"Content-Length: {len(CHAIN_ID)}") + CHAIN_ID)
            reply = http.client.HTTPResponse(connection)
            reply.begin()
            assert json.loads(reply.read())["result"] == "0xeec7"


def test_pipelined_requests_are_answered_in_order(door: Listening) -> None:
    requests = b""
    for ident in range(5):
        body = CHAIN_ID.replace(b'"id":7', b'"id":%d' % ident)
        close = ["Connection: close"] if ident == 4 else []
        requests += door.head("POST /api HTTP/1.1", JSON, f"Content-Length: {len(body)}", *close) + body
    with door.connect(requests) as connection:
        answer = read_all(connection)
    assert [answer.count(b'"id":%d' % ident) for ident in range(5)] == [1] * 5
    assert answer.index(b'"id":0') < answer.index(b'"id":4')


def test_a_body_in_pieces_and_a_chunked_one_are_put_together(door: Listening) -> None:
    padding = b" " * 300_000
    with door.connect(door.head("POST /api HTTP/1.1", JSON, "Transfer-Encoding: chunked", "Connection: close")) as one:
        for piece in (CHAIN_ID[:10], CHAIN_ID[10:], padding):
            one.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        one.sendall(b"0\r\n\r\n")
        assert b"0xeec7" in read_all(one)


def test_a_client_that_waits_for_100_continue_gets_it(door: Listening) -> None:
    head = door.head("POST /api HTTP/1.1", JSON, f"Content-Length: {len(CHAIN_ID)}", "Expect: 100-continue")
    with door.connect(head) as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 100 ")
        connection.sendall(CHAIN_ID)
        assert b"0xeec7" in connection.recv(1000)


def test_c053_sixty_megabytes_are_refused_before_they_are_read_and_the_sender_can_read_why(door: Listening) -> None:
    """This client, like many, writes the whole body before it reads: closed at once, it would only see a reset."""
    client = http.client.HTTPConnection("127.0.0.1", door.port, timeout=20)
    client.request("POST", "/api", b" " * 60_000_000, {"content-type": "application/json"})
    response = client.getresponse()
    assert response.status == 413
    assert "at most" in json.loads(response.read())["error"]["message"]
    client.close()


def test_c053_a_body_that_is_announced_too_large_is_refused_before_it_comes(door: Listening) -> None:
    with door.connect(door.head("POST /api HTTP/1.1", JSON, "Content-Length: 60000000")) as connection:
        assert connection.recv(1000).startswith(b"HTTP/1.1 413 ")


def test_c053_sixty_megabytes_without_an_announcement_are_cut_off(door: Listening) -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(600):
            yield b" " * 100_000

    response = httpx.post(door.origin + "/api", content=endless(), headers={"content-type": "application/json"})
    assert response.status_code == 413


@pytest.mark.usefixtures("hasty")
def test_c053_a_body_that_stalls_ends_and_others_are_served_meanwhile(door: Listening) -> None:
    heads = [
        door.head("POST /api HTTP/1.1", JSON, "Content-Length: 1000000"),
        door.head("POST /api HTTP/1.1", JSON, "Content-Length: 1000000") + b"[" * 100_000,
        door.head("POST /api HTTP/1.1", JSON, "Transfer-Encoding: chunked") + b"5\r\n[",
    ]
    stalled = [door.connect(head) for head in heads * 10]
    assert door.call("eth_chainId") == "0xeec7"
    for connection in stalled:
        with connection:
            answer = read_all(connection)
            assert answer.startswith(b"HTTP/1.1 408 ")
            assert b"not complete" in answer


def test_a_flood_of_connections_is_answered_one_and_all(door: Listening) -> None:
    request = door.head("POST /api HTTP/1.1", JSON, f"Content-Length: {len(CHAIN_ID)}", "Connection: close") + CHAIN_ID
    with ExitStack() as stack:
        flood = [stack.enter_context(door.connect(request)) for _ in range(300)]
        assert all(b"0xeec7" in read_all(connection) for connection in flood)


@pytest.mark.usefixtures("hasty")
def test_unfinished_bodies_have_a_budget_together_and_whole_ones_do_not_need_it(
    door: Listening, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door.server._app._bodies, "_most", 150_000)
    head = door.head("POST /api HTTP/1.1", JSON, "Content-Length: 1000000")
    with ExitStack() as stack:
        unfinished = [stack.enter_context(door.connect(head + b" " * 100_000)) for _ in range(4)]
        assert door.call("eth_chainId") == "0xeec7"
        statuses = sorted(read_all(connection)[9:12] for connection in unfinished)
    assert statuses[0] == b"408"
    assert statuses[-1] == b"503"
    assert door.call("eth_chainId") == "0xeec7"


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize(
    "sent",
    [
        pytest.param(b"", id="nothing at all"),
        pytest.param(b"\r\n\r\n", id="empty lines"),
        pytest.param(b"POST /api HT", id="half a request line"),
        pytest.param(b"POST /api HTTP/1.1\r\nHost: 127", id="half a header"),
    ],
)
def test_c053_a_head_that_stalls_ends_and_others_are_served_meanwhile(door: Listening, sent: bytes) -> None:
    stalled = [door.connect(sent) for _ in range(20)]
    assert door.call("eth_chainId") == "0xeec7"
    for connection in stalled:
        with connection:
            assert read_all(connection).startswith(b"HTTP/1.1 408 ")


@pytest.mark.usefixtures("hasty")
def test_c053_a_head_that_trickles_in_ends_all_the_same(door: Listening) -> None:
    with door.connect(b"POST /api HTTP/1.1\r\n") as connection:
        connection.settimeout(0.02)
        started = time.monotonic()
        answer = b""
        while not answer and time.monotonic() - started < 20:
            connection.send(b"a")
            try:
                answer = connection.recv(1000)
            except TimeoutError:
                continue
        assert answer.startswith(b"HTTP/1.1 408 ")


@pytest.mark.usefixtures("hasty")
def test_trailers_are_not_kept(door: Listening) -> None:
    with door.connect(door.head("POST /api HTTP/1.1", JSON, "Transfer-Encoding: chunked") + b"0\r\n") as connection:
        connection.sendall(b"x: y\r\n" * 10_000)
        assert door.call("eth_chainId") == "0xeec7"
        kept = [len(known.headers) for known in door.server.server_state.connections if isinstance(known, DoorProtocol)]
        assert kept
        assert max(kept) < 20
        assert read_all(connection).startswith(b"HTTP/1.1 408 ")


@pytest.mark.parametrize("sent", [b"\x16\x03\x01\x02\x00\x01\x00", b"GET\r\n\r\n", b"nonsense nonsense\r\n\r\n"])
def test_what_is_no_http_is_400(door: Listening, sent: bytes) -> None:
    with door.connect(sent) as connection:
        assert read_all(connection).startswith(b"HTTP/1.1 400 ")


def test_when_all_connections_are_taken_the_idlest_makes_room(door: Listening, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door.server.protocol, "most", 5)
    with ExitStack() as stack:
        idle = []
        for _ in range(5):
            idle.append(stack.enter_context(door.connect(door.head("GET /health HTTP/1.1"))))
            assert b"200" in idle[-1].recv(1000)
        assert door.call("eth_chainId") == "0xeec7"
        assert read_all(idle[0]) == b"", "the first one was cut off"
        assert door.call("eth_chainId") == "0xeec7"


def test_a_client_that_goes_away_in_the_middle_of_its_body_is_forgotten(
    door: Listening, caplog: pytest.LogCaptureFixture
) -> None:
    with door.connect(door.head("POST /api HTTP/1.1", JSON, "Content-Length: 1000") + b"["):
        pass
    assert door.call("eth_chainId") == "0xeec7"
    assert "Traceback" not in caplog.text


def test_a_websocket_handshake_from_a_foreign_page_is_403_and_from_the_own_one_404(door: Listening) -> None:
    upgrade = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: eA=="]
    for origin, status in (("https://evil.example", b"403"), (door.origin, b"404")):
        with door.connect(door.head("GET /ws HTTP/1.1", f"Origin: {origin}", *upgrade)) as connection:
            assert connection.recv(1000).startswith(b"HTTP/1.1 " + status)


def subscribe(door: Listening, path: str = "/events", *headers: str) -> socket.socket:
    """A subscriber whose stream has begun."""
    connection = door.connect(door.head(f"GET {path} HTTP/1.1", *headers))
    answer = b""
    while stream_module.OPENING.strip() not in answer:
        answer += connection.recv(4096)
    assert b"text/event-stream" in answer
    return connection


def test_events_come_over_http_and_resume_behind_the_last_one(door: Listening, network: Network) -> None:
    with httpx.stream("GET", door.origin + "/events", timeout=20) as response:
        lines = response.iter_lines()
        assert next(lines) == "retry: 1000"
        digest = network.send(ALICE, ["write", "a", "b"])
        seen = next(line for line in lines if line.startswith("id: "))
        assert digest.hex() in next(line for line in lines if line.startswith("data: "))
    network.do(ALICE, ["write", "a", "c"])
    cursor = int(seen.removeprefix("id: "))
    for path, headers in ((f"/events?after={cursor}", {}), ("/events?after=0", {"last-event-id": str(cursor)})):
        with httpx.stream("GET", door.origin + path, headers=headers, timeout=20) as response:
            first = next(line for line in response.iter_lines() if line.startswith("id: "))
            assert first == f"id: {cursor + 1}"


@pytest.mark.parametrize("path", ["/events?after=x", "/events?after=-1", "/events?after=1.5"])
def test_a_bad_cursor_is_400(door: Listening, path: str) -> None:
    assert httpx.get(door.origin + path).status_code == 400


def test_head_of_events_gives_the_headers_and_holds_no_stream(door: Listening) -> None:
    with httpx.stream("GET", door.origin + "/events") as followed, httpx.Client() as client:
        begun = door.server._app._stream.subscribers
        asked = client.head(door.origin + "/events")
        assert (asked.status_code, asked.content) == (200, b"")
        for name in ("content-type", "cache-control", "x-accel-buffering"):
            assert asked.headers[name] == followed.headers[name]
        assert client.head(door.origin + "/events?after=x").status_code == 400
        assert client.head(door.origin + "/events").status_code == 200, "on the same connection"
        assert door.server._app._stream.subscribers <= begun
        assert not [task for task in door.server._app._following if task.done()]


def test_a_subscriber_that_leaves_is_noticed_at_once(door: Listening, network: Network) -> None:
    left = threading.Event()
    original = network.node.subscribe

    def watched(listener: Listener) -> Callable[[], None]:
        stop = original(listener)

        def stopped() -> None:
            stop()
            left.set()

        return stopped

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(network.node, "subscribe", watched)
        subscribe(door).close()
        assert left.wait(5), "the stream went on for nobody"


def test_a_subscriber_that_takes_nothing_is_dropped_and_the_others_go_on(
    door: Listening, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    dropped = threading.Event()
    abort = DoorProtocol.abort

    def watched(connection: DoorProtocol) -> None:
        abort(connection)
        dropped.set()

    monkeypatch.setattr(DoorProtocol, "abort", watched)
    monkeypatch.setattr(app_module, "PATIENCE", 1.0)
    with subscribe(door) as stuck, subscribe(door) as well:
        for number in range(150):
            name = f"judge {number} "
            network.node._feed.publish([SeatNews(b"\0" * 32, 0, 0, 0, name + "x" * 200_000, None, "asking")])
            heard = b""
            while name.encode() not in heard:
                heard = (heard + well.recv(1_000_000))[-300_000:]
        assert dropped.wait(20), "30 MB were kept for a reader that reads nothing"
        taken = read_all(stuck)
        assert b"judge 0 " in taken
        assert name.encode() not in taken


def test_the_server_stops_promptly_with_subscribers_and_idle_connections(
    network: Network, caplog: pytest.LogCaptureFixture
) -> None:
    door = Listening(network)
    connections = [subscribe(door), door.connect(), door.connect(b"POST /api")]
    started = time.monotonic()
    door.stop()
    assert time.monotonic() - started < 3
    assert read_all(connections[0]).endswith(b"0\r\n\r\n"), "the stream ended in good order"
    assert caplog.text == ""
    for connection in connections:
        connection.close()
