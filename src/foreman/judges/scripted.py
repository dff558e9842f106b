"""A judge that answers from a script: for tests, benchmarks and demonstrations. Never asks anybody."""

import json
import re
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence

from foreman.errors import BadInput, JudgeError
from foreman.judges.shapes import PAYOUT, RULING, SAME, shape_of

HANG = object()
"""An answer that never comes: the judge waits until it is released or its time is over."""

Reply = str | JudgeError | object
Script = str | Sequence[Reply] | Mapping[str, Reply] | Callable[[str], Reply]

_KEPT_PROMPTS = 1000
_VERDICTS = {"approve": "APPROVE", "reject": "REJECT", "insufficient": "INSUFFICIENT_EVIDENCE"}


class Scripted:
    """Answers from a constant, a list in order (the last one stays), a mapping of regular expressions to replies (the
    first that is found in the prompt), or a function of the prompt.

    A reply is text, a `JudgeError` to raise, or `HANG`. `delay` is seconds before every reply; `seconds` the deadline.
    Safe for many threads. `count` is how many questions came, `prompts` the last thousand of them.
    """

    def __init__(
        self, script: Script, name: str = "scripted", concurrency: int = 64, delay: float = 0.0, seconds: float = 120.0
    ) -> None:
        self.name = name
        self.concurrency = concurrency
        self.count = 0
        self.prompts: deque[str] = deque(maxlen=_KEPT_PROMPTS)
        self._script = script
        self._patterns: list[tuple[re.Pattern[str], Reply]] = []
        if isinstance(script, Mapping):
            self._patterns = [(re.compile(pattern), reply) for pattern, reply in script.items()]
        self._delay = delay
        self.seconds = seconds
        self._released = threading.Event()
        self._lock = threading.Lock()

    def release(self) -> None:
        """Let everybody go who hangs or is delayed; a hanging question fails with code `unavailable`."""
        self._released.set()

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """Raises `JudgeError`: the script's own, `timeout` for a reply that never came, `no_provider` when the script
        has none.
        """
        with self._lock:
            turn = self.count
            self.count += 1
            self.prompts.append(prompt)
        reply = self._reply(prompt, turn)
        wait = self.seconds if reply is HANG else min(self._delay, self.seconds)
        if wait > 0:
            self._released.wait(wait)
        if reply is HANG or self._delay > self.seconds:
            late = not self._released.is_set()
            raise JudgeError("timeout" if late else "unavailable", "the judge did not answer in time")
        if isinstance(reply, JudgeError):
            raise JudgeError(reply.code, reply.sentence, reply.hint)
        assert isinstance(reply, str), "a script holds text, JudgeError or HANG"
        return reply

    def _reply(self, prompt: str, turn: int) -> Reply:
        script = self._script
        if isinstance(script, str):
            return script
        if isinstance(script, Mapping):
            for pattern, reply in self._patterns:
                if pattern.search(prompt):
                    return reply
        elif isinstance(script, Sequence):
            if script:
                return script[min(turn, len(script) - 1)]
        else:
            return script(prompt)
        return JudgeError("no_provider", "the script has no answer for this prompt")


def payout(percent: float, reasoning: str = "Scripted.", **more: object) -> str:
    """The answer to `foreman/payout/1`."""
    fields = {"payout_percent": percent, "reasoning": reasoning, "red_flags": [], "criteria_results": []}
    return json.dumps(fields | more)


def ruling(verdict: str, confidence: int = 90, unmet: Sequence[int] = (), rationale: str = "") -> str:
    """The answer to `verdict/ruling/1`."""
    text = rationale or "This ruling was written in a script, not reasoned."
    fields = {"verdict": verdict, "confidence": confidence, "unmet_criteria": list(unmet), "rationale": text}
    return json.dumps(fields)


def make(name: str, rest: str, environment: Mapping[str, str]) -> Scripted:
    """`scripted:70` pays 70, approves from 50 on and calls all texts the same; `scripted:reject` (or `approve`,
    `insufficient`) rules so and pays 0 or 100; `scripted:fail` and `scripted:hang` do that. Raises `BadInput`.
    """
    word = rest.strip().lower()
    if word == "hang":
        return Scripted([HANG], name)
    if word == "fail":
        return Scripted([JudgeError("unavailable", "this judge was told to fail")], name)
    if re.fullmatch(r"\d{1,3}", word, re.ASCII) and int(word) <= 100:
        return Scripted(_fixed(int(word), "APPROVE" if int(word) >= 50 else "REJECT"), name)
    if word in _VERDICTS:
        return Scripted(_fixed(100 if word == "approve" else 0, _VERDICTS[word]), name)
    raise BadInput(
        "bad_judge",
        f"{name[:80]!r} is no script",
        "write scripted:70, scripted:approve, scripted:reject, scripted:insufficient, scripted:fail or scripted:hang",
    )


def _fixed(percent: int, verdict: str) -> Callable[[str], Reply]:
    unmet = [0] if verdict == "REJECT" else []
    answers = {PAYOUT: payout(percent), RULING: ruling(verdict, unmet=unmet), SAME: "SAME"}

    def reply(prompt: str) -> Reply:
        shape = shape_of(prompt)
        if shape in answers:
            return answers[shape]
        return JudgeError("no_provider", "a scripted judge answers only the questions of the shipped contracts")

    return reply
