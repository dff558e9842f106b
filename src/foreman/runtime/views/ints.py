"""`u8` to `u256`, `i8` to `i256` and `bigint`: names for int, checked when a value is stored (docs/genlayer.md 3.1)."""

from typing import Any, NewType

INT_TYPES: dict[str, Any] = {
    f"{sign}{bits}": NewType(f"{sign}{bits}", int) for sign in "ui" for bits in range(8, 257, 8)
}
bigint = NewType("bigint", int)
INT_TYPES["bigint"] = bigint
