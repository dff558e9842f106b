"""`gl.Event` (docs/genlayer.md 5.7)."""

import inspect
from typing import Any, ClassVar

from foreman.address import keccak256
from foreman.calldata import encode
from foreman.execution import Event as EmittedEvent
from foreman.runtime.current import frame

MAX_TOPICS = 4


class Event:
    """The base of a contract's events. Indexed fields are the positional-only parameters of `__init__`; the rest comes
    as keyword arguments. Values bind to the *sorted* names of the indexed fields, as they do on the network.
    """

    name: ClassVar[str]
    signature: ClassVar[str]
    indexed: ClassVar[tuple[str, ...]]

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "name" not in vars(cls):
            cls.name = cls.__name__
        indexed = []
        if cls.__init__ is not Event.__init__:
            for param in list(inspect.signature(cls.__init__).parameters.values())[1:]:
                if param.kind is param.POSITIONAL_ONLY:
                    indexed.append(param.name)
                elif param.kind is param.KEYWORD_ONLY:
                    raise TypeError("keyword-only arguments are forbidden")
                elif param.kind is not param.VAR_KEYWORD:
                    raise TypeError("specify `/` after indexed fields")
        if len(indexed) >= MAX_TOPICS:
            raise TypeError(f"an event has at most {MAX_TOPICS - 1} indexed fields")
        cls.indexed = tuple(sorted(indexed))
        cls.signature = f"{cls.name}({','.join(cls.indexed)})"
        setattr(cls, "__init__", Event.__init__)  # noqa: B010 # the declaration is all that its __init__ was for

    def __init__(self, *args: Any, **blob: Any) -> None:
        if len(args) != len(self.indexed):
            raise TypeError(f"{self.signature} takes {len(self.indexed)} indexed values, not {len(args)}")
        self._args = args
        self._blob = {**blob, **dict(zip(self.indexed, args, strict=True))}

    def emit(self) -> None:
        topics = [keccak256(self.signature.encode()), *map(_topic, self._args)]
        emit_raw_event(topics, self._blob)


def emit_raw_event(topics: list[bytes], blob: Any) -> None:
    """Emit an event with at most 4 topics of 32 bytes and any calldata."""
    if len(topics) > MAX_TOPICS or any(len(topic) != 32 for topic in topics):
        raise SystemError("2: inval")
    frame().emit(EmittedEvent(tuple(bytes(topic) for topic in topics), encode(blob)))


def _topic(value: Any) -> bytes:
    raw = encode(value)
    return keccak256(raw) if len(raw) > 32 else raw.ljust(32, b"\x00")
