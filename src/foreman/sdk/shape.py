"""Is an answer of a contract shaped as a reader needs it? Whoever stands at an address may answer anything."""

from collections.abc import Callable, Mapping
from typing import Any

from foreman.address import Address

Shape = type | list[Any] | dict[str, Any] | Callable[[object], bool]
"""A type, a list of one shape, named fields (`name?` may be missing), or a question that a value answers."""


def fits(value: object, shape: Shape) -> bool:
    """Does a value have this shape? Fields that are not named are ignored, and True is no number."""
    if isinstance(shape, list):
        return isinstance(value, list) and all(fits(item, shape[0]) for item in value)
    if isinstance(shape, dict):
        return isinstance(value, Mapping) and all(_has(value, name, part) for name, part in shape.items())
    if isinstance(shape, type):
        return isinstance(value, shape) and (shape is bool or not isinstance(value, bool))
    return shape(value)


def amount(value: object) -> bool:
    """Wei as contracts tell them: a whole number, or its digits."""
    if isinstance(value, str):
        return value.isascii() and value.isdigit() and len(value) <= 78
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def time(value: object) -> bool:
    """Whole seconds or hours since 1970, up to what its field holds."""
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64


def party(value: object) -> bool:
    """An address, in either spelling; nobody is empty."""
    return isinstance(value, str | Address)


def one_of(*choices: object) -> Callable[[object], bool]:
    """One of these, of the same type."""
    return lambda value: any(type(value) is type(choice) and value == choice for choice in choices)


def _has(value: Mapping[Any, Any], name: str, shape: Shape) -> bool:
    field = name.removesuffix("?")
    return fits(value[field], shape) if field in value else name.endswith("?")
