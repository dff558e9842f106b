"""A connection for asyncio, each verb on a thread. Written by scripts/async_facade.py; do not edit."""

import asyncio
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Any

import httpx

from foreman import calldata
from foreman.sdk import aio_stream
from foreman.sdk.account import Account
from foreman.sdk.client import BACK, FIRST_PAUSE, LONGEST_PAUSE, PATIENCE, Client, Sent
from foreman.sdk.failures import NotInTime
from foreman.sdk.result import Result


class AsyncSent:
    """A transaction that the network has taken. Nothing is said yet about how it ends."""

    def __init__(self, sync: Sent) -> None:
        self.sync = sync

    @property
    def hash(self) -> str:
        return self.sync.hash

    @property
    def id(self) -> str:
        return self.sync.id

    async def wait(self, final: bool = False, patience: float = PATIENCE) -> Result:
        """Wait until it is decided (or final). A result is not yet a success: see `Result.ok`. Raises `NotInTime`."""
        return await AsyncClient(self.sync.client).wait(self.sync.hash, final, patience)

    async def value(self, patience: float = PATIENCE) -> calldata.Value:
        """Wait, and return what the contract returned. Raises `Reverted` and `Undetermined`."""
        return (await self.wait(patience=patience)).check().value


class AsyncClient:
    """One network. Safe to use from several threads; each account's transactions keep the order they are sent in."""

    def __init__(self, sync: Client) -> None:
        self.sync = sync

    async def wait(self, hash: str, final: bool = False, patience: float = PATIENCE) -> Result:
        """Look until it is decided (or final); no thread is held between two looks."""
        deadline, pause = time.monotonic() + patience, FIRST_PAUSE
        while True:
            try:
                return await asyncio.to_thread(self.sync.wait, hash, final, 0.0)
            except NotInTime as early:
                if time.monotonic() + pause > deadline:
                    raise NotInTime(hash, early.status, patience) from None
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, LONGEST_PAUSE)

    async def events(self, after: int | None = None) -> AsyncIterator[dict[str, Any]]:
        """Follow status changes and seats as long as the connection lasts; see `Client.events`."""
        async with self._http() as http:
            async for event in aio_stream.events(http, self.sync.transport.root + "/events", after):
                yield event

    async def watch(self, after: int | None = None, patience: float = BACK) -> AsyncIterator[dict[str, Any]]:
        """`events` over restarts and lost connections, resumed behind the last cursor; see `Client.watch`."""
        async with self._http() as http:
            async for event in aio_stream.watch(http, self.sync.transport.root + "/events", after, patience):
                yield event

    def _http(self) -> httpx.AsyncClient:
        """A connection of its own, on this loop."""
        return httpx.AsyncClient(trust_env=self.sync.transport.through_proxy)

    async def close(self) -> None:
        """Let go of the connections."""
        await asyncio.to_thread(self.sync.close)

    async def call(self, method: str, *params: Any) -> Any:
        """Ask by method name, for what has no word of its own here."""
        return await asyncio.to_thread(self.sync.call, method, *params)

    async def chain_id(self) -> int:
        return await asyncio.to_thread(lambda: self.sync.chain_id)

    async def config(self) -> Mapping[str, Any]:
        """What an embedded network tells about itself: `/config.json`."""
        return await asyncio.to_thread(lambda: self.sync.config)

    async def embedded(self) -> bool:
        """Is this a network of `foreman up`? Only those give back the value of a call that failed."""
        return await asyncio.to_thread(lambda: self.sync.embedded)

    async def birth(self) -> str:
        """What no other chain shares: the first line of an embedded network's journal. Empty where none is told."""
        return await asyncio.to_thread(self.sync.birth)

    async def chain(self) -> str:
        """What is kept beside a network belongs to it by this name: its place, and which chain of that place it is."""
        return await asyncio.to_thread(self.sync.chain)

    async def now(self) -> int:
        """Whole seconds since 1970, as contracts see them: a network whose clock turns tells its own."""
        return await asyncio.to_thread(self.sync.now)

    async def balance(self, address: bytes) -> int:
        """Wei."""
        return await asyncio.to_thread(self.sync.balance, address)

    async def nonce(self, address: bytes) -> int:
        """The next nonce of an account, pending transactions counted."""
        return await asyncio.to_thread(self.sync.nonce, address)

    async def read(
        self, contract: bytes, method: str, *args: calldata.Value, sender: bytes = bytes(20), final: bool = False
    ) -> calldata.Value:
        """Call a view. Raises `RpcFailed` when the contract refuses."""
        return await asyncio.to_thread(self.sync.read, contract, method, *args, sender=sender, final=final)

    async def simulate(
        self, sender: bytes, contract: bytes, method: str, args: Sequence[calldata.Value] = (), value: int = 0
    ) -> calldata.Value:
        """Try a write up to its first question to a jury, without sending it. Raises `RpcFailed` when it would fail."""
        return await asyncio.to_thread(self.sync.simulate, sender, contract, method, args, value)

    async def write(
        self,
        account: Account,
        contract: bytes,
        method: str,
        args: Sequence[calldata.Value] = (),
        value: int = 0,
        id: str = "",
    ) -> AsyncSent:
        """Sign and send a call. `value` is wei; `id`: see `send`."""
        return AsyncSent(await asyncio.to_thread(self.sync.write, account, contract, method, args, value, id))

    async def deploy(
        self, account: Account, source: bytes, args: Sequence[calldata.Value] = (), id: str = ""
    ) -> AsyncSent:
        """Sign and send a deployment; `Result.contract` is where it stands."""
        return AsyncSent(await asyncio.to_thread(self.sync.deploy, account, source, args, id))

    async def transfer(self, account: Account, to: bytes, value: int, id: str = "") -> AsyncSent:
        """Sign and send GEN to an address. `value` is wei."""
        return AsyncSent(await asyncio.to_thread(self.sync.transfer, account, to, value, id))

    async def send(self, account: Account, to: bytes, value: int, data: bytes, id: str = "") -> AsyncSent:
        """Sign with the next nonce and hand over the raw transaction."""
        return AsyncSent(await asyncio.to_thread(self.sync.send, account, to, value, data, id))

    async def was_sent(self, account: Account, id: str) -> bool:
        """Was something signed under this id? Then the network may have it, and a retry needs no new simulation."""
        return await asyncio.to_thread(self.sync.was_sent, account, id)

    async def result(self, hash: str) -> Result:
        """What is known about a transaction right now."""
        return await asyncio.to_thread(self.sync.result, hash)
