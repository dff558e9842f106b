"""The wheel is whole: it carries contracts, pages and migrations, and works in an environment that has nothing else."""

import json
import os
import subprocess
import sys
import tomllib
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
QUIET = ("--quiet", "--disable-pip-version-check", "--no-input")


def pip(*arguments: str | Path) -> None:
    """Run this environment's pip."""
    run = subprocess.run(
        [sys.executable, "-m", "pip", *map(str, arguments)], capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this checkout, built without an index."""
    folder = tmp_path_factory.mktemp("wheel")
    pip("wheel", *QUIET, "--no-build-isolation", "--no-deps", "--no-index", "--wheel-dir", folder, ROOT)
    (found,) = folder.glob("*.whl")
    return found


def test_the_wheel_carries_the_contracts_byte_for_byte(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        for path in (ROOT / "contracts").glob("*.py"):
            assert packed.read(f"foreman/contracts/{path.name}") == path.read_bytes()


@pytest.mark.parametrize("pattern", ["cli/stage/pages/*", "state/migrations/*.sql", "py.typed"])
def test_the_wheel_carries_what_the_package_reads(wheel: Path, pattern: str) -> None:
    package = ROOT / "src" / "foreman"
    wanted = {f"foreman/{path.relative_to(package).as_posix()}" for path in package.glob(pattern)}
    assert wanted
    with zipfile.ZipFile(wheel) as packed:
        assert wanted <= set(packed.namelist())


def test_the_wheel_carries_nothing_that_is_not_the_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        assert {name.split("/")[0] for name in packed.namelist()} == {"foreman", "foreman_escrow-2.0.0.dist-info"}
        assert not [name for name in packed.namelist() if "__pycache__" in name]


def test_the_wheel_names_its_dependencies(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        told = Parser().parsestr(packed.read("foreman_escrow-2.0.0.dist-info/METADATA").decode())
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    assert len(told.get_all("Requires-Dist", [])) == len(declared["dependencies"])
    assert told["Requires-Python"] == declared["requires-python"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_wheel_plays_the_demo_in_an_empty_environment(wheel: Path, tmp_path: Path) -> None:
    place = tmp_path / "empty environment"
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    pip("--python", python, "install", *QUIET, "--require-hashes", "-r", ROOT / "requirements-run.txt")
    pip("--python", python, "install", *QUIET, "--no-deps", "--no-index", wheel)
    pip("--python", python, "check")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    run = subprocess.run(
        [place / "bin" / "foreman", "demo", "--json"], cwd=tmp_path, env=environment, capture_output=True, check=False
    )
    assert run.returncode == 0, run.stdout.decode() + run.stderr.decode()
    told = json.loads(run.stdout)
    assert told["ok"]
    assert told["conserved"]
