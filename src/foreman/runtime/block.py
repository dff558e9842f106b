"""A non-deterministic block, cut loose from the run that met it: what a jury's seats run, each on its own copy."""

import functools
import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from foreman.errors import WebError
from foreman.execution import Call, Outcome
from foreman.ports import SeatFailed, SeatIO, WebRequest, WebResponse
from foreman.runtime.current import CURRENT, Frame, MessageType, Run
from foreman.runtime.ending import ending_of
from foreman.runtime.isolate import Isolation
from foreman.runtime.loader import Module
from foreman.runtime.results import result_of
from foreman.runtime.signals import HostFailed
from foreman.runtime.watchdog import WATCHDOG, Lapse

if TYPE_CHECKING:
    from foreman.runtime.runtime import ContractRuntime

_log = logging.getLogger(__name__)


class NondetBlock:
    """Implements `execution.Block`. The functions are copied once when the block is made, and again for every use."""

    def __init__(
        self,
        runtime: "ContractRuntime",
        call: Call,
        message: MessageType,
        module: Module,
        fingerprint: bytes,
        leader: Callable[[], Any],
        validator: Callable[[Any], Any],
    ) -> None:
        self.fingerprint = fingerprint
        self._runtime = runtime
        self._call = call
        self._message = message
        self._module = module
        isolation = Isolation(module)
        self._leader = isolation.copy(leader)
        self._validator = isolation.copy(validator)

    def lead(self, io: SeatIO) -> Outcome:
        """Run the leader. Errors of the contract are outcomes; `SeatFailed` passes through."""
        return self._work(io, lambda isolation: Outcome.returned(isolation.copy(self._leader)()))

    def validate(self, proposal: Outcome, io: SeatIO) -> bool:
        """Run the validator on a proposal; only exactly True agrees. `SeatFailed` passes through."""
        verdict: list[Any] = []

        def judge(isolation: Isolation) -> Outcome:
            verdict.append(isolation.copy(self._validator)(result_of(proposal)))
            return Outcome.returned(None)

        self._work(io, judge)
        return verdict == [True] and verdict[0] is True

    def _work(self, io: SeatIO, work: Callable[[Isolation], Outcome]) -> Outcome:
        """Run in a frame of its own, in this thread, under the watchdog."""
        lapse = WATCHDOG.start(self._runtime.block_seconds)
        run = Run(self._runtime, self._call, lapse)
        run.io = _Guarded(io, run, lapse)
        token = CURRENT.set(Frame(run, self._message, None, module=self._module, readonly=True, inside=True))
        try:
            lapse.watch(self._module.program.codes)
            outcome, stderr = ending_of(run, lambda: work(Isolation(self._module)))
        finally:
            lapse.stop()
            CURRENT.reset(token)
        if run.failure is not None:
            raise run.failure.error if isinstance(run.failure, HostFailed) else run.failure
        if lapse.over:
            raise SeatFailed(f"the block ran for more than {self._runtime.block_seconds:g} s", timed_out=True)
        if stderr or run.output:
            _log.info("a block of 0x%s: %s%s", self._call.contract.hex(), "".join(run.output), stderr)
        return run.ended or outcome


class _Guarded:
    """A seat's I/O: what fails there for good is remembered, so a contract cannot go on as if nothing had happened."""

    def __init__(self, io: SeatIO, run: Run, lapse: Lapse) -> None:
        self._io = io
        self._run = run
        self._lapse = lapse

    def web(self, request: WebRequest) -> WebResponse:
        return self._outside(functools.partial(self._io.web, request))  # type: ignore[no-any-return] # as the port says

    def ask(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        return self._outside(functools.partial(self._io.ask, prompt, images))  # type: ignore[no-any-return] # as the port says

    def _outside(self, question: Callable[[], Any]) -> Any:
        self._lapse.pause()
        try:
            return question()
        except WebError:
            raise
        except Exception as error:
            self._run.fail(failure := HostFailed(error))
            raise failure from error
        except BaseException as failure:
            self._run.fail(failure)
            raise
        finally:
            self._lapse.resume()
