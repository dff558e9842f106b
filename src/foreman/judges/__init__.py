"""Who can answer a prompt: one visible table, each judge imported when it is first asked for by name.

    offline                checks what a program can check; no key, no internet
    scripted:70            the same answer for ever; tests and demonstrations
    openai:gpt-5-mini      a chat model behind an OpenAI-compatible address

Names never hold keys: addresses and keys come from the environment (docs/judges.md).
"""

import os
from collections.abc import Mapping
from importlib import import_module
from typing import NamedTuple

from foreman.errors import BadInput
from foreman.ports import Judge


class Entry(NamedTuple):
    """Where a judge lives. `maker` takes the full name, what follows the colon, and the environment."""

    module: str
    maker: str
    sentence: str
    example: str


TABLE: Mapping[str, Entry] = {
    "offline": Entry(
        "foreman.judges.offline", "make", "checks countable criteria itself; needs no model and no internet", "offline"
    ),
    "scripted": Entry(
        "foreman.judges.scripted", "make", "gives one answer for ever, or fails, or hangs", "scripted:70"
    ),
    "openai": Entry("foreman.judges.chat", "make", "a model of OpenAI", "openai:gpt-5-mini"),
    "openrouter": Entry("foreman.judges.chat", "make", "any model that OpenRouter offers", "openrouter:qwen/qwen3-32b"),
    "ollama": Entry("foreman.judges.chat", "make", "a model on this machine, run by Ollama", "ollama:qwen3"),
    "vllm": Entry("foreman.judges.chat", "make", "a model behind a vLLM server", "vllm:qwen3-32b"),
    "llamacpp": Entry("foreman.judges.chat", "make", "the model a llama.cpp server has loaded", "llamacpp:default"),
    "compatible": Entry("foreman.judges.chat", "make", "any other OpenAI-compatible address", "compatible:some-model"),
}


def make_judge(name: str, environment: Mapping[str, str] | None = None) -> Judge:
    """The judge of a name as it is written in `--judge`. Raises `BadInput` for a name that is not in the table, for a
    model that is missing, and for a key that is not set; the hint says what to do.
    """
    kind, _, rest = name.strip().partition(":")
    entry = TABLE.get(kind)
    if entry is None:
        raise BadInput("unknown_judge", f"there is no judge {kind[:40]!r}", f"known judges: {', '.join(TABLE)}")
    maker = getattr(import_module(entry.module), entry.maker)
    judge: Judge = maker(name.strip(), rest, os.environ if environment is None else environment)
    return judge
