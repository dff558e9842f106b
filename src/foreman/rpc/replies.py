"""The answers of a batch, written as they come, and what all clients together have not taken yet.

A batch of a hundred small requests can ask for fifty megabytes, and a client that never reads would have them kept.
"""

from types import TracebackType
from typing import Any

from foreman.errors import ForemanError, Refused
from foreman.rpc.wire import write_json


class Unsent:
    """Bytes of replies that are written and not taken yet, all clients together; `most` is where no more are made."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held = 0

    @property
    def full(self) -> bool:
        return self.held >= self.most


class Replies:
    """The answers of one batch; use it with `with`. `most` is bytes."""

    def __init__(self, unsent: Unsent, most: int) -> None:
        self._unsent = unsent
        self._most = most
        self._written: list[bytes] = []
        self._bytes = 0

    def __enter__(self) -> "Replies":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._unsent.held -= self._bytes

    def add(self, reply: dict[str, Any] | None) -> int:
        """The next answer, None for a notification's; its bytes."""
        if reply is None:
            return 0
        raw = write_json(reply)
        self._written.append(raw)
        self._bytes += len(raw)
        self._unsent.held += len(raw)
        return len(raw)

    @property
    def refusal(self) -> ForemanError | None:
        """Why no further request of this batch is run; None while there is room."""
        if self._bytes >= self._most:
            return too_large(self._most)
        if self._unsent.full:
            return Refused("busy", "too many answers are not taken yet", "read them, or ask again in a moment")
        return None

    def whole(self) -> bytes:
        """The reply, empty when there is nothing to say."""
        return b"[" + b",".join(self._written) + b"]" if self._written else b""


def too_large(most: int) -> Refused:
    """An answer, or those of a batch before this one, fill a reply of so many bytes."""
    return Refused("reply_too_large", f"a reply has at most {most} bytes", "ask for less, or in several batches")
