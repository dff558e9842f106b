"""What a crash leaves on disk: a copy of the state directory, taken between two commits."""

import shutil
from pathlib import Path
from threading import Event
from typing import Any

from foreman.judges.scripted import Scripted
from foreman.state.database import LOCK
from tests.node.network import Network


class Held:
    """A judge that answers `yes`, and to a prompt that begins with `slow` only when it is let go."""

    def __init__(self) -> None:
        self.go = Event()
        self.judge = Scripted(self._answer, name="held", concurrency=1000)

    def _answer(self, prompt: str) -> str:
        if prompt.startswith("slow"):
            assert self.go.wait(20), "nobody let the judge go"
        return "yes"


def image(net: Network, into: Path) -> Path:
    """Copy what is on disk now. The book does it, so no commit is under way; what is in memory only is lost."""
    source = net.settings.state_dir
    assert source is not None
    copied = net.node._book.ask(lambda: shutil.copytree(source, into, ignore=shutil.ignore_patterns(LOCK)), alone=True)
    return Path(copied.result(20))


def revived(net: Network, into: Path, **settings: Any) -> Network:
    """A second network on what a crash of the first would have left. The first one goes on, for what it is worth."""
    return Network(image(net, into), judges=net.judges, clock=net.clock, **settings)
