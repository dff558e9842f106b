"""`gl.advanced`: ending the run at once, and raw events."""

from typing import NoReturn

from foreman.execution import Outcome
from foreman.runtime.current import frame
from foreman.runtime.genlayer.events import emit_raw_event
from foreman.runtime.signals import Ended

__all__ = ["emit_raw_event", "user_error_immediate"]


def user_error_immediate(message: str) -> NoReturn:
    """End here with a UserError that nobody can catch."""
    run = frame().run
    run.check()
    run.ended = Outcome.user_error(message)
    raise Ended(run.ended)
