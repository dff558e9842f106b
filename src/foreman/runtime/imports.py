"""What `import` means inside a contract: `genlayer` is ours, clocks and entropy are the run's, everything else is real.

The hook is the `__import__` of the contract module's own `__builtins__`; nothing global is touched.
"""

import builtins
import importlib
from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any, NoReturn

from foreman.runtime.current import peek
from foreman.runtime.standins import clock, entropy

OURS = "foreman.runtime.genlayer"

STANDINS: dict[str, ModuleType] = {
    "datetime": clock.datetime,
    "time": clock.time,
    "random": entropy.random,
    "os": entropy.os,
    "secrets": entropy.secrets,
    "uuid": entropy.uuid,
}


def contract_import(
    name: str,
    names: Mapping[str, object] | None = None,
    scope: Mapping[str, object] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    """`__import__` for contract code."""
    if level:
        raise ImportError("a contract is a single file: there is nothing to import relatively")
    if name == "genlayer" or name.startswith("genlayer."):
        found = importlib.import_module(OURS + name.removeprefix("genlayer"))
        for part in fromlist or ():
            if part != "*" and not hasattr(found, part):
                _import_part(found.__name__, part)
        return found if fromlist else importlib.import_module(OURS)
    top, _, below = name.partition(".")
    if top in STANDINS and not (below and fromlist):
        return STANDINS[top]
    return builtins.__import__(name, names, scope, fromlist or (), level)


def _import_part(package: str, part: str) -> None:
    try:
        importlib.import_module(f"{package}.{part}")
    except ModuleNotFoundError:
        pass  # `from genlayer import x` itself says that there is no x


def contract_print(*values: object, sep: str | None = " ", end: str | None = "\n", **_: Any) -> None:
    """`print` for contract code: kept with the run, up to a limit, for the contract's author."""
    found = peek()
    if found is not None:
        text = (" " if sep is None else sep).join(map(str, values)) + ("\n" if end is None else end)
        found.run.print(text)


def _exit(code: object = None) -> NoReturn:
    raise SystemExit(code)


def _no_files(*_: object, **__: object) -> NoReturn:
    raise OSError("5: io")


def contract_builtins() -> dict[str, Any]:
    """A fresh `__builtins__` for one contract module."""
    return {
        **vars(builtins),
        "__import__": contract_import,
        "print": contract_print,
        "exit": _exit,
        "quit": _exit,
        "open": _no_files,
        "input": _no_files,
    }
