"""How a run is ended from inside: by what is no `Exception` and is noted by the run, so no contract can stop it."""

from foreman.execution import Outcome


class Signal(BaseException):
    """Unwinds a contract. A contract that swallows one gains nothing: the run has already noted how it ends."""


class HostFailed(Signal):
    """The state could not be read, or a port broke: not the contract's doing. `error` goes to the caller of the run."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


class BlockMet(Signal):
    """The run has come to a block without an agreed answer."""


class Ended(Signal):
    """The run ends here with this outcome: a leader's VM error, or `gl.advanced.user_error_immediate`."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.text)
        self.outcome = outcome


class TimeIsUp(Signal):
    """The watchdog ends contract code that ran too long."""
