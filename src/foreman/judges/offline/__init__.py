"""The judge that needs nobody: it checks what a program can check, and says of the rest that it cannot tell.

It answers the three questions of the shipped contracts and no other. The same bytes get the same answer, always.
"""

from collections.abc import Callable, Mapping

from foreman.errors import BadInput, JudgeError
from foreman.judges.offline import answers
from foreman.judges.offline.prompt import Asked, take_apart
from foreman.judges.shapes import PAYOUT, RULING, SAME, shape_of

_ANSWERS: Mapping[str, Callable[[Asked], str]] = {PAYOUT: answers.payout, RULING: answers.ruling, SAME: answers.same}


class Offline:
    """Reads the fenced prompt, splits the criteria, and checks each one against the evidence."""

    name = "offline"
    concurrency = 4
    """It computes in this process; more at once would only keep the book waiting."""
    seconds = 120.0

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """Raises `JudgeError`: `no_provider` for any other question, `bad_prompt` for broken fences."""
        asked = take_apart(prompt)
        answer = _ANSWERS.get(shape_of(asked.task) or "")
        if answer is None:
            raise JudgeError(
                "no_provider",
                "the offline judge answers only the questions of the shipped contracts",
                "start the network with a model, for example --judge ollama:qwen3",
            )
        return answer(asked)


def make(name: str, rest: str, environment: Mapping[str, str]) -> Offline:
    """Raises `BadInput` when a model is named: there is none."""
    if rest:
        raise BadInput("bad_judge", f"{name[:80]!r}: the offline judge has no models", "write offline")
    return Offline()
