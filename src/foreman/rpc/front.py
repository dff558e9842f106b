"""What a door offers beside its node: the built web app, sample pages, and eyes for evidence."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True, slots=True)
class Front:
    """Everything is optional: a door with nothing here still answers JSON-RPC."""

    web: Path | None = None
    """The folder of the built web app."""
    samples: tuple[Mapping[str, str], ...] = ()
    """Pages to deliver without the internet, told to the web app as they are: `title`, `url`, `note`."""
    read_evidence: Callable[[str], Mapping[str, Any]] | None = None
    """Reads a page as a seat would (`foreman_readEvidence`); it takes up to the fetcher's deadline, in a thread."""
