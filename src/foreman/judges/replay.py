"""Judges that remember: answers recorded once from a real judge, and played back for ever."""

import threading
from collections.abc import Iterable

from foreman.errors import JudgeError
from foreman.ports import Judge

Tape = list[tuple[str, tuple[bytes, ...], str | JudgeError]]


class Recorder:
    """Passes questions on and keeps every answer, failures too, on `tape`."""

    def __init__(self, inner: Judge) -> None:
        self._inner = inner
        self.name = inner.name
        self.concurrency = inner.concurrency
        self.seconds = inner.seconds
        self.tape: Tape = []

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """As the judge behind it does."""
        try:
            text = self._inner.answer(prompt, images)
        except JudgeError as error:
            self.tape.append((prompt, images, error))
            raise
        self.tape.append((prompt, images, text))
        return text


class Replay:
    """Plays a tape: equal questions get their answers in the order they were recorded, the last one again and again."""

    def __init__(self, tape: Iterable[tuple[str, tuple[bytes, ...], str | JudgeError]], name: str = "replay") -> None:
        self.name = name
        self.concurrency = 64
        self.seconds = 120.0
        self._lock = threading.Lock()
        self._played: dict[tuple[str, tuple[bytes, ...]], int] = {}
        self._answers: dict[tuple[str, tuple[bytes, ...]], list[str | JudgeError]] = {}
        for prompt, images, answer in tape:
            self._answers.setdefault((prompt, images), []).append(answer)

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """Raises `JudgeError`: the recorded one, or `no_provider` for a question that is not on the tape."""
        key = (prompt, images)
        answers = self._answers.get(key)
        if answers is None:
            raise JudgeError("no_provider", "this question is not on the tape")
        with self._lock:
            turn = self._played.get(key, 0)
            self._played[key] = turn + 1
        answer = answers[min(turn, len(answers) - 1)]
        if isinstance(answer, JudgeError):
            raise JudgeError(answer.code, answer.sentence, answer.hint)
        return answer
