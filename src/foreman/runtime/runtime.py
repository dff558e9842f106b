"""The runtime: runs one contract call on a view of the state and reports what it would change. Writes nothing."""

import functools
import threading
from collections.abc import Callable, Sequence
from types import CoroutineType
from typing import Any

from foreman.calldata import encode_call
from foreman.errors import BadInput
from foreman.execution import Answer, Asking, Call, Effects, Execution, Finished, Outcome, StateView
from foreman.runtime import dispatch, inspect, syntax
from foreman.runtime.current import CURRENT, Frame, MessageType, Run
from foreman.runtime.ending import TIMEOUT, ending_of, explain
from foreman.runtime.header import InvalidContract, code_hash, read_source
from foreman.runtime.loader import Loader
from foreman.runtime.overlay import Overlay
from foreman.runtime.plans import SPACE_AT
from foreman.runtime.scalars import address_of
from foreman.runtime.signals import HostFailed, TimeIsUp
from foreman.runtime.watchdog import WATCHDOG

DETERMINISTIC_SECONDS = 10.0
"""A deterministic run is ended after this (docs/decisions/0015-a-watchdog-that-strikes-only-contracts.md)."""

BLOCK_SECONDS = 120.0
"""A block's own computing time, without what it waits for."""

MAX_VIEW_DEPTH = 32
"""How deeply contracts may read each other; the chain depth of messages is the same."""

NOTHING = Outcome.returned(None)
_ERRORED = encode_call("#error")


class ContractRuntime:
    """Implements `execution.Runtime`. Safe for several threads at once. `allowed` decides, by SHA-256 of the source
    with its line ends normalised, which code may be executed at all.
    """

    def __init__(
        self,
        allowed: Callable[[bytes], bool],
        *,
        deterministic_seconds: float = DETERMINISTIC_SECONDS,
        block_seconds: float = BLOCK_SECONDS,
    ) -> None:
        self._allowed = allowed
        self._loader = Loader(allowed)
        self.deterministic_seconds = deterministic_seconds
        self.block_seconds = block_seconds

    def run(self, call: Call, view: StateView, answers: Sequence[Answer] = ()) -> Execution:
        """Run a call on a view of the state. Agreed answers are replayed in order."""
        lapse = WATCHDOG.start(self.deterministic_seconds)
        try:
            run = Run(self, call, lapse, view, answers)
            overlay = Overlay(call.contract, view, run.reads, not call.readonly, run)
            frame = Frame(run, _message_of(call), overlay, readonly=call.readonly)
            data = _ERRORED if call.errored else call.calldata
            outcome, stderr = ending_of(run, lambda: self._enter(frame, call.code, data, call.value))
        finally:
            lapse.stop()
        if run.failure is not None:
            raise run.failure.error if isinstance(run.failure, HostFailed) else run.failure
        overlay.close()
        if run.asking is not None:
            index, block, differs = run.asking
            return Asking(index, block, run.reads, differs)
        if lapse.over:
            outcome, stderr = TIMEOUT, f"the run took more than {self.deterministic_seconds:g} s"
        if run.ended is not None:
            outcome = run.ended
        if outcome.ok:
            run.effects.writes = overlay.writes()
        else:
            run.effects = Effects()
        return Finished(outcome, run.effects, run.reads, run.used, stderr, "".join(run.output))

    def view(self, caller: Frame, address: bytes, data: bytes) -> Outcome:
        """Call another contract read-only on the committed state, inside a run (`gl.get_contract_at(a).view()`)."""
        run = caller.deterministic()
        if len(caller.stack) >= MAX_VIEW_DEPTH:
            raise SystemError("1: overflow")
        assert run.view is not None
        overlay = Overlay(address, run.view, run.reads, False, run)
        message = MessageType(
            address_of(address), caller.message.sender_address, caller.message.origin_address, 0, run.call.chain_id
        )

        stack = (*caller.stack, caller.message.contract_address)
        frame = Frame(run, message, overlay, readonly=True, stack=stack)
        outcome, stderr = ending_of(run, lambda: self._enter(frame, None, data, 0))
        if run.ended is not None:
            outcome, run.ended = run.ended, None
        overlay.close()
        run.check()
        run.lapse.check()
        if stderr:
            run.print(f"[view of {address.hex()}] {stderr}\n")
        return outcome

    def schema(self, code: bytes) -> dict[str, object]:
        """The public face of a source (docs/genlayer.md 4.3). Only allowed code is imported; other code is read.
        Raises `BadInput`.
        """
        try:
            text, _ = read_source(code)
            if not self._allowed(code_hash(code)):
                return syntax.schema_of(text)
            lapse = WATCHDOG.start(self.deterministic_seconds)
            try:
                with self._loader.borrow(code, lapse.watch) as module:
                    return inspect.schema_of(module.cls, module.methods)
            finally:
                lapse.stop()
        except InvalidContract as error:
            raise BadInput(
                "bad_contract",
                f"{error} ({error.code})",
                "begin the file with a comment that names its runner, as contracts/foreman.py does",
            ) from error
        except BadInput:
            raise
        except BaseException as error:
            # Whatever class a file raises while it is imported; only the user's Ctrl-C is not the contract's.
            if isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread():
                raise
            why = "the code ran for too long" if isinstance(error, TimeIsUp) else explain(error)
            raise BadInput(
                "no_schema",
                f"the contract has no schema: {why}",
                "a file defines one class of gl.Contract, and its public methods take and give calldata types",
            ) from error

    def _enter(self, frame: Frame, code: bytes | None, data: bytes, value: int) -> Outcome:
        """Bring in the frame's contract and call it; with `code` its constructor. The result is encoded while the frame
        stands, because it may be a view.
        """
        overlay = frame.overlay
        assert overlay is not None
        address = overlay.contract
        source = overlay.ask(overlay.view.code, address) if code is None else code
        if source is None:
            raise InvalidContract("invalid_contract absent", f"no contract at 0x{address.hex()}")
        token = CURRENT.set(frame)
        try:
            with self._loader.borrow(source, frame.run.lapse.watch) as module:
                frame.module = module
                contract: Any = object.__new__(module.cls)
                contract.__dict__[SPACE_AT] = overlay
                if code is not None:
                    frame.run.effects.code = code
                    dispatch.construct(contract, module.methods, data)
                    return NOTHING
                schema = functools.partial(inspect.schema_text, module.cls, module.methods)
                result = dispatch.invoke(contract, module.methods, data, value, schema)
                if isinstance(result, CoroutineType):
                    result.close()  # nobody will await it; it is refused below
                return Outcome.returned(result)
        finally:
            CURRENT.reset(token)


def _message_of(call: Call) -> MessageType:
    return MessageType(
        address_of(call.contract), address_of(call.sender), address_of(call.origin), call.value, call.chain_id
    )
