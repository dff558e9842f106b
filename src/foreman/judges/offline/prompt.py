"""Takes a prompt apart: the fenced blocks of data, and the task after them (contracts/shared/fence.py writes it).

A block is opened by `BEGIN <name> <tag>` and closed by `END <name> <tag>`; every line between starts with `| `. The
tag is the one of the prompt's first fence line, so nothing that stands inside a block can be taken for a fence.
"""

import re
from dataclasses import dataclass

from foreman.errors import JudgeError

_OPEN = re.compile(r"BEGIN (\S.*) ([0-9a-f]{24})")


@dataclass(frozen=True, slots=True)
class Asked:
    """A prompt: its blocks in order, and the text of the task."""

    blocks: tuple[tuple[str, str], ...]
    task: str

    def texts(self, *words: str) -> list[tuple[str, str]]:
        """Blocks whose name holds one of the words, in order."""
        return [(name, text) for name, text in self.blocks if any(word in name.lower() for word in words)]

    def text(self, *words: str) -> str:
        """The first such block's text, empty when there is none."""
        found = self.texts(*words)
        return found[0][1] if found else ""


def take_apart(prompt: str) -> Asked:
    """Raises `JudgeError`, code `bad_prompt`, when fences are opened and not closed or hold lines that are no data."""
    lines = prompt.split("\n")
    start = next((index for index, line in enumerate(lines) if _OPEN.fullmatch(line)), None)
    if start is None:
        return Asked((), prompt)
    tag = lines[start][-24:]
    blocks: list[tuple[str, str]] = []
    outside = lines[:start]
    at = start
    while at < len(lines):
        opened = _OPEN.fullmatch(lines[at])
        if opened is None or opened[2] != tag:
            outside.append(lines[at])
            at += 1
            continue
        text, at = _read_block(lines, at + 1, f"END {opened[1]} {tag}")
        blocks.append((opened[1], text))
    return Asked(tuple(blocks), "\n".join(outside))


def _read_block(lines: list[str], at: int, closing: str) -> tuple[str, int]:
    data: list[str] = []
    while at < len(lines) and lines[at] != closing:
        if not lines[at].startswith("| "):
            raise JudgeError("bad_prompt", "a fenced block of the prompt holds a line that is not marked as data")
        data.append(lines[at][2:])
        at += 1
    if at == len(lines):
        raise JudgeError("bad_prompt", "a fenced block of the prompt is never closed")
    return "\n".join(data), at + 1
