"""How contract code ended, as an outcome, and what its author should know about it (docs/genlayer.md 4.2)."""

import threading
import traceback
from collections.abc import Callable

from foreman.execution import Outcome
from foreman.runtime.current import Run
from foreman.runtime.header import InvalidContract
from foreman.runtime.results import UserError
from foreman.runtime.signals import BlockMet, Ended, HostFailed, TimeIsUp

MAX_STDERR = 8_192
"""Characters that are kept of a traceback."""

CRASH = Outcome.vm_error("exit_code 1")
TIMEOUT = Outcome.vm_error("timeout")


def ending_of(run: Run, work: Callable[[], Outcome]) -> tuple[Outcome, str]:
    """Run contract code to its end; `work` encodes what it returns. Gives the outcome and what its author should know.
    Where the run itself has noted how it ends (a block that was met, a failure), that counts and this does not.
    """
    try:
        return work(), ""
    except (BlockMet, HostFailed):
        return CRASH, ""
    except Ended as ended:
        return ended.outcome, f"ended: {ended.outcome.text}"
    except TimeIsUp:
        return TIMEOUT, "the code ran for too long"
    except UserError as error:
        return _text_of(error)
    except InvalidContract as error:
        return Outcome.vm_error(error.code), str(error)
    except SystemExit as error:
        return _exit_of(error)
    except MemoryError:
        return Outcome.vm_error("OOM"), "out of memory"
    except Exception as error:  # noqa: BLE001 # whatever a contract raises is its outcome
        return CRASH, explain(error)
    except BaseException as error:
        # A port's failure is on record. Anything else is the contract's, whatever class it chose to raise; only the
        # user's Ctrl-C, which the interpreter delivers to the main thread, is not.
        if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
            raise
        return CRASH, "" if error is run.failure else explain(error)


def _text_of(error: UserError) -> tuple[Outcome, str]:
    if not isinstance(error.message, str):
        return CRASH, f"the message of a UserError is a string, not {type(error.message).__name__}"
    return Outcome.user_error(error.message), ""


def _exit_of(error: SystemExit) -> tuple[Outcome, str]:
    if error.code is None or error.code == 0:
        return Outcome.returned(None), ""
    code = error.code if isinstance(error.code, int) else 1
    return Outcome.vm_error(f"exit_code {code}"), f"exit({error.code!r:.200})"


def explain(error: BaseException) -> str:
    """A short traceback: the contract's own lines, and what was raised."""
    lines = []
    for frame, line in traceback.walk_tb(error.__traceback__):
        if frame.f_code.co_filename.startswith("<contract"):
            lines.append(f"  line {line}, in {frame.f_code.co_name}")
    try:
        text = f"{type(error).__name__}: {error}"
    except Exception:  # noqa: BLE001 # a contract's own exception may fail to describe itself
        text = type(error).__name__
    head = ["Traceback of the contract (last call at the end):", *lines[-20:]] if lines else []
    return "\n".join([*head, text])[:MAX_STDERR]
