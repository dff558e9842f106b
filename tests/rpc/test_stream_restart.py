"""The event stream over the life of a node: what a subscriber missed while the node was down, and what came after, each
once and in order, every transaction from its arrival to its end.
"""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx

from foreman.judges.scripted import HANG, Scripted
from tests.node.network import ALICE, BOB, Network
from tests.rpc.listening import Listening
from tests.rpc.test_stream import changes, events_in


def heard(door: Listening, cursor: int, last: str) -> list[dict[str, Any]]:
    """What a browser hears that comes back with its cursor, up to the end of the transaction `last`."""

    async def listen() -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = []
        headers = {"Last-Event-ID": str(cursor)}
        async with (
            asyncio.timeout(30),
            httpx.AsyncClient(timeout=30) as http,
            http.stream("GET", f"{door.origin}/events", headers=headers) as stream,
        ):
            text = b""
            async for piece in stream.aiter_bytes():
                text += piece
                whole, _, text = text.rpartition(b"\n\n")
                found += [event for event in events_in(whole + b"\n\n") if event["event"] != "seat"]
                if any((event.get("hash"), event.get("status")) == (last, "FINALIZED") for event in found):
                    return found
        raise AssertionError("the stream ended")

    return asyncio.run(listen())


def test_a_cursor_is_good_across_a_restart_of_the_node(tmp_path: Path) -> None:
    hanging = Scripted([HANG], concurrency=100)
    with Network(tmp_path, judges=[hanging]) as network:
        network.do(ALICE, ["write", "a", "1"])
        cursor = network.node.last_change()
        missed = [network.do(ALICE, ["write", "a", "2"]).transaction.hash, network.send(BOB, ["ask", "how good?"])]
    hanging.release()
    with Network(tmp_path) as network, Listening(network) as door:
        network.wait(*missed)
        new = network.send(ALICE, ["revert", "no"])
        told = heard(door, cursor, "0x" + new.hex())
        assert changes(told) == list(range(cursor + 1, told[-1]["seq"] + 1)), "each once, in order, and no reset"
        story = [(event["hash"], event["status"]) for event in told]
        for digest in (*missed, new):
            statuses = [status for hash, status in story if hash == "0x" + digest.hex()]
            assert statuses == ["PENDING", "FINALIZED"], json.dumps(story)
        assert len(story) == 6


def test_a_cancelled_and_an_undetermined_transaction_are_told_too(tmp_path: Path) -> None:
    judges = [Scripted([str(number), HANG], name=f"apart:{number}") for number in range(5)]
    with Network(tmp_path, judges=judges) as network, Listening(network) as door:
        cursor = network.node.last_change()
        undetermined = network.do(ALICE, ["ask", "how good?"]).transaction.hash
        network.send(ALICE, ["ask", "how bad?"])
        cancelled = network.send(ALICE, ["write", "a", "b"])
        network.node.cancel(cancelled, ALICE.address).result(20)
        last = network.do(BOB, ["write", "a", "c"]).transaction.hash
        story = [(event["hash"], event["status"]) for event in heard(door, cursor, "0x" + last.hex())]
        for digest, end in ((undetermined, "UNDETERMINED"), (cancelled, "CANCELED")):
            assert [status for hash, status in story if hash == "0x" + digest.hex()] == ["PENDING", end]
        for judge in judges:
            judge.release()
