"""Writes the asynchronous SDK from the synchronous one, with its types; `--check` only compares.

`aio.py`, `aio_client.py`: an asynchronous verb is the synchronous one on a thread. `aio_stream.py`: a stream, which a
thread does not fit, is the synchronous source with every step awaited. Nothing is written twice by hand.
"""

import ast
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SDK = ROOT / "src" / "foreman" / "sdk"
CONNECTION = {"Sent": "client", "Client": "client"}
CONTRACTS = {"Orders": "orders", "Agreements": "agreements", "Foreman": "foreman"}
"""Class and module, in the order they are written."""

AT_ONCE = {"as_account", "once", "connect", "orders", "agreements", "keeps_failed_value", "events", "watch"}
"""Ask nothing of the network by themselves, or are written by hand below."""

AWAITED = {"events", "watch"}
"""The functions of stream.py that have a twin."""

TWINS = {
    "iter_bytes": "aiter_bytes",
    "sleep": "asyncio.sleep",
    "Client": "AsyncClient",
    "Iterator": "AsyncIterator",
}
"""What a name of the synchronous source is called in the twin."""

WAITS = {("Client", "wait"), ("Sent", "wait"), ("Sent", "value")}
"""By hand, too: what may take minutes must not hold a thread."""

CLIENT_HEAD = '''"""A connection for asyncio, each verb on a thread. Written by scripts/async_facade.py; do not edit."""

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
'''

HEAD = '''"""The SDK for asyncio: the same verbs, each on a thread. Written by scripts/async_facade.py; do not edit.

    async with AsyncForeman.connect("local", account) as foreman:
        orders = await foreman.orders()
        sent = await orders.create("Levels", "A week of levels.", "- The page is valid JSON", 7, GEN)
        number = await sent.value()
"""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from foreman.sdk.account import Account
from foreman.sdk.agreements import Agreements, Milestone
from foreman.sdk.aio_client import AsyncClient, AsyncSent
from foreman.sdk.foreman import Foreman
from foreman.sdk.orders import Order, Orders

__all__ = ["AsyncAgreements", "AsyncClient", "AsyncForeman", "AsyncOrders", "AsyncSent"]
'''

BY_HAND = {
    "Sent": '''
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
''',
    "Client": '''
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
''',
    "Orders": '''
    def as_account(self, account: Account) -> "AsyncOrders":
        """The same contract, acted on by another account."""
        return AsyncOrders(self.sync.as_account(account))

    def once(self, id: str) -> "AsyncOrders":
        """The same contract for one write under this id, which never sends twice."""
        return AsyncOrders(self.sync.once(id))
''',
    "Foreman": '''
    @classmethod
    def connect(
        cls,
        network: str = "local",
        account: Account | None = None,
        contracts: Mapping[str, str] | None = None,
        outbox: Path | None = None,
    ) -> Self:
        """As `Foreman.connect`."""
        return cls(Foreman.connect(network, account, contracts, outbox))

    @property
    def client(self) -> "AsyncClient":
        return AsyncClient(self.sync.client)

    def as_account(self, account: Account) -> Self:
        """The same connection, acted on by another account."""
        return type(self)(self.sync.as_account(account))

    async def orders(self) -> AsyncOrders:
        """Work orders; asks the network where their contract stands."""
        return AsyncOrders(await asyncio.to_thread(lambda: self.sync.orders))

    async def agreements(self) -> AsyncAgreements:
        """Agreements in milestones; asks the network where their contract stands."""
        return AsyncAgreements(await asyncio.to_thread(lambda: self.sync.agreements))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()
''',
}
BY_HAND["Agreements"] = BY_HAND["Orders"].replace("Orders", "Agreements")


def written(head: str, classes: Mapping[str, str]) -> str:
    """A whole file of classes."""
    return head + "".join(f"\n\n{wrapper(name, module)}" for name, module in classes.items())


def wrapper(name: str, module: str) -> str:
    """One asynchronous class."""
    tree = ast.parse((SDK / f"{module}.py").read_text("utf-8"))
    found = next(node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    sentence = (ast.get_docstring(found) or "").partition("\n")[0]
    lines = [f"class Async{name}:", f'    """{sentence}"""', ""]
    lines += [f"    def __init__(self, sync: {name}) -> None:", "        self.sync = sync", ""]
    lines += [BY_HAND[name].strip("\n"), ""] if name in BY_HAND else []
    for node in found.body:
        taken = node.name in AT_ONCE or (name, node.name) in WAITS if isinstance(node, ast.FunctionDef) else True
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and not taken:
            lines += [method(node), ""]
    return "\n".join(lines).rstrip() + "\n"


def method(node: ast.FunctionDef) -> str:
    """One verb, or a property as a verb."""
    kinds = {ast.unparse(decorator) for decorator in node.decorator_list}
    returned = ast.unparse(node.returns) if node.returns else "None"
    wrapped = returned == "Sent"
    result = "AsyncSent" if wrapped else returned
    sentence = (ast.get_docstring(node) or "").partition("\n")[0]
    doc = f'        """{sentence}"""\n' if sentence else ""
    if kinds & {"property", "cached_property"}:
        call = f"await asyncio.to_thread(lambda: self.sync.{node.name})"
    else:
        given = [f"self.sync.{node.name}", *(argument.arg for argument in node.args.args[1:])]
        given += [f"*{node.args.vararg.arg}"] if node.args.vararg else []
        given += [f"{argument.arg}={argument.arg}" for argument in node.args.kwonlyargs]
        call = f"await asyncio.to_thread({', '.join(given)})"
    body = f"AsyncSent({call})" if wrapped else call
    body = f"        {body}" if returned == "None" else f"        return {body}"
    return f"    async def {node.name}({ast.unparse(node.args)}) -> {result}:\n{doc}{body}"


class Awaiting(ast.NodeTransformer):
    """The synchronous source of a stream with every step awaited."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AsyncFunctionDef:
        self.generic_visit(node)
        return ast.AsyncFunctionDef(**{name: getattr(node, name) for name in node._fields})

    def visit_With(self, node: ast.With) -> ast.AsyncWith:
        self.generic_visit(node)
        return ast.AsyncWith(items=node.items, body=node.body)

    def visit_For(self, node: ast.For) -> ast.stmt:
        self.generic_visit(node)
        called = node.iter.func if isinstance(node.iter, ast.Call) else None
        waits = getattr(called, "attr", getattr(called, "id", "")) in AWAITED | set(TWINS.values())
        return ast.AsyncFor(**{name: getattr(node, name) for name in node._fields}) if waits else node

    def visit_Expr(self, node: ast.Expr) -> ast.stmt:
        self.generic_visit(node)
        if isinstance(node.value, ast.YieldFrom):  # an asynchronous generator has no `yield from`
            each = ast.parse("for each in []:\n    yield each").body[0]
            assert isinstance(each, ast.For)
            each.iter = node.value.value
            return each
        slept = isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == TWINS["sleep"]
        return ast.Expr(ast.Await(node.value)) if slept else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if ast.unparse(node) == "time.sleep":
            return ast.parse(TWINS["sleep"], mode="eval").body
        return ast.Attribute(node.value, TWINS.get(node.attr, node.attr), node.ctx)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        return ast.Name(TWINS.get(node.id, node.id), node.ctx)


STREAM_HEAD = '''"""News of a network for asyncio. Written by scripts/async_facade.py from stream.py; do not edit."""

import asyncio
import time
from collections.abc import AsyncIterator
from typing import Any

import httpx

from foreman.sdk.failures import BadAnswer, Unreachable
from foreman.sdk.stream import FIRST_PAUSE, FROM_THE_END, LONGEST_PAUSE, QUIET, Reader, cursor_of
'''


def streams() -> str:
    """The whole file of the awaited functions."""
    tree = ast.parse((SDK / "stream.py").read_text("utf-8"))
    found = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name in AWAITED]
    twins = [ast.unparse(ast.fix_missing_locations(Awaiting().visit(node))) for node in found]
    return STREAM_HEAD + "".join(f"\n\n{twin}\n" for twin in twins)


def formatted(text: str, target: Path) -> str:
    """As the house formats it."""
    asked = [sys.executable, "-m", "ruff", "format", "-q", "--stdin-filename", str(target), "-"]
    return subprocess.run(asked, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def main(arguments: list[str]) -> int:
    """Write the files, or with `--check` return 1 when one is stale."""
    worst = 0
    files = {"aio": written(HEAD, CONTRACTS), "aio_client": written(CLIENT_HEAD, CONNECTION), "aio_stream": streams()}
    for name, text in files.items():
        target = SDK / f"{name}.py"
        fresh = formatted(text, target)
        if target.exists() and target.read_text("utf-8") == fresh:
            continue
        if "--check" in arguments:
            print(f"src/foreman/sdk/{target.name}: stale, run scripts/async_facade.py")
            worst = 1
        else:
            target.write_text(fresh, "utf-8")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
