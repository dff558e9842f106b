"""`gl`: everything a contract asks of the network, under one name (docs/genlayer.md section 3)."""

import sys
import time
from types import ModuleType
from typing import Any

from foreman.address import Address
from foreman.execution import Call
from foreman.runtime.current import MessageType, message, peek
from foreman.runtime.genlayer import advanced, calldata, eq_principle, evm, nondet, storage, vm
from foreman.runtime.genlayer.contract import Contract, private, public
from foreman.runtime.genlayer.events import Event
from foreman.runtime.genlayer.lazy import Lazy
from foreman.runtime.genlayer.messages import contract_interface, deploy_contract, get_contract_at
from foreman.runtime.standins.clock import ClockDatetime, ClockTimezone
from foreman.runtime.views.ints import INT_TYPES

__all__ = [
    "Address", "Contract", "Event", "Lazy", "MessageType", "advanced", "calldata", "contract_interface",
    "deploy_contract", "eq_principle", "evm", "get_contract_at", "nondet", "private", "public", "storage", "trace",
    "trace_time_micro", "vm", *INT_TYPES,
]  # fmt: skip

globals().update(INT_TYPES)


def trace(*values: object) -> None:
    """Print for the contract's author."""
    found = peek()
    if found is not None:
        found.run.print(" ".join(map(repr, values)) + "\n")


def trace_time_micro() -> int:
    """A clock for the author's measurements; it is real, so nothing may depend on it."""
    return time.perf_counter_ns() // 1000


def _message_raw() -> dict[str, Any]:
    found = peek()
    current = message()
    call: Call | None = None if found is None else found.run.call
    at = ClockDatetime.now(ClockTimezone.utc).isoformat()
    return {
        **current._asdict(),
        "stack": [] if found is None else list(found.stack),
        "datetime": at,
        "is_init": call is not None and call.code is not None and found is not None and found.main,
        "entry_kind": 0 if found is None or not found.inside else 1 if found.run.io is None else 2,
        "entry_data": b"" if call is None else call.calldata,
        "entry_stage_data": None,
    }


class _Gl(ModuleType):
    """A module whose `message` is that of the run at work."""

    @property
    def message(self) -> MessageType:
        return message()

    @property
    def message_raw(self) -> dict[str, Any]:
        return _message_raw()


sys.modules[__name__].__class__ = _Gl
