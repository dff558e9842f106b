"""Where chat models live and how they are asked: a table of providers, and settings read from the environment."""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlsplit

from foreman.errors import BadInput, JudgeError

NO_LIVE_MODELS = "FOREMAN_NO_LIVE_MODELS"
"""Set to 1, a model that is not on this machine cannot be asked; the tests set it."""


class Provider(NamedTuple):
    """The defaults of one provider. `key` is the variable that holds its key, empty when it needs none."""

    url: str
    key: str = ""
    temperature: float | None = 0.0
    """None where models refuse to be told one."""
    tokens_field: str = "max_tokens"
    context: int = 0
    """Tokens a model takes in, answer included; 0 is unknown, and nothing is checked."""
    concurrency: int = 8


PROVIDERS: Mapping[str, Provider] = {
    "openai": Provider("https://api.openai.com/v1", "OPENAI_API_KEY", None, "max_completion_tokens"),
    "openrouter": Provider("https://openrouter.ai/api/v1", "OPENROUTER_API_KEY"),
    # Ollama cuts a prompt that is too long without a word, so its own default context is taken at its word.
    "ollama": Provider("http://127.0.0.1:11434/v1", context=4096, concurrency=1),
    "vllm": Provider("http://127.0.0.1:8000/v1"),
    "llamacpp": Provider("http://127.0.0.1:8080/v1", concurrency=1),
    "compatible": Provider(""),
}


@dataclass(frozen=True, slots=True)
class ChatSettings:
    """Everything one chat judge needs to know. Built by `read_settings`, or by hand in tests."""

    url: str
    model: str
    key: str = ""
    concurrency: int = 8
    context: int = 0
    """Tokens, prompt and answer together; 0 is unknown."""
    temperature: float | None = 0.0
    max_tokens: int = 2000
    """Of the answer. A verdict with its checklist takes about 800; models that think first need more."""
    tokens_field: str = "max_tokens"
    seconds: float = 120.0
    """Hard, all attempts together (docs/judges.md)."""
    max_bytes: int = 2 * 1024 * 1024
    """Of everything a server sends for one question."""
    attempts: int = 4
    plain: bool = True
    """Send only the headers a chat needs; False for the client's own maker, whose variables set more of them."""


def read_settings(provider: str, model: str, environment: Mapping[str, str]) -> ChatSettings:
    """Settings of a provider: FOREMAN_<PROVIDER>_<KNOB>, else FOREMAN_JUDGE_<KNOB>, else the table's.

    Raises `BadInput` for a missing model, key or address, and for a number that is none.
    """
    entry = PROVIDERS[provider]
    if not model or model.startswith("sk-") or any(sign.isspace() for sign in model):
        raise BadInput("bad_judge", f"{provider} needs the name of a model", f"for example {provider}:some-model")

    def knob(name: str) -> str:
        return environment.get(f"FOREMAN_{provider.upper()}_{name}") or environment.get(f"FOREMAN_JUDGE_{name}") or ""

    key = (environment.get(entry.key) if entry.key else "") or environment.get(f"FOREMAN_{provider.upper()}_KEY") or ""
    if entry.key and not key:
        raise BadInput("missing_key", f"{provider} needs a key", f"set {entry.key}")
    url = environment.get(f"FOREMAN_{provider.upper()}_URL") or entry.url
    _check_url(provider, url, environment)
    temperature = knob("TEMPERATURE")
    return ChatSettings(
        url=url,
        model=model,
        key=key,
        concurrency=_number(knob("CONCURRENCY"), entry.concurrency, int, 1, "CONCURRENCY"),
        context=_number(knob("CONTEXT"), entry.context, int, 0, "CONTEXT"),
        temperature=_number(temperature, 0.0, float, 0, "TEMPERATURE") if temperature else entry.temperature,
        max_tokens=_number(knob("MAX_TOKENS"), 2000, int, 1, "MAX_TOKENS"),
        tokens_field=entry.tokens_field,
        plain=provider != "openai",
        seconds=_number(knob("SECONDS"), 120.0, float, 1, "SECONDS"),
    )


def _check_url(provider: str, url: str, environment: Mapping[str, str]) -> None:
    hint = f"set FOREMAN_{provider.upper()}_URL, for example http://127.0.0.1:8000/v1"
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise BadInput("missing_address", f"{provider} needs the address of its server", hint)
    if parts.username or parts.password:
        raise BadInput("bad_address_of_judge", "a key does not belong into an address", "use the key's own variable")
    forbid_live(url, environment)


def forbid_live(url: str, environment: Mapping[str, str]) -> None:
    """Raises `JudgeError`, code `live_models_forbidden`, when the switch is set and the address is not this machine."""
    if environment.get(NO_LIVE_MODELS, "") not in ("", "0") and not is_loopback(url):
        raise JudgeError(
            "live_models_forbidden",
            f"{NO_LIVE_MODELS} is set, and {urlsplit(url).hostname} is not this machine",
            "use offline or scripted, or unset it",
        )


def is_loopback(url: str) -> bool:
    """Does an address lead to this machine?"""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _number[Kind: (int, float)](text: str, default: Kind, kind: Callable[[str], Kind], least: float, name: str) -> Kind:
    if not text:
        return default
    try:
        value = kind(text)
    except ValueError:
        value = None
    if value is None or not least <= value < 10**9:
        raise BadInput("bad_setting", f"{name} of a judge is {text[:40]!r}", f"write a number of at least {least}")
    return value
