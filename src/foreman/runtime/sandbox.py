"""A sandbox: runs a function on copies of what it closed over, and tells how it ended instead of raising."""

from collections.abc import Callable
from typing import Any

from foreman.execution import Outcome
from foreman.runtime.current import CURRENT, Frame, frame
from foreman.runtime.ending import ending_of
from foreman.runtime.isolate import Isolation
from foreman.runtime.results import Result, result_of


def sandboxed(function: Callable[[], Any]) -> Result:
    """Run in the frame at work, without storage, messages, calls or blocks. The web works only inside a block."""
    outer = frame()
    run = outer.run
    run.check()
    inner = Frame(run, outer.message, None, module=outer.module, readonly=True, stack=outer.stack, inside=True)

    def work() -> Outcome:
        # Inside a block everything is this seat's own copy already; otherwise the state must be out of reach.
        isolated = function if outer.inside else Isolation(outer.module).copy(function)
        token = CURRENT.set(inner)
        try:
            return Outcome.returned(isolated())
        finally:
            CURRENT.reset(token)

    outcome, stderr = ending_of(run, work)
    if run.ended is not None:
        outcome, run.ended = run.ended, None
    run.check()
    run.lapse.check()
    if stderr:
        run.print(f"[sandbox] {stderr}\n")
    return result_of(outcome)
