#!/usr/bin/env python3
"""Assembles CHANGELOG.md from changes/: one small file per change, one folder per release; `--check` only compares."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
LINE = re.compile(rf"({'|'.join(KINDS)}): (\S.*[.!?])")

HEAD = """# Changelog

What changes for you when you upgrade. Assembled from `changes/` by `make changelog`; the form is that of
[Keep a Changelog](https://keepachangelog.com), the numbers those of [Semantic Versioning](https://semver.org).
"""


def fragments(folder: Path) -> dict[str, list[str]]:
    """The sentences of one release by kind. Raises ValueError for a line that is not `Kind: Sentence.`"""
    found: dict[str, list[str]] = {kind: [] for kind in KINDS}
    for path in sorted(folder.glob("*.md")):
        for line in filter(None, map(str.strip, path.read_text("utf-8").splitlines())):
            match = LINE.fullmatch(line)
            if match is None:
                raise ValueError(
                    f"{path.name}: write `Added: A sentence.` (or {', '.join(KINDS[1:])}), not {line[:60]!r}"
                )
            found[match[1]].append(match[2])
    return found


def releases(changes: Path) -> list[Path]:
    """What comes next first, then the releases, newest first."""
    numbered = [path for path in changes.iterdir() if re.fullmatch(r"\d+\.\d+\.\d+", path.name)]
    numbered.sort(key=lambda path: tuple(map(int, path.name.split("."))), reverse=True)
    return [changes / "next", *numbered]


def assembled(changes: Path) -> str:
    """The whole text of CHANGELOG.md."""
    parts = [HEAD]
    for folder in releases(changes):
        found = fragments(folder)
        if not any(found.values()):
            continue
        parts.append(f"\n## {'Next' if folder.name == 'next' else folder.name}\n")
        for kind, sentences in found.items():
            if sentences:
                parts.append(f"\n### {kind}\n\n" + "".join(f"- {sentence}\n" for sentence in sentences))
    return "".join(parts)


def main() -> int:
    """Write the file, or with `--check` say whether it is stale."""
    target = ROOT / "CHANGELOG.md"
    text = assembled(ROOT / "changes")
    if "--check" in sys.argv[1:]:
        fresh = target.is_file() and target.read_text("utf-8") == text
        print("CHANGELOG.md is fresh" if fresh else "CHANGELOG.md is stale: run `make changelog`")
        return 0 if fresh else 1
    target.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
