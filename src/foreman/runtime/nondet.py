"""Meeting a block in a run: replay the answer that was agreed, or stop and ask."""

from collections.abc import Callable
from typing import Any

from foreman.execution import Code
from foreman.runtime.block import NondetBlock
from foreman.runtime.current import frame
from foreman.runtime.fingerprint import fingerprint
from foreman.runtime.results import UserError
from foreman.runtime.signals import BlockMet, Ended


def meet(leader: Callable[[], Any], validator: Callable[[Any], Any]) -> Any:
    """The value that the jury agreed on. A leader's UserError is raised, a leader's VM error ends the run; without an
    answer the run stops here. SystemError inside a block, in a read, and in a nested view.
    """
    at = frame()
    run = at.writing()
    if not at.main:
        raise SystemError("6: forbidden")
    index = run.blocks
    print_ = fingerprint(at.module, leader, validator)
    run.blocks += 1
    differs = False
    if index < len(run.answers):
        answer = run.answers[index]
        if answer.fingerprint == print_:
            run.used += 1
            return _replay(run, answer.outcome)
        differs = True
    block = NondetBlock(run.runtime, run.call, at.message, at.module, print_, leader, validator)
    run.asking = (index, block, differs)
    raise BlockMet


def _replay(run: Any, outcome: Any) -> Any:
    if outcome.code is Code.RETURN:
        return outcome.value
    if outcome.code is Code.USER_ERROR:
        raise UserError(outcome.text)
    run.ended = outcome
    raise Ended(outcome)
