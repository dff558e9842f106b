"""What stands on the wire: JSON read without trust, and bytes and times written the way clients read them.

What is refused and why: nesting beyond `MAX_DEPTH` and more than `MAX_CONTAINERS` arrays and objects (a parser that
recurses must not be led to its limit), numbers of more than `MAX_DIGITS` digits (converting them takes quadratic
time), NaN, Infinity and numbers beyond a double (no JSON has them), and a key that stands twice in one object (two
readers would see two requests).
"""

import base64
import json
import math
import re
from datetime import UTC, datetime
from itertools import accumulate
from typing import Any

from foreman.errors import BadInput

MAX_DEPTH = 64
"""Levels of arrays and objects. The deepest request there is (mocks inside a call inside a batch) has about ten."""

MAX_CONTAINERS = 10_000
"""Arrays and objects in one body; a full batch of ordinary requests has about 300."""

MAX_DIGITS = 100
"""Digits of a number; 2**256 has 78."""

_STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""A string, or what looks like one and never ends: consumed as well, so that the search stays linear."""

_BRACKETS = b"[]{}"
_NOT_BRACKETS = bytes(set(range(256)) - set(_BRACKETS))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}


def read_json(body: bytes) -> Any:
    """Read a request body. Raises `BadInput`: `parse_error` when it is not JSON, `invalid_request` when it is JSON that
    nobody means well with.
    """
    _check_shape(body)
    try:
        return _DECODER.decode(body.decode())
    except UnicodeDecodeError as error:
        raise BadInput("parse_error", "the body is not UTF-8", f"see byte {error.start}") from error
    except json.JSONDecodeError as error:
        raise BadInput("parse_error", f"the body is not JSON: {error.msg}", f"see character {error.pos}") from error


def write_json(value: Any) -> bytes:
    """Write a reply. Everything beyond ASCII is escaped, so lone surrogates that came in can go out again."""
    return _ENCODE(value).encode("ascii")


def hexed(raw: bytes) -> str:
    return "0x" + raw.hex()


def b64(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def iso(at: int) -> str:
    """Microseconds since 1970 as ISO 8601 in UTC, always with six decimals."""
    seconds, micros = divmod(at, 1_000_000)
    return f"{datetime.fromtimestamp(seconds, UTC):%Y-%m-%dT%H:%M:%S}.{micros:06d}Z"


_ENCODE = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def _check_shape(body: bytes) -> None:
    """Refuse a body whose arrays and objects are too deep or too many. Almost always two fast counts."""
    opened = body.count(b"[") + body.count(b"{")
    if opened <= MAX_DEPTH:
        return
    brackets = _STRING.sub(b"", body).translate(None, _NOT_BRACKETS)
    if len(brackets) > 2 * MAX_CONTAINERS:
        raise BadInput("invalid_request", f"the body has more than {MAX_CONTAINERS} arrays and objects", "send less")
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > MAX_DEPTH:
        raise BadInput("invalid_request", f"the body is nested deeper than {MAX_DEPTH} levels", "no request needs that")


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise BadInput(
            "invalid_request",
            f"a number has {len(text)} digits, at most {MAX_DIGITS} are read",
            "write large data as hex",
        )
    return int(text)


def _fraction(text: str) -> float:
    number = float(text) if len(text) <= 10 * MAX_DIGITS else math.inf
    if not math.isfinite(number):
        raise BadInput("invalid_request", f"the number {text[:40]} is out of range", "use an integer or a hex string")
    return number


def _constant(text: str) -> float:
    raise BadInput("parse_error", f"the body is not JSON: {text} is no JSON value", "use null or a number")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))  # type: ignore[func-returns-value]  # None is false
        raise BadInput("invalid_request", f"the key {twice[:80]!r} stands twice in one object", "send it once")
    return found


_DECODER = json.JSONDecoder(
    parse_int=_integer, parse_float=_fraction, parse_constant=_constant, object_pairs_hook=_unique
)
