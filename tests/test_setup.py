"""The scripts behind `make`: a Python is found wherever it is, and a machine without one is told what to do."""

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[1]
TOOLS = "/usr/bin:/bin"


def fake_python(path: Path, body: str) -> None:
    """An executable that stands for an interpreter."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(0o755)


def find(tmp_path: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """Run scripts/find-python with next to nothing in the environment."""
    base = {"PATH": f"{tmp_path / 'bin'}:{tmp_path / 'tools'}", "HOME": str(tmp_path / "home")}
    return subprocess.run(
        ["/bin/bash", ROOT / "scripts" / "find-python"],
        env={**base, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine whose tools are there and whose Pythons are too old, missing or broken."""
    (tmp_path / "tools").mkdir()
    for tool in ("dirname", "readlink", "cat"):
        (tmp_path / "tools" / tool).symlink_to(f"/usr/bin/{tool}")
    fake_python(tmp_path / "bin" / "python3", "echo ''")  # runs, and is too old
    fake_python(tmp_path / "bin" / "python3.12", "exit 127")  # a shim that answers nothing here
    return tmp_path


def test_without_a_python_it_says_what_to_do(machine: Path) -> None:
    run = find(machine)
    assert run.returncode == 1
    assert run.stdout == ""
    assert "no Python 3.12 or later" in run.stderr
    assert "FOREMAN_PYTHON=" in run.stderr


def test_the_first_that_is_new_enough_is_taken(machine: Path) -> None:
    fake_python(machine / "bin" / "python3.13", "echo /opt/python3.13")
    assert find(machine).stdout == "/opt/python3.13\n"


def test_one_that_was_named_wins(machine: Path) -> None:
    fake_python(machine / "bin" / "python3.13", "echo /opt/python3.13")
    fake_python(machine / "a place" / "mine", "echo /my/python")
    assert find(machine, FOREMAN_PYTHON=str(machine / "a place" / "mine")).stdout == "/my/python\n"


def test_one_that_was_named_and_is_none_is_told(machine: Path) -> None:
    run = find(machine, FOREMAN_PYTHON="/nowhere/python")
    assert run.returncode == 1
    assert "/nowhere/python is not a Python" in run.stderr


def test_versions_of_pyenv_are_found_in_a_path_with_spaces(machine: Path) -> None:
    fake_python(machine / "py env" / "versions" / "3.11.7" / "bin" / "python", "echo ''")
    fake_python(machine / "py env" / "versions" / "3.12.1" / "bin" / "python", "echo found")
    assert find(machine, PYENV_ROOT=str(machine / "py env")).stdout == "found\n"


def test_versions_of_pyenv_are_found_through_its_command(machine: Path) -> None:
    fake_python(machine / "pyenv" / "bin" / "pyenv", "exit 1")
    fake_python(machine / "pyenv" / "versions" / "3.13.0" / "bin" / "python", "echo found")
    assert find(machine, PATH=f"{machine / 'pyenv' / 'bin'}:{machine / 'bin'}:{machine / 'tools'}").stdout == "found\n"


def test_this_python_passes_its_own_question() -> None:
    run = find(Path(os.devnull).parent, FOREMAN_PYTHON=sys.executable, PATH=TOOLS)
    assert Path(run.stdout.strip()).name.startswith("python3")


def test_set_up_that_has_been_done_is_done_at_once(tmp_path: Path) -> None:
    """A stamp with the lock and the place in it is believed; one of another place is not."""
    folder = tmp_path / "a clone"
    (folder / "scripts").mkdir(parents=True)
    for name in ("scripts/setup", "pyproject.toml", "requirements.txt", "requirements-run.txt"):
        (folder / name).write_bytes((ROOT / name).read_bytes())
    fake_python(folder / "scripts" / "find-python", "echo called-find-python >&2; exit 9")
    fake_python(folder / ".venv" / "bin" / "python", "exit 0")
    fake_python(folder / ".venv" / "bin" / "foreman", "exit 0")
    run = ["/bin/bash", str(folder / "scripts" / "setup"), "run"]
    mark = subprocess.run(
        "cat requirements-run.txt pyproject.toml requirements-run.txt scripts/setup | cksum | tr ' ' -",
        shell=True,
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    stamp = folder / ".venv" / "installed-run"
    stamp.write_text(f"{mark} {folder}")
    assert subprocess.run(run, capture_output=True, check=False).returncode == 0
    stamp.write_text(f"{mark} /another/place")
    again = subprocess.run(run, capture_output=True, text=True, check=False)
    assert again.returncode == 9
    assert "called-find-python" in again.stderr


def test_make_alone_prints_its_targets_with_a_sentence_each(golden: Callable[[str, str], None]) -> None:
    run = subprocess.run(["make", "--no-print-directory"], cwd=ROOT, capture_output=True, text=True, check=True)
    golden("make.txt", run.stdout)
    assert all(len(line.split(maxsplit=2)) == 3 for line in run.stdout.splitlines())


def test_every_target_calls_one_small_script() -> None:
    recipes = [line.strip() for line in (ROOT / "Makefile").read_text().splitlines() if line.startswith("\t")]
    for recipe in recipes[1:]:
        script = ROOT / recipe.removeprefix("@").split()[0]
        assert script.parent.name == "scripts"
        assert os.access(script, os.X_OK), script
        assert len(script.read_text().splitlines()) <= 70


@pytest.fixture
def changelog() -> ModuleType:
    """scripts/changelog.py as a module."""
    spec = importlib.util.spec_from_file_location("changelog", ROOT / "scripts" / "changelog.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_changelog_is_assembled_newest_first_and_by_kind(changelog: ModuleType, tmp_path: Path) -> None:
    for name, text in {
        "next/b.md": "Fixed: The second.\nAdded: The third.\n",
        "next/a.md": "Fixed: The first.\n",
        "2.10.0/x.md": "Changed: Newer.\n",
        "2.9.0/x.md": "Changed: Older.\n",
        "README.md": "not a release\n",
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    told = changelog.assembled(tmp_path).removeprefix(changelog.HEAD)
    assert told == (
        "\n## Next\n\n### Added\n\n- The third.\n\n### Fixed\n\n- The first.\n- The second.\n"
        "\n## 2.10.0\n\n### Changed\n\n- Newer.\n\n## 2.9.0\n\n### Changed\n\n- Older.\n"
    )


@pytest.mark.parametrize("line", ["Mended: It works.", "Added: no full stop", "Added:", "just text"])
def test_a_fragment_that_is_no_sentence_of_a_kind_is_refused(changelog: ModuleType, tmp_path: Path, line: str) -> None:
    (tmp_path / "x.md").write_text(line + "\n")
    with pytest.raises(ValueError, match="write `Added"):
        changelog.fragments(tmp_path)
