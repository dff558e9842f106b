"""`gl.nondet`: what only a block may do: ask the judge, ask the web (docs/genlayer.md 6.4 and 6.5)."""

import json
from collections.abc import Sequence
from typing import Any

from foreman import calldata
from foreman.runtime.current import frame
from foreman.runtime.genlayer.lazy import lazily
from foreman.runtime.genlayer.nondet import web
from foreman.runtime.genlayer.nondet.errors import Image, NondetException
from foreman.runtime.prompts import first_object

__all__ = ["Image", "NondetException", "exec_prompt", "web"]

MAX_IMAGES = 2


@lazily
def exec_prompt(prompt: str, *, response_format: str = "text", images: Sequence[bytes | Image] | None = None) -> Any:
    """Ask this seat's judge. `text` gives a string, `json` a dict of calldata values. Raises `NondetException` for an
    empty prompt and for an answer that is no such JSON.
    """
    seat = frame().seat()
    if response_format not in ("text", "json") or not isinstance(prompt, str):
        raise SystemError("2: inval")
    raw = tuple(image.raw if isinstance(image, Image) else bytes(image) for image in images or ())
    if len(raw) > MAX_IMAGES:
        raise SystemError("2: inval")
    if not prompt:
        raise NondetException(["EMPTY_PROMPT"], {})
    answer = seat.ask(prompt, raw)
    return answer if response_format == "text" else _read_json(answer)


def _read_json(answer: str) -> dict[str, Any]:
    try:
        found: dict[str, Any] = _whole_numbers(first_object(answer))
        json.dumps(found, allow_nan=False)
        calldata.encode(found)
    except (ValueError, TypeError, RecursionError) as error:
        raise NondetException(["INVALID_JSON_RESPONSE"], {"message": str(error)[:200]}) from error
    return found


def _whole_numbers(value: Any) -> Any:
    """Floats without a fraction become integers; others are an error, as on the network."""
    if isinstance(value, float):
        if not value.is_integer():
            raise ValueError("float has fractional part")
        return int(value)
    if isinstance(value, list):
        return [_whole_numbers(item) for item in value]
    if isinstance(value, dict):
        return {key: _whole_numbers(item) for key, item in value.items()}
    return value
