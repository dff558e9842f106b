"""What `foreman doctor` looks at, and one line of what it finds."""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class State(StrEnum):
    """How a check ended. `missing` is something that is only needed for a part."""

    WORKS = "works"
    MISSING = "missing"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report."""

    name: str
    state: State
    sentence: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Machine:
    """What is looked at."""

    port: int
    state: Path
    judges: tuple[str, ...]
    network: str = ""
