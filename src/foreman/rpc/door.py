"""What every method has at hand: the node, its settings, threads for slow reads, and a way to wait for the node."""

import asyncio
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from foreman.errors import Refused
from foreman.node.node import Node
from foreman.rpc.meter import Meter
from foreman.rpc.readers import Mail, Parcel, Readers
from foreman.settings import Settings

READERS = 4
"""Threads for reads that run contract code: one that reads, and others for when it is held up by a slow one."""

LOOKS_WAITING = 4
"""Pages that may wait for each thread that looks at evidence; each takes up to 20 s."""


def stopping() -> Refused:
    """What is told to those whom the end finds waiting."""
    return Refused("busy", "the node is stopping", "start it again")


class Threads:
    """Threads for one kind of slow work, and a line in front of them that has an end."""

    def __init__(self, kind: str, pool: ThreadPoolExecutor | Readers, most_waiting: int) -> None:
        self._kind = kind
        self._most = most_waiting
        self._pool = pool
        self._mail: Mail | None = None
        self._asked = 0
        self._closed = False

    async def run[T](self, work: Callable[..., T], *args: Any) -> T:
        """Raises `Refused` `busy` when too many wait already, or at the end."""
        if self._closed:
            raise stopping()
        if self._asked >= self._most:
            raise Refused("busy", f"{self._most} {self._kind}s are waiting already", "try again in a moment")
        self._asked += 1
        try:
            found: T = await self._begin(work, args)
            return found
        finally:
            self._asked -= 1

    def _begin(self, work: Callable[..., Any], args: tuple[Any, ...]) -> "asyncio.Future[Any]":
        if isinstance(self._pool, ThreadPoolExecutor):
            return asyncio.wrap_future(self._pool.submit(work, *args))
        loop = asyncio.get_running_loop()
        if self._mail is None or self._mail.loop is not loop:
            self._mail = Mail(loop)
        future = loop.create_future()
        self._pool.put(Parcel(future, self._mail), work, args)
        return future

    def close(self) -> None:
        """What waits is dropped; what runs is left to its own deadline."""
        self._closed = True
        self._pool.shutdown(wait=False, cancel_futures=True)


class Door:
    """One network's door, as methods see it. `read_evidence` reads a page as a seat would."""

    def __init__(self, node: Node, read_evidence: Callable[[str], Mapping[str, Any]] | None = None) -> None:
        self.node = node
        self._mail: Mail | None = None
        self.settings: Settings = node.settings
        self.meter = Meter()
        self.closed = False
        self._readers = Threads("read", Readers(READERS, "foreman-read"), self.settings.limits.reads_waiting)
        self._read_evidence = read_evidence
        looks = self.settings.limits.evidence_reads_at_once
        self._lookers = None
        if read_evidence is not None and looks:
            pool = ThreadPoolExecutor(looks, thread_name_prefix="foreman-look")
            self._lookers = Threads("look", pool, looks * LOOKS_WAITING)

    def wait[T](self, future: "Future[T]") -> "asyncio.Future[T]":
        """Wait for what the node promised. What a commit has made true wakes the loop once."""
        loop = asyncio.get_running_loop()
        if self._mail is None or self._mail.loop is not loop:
            self._mail = Mail(loop)
        parcel = Parcel(loop.create_future(), self._mail)
        future.add_done_callback(parcel.take)
        return parcel.future

    async def in_thread[T](self, work: Callable[..., T], *args: Any) -> T:
        """Run what may take milliseconds in a thread. Raises `Refused` `busy` when too many wait already, or at the
        end.
        """
        return await self._readers.run(work, *args)

    async def evidence(self, url: str) -> Mapping[str, Any]:
        """Read a page now, in a thread of its own kind: a slow page holds up no read. Raises `Refused` `not_offered`
        and `busy`, and what the reader raises.
        """
        if self._lookers is None or self._read_evidence is None:
            raise Refused("not_offered", "this network reads no evidence for others", "open the page yourself")
        return await self._lookers.run(self._read_evidence, url)

    def close(self) -> None:
        """End the threads; reads that wait are dropped. Whoever is cancelled from now on is told `stopping`."""
        self.closed = True
        self._readers.close()
        if self._lookers is not None:
            self._lookers.close()
