#!/usr/bin/env python3
"""Writes the pages of docs/ that follow from the source, errors.md and settings.md; `--check` only compares."""

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
KINDS = {"ForemanError", "Refused", "NotFound", "BadInput", "WebError", "JudgeError", "StateError"}

ERRORS = """# Errors

Every expected error has a code that stays, a sentence that says what was wrong, and a hint that says what to do. On the
wire the code and the hint stand in `error.data`; the command prints sentence and hint on stderr. `…` stands for what
differs each time. What a contract says when it refuses is not here: it is data on the receipt
(see the contract's own documentation). This page is written from the source by `make golden`.

| code | what it says | what to do |
|---|---|---|
"""


def found(package: Path) -> Iterator[tuple[str, str, str]]:
    """Code, sentence and hint of every place that makes an expected error with a code of its own."""
    for path in sorted(package.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call) or len(node.args) < 2:
                continue
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            code = node.args[0]
            own = name in KINDS or (name == "__init__" and isinstance(node.func, ast.Attribute))
            if own and isinstance(code, ast.Constant) and isinstance(code.value, str):
                told = [plain(argument) for argument in [*node.args[1:3], *(word.value for word in node.keywords)]]
                yield code.value, told[0], told[1] if len(told) > 1 else ""


def plain(node: ast.expr) -> str:
    """The fixed words of a text; what is computed shows as an ellipsis."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(plain(part) for part in node.values)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return plain(node.left) + plain(node.right)
    return "…"


def errors_page(package: Path) -> str:
    """The whole text of docs/errors.md."""
    rows: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for code, sentence, hint in found(package):
        if (sentence, hint) not in rows[code]:
            rows[code].append((sentence, hint))
    lines = []
    for code in sorted(rows):
        for number, (sentence, hint) in enumerate(rows[code]):
            cells = [f"`{code}`" if number == 0 else "", sentence, hint]
            lines.append("| " + " | ".join(" ".join(cell.replace("|", "\\|").split()) for cell in cells) + " |\n")
    return ERRORS + "".join(lines)


SETTINGS = """# Settings

Every knob of a network, its default and its reason. `foreman up --help` lists the options that set them
([cli.md](cli.md)); code that builds a network passes `foreman.settings.Settings`. This page is written from the
source by `make golden`.
"""


def settings_page(package: Path) -> str:
    """The whole text of docs/settings.md: a table per class of settings.py, its fields with default and docstring."""
    parts = [SETTINGS]
    for node in ast.parse((package / "settings.py").read_text("utf-8")).body:
        if isinstance(node, ast.ClassDef):
            parts.append(
                f"\n## {node.name}\n\n{ast.get_docstring(node)}\n\n| field | default | what it is |\n|---|---|---|\n"
            )
            parts += [
                f"| `{name}` | `{default}` | {' '.join(told.split())} |\n" for name, default, told in fields(node)
            ]
    return "".join(parts)


def fields(node: ast.ClassDef) -> Iterator[tuple[str, str, str]]:
    """Name, default and docstring of each field of a dataclass."""
    for place, line in enumerate(node.body):
        if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name):
            after = node.body[place + 1] if place + 1 < len(node.body) else None
            told = after.value if isinstance(after, ast.Expr) else None
            sentence = told.value if isinstance(told, ast.Constant) and isinstance(told.value, str) else ""
            yield line.target.id, ast.unparse(line.value) if line.value else "", sentence


PAGES = {"errors.md": errors_page, "settings.md": settings_page}


def main() -> int:
    """Write the pages, or with `--check` say which are stale."""
    stale = []
    for name, make in PAGES.items():
        target, text = ROOT / "docs" / name, make(ROOT / "src" / "foreman")
        if not target.is_file() or target.read_text("utf-8") != text:
            stale.append(name)
            if "--check" not in sys.argv[1:]:
                target.write_text(text, encoding="utf-8")
    if "--check" in sys.argv[1:]:
        print(f"stale: {', '.join(stale)}; run `make golden`" if stale else "the written pages are fresh")
        return 1 if stale else 0
    return 0


if __name__ == "__main__":
    sys.exit(main())
