"""Subscribers that read a long journal, slowly and by the hundred, hold up nobody else."""

import socket
import time
from hashlib import sha256
from pathlib import Path

from foreman.receipt import Status
from foreman.state.store import SqliteStore
from tests.hostile.node import MEBIBYTE, Victim, attacked

READERS = 200
LINES = 30_000

MOST_SECONDS = 2.0
"""For a request beside them, new connection and all, at worst, on a busy machine; it was 6 s before it was mended."""


def long_journal(folder: Path) -> None:
    """A chain with a past of many lines."""
    with attacked(folder):
        pass
    store = SqliteStore(folder)
    with store.transaction():
        for number in range(LINES):
            store.log(sha256(b"%d" % number).digest(), Status.FINALIZED, 1_700_000_000_000_000 + number)
    store.close()


def follow(victim: Victim, room: int = 4096) -> socket.socket:
    """Ask for everything, and read nothing; so many bytes fit between here and there."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, room)
    connection.settimeout(20)
    connection.connect(("127.0.0.1", victim.port))
    connection.sendall(victim.head("GET /events?after=0 HTTP/1.1"))
    return connection


def test_two_hundred_readers_of_a_long_journal_hold_up_nobody(tmp_path: Path) -> None:
    long_journal(tmp_path)
    with attacked(tmp_path) as victim:
        before = victim.memory
        readers = [follow(victim) for _ in range(READERS)]
        waits, most = [], 0
        until = time.monotonic() + 4
        while time.monotonic() < until:
            waits.append(victim.served())
            most = max(most, victim.memory)
            for reader in readers[::10]:  # some do read on, so that the replay never rests
                reader.recv(65536)
        for reader in readers:
            reader.close()
        print(f"{len(waits)} served, slowest {max(waits):.3f} s, {(most - before) >> 20} MiB more")
        assert max(waits) < MOST_SECONDS
        assert most - before < 128 * MEBIBYTE
        victim.served()


def test_a_reader_that_waits_for_its_turn_gets_everything(tmp_path: Path) -> None:
    """Limited, not refused: every line comes, in order, to everybody at once."""
    long_journal(tmp_path)
    with attacked(tmp_path) as victim:
        readers = [follow(victim, MEBIBYTE) for _ in range(4)]
        texts = [bytearray() for _ in readers]
        last = b"id: %d\n" % LINES
        while not all(last in text[-2 * MEBIBYTE :] for text in texts):
            for text, reader in zip(texts, readers, strict=True):
                if last not in text[-2 * MEBIBYTE :]:
                    text += reader.recv(MEBIBYTE)
        for text in texts:
            cursors = [int(row[4:]) for row in bytes(text).split(b"\n") if row.startswith(b"id: ")]
            assert cursors[:LINES] == list(range(1, LINES + 1))
        for reader in readers:
            reader.close()
