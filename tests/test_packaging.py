"""The wheel is whole: it carries contracts, pages and migrations, and works in an environment that has nothing else."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from email.parser import Parser
from pathlib import Path

import httpx
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


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The foreman command of an environment that holds the wheel, what it depends on, and nothing else."""
    place = tmp_path_factory.mktemp("installed") / "empty environment"
    venv.create(place, with_pip=False)
    python = place / "bin" / "python"
    pip("--python", python, "install", *QUIET, "--require-hashes", "-r", ROOT / "requirements-run.txt")
    pip("--python", python, "install", *QUIET, "--no-deps", "--no-index", wheel)
    pip("--python", python, "check")
    return place / "bin" / "foreman"


def bare() -> dict[str, str]:
    """This environment's variables without the way to the checkout's sources."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_wheel_plays_the_demo_in_an_empty_environment(installed: Path, tmp_path: Path) -> None:
    run = subprocess.run([installed, "demo", "--json"], cwd=tmp_path, env=bare(), capture_output=True, check=False)
    assert run.returncode == 0, run.stdout.decode() + run.stderr.decode()
    told = json.loads(run.stdout)
    assert told["ok"]
    assert told["conserved"]


@pytest.mark.slow
@pytest.mark.timeout(300)
def test_the_wheel_serves_the_web_app_that_it_carries(installed: Path, wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        carried = "foreman/web/index.html" in packed.namelist()
        page = packed.read("foreman/web/index.html").decode() if carried else "The web app is not part of this"
    command = [str(installed), "up", "--temporary", "--port", "0"]
    with subprocess.Popen(command, cwd=tmp_path, env=bare(), stdout=subprocess.PIPE, text=True) as up:
        try:
            assert up.stdout is not None
            said = "".join(iter(up.stdout.readline, "Listening. Ctrl-C stops it.\n"))
            address = re.search(r"http://127\.0\.0\.1:\d+/", said)
            assert address, said
            answer = httpx.get(address[0])
        finally:
            up.terminate()
    assert answer.status_code == 200
    assert page in answer.text


# The web app, which is built by other tools and may be missing.

EXPORT = {"index.html": "<h1>Foreman</h1>", "404.html": "<h1>No</h1>", "_next/static/chunks/a-1.js": "1", "a.txt": "2"}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As much of this repository as a wheel is made of."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "README.md", "LICENSE", "scripts/wheel_web.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    for name in ("contracts", "src/foreman/rpc", "src/foreman/localnet"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


def built(checkout: Path, folder: Path) -> tuple[dict[str, bytes], str]:
    """The files under foreman/web in the wheel of that checkout, and what its builder said."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    run = subprocess.run(command, cwd=checkout, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    (found,) = folder.glob("*.whl")
    with zipfile.ZipFile(found) as packed:
        names = [name for name in packed.namelist() if name.startswith("foreman/web/")]
        return {name.removeprefix("foreman/web/"): packed.read(name) for name in names}, run.stdout + run.stderr


def test_a_wheel_without_the_web_app_says_so_aloud(checkout: Path, tmp_path: Path) -> None:
    files, said = built(checkout, tmp_path)
    assert not files
    assert "!! This wheel has NO web app" in said
    assert not (checkout / "frontend").exists(), "nothing is built on the way"


def test_a_wheel_carries_the_web_app_that_was_built_file_for_file(checkout: Path, tmp_path: Path) -> None:
    for name, text in EXPORT.items():
        file = checkout / "frontend" / "out" / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    try:
        files, said = built(checkout, tmp_path)
    finally:
        shutil.rmtree(checkout / "frontend")
    assert files == {name: text.encode() for name, text in EXPORT.items()}
    assert "NO web app" not in said
