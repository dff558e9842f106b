"""`gl.eq_principle`: ready-made validators (docs/genlayer.md 6.3). The judge's questions are in prompts.py."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from foreman.runtime import prompts
from foreman.runtime.current import frame
from foreman.runtime.genlayer.lazy import lazily
from foreman.runtime.nondet import meet
from foreman.runtime.results import Result, Return, VMError, unpack_result
from foreman.runtime.sandbox import sandboxed
from foreman.runtime.templates import Template

__all__ = ["prompt_comparative", "prompt_non_comparative", "strict_eq"]


@dataclass(frozen=True)
class SameOutcome(Template):
    """Agrees if the function ends in exactly the same way here. Unlike upstream, a crash is never agreed upon."""

    function: Callable[[], Any]

    def __call__(self, leader: Result) -> bool:
        return not isinstance(leader, VMError) and sandboxed(self.function) == leader


@dataclass(frozen=True)
class Equivalent(Template):
    """Runs the function here and asks the judge whether both answers are the same under a principle."""

    function: Callable[[], Any]
    principle: str

    def __call__(self, leader: Result) -> bool:
        if not isinstance(leader, Return):
            return False
        mine = unpack_result(sandboxed(self.function))
        question = prompts.comparative(str(leader.calldata), str(mine), self.principle)
        return prompts.verdict_of(frame().seat().ask(question))


@dataclass(frozen=True)
class Performed(Template):
    """The leader of `prompt_non_comparative`: the judge performs the task on the function's text."""

    function: Callable[[], Any]
    task: str
    criteria: str

    def __call__(self) -> str:
        return frame().seat().ask(prompts.perform(_text(self.function()), self.task, self.criteria))


@dataclass(frozen=True)
class Acceptable(Template):
    """The validator of `prompt_non_comparative`: the judge says whether the leader's text meets task and criteria."""

    function: Callable[[], Any]
    task: str
    criteria: str

    def __call__(self, leader: Result) -> bool:
        if not isinstance(leader, Return) or not isinstance(leader.calldata, str):
            return False
        given = _text(unpack_result(sandboxed(self.function)))
        question = prompts.acceptable(given, leader.calldata, self.task, self.criteria)
        return prompts.verdict_of(frame().seat().ask(question))


@lazily
def strict_eq(fn: Callable[[], Any]) -> Any:
    """Every seat must come to exactly the same outcome."""
    return meet(fn, SameOutcome(fn))


@lazily
def prompt_comparative(fn: Callable[[], Any], principle: str) -> Any:
    """Each seat runs `fn` and has its judge compare the answers under `principle`."""
    return meet(fn, Equivalent(fn, principle))


@lazily
def prompt_non_comparative(fn: Callable[[], Any], *, task: str, criteria: str) -> Any:
    """The leader's judge performs `task` on the text that `fn` returns; the others' judges accept it or not."""
    return meet(Performed(fn, task, criteria), Acceptable(fn, task, criteria))


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"the function of prompt_non_comparative returns a string, not {type(value).__name__}")
    return value
