"""The asynchronous SDK is the synchronous one: complete, typed, up to date, and it holds no thread while it waits."""

import asyncio
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk import aio
from foreman.sdk.account import Account
from foreman.sdk.agreements import Agreements
from foreman.sdk.client import Client, Sent
from foreman.sdk.failures import NotInTime, Reverted
from foreman.sdk.foreman import Foreman
from foreman.sdk.orders import Orders
from foreman.settings import Settings

ROOT = Path(__file__).parents[2]
ALICE, BOB = (Account.from_hex(known.key) for known in DEV_ACCOUNTS[:2])


def test_it_is_what_the_script_writes() -> None:
    subprocess.run([sys.executable, ROOT / "scripts" / "async_facade.py", "--check"], check=True, timeout=60)


@pytest.mark.parametrize("kind", [Sent, Client, Orders, Agreements, Foreman], ids=lambda kind: kind.__name__)
def test_every_verb_is_there(kind: type) -> None:
    told = {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}
    fields = {"client", "hash", "id", "ask", "read", "write", "pay", "stake", "keeps_failed_value"}
    mirrored = {name for name in dir(getattr(aio, f"Async{kind.__name__}")) if not name.startswith("_")}
    assert told - fields <= mirrored


def test_an_order_lives_asynchronously() -> None:
    async def life(url: str) -> None:
        async with aio.AsyncForeman.connect(url, ALICE) as foreman:
            orders = await foreman.orders()
            sent = await orders.once("a").create("Levels", "A week.", "- The page is valid JSON", 7, GEN)
            assert (
                await orders.once("a").create("Levels", "A week.", "- The page is valid JSON", 7, GEN)
            ).hash == sent.hash
            number = await sent.value()
            assert isinstance(number, int)
            with pytest.raises(Reverted, match="client"):
                await (await orders.claim(number)).value()
            assert (await (await orders.as_account(BOB).claim(number)).wait()).ok
            assert (await orders.get(number)).status == "claimed"
            assert [one.id for one in await orders.page()] == [number]

    with Running(build(Settings(port=0))) as running:
        asyncio.run(life(running.url))


def test_a_hundred_waits_hold_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    looks = 0

    def look(self: Client, hash: str, final: bool, patience: float) -> None:
        nonlocal looks
        looks += 1
        raise NotInTime(hash, "PENDING", patience)

    monkeypatch.setattr(Client, "wait", look)

    async def wait() -> list[BaseException | object]:
        client = aio.AsyncClient(Client("local"))
        waits = [client.wait("0x1", patience=0.2) for _ in range(100)]
        answered = await asyncio.gather(*waits, asyncio.to_thread(lambda: "free"), return_exceptions=True)
        return list(answered)

    *late, free = asyncio.run(wait())
    assert free == "free"
    assert all(isinstance(one, NotInTime) and "0.2 s" in str(one) for one in late)
    assert looks > 200
