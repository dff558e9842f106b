"""Judges are named by a table; what is missing is said; nothing heavy is loaded before it is needed; no key leaks."""

import subprocess
import sys
from pathlib import Path

import pytest

from foreman.errors import BadInput, ForemanError, JudgeError
from foreman.judges import TABLE, make_judge
from foreman.judges.chat import Chat
from foreman.judges.providers import PROVIDERS, read_settings

LOCAL = {"FOREMAN_VLLM_URL": "http://127.0.0.1:9/v1"}
ALL_LOCAL = {f"FOREMAN_{name.upper()}_URL": "http://127.0.0.1:9/v1" for name in PROVIDERS} | {
    entry.key: "sk-test-secret" for entry in PROVIDERS.values() if entry.key
}


@pytest.mark.parametrize("kind", TABLE)
def test_the_example_of_every_row_makes_a_judge_of_that_name(kind: str) -> None:
    example = TABLE[kind].example
    judge = make_judge(example, ALL_LOCAL)
    assert judge.name == example
    assert judge.concurrency >= 1
    assert TABLE[kind].sentence


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(BadInput) as caught:
        make_judge("gpt-5", {})
    assert caught.value.code == "unknown_judge"
    assert all(name in caught.value.hint for name in TABLE)


@pytest.mark.parametrize(
    ("name", "environment", "says"),
    [
        pytest.param("openai:gpt-5-mini", {}, "OPENAI_API_KEY", id="no key"),
        pytest.param("openrouter:x", {}, "OPENROUTER_API_KEY", id="no key either"),
        pytest.param("compatible:x", {}, "FOREMAN_COMPATIBLE_URL", id="no address"),
        pytest.param("vllm:x", {"FOREMAN_VLLM_URL": "127.0.0.1:8000"}, "FOREMAN_VLLM_URL", id="no scheme"),
        pytest.param("vllm:x", {"FOREMAN_VLLM_URL": "http://u:p@127.0.0.1/v1"}, "own variable", id="key in address"),
        pytest.param("ollama:", LOCAL, "ollama:some-model", id="no model"),
        pytest.param("ollama", LOCAL, "ollama:some-model", id="no colon"),
        pytest.param("openai:sk-abcdef", {}, "openai:some-model", id="a key instead of a model"),
        pytest.param("offline:x", {}, "write offline", id="offline has no models"),
        pytest.param("vllm:x", LOCAL | {"FOREMAN_VLLM_CONTEXT": "many"}, "at least 0", id="no number"),
        pytest.param("vllm:x", LOCAL | {"FOREMAN_JUDGE_CONCURRENCY": "0"}, "at least 1", id="too small"),
        pytest.param("vllm:x", LOCAL | {"FOREMAN_JUDGE_TEMPERATURE": "nan"}, "at least 0", id="not a number"),
    ],
)
def test_what_is_missing_is_said_with_the_name_of_the_variable(
    name: str, environment: dict[str, str], says: str
) -> None:
    with pytest.raises(BadInput) as caught:
        make_judge(name, environment)
    assert says in caught.value.hint


def test_settings_come_from_the_provider_then_from_all_judges_then_from_the_table() -> None:
    environment = LOCAL | {
        "FOREMAN_VLLM_CONCURRENCY": "3",
        "FOREMAN_JUDGE_CONCURRENCY": "5",
        "FOREMAN_JUDGE_CONTEXT": "8192",
        "FOREMAN_JUDGE_TEMPERATURE": "0.5",
        "FOREMAN_VLLM_KEY": "local-key",
    }
    settings = read_settings("vllm", "qwen3", environment)
    assert (settings.concurrency, settings.context, settings.temperature) == (3, 8192, 0.5)
    assert (settings.max_tokens, settings.seconds, settings.key) == (2000, 120.0, "local-key")
    assert read_settings("ollama", "qwen3", {}).context == 4096
    openai = read_settings("openai", "gpt-5-mini", ALL_LOCAL)
    assert (openai.temperature, openai.tokens_field) == (None, "max_completion_tokens")


def test_the_switch_makes_an_accidental_live_call_fail_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    live = {"OPENAI_API_KEY": "sk-test-secret", "FOREMAN_NO_LIVE_MODELS": "1"}
    with pytest.raises(JudgeError) as caught:
        make_judge("openai:gpt-5-mini", live)
    assert caught.value.code == "live_models_forbidden"
    # A judge that was made without the switch still cannot ask while the process has it set, as all tests have.
    judge = make_judge("openai:gpt-5-mini", {"OPENAI_API_KEY": "sk-test-secret"})
    assert isinstance(judge, Chat)
    with pytest.raises(JudgeError, match="FOREMAN_NO_LIVE_MODELS"):
        judge.answer("?")


@pytest.mark.parametrize("name", ["openai:gpt-5-mini", "openrouter:x"])
def test_no_error_and_no_name_holds_a_key(name: str) -> None:
    key = "sk-test-secret-0123456789"
    environment = {"OPENAI_API_KEY": key, "OPENROUTER_API_KEY": key}
    judge = make_judge(name, environment)
    assert key not in judge.name
    with pytest.raises(ForemanError) as caught:
        judge.answer("?")
    assert key not in str(caught.value)


def test_the_heavy_client_is_loaded_only_by_the_judge_that_needs_it() -> None:
    source = str(Path(__file__).parents[2] / "src")
    script = (
        "import sys; sys.path.insert(0, sys.argv[1])\n"
        "from foreman.judges import make_judge\n"
        "make_judge('offline', {}); make_judge('scripted:70', {})\n"
        "print([name for name in ('openai', 'httpx2', 'httpcore2', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", script, source], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
