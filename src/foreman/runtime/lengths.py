"""A container's length: a row of its own, read and written only by what asks for it or changes it."""

from foreman.runtime.codec import scalar_codec
from foreman.runtime.paths import LENGTH
from foreman.runtime.rows import Space
from foreman.runtime.scalars import INTS

_CODEC = scalar_codec(INTS["u32"])
MAX_LENGTH = 2**32 - 1


def length(space: Space, base: bytes) -> int:
    """How many entries the container at `base` has."""
    row = space.row(base + LENGTH, _CODEC)
    return 0 if row is None else row.values[0]


def grow(space: Space, base: bytes, by: int) -> int:
    """Change the length; returns the old one."""
    row = space.optional(base + LENGTH, _CODEC)
    before: int = row.values[0]
    if before + by > MAX_LENGTH:
        raise OverflowError("a container holds at most 2**32 - 1 entries")
    if row.clean:
        row.touch()
    row.values[0] = before + by
    return before
