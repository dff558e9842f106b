"""`gl.vm`: how blocks end, and the ways to run one (docs/genlayer.md 6.1 and 6.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from foreman.runtime.genlayer.lazy import Lazy, lazily
from foreman.runtime.nondet import meet
from foreman.runtime.results import Result, Return, UserError, VMError, unpack_result
from foreman.runtime.sandbox import sandboxed
from foreman.runtime.templates import Template

__all__ = [
    "Lazy", "Result", "Return", "UserError", "VMError", "run_nondet", "run_nondet_unsafe", "spawn_sandbox",
    "unpack_result",
]  # fmt: skip


def same_user_error(leader: UserError, mine: UserError) -> bool:
    """The default of `compare_user_errors`."""
    return leader.message == mine.message


def never(leader: VMError, mine: VMError) -> bool:
    """The default of `compare_vm_errors`. Upstream equal messages agree; here a crash is never agreed upon."""
    return False


@dataclass(frozen=True)
class InSandbox(Template):
    """The validator of `run_nondet`: runs the contract's in a sandbox and compares how both ended."""

    validator: Callable[[Any], Any]
    compare_user_errors: Callable[[UserError, UserError], bool]
    compare_vm_errors: Callable[[VMError, VMError], bool]

    def __call__(self, leader: Result) -> bool:
        mine = sandboxed(lambda: self.validator(leader))
        if type(mine) is not type(leader):
            return False
        if isinstance(mine, Return):
            if not isinstance(mine.calldata, bool):
                raise TypeError(f"a validator returns a bool, not {type(mine.calldata).__name__}")
            return mine.calldata
        if isinstance(mine, UserError) and isinstance(leader, UserError):
            return self.compare_user_errors(leader, mine)
        assert isinstance(mine, VMError)
        assert isinstance(leader, VMError)
        return self.compare_vm_errors(leader, mine)


@lazily
def run_nondet_unsafe(leader_fn: Callable[[], Any], validator_fn: Callable[[Result], bool]) -> Any:
    """Run a block. `validator_fn` sees how the leader ended; it agrees by returning exactly True."""
    return meet(leader_fn, validator_fn)


@lazily
def run_nondet(
    leader_fn: Callable[[], Any],
    validator_fn: Callable[[Result], bool],
    *,
    compare_user_errors: Callable[[UserError, UserError], bool] = same_user_error,
    compare_vm_errors: Callable[[VMError, VMError], bool] = never,
) -> Any:
    """Run a block whose validator works in a sandbox; errors of both sides are compared by the given functions."""
    return meet(leader_fn, InSandbox(validator_fn, compare_user_errors, compare_vm_errors))


def spawn_sandbox(fn: Callable[[], Any], *, allow_write_ops: bool = False) -> Result:
    """Run a function that may fail, and return how it ended. It sees no storage and sends nothing."""
    return sandboxed(fn)
