"""The stream of news: read in any pieces, resumed over lost connections, the same for asyncio, bounded."""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.sdk import aio_stream, stream
from foreman.sdk.account import Account
from foreman.sdk.aio import AsyncClient
from foreman.sdk.client import Client
from foreman.sdk.failures import BadAnswer, Unreachable
from foreman.settings import Settings

URL = "http://127.0.0.1:4000/events"
ALICE, BOB = (Account.from_hex(known.key) for known in DEV_ACCOUNTS[:2])
TEXT = b': hello\n\nevent: change\nid: 7\ndata: {"hash":"0x1",\ndata: "seq":7}\n\ndata: {"a":1}\r\n\r\ndata: {'
READ = [{"event": "change", "id": "7", "hash": "0x1", "seq": 7}, {"a": 1}]


@given(st.lists(st.integers(0, len(TEXT)), max_size=8).map(sorted))
def test_a_stream_is_read_the_same_in_any_pieces(cuts: list[int]) -> None:
    reader = stream.Reader(URL)
    pieces = [TEXT[start:end] for start, end in zip([0, *cuts], [*cuts, len(TEXT)], strict=True)]
    assert [event for piece in pieces for event in reader.feed(piece)] == READ


@pytest.mark.parametrize(
    "text",
    [
        b"data: {\n\n",
        b"data: [1]\n\n",
        b"data: " + b"[" * 100_000 + b"\n\n",
        b"x" * 2_000_000,
        b"data: 1\n" * 2_000_000,
    ],
    ids=["no JSON", "no object", "nested too deep", "a line without end", "an event without end"],
)
def test_what_is_no_event_is_told_and_never_piles_up(text: bytes) -> None:
    reader = stream.Reader(URL)
    pieces = (text[start : start + 65536] for start in range(0, len(text), 65536))
    with pytest.raises(BadAnswer, match="answered with an event"):
        list(map(reader.feed, pieces))


class Journal:
    """A network whose connections end after two changes each; `away` visits are refused; it may be born anew."""

    def __init__(self, changes: int, away: int = 0, anew: bool = False) -> None:
        self.changes, self.away, self.anew = changes, away, anew
        self.asked: list[int] = []

    def answer(self, request: httpx.Request) -> httpx.Response:
        after = int(request.url.params.get("after", -1))
        self.asked.append(after)
        if self.away and len(self.asked) > 1:
            self.away -= 1
            raise httpx.ConnectError("refused")
        text = b""
        if after > self.changes:
            text += b'event: reset\ndata: {"last":0}\n\n'
            after = 0
        for seq in range(after + 1, min(after + 3, self.changes + 1)):
            text += f'event: change\nid: {seq}\ndata: {{"seq":{seq}}}\n\n'.encode()
        return httpx.Response(200, content=text)


def taken(journal: Journal, after: int | None, patience: float = 60.0, until: int = 5) -> list[dict[str, Any]]:
    """What a watcher sees up to change `until`, both ways, which are the same."""

    def sync() -> Iterator[dict[str, Any]]:
        http = httpx.Client(transport=httpx.MockTransport(journal.answer))
        yield from stream.watch(http, URL, after, patience)

    async def follow() -> AsyncIterator[dict[str, Any]]:
        async with httpx.AsyncClient(transport=httpx.MockTransport(journal.answer)) as http:
            async for event in aio_stream.watch(http, URL, after, patience):
                yield event

    async def gather() -> list[dict[str, Any]]:
        found = []
        async for event in follow():
            found.append(event)
            if event.get("seq") == until:
                break
        return found

    away, found = journal.away, []
    for event in sync():
        found.append(event)
        if event.get("seq") == until:
            break
    journal.away, journal.asked = away, []
    assert asyncio.run(gather()) == found
    return found


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (stream, aio_stream):
        monkeypatch.setattr(module, "FIRST_PAUSE", 0.001)
        monkeypatch.setattr(module, "LONGEST_PAUSE", 0.001)


@pytest.mark.parametrize("away", [0, 3], ids=["at once", "refused for a while"])
def test_a_watch_goes_on_behind_its_cursor_and_misses_nothing(away: int) -> None:
    found = taken(Journal(5, away), after=0)
    assert [event["seq"] for event in found if event["event"] == "change"] == [1, 2, 3, 4, 5]
    assert {event["event"] for event in found} == {"open", "change"}


def test_a_watch_from_now_asks_where_the_end_is_and_resumes_there() -> None:
    journal = Journal(5)
    found = taken(journal, after=None)
    assert journal.asked == [stream.FROM_THE_END, 2, 4]
    assert "reset" not in {event["event"] for event in found}, "the answer to the first question is no news"


def test_another_chain_behind_the_address_is_told() -> None:
    found = taken(Journal(2), after=40, until=2)
    assert [event["event"] for event in found] == ["open", "reset", "change", "change"]


def test_a_network_that_stays_away_is_told_after_patience() -> None:
    with pytest.raises(Unreachable):
        taken(Journal(5, away=10**9), after=0, patience=0.02)


def test_something_else_behind_the_address_is_told_at_once() -> None:
    http = httpx.Client(transport=httpx.MockTransport(lambda _: httpx.Response(404)))
    with pytest.raises(BadAnswer, match="HTTP 404"):
        list(stream.watch(http, URL, None, 60.0))


def test_both_clients_hear_of_a_transaction_until_it_is_final() -> None:
    async def hear(url: str, hash: str) -> list[str]:
        statuses = []
        async for event in AsyncClient(Client(url)).watch(after=0):
            if event.get("hash") == hash:
                statuses.append(event["status"])
                if event["status"] == "FINALIZED":
                    break
        return statuses

    with Running(build(Settings(port=0))) as running, Client(running.url) as client:
        sent = client.transfer(ALICE, BOB.address, 5)
        told = []
        for event in client.watch(after=0):
            if event.get("hash") == sent.hash:
                told.append(event["status"])
                if event["status"] == "FINALIZED":
                    break
        assert re.match("PENDING .*FINALIZED", " ".join(told))
        assert asyncio.run(hear(running.url, sent.hash)) == told
        assert json.dumps(client.config)
