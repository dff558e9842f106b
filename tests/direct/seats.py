"""The consensus core of VerdictEscrow without a chain: seats with pages and judges of their own, and their votes.

Takes the shared blocks as they stand in `contracts/shared/`, as any contract would that lifts the core.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

SHARED = Path(__file__).parents[2] / "contracts" / "shared"


class UserError(Exception):
    """Stands in for `gl.vm.UserError`."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


@dataclass
class Return:
    """Stands in for `gl.vm.Return`."""

    calldata: Any


@dataclass
class VMError:
    """Stands in for `gl.vm.VMError`."""

    message: str


class Unreachable(Exception):
    """What a fetch raises when there is no page."""


@dataclass
class Seat:
    """One validator: its pages by URL, (status, body); its judge, from prompt to answer; and what it has asked."""

    judge: Callable[[str], object]
    pages: Mapping[str, tuple[int, bytes | None]] = field(default_factory=dict)
    asked: list[str] = field(default_factory=list)

    def get(self, url: str) -> Any:
        if url not in self.pages:
            raise Unreachable(url)
        status, body = self.pages[url]
        return SimpleNamespace(status=status, body=body, headers={})

    def ask(self, prompt: str) -> object:
        self.asked.append(prompt)
        return self.judge(prompt)


class Core:
    """The functions of the blocks `fence`, `answers` and `ruling`, over a stand-in for the network."""

    def __init__(self) -> None:
        self.seat = Seat(lambda prompt: "")
        self.functions: tuple[Callable[[], Any], Callable[[Any], Any]] | None = None
        nondet = SimpleNamespace(
            web=SimpleNamespace(get=lambda url: self.seat.get(url)), exec_prompt=lambda prompt: self.seat.ask(prompt)
        )
        vm = SimpleNamespace(UserError=UserError, Return=Return, run_nondet_unsafe=self._keep)
        self.names: dict[str, Any] = {"gl": SimpleNamespace(vm=vm, nondet=nondet)}
        for block in ("fence", "answers", "ruling"):
            exec(_code(block), self.names)

    def __getattr__(self, name: str) -> Any:
        return self.names[name]

    def _keep(self, leader_fn: Callable[[], Any], validator_fn: Callable[[Any], Any]) -> None:
        self.functions = leader_fn, validator_fn

    def proposal(self, seat: Seat, *case: Any) -> Any:
        """What a seat proposes when it leads."""
        self.rule_on_milestone(*case)
        assert self.functions is not None
        self.seat = seat
        try:
            return Return(self.functions[0]())
        except UserError as error:
            return error

    def vote(self, seat: Seat, proposal: Any, *case: Any) -> Any:
        """What a seat says of a proposal. Only exactly True agrees."""
        self.rule_on_milestone(*case)
        assert self.functions is not None
        self.seat = seat
        return self.functions[1](proposal)


@cache
def _code(block: str) -> Any:
    path = SHARED / f"{block}.py"
    source = re.sub(r"^from genlayer import \*$", "", path.read_text("utf-8"), flags=re.MULTILINE)
    return compile(source, str(path), "exec")
