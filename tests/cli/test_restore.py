"""A `foreman restore` that is refused has not been there, and paths are told as they are."""

from pathlib import Path

import pytest

from foreman.localnet.localnet import build
from foreman.settings import Settings
from tests.cli.conftest import Cli
from tests.cli.test_backup import edit


@pytest.fixture
def file(alone: Cli, tmp_path: Path) -> Path:
    """A backup whose name looks like the code for a picture."""
    node = build(Settings(state_dir=tmp_path / "state", port=0))
    node.start()
    node.stop()
    assert f"Backed up to {tmp_path}/x:m:y\n" in alone("backup", tmp_path / "x:m:y", "--state", tmp_path / "state").out
    return tmp_path / "x:m:y"


@pytest.mark.parametrize("there", [True, False], ids=["an empty folder", "no folder"])
@pytest.mark.parametrize("change", ["", "DROP TABLE journal", "UPDATE sources SET source = x'01'"])
def test_a_refused_restore_leaves_nothing_behind(
    change: str, there: bool, alone: Cli, file: Path, tmp_path: Path
) -> None:
    """Whether it is refused at first sight or only once it was copied."""
    if change:
        edit(file, change)
    else:
        file.write_text("127.0.0.1 localhost\n", "utf-8")
    state = tmp_path / "a" / "never"
    if there:
        state.mkdir(parents=True)
    assert alone("restore", file, "--state", state).code == 1
    assert (state.exists(), (tmp_path / "a").exists()) == (there, there)
    assert not there or list(state.iterdir()) == []
