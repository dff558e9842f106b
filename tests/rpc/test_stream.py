"""The event stream: nothing is lost or told twice, whatever the cursor and however slow the reader."""

import asyncio
import json
import threading
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from foreman.address import keccak256
from foreman.errors import BadInput, Refused
from foreman.rpc import stream as stream_module
from foreman.rpc.door import Door
from foreman.rpc.stream import BEAT, OPENING, Stream, read_cursor
from foreman.settings import Limits
from tests.node.network import ALICE, BOB, Network

Event = dict[str, Any]
News = AsyncGenerator[bytes, None]


def events_in(text: bytes) -> list[Event]:
    """The events of a piece of the stream, comments and openings left out."""
    found = []
    for block in text.decode().split("\n\n"):
        lines = dict(line.split(": ", 1) for line in block.splitlines() if not line.startswith(":"))
        if "event" in lines:
            found.append({"event": lines["event"], "id": lines.get("id"), **json.loads(lines["data"])})
    return found


async def read_until(news: News, enough: Callable[[list[Event]], bool]) -> list[Event]:
    """Events until there are enough, at most 20 seconds."""
    found: list[Event] = []
    async with asyncio.timeout(20):
        async for text in news:
            found += events_in(text)
            if enough(found):
                return found
    raise AssertionError("the stream ended")


def changes(events: list[Event]) -> list[int]:
    return [event["seq"] for event in events if event["event"] == "change"]


def following(network: Network, story: Callable[[Stream, Door], Awaitable[None]]) -> None:
    """Run a story with a stream on an event loop of its own."""

    async def whole() -> None:
        door = Door(network.node)
        await story(Stream(door), door)
        door.close()

    asyncio.run(whole())


def last_is(status: str) -> Callable[[list[Event]], bool]:
    return lambda events: bool(events) and events[-1].get("status") == status


def test_a_subscriber_hears_what_happens_from_now_on(network: Network) -> None:
    async def story(stream: Stream, _: Door) -> None:
        start = network.node.last_change()
        async with aclosing(stream.follow(None)) as news:
            assert await anext(news) == OPENING
            digest = await asyncio.to_thread(network.send, ALICE, ["write", "a", "b"])
            heard = await read_until(news, last_is("FINALIZED"))
        assert {event["hash"] for event in heard} == {"0x" + digest.hex()}
        assert changes(heard) == list(range(start + 1, network.node.last_change() + 1))
        assert [event["id"] for event in heard] == [str(event["seq"]) for event in heard]
        assert heard[-1]["at"] == 1_800_000_000_000_000

    following(network, story)


def test_a_resumed_subscriber_gets_exactly_what_it_missed(network: Network) -> None:
    for index in range(5):
        network.do(ALICE, ["write", "a", str(index)])

    async def story(stream: Stream, _: Door) -> None:
        last = network.node.last_change()
        async with aclosing(stream.follow(3)) as news:
            heard = await read_until(news, lambda events: bool(events) and events[-1]["seq"] == last)
        assert changes(heard) == list(range(4, last + 1))

    following(network, story)


def storm(network: Network, closing: list[str]) -> None:
    """Sixty transactions, and one more after they are decided; its hash is told before it is sent."""
    hashes = []
    for _ in range(20):
        hashes.append(network.send(ALICE, ["write", "a", "b"]))
        hashes.append(network.send(BOB, ["ask", "how good?"]))
        hashes.append(network.send(ALICE, ["revert", "no"]))
    network.wait(*hashes)
    raw = network.raw(BOB, [["write", "the", "end"]])
    closing.append("0x" + keccak256(raw).hex())
    network.node.submit(raw)


@pytest.mark.parametrize("window", [8192, 16, 1])
def test_subscribers_that_come_during_a_storm_miss_nothing(
    network: Network, window: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six subscribers with different cursors and speeds, while 60 transactions run; small windows force the journal."""
    monkeypatch.setattr(stream_module, "WINDOW", window)
    monkeypatch.setattr(stream_module, "PIECE", 4)
    closing: list[str] = []

    async def one(stream: Stream, start: int, pause: int) -> list[int]:
        found: list[int] = []
        async with aclosing(stream.follow(start)) as news:
            async for text in news:
                events = events_in(text)
                found += changes(events)
                if any((event.get("hash"), event.get("status")) == (*closing, "FINALIZED") for event in events):
                    return found
                for _ in range(pause):
                    await asyncio.sleep(0)
        raise AssertionError("the stream ended")

    async def story(stream: Stream, _: Door) -> None:
        start = network.node.last_change()
        thread = threading.Thread(target=storm, args=(network, closing))
        thread.start()
        async with asyncio.timeout(60):
            first = await asyncio.gather(*(one(stream, start, pause) for pause in (0, 1, 50)))
            later = await asyncio.gather(*(one(stream, cursor, 0) for cursor in (start, start + 7, 0)))
        thread.join()
        last = network.node.last_change()
        for found, cursor in zip([*first, *later], [start, start, start, start, start + 7, 0], strict=True):
            assert found == list(range(cursor + 1, last + 1))

    following(network, story)


def test_seats_are_heard_as_they_speak_and_have_no_cursor(network: Network) -> None:
    async def story(stream: Stream, _: Door) -> None:
        async with aclosing(stream.follow(None)) as news:
            await anext(news)
            await asyncio.to_thread(network.do, ALICE, ["ask", "how good?"])
            heard = await read_until(news, last_is("FINALIZED"))
        seats = [event for event in heard if event["event"] == "seat"]
        assert {event["id"] for event in seats} == {None}
        assert {event["stage"] for event in seats} >= {"asking", "voted"}
        assert {(event["judge"], event["block"], event["round"]) for event in seats} == {("scripted", 0, 0)}
        assert "agree" in {event["vote"] for event in seats}

    following(network, story)


def test_what_seats_said_before_is_over(network: Network) -> None:
    async def story(stream: Stream, _: Door) -> None:
        async with aclosing(stream.follow(None)) as early:
            await anext(early)
            start = network.node.last_change()
            await asyncio.to_thread(network.do, ALICE, ["ask", "how good?"])
            await read_until(early, last_is("FINALIZED"))
            async with aclosing(stream.follow(start)) as late:
                heard = await read_until(late, last_is("FINALIZED"))
        assert {event["event"] for event in heard} == {"change"}

    following(network, story)


def test_a_cursor_behind_the_end_is_told_so_and_goes_on_from_the_end(network: Network) -> None:
    async def story(stream: Stream, _: Door) -> None:
        last = network.node.last_change()
        async with aclosing(stream.follow(last + 100)) as news:
            assert await anext(news) == OPENING
            assert events_in(await anext(news)) == [{"event": "reset", "id": None, "last": last}]
            await asyncio.to_thread(network.do, ALICE, ["write", "a", "b"])
            assert changes(await read_until(news, last_is("FINALIZED")))[0] == last + 1

    following(network, story)


def test_silence_ends_in_a_heartbeat(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "HEARTBEAT", 0.01)

    async def story(stream: Stream, _: Door) -> None:
        async with aclosing(stream.follow(None)) as news:
            assert await anext(news) == OPENING
            assert await anext(news) == BEAT

    following(network, story)


def test_the_node_is_listened_to_only_while_somebody_follows(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    listening: list[int] = [0]
    subscribe = network.node.subscribe

    def counted(listener: Any) -> Callable[[], None]:
        listening[0] += 1
        stop = subscribe(listener)

        def stopped() -> None:
            listening[0] -= 1
            stop()

        return stopped

    monkeypatch.setattr(network.node, "subscribe", counted)

    async def story(stream: Stream, _: Door) -> None:
        for _again in range(2):
            async with aclosing(stream.follow(None)) as one, aclosing(stream.follow(None)) as two:
                await anext(one)
                await anext(two)
                assert listening == [1]
            assert listening == [0]

    following(network, story)


def test_there_is_a_last_subscriber(network: Network) -> None:
    network.node.settings = replace(network.node.settings, limits=Limits(subscribers=1))

    async def story(stream: Stream, _: Door) -> None:
        async with aclosing(stream.follow(None)) as one, aclosing(stream.follow(None)) as two:
            await anext(one)
            with pytest.raises(Refused, match="1 subscribers"):
                await anext(two)
        async with aclosing(stream.follow(None)) as three:
            assert await anext(three) == OPENING

    following(network, story)


def test_the_window_never_grows_beyond_its_size(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "WINDOW", 5)

    async def story(stream: Stream, _: Door) -> None:
        async with aclosing(stream.follow(None)) as news:
            await anext(news)
            for _again in range(5):
                await asyncio.to_thread(network.do, ALICE, ["ask", "how good?"])
                await asyncio.sleep(0)
            heard = await read_until(news, lambda events: changes(events)[-1:] == [network.node.last_change()])
            assert len(stream._window) <= 5
        assert changes(heard) == list(range(changes(heard)[0], network.node.last_change() + 1))

    following(network, story)


@pytest.mark.parametrize("text", ["-1", "1.5", "abc", "0x10", "1" * 19, " 1", "٣"])
def test_what_is_no_cursor_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="cursor"):
        read_cursor(text)


@pytest.mark.parametrize(("text", "cursor"), [(None, None), ("", None), ("0", 0), ("17", 17)])
def test_a_cursor_is_read(text: str | None, cursor: int | None) -> None:
    assert read_cursor(text) == cursor


def test_a_restored_snapshot_goes_on_with_the_journal(tmp_path: Path) -> None:
    with Network(tmp_path) as network:
        snapshot = network.node.snapshot().result(20)
        network.do(ALICE, ["write", "a", "b"])
        cursor = network.node.last_change()
        assert network.node.restore(snapshot).result(20)
        network.nonces.clear()

        async def story(stream: Stream, _: Door) -> None:
            async with aclosing(stream.follow(cursor)) as news:
                assert await anext(news) == OPENING
                await asyncio.to_thread(network.do, ALICE, ["write", "a", "c"])
                heard = await read_until(news, last_is("FINALIZED"))
            assert changes(heard)[0] > cursor

        following(network, story)
