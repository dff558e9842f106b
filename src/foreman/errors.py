"""Every expected error: a stable code, a sentence that says what was wrong, and a hint that says what to do next.

    ForemanError                 anything a user can cause or mend
    ├── Refused                  the door does not take this transaction
    ├── NotFound                 no such transaction, contract or method
    ├── BadInput                 a value of the wrong shape or out of range
    ├── WebError                 a page could not be fetched; contracts see it and may go on
    ├── JudgeError               a judge could not answer; the seat that asked drops out
    └── StateError               the state directory cannot be used as it is

Anything that is not a `ForemanError` is a bug, and crashes. A contract revert is neither: it is data on the receipt.
"""


class ForemanError(Exception):
    """An expected error. `code` is stable and machine-readable, `hint` may be empty."""

    def __init__(self, code: str, sentence: str, hint: str = "") -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.sentence} ({self.hint})" if self.hint else self.sentence


class Refused(ForemanError):
    """The door does not take this transaction; nothing was stored."""


class NotFound(ForemanError):
    """No such transaction, contract or method."""


class BadInput(ForemanError):
    """A value of the wrong shape or out of range."""


class WebError(ForemanError):
    """A page could not be fetched. `code` is the class of failure, and is what two seats must share to agree on it."""


class JudgeError(ForemanError):
    """A judge could not answer. The seat drops out of the vote; it never agrees."""


class StateError(ForemanError):
    """The state directory cannot be used as it is."""
