"""The command as people and scripts meet it: help by example, errors as sentence and hint, exit codes, clean text."""

import importlib
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable

import pytest
import typer

from foreman.cli import main as command
from foreman.cli import show
from foreman.cli.exits import BY_CODE, Exit
from foreman.errors import ForemanError
from foreman.sdk import failures

Run = Callable[..., tuple[int, str, str]]

VERBS = [
    (noun, verb)
    for noun in ("order", "agreement", "account", "provider")
    for verb in typer.main.get_command(importlib.import_module(f"foreman.cli.{noun}").app).commands  # type: ignore[attr-defined]  # a group has them
]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command line; exit code, stdout, stderr."""
    monkeypatch.setenv("COLUMNS", "100")

    def call(*arguments: str) -> tuple[int, str, str]:
        show.out.cache_clear()
        show.err.cache_clear()
        code = command.main(arguments)
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.parametrize("name", ["foreman", *command.COMMANDS])
def test_help_is_what_is_on_record(name: str, run: Run, golden: Callable[[str, str], None]) -> None:
    """A noun's file holds the help of its verbs, too."""
    pages = []
    for words in [[]] if name == "foreman" else [[name], *([noun, verb] for noun, verb in VERBS if noun == name)]:
        code, out, err = run(*words, "--help")
        assert (code, err) == (0, "")
        pages.append("\n".join(line.rstrip() for line in out.splitlines()) + "\n")
    golden(f"cli/{name}.txt", "\n\n".join(pages))


@pytest.mark.parametrize("name", command.COMMANDS)
def test_help_starts_with_a_sentence_and_a_working_example(name: str, run: Run) -> None:
    lines = run(name, "--help")[1].splitlines()
    assert lines[0].endswith(".")
    assert lines[2].startswith(f"  foreman {name}")
    assert "Usage:" in "\n".join(lines[3:])


def test_without_arguments_the_help_is_shown(run: Run) -> None:
    assert run()[:2] == (0, run("--help")[1])


def test_the_version_is_told(run: Run) -> None:
    assert run("--version") == (0, "foreman 2.0.0\n", "")


@pytest.mark.parametrize(
    ("arguments", "sentence", "hint"),
    [
        (["demmo"], "there is no command 'demmo'", "did you mean `foreman demo`?"),
        (["xyzzy"], "there is no command 'xyzzy'", "`foreman --help` lists the commands"),
        (["up", "--prot", "1"], "No such option: --prot", "`foreman up --help` starts with examples"),
        (["up", "--seats", "0"], "--seats must be at least 1", "`foreman up --help` starts with examples"),
        (["order", "show", "abc"], "ORDER must be a whole number\n", "`foreman order show --help` starts"),
        (["order", "show", "9" * 5000], "ORDER must be a whole number, and not so long", "`foreman order show"),
        (["order", "list", "--limit", "900"], "--limit must be at most 50", "`foreman order list --help`"),
        (["order", "wait", "0", "--patience", "x"], "--patience must be a number\n", "`foreman order wait --help`"),
        (["up", "--temporary", "--state", "x"], "--temporary keeps its state", "give --temporary or --state"),
        (["demo", "--pages", "nowhere"], "nowhere", "`foreman demo --help` starts with examples"),
        (["demo", "extra"], "No such command", "`foreman demo --help` starts with examples"),
        (["up", "extra"], "unexpected extra argument", "`foreman up --help` starts with examples"),
    ],
    ids=[
        "near miss",
        "unknown",
        "unknown option",
        "below",
        "text",
        "long",
        "above",
        "letters",
        "two places",
        "no folder",
        "no verb",
        "extra",
    ],
)
def test_a_wrong_command_line_is_told_with_a_way_on(arguments: list[str], sentence: str, hint: str, run: Run) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (Exit.USAGE, "")
    assert err.startswith("error: ")
    assert sentence in err
    assert f" hint: {hint}" in err


def failing(problem: BaseException) -> Callable[[], object]:
    """A command table entry that ends with this."""

    class Broken:
        def main(self, *_: object, **__: object) -> None:
            raise problem

    return Broken


@pytest.mark.parametrize(
    ("problem", "code"),
    [
        (ForemanError("x", "it is broken", "mend it"), Exit.FAILED),
        (failures.Reverted("only the claimed provider may deliver"), Exit.REVERTED),
        (failures.Undetermined("UNDETERMINED", "0x1"), Exit.UNDETERMINED),
        (failures.Unreachable("http://127.0.0.1:1/api", "refused"), Exit.UNREACHABLE),
        (failures.NotInTime("0x1", "PENDING", 5), Exit.UNREACHABLE),
        (KeyboardInterrupt(), Exit.INTERRUPTED),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, BaseException) else None,
)
def test_each_kind_of_error_has_its_exit_code(
    problem: BaseException, code: Exit, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "build", failing(problem))
    assert run("demo")[0] == code


def test_an_error_is_json_on_stdout_for_programs_and_words_on_stderr_for_people(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "build", failing(ForemanError("broken", "it is broken", "mend it")))
    code, out, err = run("demo", "--json")
    assert json.loads(out) == {"error": {"code": "broken", "sentence": "it is broken", "hint": "mend it"}}
    assert err == "error: it is broken\n hint: mend it\n"
    assert code == Exit.FAILED


@pytest.mark.parametrize("arguments", [["stats", "--nonsense"], ["order", "show", "x"], ["statz"]], ids=" ".join)
def test_a_wrong_command_line_is_json_for_programs_too(arguments: list[str], run: Run) -> None:
    code, out, err = run(*arguments, "--json")
    assert (code, set(json.loads(out)["error"])) == (Exit.USAGE, {"code", "sentence", "hint"})
    assert err.startswith("error: ")


def test_a_bug_is_not_dressed_up_as_an_error(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "build", failing(ZeroDivisionError("bug")))
    with pytest.raises(ZeroDivisionError):
        run("demo")


HOSTILE = [
    pytest.param("a\x1b[2Jb", "a [2Jb", id="clear the screen"),
    pytest.param("paid\r\nfake line", "paid fake line", id="a line of its own"),
    pytest.param("x\u202egnp.exe", "x gnp.exe", id="turned around"),
    pytest.param("a\u200bb\u2066c", "a b c", id="unseen"),
    pytest.param("\x9b31mred", "31mred", id="one-byte escape"),
    pytest.param("tab\tand  spaces", "tab and spaces", id="spaces"),
    pytest.param("Grüße, 東京 ✓", "Grüße, 東京 ✓", id="what people write"),
]


@pytest.mark.parametrize(("text", "shown"), HOSTILE)
def test_untrusted_text_cannot_touch_the_terminal(text: str, shown: str) -> None:
    assert show.plain(text) == shown


def test_untrusted_text_is_cut() -> None:
    assert show.plain("x" * 1000, 10) == "xxxxxxxxx…"


def test_markup_in_an_error_is_text(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "build", failing(ForemanError("x", "[bold]not bold[/bold] [link=evil]", "[red]x")))
    assert run("demo")[2] == "error: [bold]not bold[/bold] [link=evil]\n hint: [red]x\n"


def test_every_failure_of_the_sdk_with_a_code_of_its_own_is_known_to_the_exit_codes() -> None:
    named = {name for name, kind in inspect.getmembers(failures, inspect.isclass) if issubclass(kind, ForemanError)}
    assert named == {
        "ForemanError",
        "Unreachable",
        "RpcFailed",
        "BadAnswer",
        "Reverted",
        "Undetermined",
        "NotInTime",
    }
    own = {"unreachable", "reverted", "undetermined", "not_decided_in_time"}
    assert set(BY_CODE) == own | {"execution_reverted", "usage", "unknown_command"}


@pytest.mark.parametrize(("noun", "verb"), VERBS, ids=lambda word: word)
def test_every_verb_tells_what_it_does_and_shows_an_example(noun: str, verb: str, run: Run) -> None:
    code, out, err = run(noun, verb, "--help")
    sentence, example, *_ = out.split("\n\n")
    assert (code, err) == (0, "")
    assert sentence.endswith(".")
    assert example.startswith(f"  foreman {noun} {verb}")
    assert "--json" in out


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_learns_the_commands(shell: str, run: Run) -> None:
    code, out, _ = run("completion", shell)
    assert code == Exit.OK
    assert "_FOREMAN_COMPLETE" in out
    assert run("completion", "cmd")[0] == Exit.USAGE


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("foreman ord", "order"),
        ("foreman order cl", "claim"),
        ("foreman order list --status can", "cancelled"),
        ("foreman agreement wait 1 0 --until ru", "ruled"),
        ("foreman stats --network stu", "studionet"),
        ("foreman order claim 1 --account dev7", "dev7"),
    ],
)
def test_a_shell_is_offered_what_fits(typed: str, offered: str) -> None:
    words = {"COMP_WORDS": typed, "COMP_CWORD": str(typed.count(" ")), "_FOREMAN_COMPLETE": "complete_bash"}
    asked = [sys.executable, "-c", "from foreman.cli.main import run; run()"]
    environment = {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path.endswith("src"))} | words
    ended = subprocess.run(asked, env=environment, capture_output=True, text=True, check=False)
    assert ended.stdout.split() == [offered]


@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("words", [(), *((name,) for name in command.COMMANDS), *VERBS], ids=" ".join)
def test_help_fits_a_terminal_and_its_examples_can_still_be_copied(
    width: int, words: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    narrow = run(*words, "--help")[1]
    if words or width == 80:
        assert [line for line in narrow.splitlines() if len(line) > width] == []
    monkeypatch.setenv("COLUMNS", "200")
    wide = run(*words, "--help")[1]
    joined = narrow.replace("\\\n", "")
    examples = [line for line in wide.replace("\\\n", "").splitlines() if line.startswith("  foreman ")]
    for example in examples:
        assert " ".join(example.split("   ")[0].split()) in " ".join(joined.split())
