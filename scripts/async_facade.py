"""Writes `src/foreman/sdk/aio.py` from the synchronous SDK, method by method with its types; `--check` only compares.

Nothing is written twice by hand: an asynchronous verb is the synchronous one on a thread.
"""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SDK = ROOT / "src" / "foreman" / "sdk"
TARGET = SDK / "aio.py"

CLASSES = {
    "Sent": "client",
    "Client": "client",
    "Orders": "orders",
    "Agreements": "agreements",
    "Foreman": "foreman",
}
"""Class and module, in the order they are written."""

AT_ONCE = {"as_account", "once", "connect", "orders", "agreements", "keeps_failed_value", "events"}
"""Ask nothing of the network by themselves, are written by hand below, or are a stream, which a thread does not fit."""

WAITS = {("Client", "wait"), ("Sent", "wait"), ("Sent", "value")}
"""By hand, too: what may take minutes must not hold a thread."""

HEAD = '''"""The SDK for asyncio: the same verbs, each on a thread. Written by scripts/async_facade.py; do not edit.

    async with AsyncForeman.connect("local", account) as foreman:
        orders = await foreman.orders()
        sent = await orders.create("Levels", "A week of levels.", "- The page is valid JSON", 7, GEN)
        number = await sent.value()
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from foreman import calldata
from foreman.sdk.account import Account
from foreman.sdk.agreements import Agreements, Milestone
from foreman.sdk.client import FIRST_PAUSE, LONGEST_PAUSE, PATIENCE, Client, Sent
from foreman.sdk.failures import NotInTime
from foreman.sdk.foreman import Foreman
from foreman.sdk.orders import Order, Orders
from foreman.sdk.result import Result
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


def written() -> str:
    """The whole file."""
    return HEAD + "".join(f"\n\n{wrapper(name, module)}" for name, module in CLASSES.items())


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


def formatted(text: str) -> str:
    """As the house formats it."""
    asked = [sys.executable, "-m", "ruff", "format", "-q", "--stdin-filename", str(TARGET), "-"]
    return subprocess.run(asked, input=text, capture_output=True, text=True, check=True, cwd=ROOT).stdout


def main(arguments: list[str]) -> int:
    """Write the file, or with `--check` return 1 when it is stale."""
    fresh = formatted(written())
    stale = not TARGET.exists() or TARGET.read_text("utf-8") != fresh
    if stale and "--check" in arguments:
        print("src/foreman/sdk/aio.py: stale, run scripts/async_facade.py")
        return 1
    if stale:
        TARGET.write_text(fresh, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
