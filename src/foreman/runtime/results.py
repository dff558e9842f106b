"""How a block or a sandbox ended, as contracts see it: `gl.vm.Return`, `gl.vm.UserError`, `gl.vm.VMError`."""

from dataclasses import dataclass
from typing import Any

from foreman.execution import Code, Outcome


@dataclass
class Return:
    """It returned this value."""

    calldata: Any


@dataclass
class VMError:
    """It crashed; `message` is a code such as `exit_code 1`. Not an exception."""

    message: str


@dataclass(repr=False, unsafe_hash=True)
class UserError(Exception):
    """The contract's own refusal. `str(e)` is its repr, as on the network."""

    message: str

    def __post_init__(self) -> None:
        super().__init__(self.message)

    def __repr__(self) -> str:
        return f"UserError(message={self.message!r})"

    __str__ = __repr__


Result = Return | VMError | UserError


def result_of(outcome: Outcome) -> Result:
    """An outcome as a contract sees it."""
    if outcome.code is Code.RETURN:
        return Return(outcome.value)
    return UserError(outcome.text) if outcome.code is Code.USER_ERROR else VMError(outcome.text)


def unpack_result(result: Result) -> Any:
    """The value of a Return; a UserError is raised; a VMError is raised as a UserError."""
    if isinstance(result, Return):
        return result.calldata
    if isinstance(result, UserError):
        raise result
    raise UserError("vm error: " + result.message)
