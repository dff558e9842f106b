"""One judge for every chat model behind an OpenAI-compatible address, on the official client.

The client composes, signs and classifies; the transport below it (`bounded`) cuts every wait and every answer. What
comes back is read here, field by field, because a server that calls itself compatible may send anything.
"""

import base64
import json
import math
import os
import time
from collections.abc import Callable, Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2
import openai

from foreman.errors import JudgeError
from foreman.judges.bounded import Allowance, Broken, Overdue, TooLarge, Transport
from foreman.judges.providers import ChatSettings, forbid_live, read_settings

_FIRST_PAUSE = 0.5
_LONGEST_PAUSE = 8.0
_KINDS = ((b"\x89PNG", "image/png"), (b"\xff\xd8\xff", "image/jpeg"), (b"GIF8", "image/gif"), (b"RIFF", "image/webp"))


class Chat:
    """A judge that asks a chat model. One object for all seats and threads; each question has its own connection.

    `pause` waits between attempts, a parameter for tests.
    """

    def __init__(self, name: str, settings: ChatSettings, pause: Callable[[float], None] = time.sleep) -> None:
        self.name = name
        self.concurrency = settings.concurrency
        self.seconds = settings.seconds
        self._settings = settings
        self._pause = pause

    def answer(self, prompt: str, images: tuple[bytes, ...] = ()) -> str:
        """Raises `JudgeError`: timeout, unavailable, rate_limited, bad_answer, prompt_too_long, no_provider, auth."""
        settings = self._settings
        forbid_live(settings.url, os.environ)
        self._check_length(prompt)
        allowance = Allowance(settings.seconds, settings.max_bytes)
        with httpx2.Client(
            transport=Transport(allowance, settings.plain), trust_env=False, follow_redirects=False
        ) as wire:
            client = openai.OpenAI(
                api_key=settings.key or "none", base_url=settings.url, http_client=wire, max_retries=0, timeout=None
            )
            body = self._question(prompt, images)
            for attempt in range(settings.attempts):
                try:
                    raw = client.chat.completions.with_raw_response.create(**body).http_response.content
                    return _read(raw)
                except openai.OpenAIError as error:
                    failure, wait = _classify(error), _retry_after(error)
                except (Overdue, TooLarge, Broken) as error:
                    failure, wait = _bounded(error), None
                self._wait(failure, wait, attempt, allowance)
        raise AssertionError("the last attempt raises")

    def _question(self, prompt: str, images: tuple[bytes, ...]) -> dict[str, Any]:
        settings = self._settings
        content: list[dict[str, object]] = [{"type": "text", "text": prompt}]
        content += [{"type": "image_url", "image_url": {"url": _data_url(image)}} for image in images]
        body: dict[str, Any] = {
            "model": settings.model,
            "messages": [{"role": "user", "content": content if images else prompt}],
            settings.tokens_field: settings.max_tokens,
        }
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        return body

    def _check_length(self, prompt: str) -> None:
        """Some servers cut a prompt silently and would judge half of it, so a safe estimate refuses first."""
        settings = self._settings
        if not settings.context:
            return
        needed = estimate_tokens(prompt) + settings.max_tokens
        if needed > settings.context:
            raise _too_long(f"about {needed} tokens, answer included, and {self.name} takes {settings.context}")

    def _wait(self, failure: JudgeError, wait: float | None, attempt: int, allowance: Allowance) -> None:
        """Pause before the next attempt, or raise: nothing to hope for, no attempt left, or no time left."""
        last = attempt + 1 >= self._settings.attempts
        if failure.code not in ("unavailable", "rate_limited") or last:
            raise failure
        seconds = min(_FIRST_PAUSE * 2**attempt, _LONGEST_PAUSE) if wait is None else wait
        try:
            if seconds >= allowance.seconds():
                raise failure
        except Overdue:
            raise failure from None
        self._pause(seconds)


def make(name: str, rest: str, environment: Mapping[str, str]) -> Chat:
    """Raises `BadInput` for what is missing, `JudgeError` when live models are forbidden."""
    return Chat(name, read_settings(name.partition(":")[0], rest.strip(), environment))


def estimate_tokens(text: str) -> int:
    """On the safe side: English has about four characters to a token, other scripts up to one."""
    plain = len(text.encode("ascii", "ignore"))
    return math.ceil(plain / 3) + len(text) - plain


def _read(raw: bytes) -> str:
    """The text of an answer, a blank one too: that is for the contract to refuse. Raises `JudgeError`, code
    `bad_answer`, where there is none.
    """
    try:
        answer = json.loads(raw)
        choice = answer["choices"][0]
        text, reason = choice["message"]["content"], choice.get("finish_reason")
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        raise JudgeError("bad_answer", "the model's server sent something that is no answer") from None
    if reason == "length":
        raise JudgeError(
            "bad_answer",
            "the model's answer was cut off in the middle",
            "give it more room with FOREMAN_JUDGE_MAX_TOKENS",
        )
    if not isinstance(text, str):
        raise JudgeError("bad_answer", "the model's answer has no text")
    return text


def _classify(error: openai.OpenAIError) -> JudgeError:
    if isinstance(error, openai.AuthenticationError | openai.PermissionDeniedError):
        return JudgeError("auth", "the model's server refuses the key", "check the key's variable")
    if isinstance(error, openai.RateLimitError):
        return JudgeError("rate_limited", "the model's server asks for patience", "lower the judge's concurrency")
    if isinstance(error, openai.NotFoundError):
        return JudgeError("no_provider", "the model's server does not know this model", "check its name")
    if isinstance(error, openai.APIStatusError):
        return _status(error)
    return JudgeError("bad_answer", "the model's server sent something that is no answer")


def _status(error: openai.APIStatusError) -> JudgeError:
    said = f"{error.code} {error.message}".lower()
    if error.status_code == 413 or "context_length" in said or "context length" in said or "context size" in said:
        return _too_long("more than the model takes")
    if error.status_code >= 500 or error.status_code in (408, 409, 425):
        return JudgeError(
            "unavailable", f"the model's server failed with status {error.status_code}", "try again later"
        )
    return JudgeError("bad_answer", f"the model's server refused the question with status {error.status_code}")


def _bounded(error: BaseException) -> JudgeError:
    if isinstance(error, TooLarge):
        return JudgeError("bad_answer", "the model's server sends more than any answer needs")
    if isinstance(error, Broken):
        return JudgeError("unavailable", "the model's server does not answer", "is it running, and the address right?")
    return JudgeError("timeout", "the model did not answer in time", "choose a faster model, or fewer seats at once")


def _too_long(why: str) -> JudgeError:
    hint = "use a model with a longer context, and say how long with FOREMAN_JUDGE_CONTEXT"
    return JudgeError("prompt_too_long", f"the prompt is too long: {why}", hint)


def _retry_after(error: openai.OpenAIError) -> float | None:
    """Seconds a server asks to wait: a number, or a date. None when it asks for nothing that makes sense."""
    if not isinstance(error, openai.APIStatusError):
        return None
    value = error.response.headers.get("retry-after", "")
    try:
        seconds = float(value) if value[:1].isdigit() else parsedate_to_datetime(value).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(seconds, 0.0) if math.isfinite(seconds) else None


def _data_url(image: bytes) -> str:
    kind = next((kind for mark, kind in _KINDS if image.startswith(mark)), "image/png")
    return f"data:{kind};base64,{base64.b64encode(image).decode()}"
