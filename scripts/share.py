"""Copies the blocks of `contracts/shared/` between their markers in every file that has them; `--check` only compares.

A contract is one file on the chain, so what two contracts share is copied, not imported: what is read, tested and
deployed is one text. A block is everything below the imports of its file; whoever takes the block imports for it.
"""

import ast
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT / "contracts" / "shared"
MARKED = re.compile(r"# <shared (\w+)>\n.*?# </shared>\n", re.DOTALL)
"""A block in its place: a marker line with the block's name, the copy, and the closing marker."""


def targets() -> list[Path]:
    """Every file that may hold a block."""
    package = ROOT / "src" / "foreman"
    return [*sorted((ROOT / "contracts").glob("*.py")), package / "urls.py", package / "sdk" / "evidence.py"]


def imports(source: str) -> tuple[set[str], int]:
    """The names a file binds by its top-level imports, and the number of lines up to the last of them."""
    found = [node for node in ast.parse(source).body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.asname or alias.name.partition(".")[0] for node in found for alias in node.names}
    return names, max((node.end_lineno or 0 for node in found), default=0)


def filled(target: str) -> str:
    """A file's text with every block in it made fresh. Raises ValueError when it lacks an import that a block needs."""
    bound, _ = imports(target)

    def fresh(mark: re.Match[str]) -> str:
        source = (SHARED / f"{mark[1]}.py").read_text("utf-8")
        needed, end = imports(source)
        if missing := sorted(needed - bound):
            raise ValueError(f"block {mark[1]} needs an import of {', '.join(missing)}")
        body = "\n".join(source.splitlines()[end:]).strip("\n")
        return f"# <shared {mark[1]}>\n{body}\n\n\n# </shared>\n"

    return MARKED.sub(fresh, target)


def main(arguments: list[str]) -> int:
    """Write the stale files, or with `--check` name them and return 1."""
    stale = []
    for path in filter(Path.exists, targets()):
        text = path.read_text("utf-8")
        if (fresh := filled(text)) != text:
            stale.append(path)
            if "--check" not in arguments:
                path.write_text(fresh, "utf-8")
    verb = "stale, run scripts/share.py" if "--check" in arguments else "filled"
    for path in stale:
        print(f"{path.relative_to(ROOT)}: {verb}")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
