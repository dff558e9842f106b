"""Templates: leaders and validators that the runtime itself supplies around a contract's function."""

from collections.abc import Callable
from dataclasses import fields
from typing import Any, Self


class Template:
    """A callable made of parts (subclasses are frozen dataclasses); copied and fingerprinted by its class and parts."""

    __foreman_frozen__ = True

    def parts(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field.name) for field in fields(self))  # type: ignore[arg-type] # subclasses are dataclasses

    def rebuilt(self, copy: Callable[[Any], Any]) -> Self:
        return type(self)(*map(copy, self.parts()))
