"""The rules of the house, each a function from a folder to the lines that break it; read RULES and MAY_IMPORT first."""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Callable, Iterator
from pathlib import Path

WORDS = {
    *("errors", "address", "money", "calldata", "transaction", "execution", "receipt", "schema", "settings", "ports"),
    "ledger",  # the port to the database is as long as all other ports together
    "urls",  # the rule of which URLs may be evidence, one text with the contracts'
}
"""Root files of the package: ten is the budget, and each one more needs a reason."""

MAY_IMPORT: dict[str, set[str]] = {
    "state": set(),
    "runtime": set(),
    "fetch": set(),
    "judges": set(),
    "sdk": set(),  # the node is on the other side of a wire
    "node": set(),  # meets the rooms above only through ports.py
    "rpc": {"node"},
    "agents": {"sdk"},
    "localnet": {"state", "runtime", "fetch", "judges", "sdk", "node", "rpc"},
    "cli": {"localnet", "sdk", "agents", "judges"},
}
"""Which rooms a room imports, beside itself and the words, which everybody imports. Words import words only."""

CODE_WALL, CONTRACT_WALL, FUNCTION_WALL = 400, 600, 40
SHARED_BLOCK = re.compile(r"^# <shared \w+>\n.*?^# </shared>\n", re.M | re.S)
"""What scripts/share.py copies in from contracts/shared/, where it is counted."""

DRAWERS = frozenset(["utils", "util", "helpers", "helper", "common", "manager", "managers", "base", "core", "misc"])
SQL = re.compile(
    r"\b(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE|PRAGMA\s)", re.S
)
_MACHINE_PATH = r"(?<![\w./~-])/(?:root|work|home/\w+)/"
_INDEX_HOSTS = ["py" + "pi.org", "python" + "hosted.org", "registry.npm" + "js.org", "deb." + "debian.org"]
LEAKS = re.compile("|".join([_MACHINE_PATH, r"--(?:extra-)?index-url[ =]\S", *map(re.escape, _INDEX_HOSTS)]))
CITATION = re.compile(
    r"(?<![\w@./-])((?:\.\./)*(?:[\w.-]+/)*[\w-]+\.md)\b((?:,? (?:and |to |sections? )?\d+(?:\.\d+)?)*)"
)
"""A document by name, and the numbers of its sections, as in `docs/genlayer.md 3.8 and 3.9`."""
NOWHERE = re.compile(r"\bfacts[ ](?:sheet|\d+\.\d)", re.IGNORECASE)
"""A document that no reader of the repository can open."""
PAGE_FOLDERS, WRITTEN_BY_A_RUN = ("docs", "contracts", "changes"), "reports/"
PYTHON_FOLDERS = ("src", "tests", "scripts", "bench", "contracts", "deploy")


def python_files(root: Path, *folders: str) -> Iterator[Path]:
    """Every Python file below the named folders of `root`, in order."""
    for folder in folders or PYTHON_FOLDERS:
        for path in sorted((root / folder).rglob("*.py")):
            if "node_modules" not in path.parts:
                yield path


def imports(root: Path) -> Iterator[str]:
    """Words import words, rooms also what MAY_IMPORT says; every room is on the map; no import is relative."""
    package = root / "src" / "foreman"
    for path in python_files(root, "src"):
        where = path.relative_to(package)
        room = where.parts[0] if len(where.parts) > 1 else ""
        if room and room not in MAY_IMPORT and room != "contracts":
            yield f"{where}: the room {room} is not on the map"
        if not room and where.stem not in WORDS | {"__init__", "__main__"}:
            yield f"{where}: {where.stem} is not one of the words"
        allowed = MAY_IMPORT.get(room, set()) | {room}
        for line, name in imported(path):
            if name.startswith("."):
                yield f"{where}:{line}: relative import {name}"
            elif (target := _target(name)) and target not in allowed and target not in WORDS:
                yield f"{where}:{line}: {room or 'a word'} imports {target}"


def contract_imports(root: Path) -> Iterator[str]:
    """Contracts import `genlayer` and the standard library."""
    for path in python_files(root, "contracts"):
        for line, name in imported(path):
            if name.split(".")[0] not in sys.stdlib_module_names | {"genlayer"}:
                yield f"{path.relative_to(root)}:{line}: a contract imports {name}"


def imported(path: Path) -> Iterator[tuple[int, str]]:
    """Every import of a file, wherever it stands in it: line and dotted name."""
    for node in ast.walk(_tree(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            name = "." * node.level + (node.module or "")
            if name == "foreman":
                yield from ((node.lineno, f"foreman.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, name


def _target(name: str) -> str:
    parts = name.split(".")
    return parts[1] if parts[0] == "foreman" and len(parts) > 1 and not parts[1].startswith("__") else ""


def walls(root: Path) -> Iterator[str]:
    """No file above 400 lines (contracts: 600 beside the shared blocks copied into them), no function above 40."""
    for path in _walled(root):
        lines = SHARED_BLOCK.sub("", path.read_text(encoding="utf-8")).count("\n")
        wall = CONTRACT_WALL if path.parent == root / "contracts" else CODE_WALL
        if lines > wall:
            yield f"{path.relative_to(root)}: {lines} lines, the wall is {wall}"
    for path in python_files(root):
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or node.lineno) - node.lineno + 1
                if length > FUNCTION_WALL:
                    yield f"{path.relative_to(root)}:{node.lineno}: {node.name} has {length} lines, the wall is 40"


def _walled(root: Path) -> Iterator[Path]:
    yield from python_files(root)
    yield from _web_app(root)


def _web_app(root: Path) -> Iterator[Path]:
    for pattern in ("*.ts", "*.tsx"):
        yield from (
            path for path in (root / "frontend").rglob(pattern) if not {"node_modules", ".next"} & set(path.parts)
        )


def first_sentences(root: Path) -> Iterator[str]:
    """Every Python file opens with a docstring whose first sentence says what it is for."""
    for path in python_files(root):
        opening = (ast.get_docstring(_tree(path)) or "").split("\n\n")[0]
        if not re.search(r"\w.*[.:!?)](\s|$)", opening, re.S):
            yield f"{path.relative_to(root)}: does not open with a sentence"


def drawers(root: Path) -> Iterator[str]:
    """No file or folder where things land because nobody knew where else: utils, helpers, common, base, core."""
    for path in python_files(root):
        for part in path.relative_to(root).with_suffix("").parts:
            if part.strip("_").removeprefix("test_") in DRAWERS:
                yield f"{path.relative_to(root)}: {part} says nothing"


def sql(root: Path) -> Iterator[str]:
    """SQL stands in state/ and nowhere else in the package."""
    for path in python_files(root, "src"):
        where = path.relative_to(root / "src" / "foreman")
        if where.parts[0] == "state":
            continue
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and SQL.search(node.value):
                yield f"{where}:{node.lineno}: SQL outside state/"
        yield from (f"{where}:{line}: imports sqlite3" for line, name in imported(path) if name == "sqlite3")


def citations(root: Path) -> Iterator[str]:
    """Every document that a comment, a docstring or a page names is in the repository, with the section it names."""
    pages = [*root.glob("*.md"), *(page for folder in PAGE_FOLDERS for page in sorted((root / folder).rglob("*.md")))]
    for path in [*python_files(root), *_web_app(root), *pages]:
        source = path.read_text(encoding="utf-8")
        for found in NOWHERE.finditer(source):
            yield f"{_place(root, path, source, found)}: {found.group()!r} is no document of this repository"
        if ".md" not in source:
            continue
        for line, text in said(path, source):
            yield from (f"{path.relative_to(root)}:{line}: {why}" for why in _not_there(root, path, text))


def said(path: Path, source: str) -> Iterator[tuple[int, str]]:
    """What a file says to people, by line: comments, docstrings (those of attributes, too), or all of a page."""
    if path.suffix == ".md":
        yield from enumerate(source.splitlines(), 1)
    elif path.suffix != ".py":
        for found in re.finditer(r"/\*.*?\*/|(?<!:)//[^\n]*", source, re.S):
            yield source.count("\n", 0, found.start()) + 1, found.group()
    else:
        for token in tokenize.generate_tokens(io.StringIO(source).readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string
        for node in ast.walk(ast.parse(source, str(path))):
            if (
                isinstance(node, ast.Expr)
                and isinstance(node.value, ast.Constant)
                and isinstance(node.value.value, str)
            ):
                yield node.lineno, node.value.value


def _not_there(root: Path, path: Path, text: str) -> Iterator[str]:
    for name, numbers in CITATION.findall(text):
        page = next((at / name for at in (root, root / "docs", path.parent) if (at / name).is_file()), None)
        if page is None:
            if not name.startswith(WRITTEN_BY_A_RUN):
                yield f"there is no {name}"
            continue
        headings = re.findall(r"^#+ (\d+(?:\.\d+)?)\.? ", page.read_text(encoding="utf-8"), re.M)
        yield from (
            f"{name} has no section {number}"
            for number in re.findall(r"\d+(?:\.\d+)?", numbers)
            if number not in headings
        )


def _place(root: Path, path: Path, source: str, found: re.Match[str]) -> str:
    return f"{path.relative_to(root)}:{source.count(chr(10), 0, found.start()) + 1}"


def leaks(root: Path, files: list[Path]) -> Iterator[str]:
    """No path of one machine and no address of a package index in any of these files."""
    for path in files:
        for number, line in enumerate(path.read_text(encoding="utf-8", errors="replace").splitlines(), 1):
            if found := LEAKS.search(line):
                yield f"{path.relative_to(root)}:{number}: {found.group()!r}"


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


RULES: dict[str, Callable[[Path], Iterator[str]]] = {
    "imports": imports,
    "contract imports": contract_imports,
    "walls": walls,
    "first sentences": first_sentences,
    "drawers": drawers,
    "sql": sql,
    "citations": citations,
}
