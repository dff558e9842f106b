"""Reads `sim_config`, in which genlayer-test sends mock validators and a date (docs/genlayer.md 9.4). It would let a
caller choose its own jury, so only a network of tests takes it.
"""

from typing import Any

from foreman.errors import BadInput, Refused
from foreman.node.doubles import NO_DOUBLES, Double, DoubledJudge, DoubledWeb, Doubles
from foreman.ports import WebResponse
from foreman.rpc import arguments
from foreman.settings import Settings

MAX_VALIDATORS = 101
"""As many as a jury may have."""

_EMPTY: dict[str, Any] = {}


def read_doubles(value: Any, settings: Settings) -> Doubles:
    """What a transaction or a call brings along. Raises `Refused` where doubles are not taken, and `BadInput`."""
    if not value:
        return NO_DOUBLES
    if not settings.test_doubles:
        raise Refused(
            "sim_config_refused",
            "sim_config would replace the jury or the clock for one call",
            "start the network with --test-doubles, or with scripted judges, and turn its clock with sim_setTime",
        )
    given = arguments.fields(value)
    if unknown := given.keys() - {"validators", "genvm_datetime"}:
        raise _bad(f"{sorted(unknown)[0][:80]!r} is not known", "it has validators and genvm_datetime")
    validators = given.get("validators") or []
    if not isinstance(validators, list) or len(validators) > MAX_VALIDATORS:
        raise _bad("validators are not a list of what can sit on a jury", f"list at most {MAX_VALIDATORS}")
    at = given.get("genvm_datetime")
    return Doubles(tuple(_double(validator) for validator in validators), None if at is None else arguments.moment(at))


def _double(validator: Any) -> Double:
    config = _object(_object(validator, "a validator").get("plugin_config"), "plugin_config")
    if "mock_response" not in config and "mock_web_response" not in config:
        raise _bad(
            "a validator has no mocks, and models are not chosen by a caller", "make it with create_mock_validator"
        )
    said = _object(config.get("mock_response"), "mock_response")
    answers, comparative, acceptable = (
        _object(said.get(name), name)
        for name in ("response", "eq_principle_prompt_comparative", "eq_principle_prompt_non_comparative")
    )
    pages = _object(_object(config.get("mock_web_response"), "mock_web_response").get("nondet_web_request"), "pages")
    return Double(
        DoubledJudge(answers, comparative, acceptable) if answers or comparative or acceptable else None,
        DoubledWeb(
            {url: _page(page) for url, page in pages.items()},
            {url: str(page.get("method", "GET")).upper() for url, page in pages.items()},
        )
        if pages
        else None,
    )


def _page(page: Any) -> WebResponse:
    given = _object(page, "a page")
    status, body = given.get("status", 200), given.get("body", "")
    if type(status) is not int or not 100 <= status <= 599 or not isinstance(body, str):
        raise _bad("a page is not a status and a body", "write method, status (100 to 599) and body (text)")
    return WebResponse(status, {}, body.encode())


def _object(value: Any, what: str) -> dict[str, Any]:
    if value is None:
        return _EMPTY
    if not isinstance(value, dict):
        raise _bad(f"{what} is not an object", "see genlayer-test's create_mock_validator")
    return value


def _bad(why: str, hint: str) -> BadInput:
    return BadInput("bad_sim_config", f"sim_config: {why}", hint)
