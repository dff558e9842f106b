"""`gl.storage.Root`: the source of the contract at work and who may change it (docs/genlayer.md 3.10).

There are no slots to lock here: what the network locks by default, the source and the list of upgraders, is always
locked for senders who are not upgraders. The constructor may write both.
"""

from collections.abc import Iterator
from typing import Any, NoReturn

from foreman.runtime.current import Frame, frame
from foreman.runtime.kinds import ListKind
from foreman.runtime.paths import ROOT
from foreman.runtime.plans import plan_of
from foreman.runtime.scalars import ADDRESS
from foreman.runtime.views.arrays import DynArray

_UPGRADERS = ROOT + b"\x01"
_PLAN = plan_of(ListKind(ADDRESS))


class Root:
    """What a contract knows about itself. Ask `Root.get()`."""

    @staticmethod
    def get() -> "Root":
        frame().deterministic()
        return Root()

    @property
    def code(self) -> "_Behind":
        return _Behind(_Code())

    @property
    def upgraders(self) -> "_Behind":
        at = frame()
        at.deterministic()
        view = _PLAN.view(at.overlay, _UPGRADERS, None)  # type: ignore[arg-type] # deterministic: there is an overlay
        return _Behind(view if _may_upgrade(at) else tuple(view))

    @property
    def locked_slots(self) -> "_Behind":
        return _Behind(_NoSlots())

    def lock_default(self) -> None:
        """What the network locks by default is locked here already."""
        frame().deterministic()


class _Behind:
    """What is behind one indirection of the root: `.get()` gives it."""

    def __init__(self, value: Any) -> None:
        self._value = value

    def get(self) -> Any:
        return self._value


class _NoSlots:
    """State here is rows, not slots, so no further ones can be locked."""

    def append(self, slot: Any) -> NoReturn:
        raise SystemError("2: inval")


class _Code:
    """The source as bytes, with the two operations by which it is replaced."""

    def truncate(self, size: int = 0) -> None:
        _write(_source()[:size])

    def extend(self, more: Any) -> None:
        _write(_source() + bytes(more))

    def __len__(self) -> int:
        return len(_source())

    def __getitem__(self, index: Any) -> Any:
        return _source()[index]

    def __iter__(self) -> Iterator[int]:
        return iter(_source())


def _source() -> bytes:
    """The source as this run has left it."""
    at = frame()
    run = at.deterministic()
    assert at.overlay is not None
    if at.main and run.effects.code is not None:
        return run.effects.code
    found: bytes | None = at.overlay.ask(at.overlay.view.code, at.overlay.contract)
    return found or b""


def _write(code: bytes) -> None:
    at = frame()
    run = at.writing()
    if not _may_upgrade(at):
        raise SystemError("6: forbidden")
    run.effects.code = code


def _may_upgrade(at: Frame) -> bool:
    """The constructor, and senders who are upgraders, in a call that may write."""
    if at.readonly or not at.main or at.overlay is None:
        return False
    if at.run.call.code is not None:
        return True
    upgraders: DynArray[Any] = _PLAN.view(at.overlay, _UPGRADERS, None)
    return at.message.sender_address in upgraders
