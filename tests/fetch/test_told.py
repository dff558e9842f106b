"""What docs/judges.md tells about fetching is what the fetcher does: its limits, and every code it can raise."""

import ast
import re
from pathlib import Path

from foreman.fetch.wire import Limits

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "judges.md").read_text(encoding="utf-8").partition("## What a seat fetches")[2]


def test_the_limits_are_told() -> None:
    limits = Limits()
    assert re.search(rf"\| time, all together \| {limits.seconds:.0f} s \|", PAGE)
    assert re.search(rf"\| body, decompressed \| {limits.body_bytes} bytes \|", PAGE)
    assert re.search(rf"\| headers \| {limits.header_bytes} bytes \|", PAGE)
    assert re.search(rf"\| redirects \| {limits.redirects} \|", PAGE)
    assert re.search(rf"\| body of a request \| {limits.request_bytes} bytes \|", PAGE)


def test_every_code_is_told_and_no_other() -> None:
    raised: set[str] = set()
    for path in (ROOT / "src" / "foreman" / "fetch").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "WebError":
                code = node.args[0]
                raised |= {str(code.value)} if isinstance(code, ast.Constant) else set()
    told = set(re.findall(r"^\| `(\w+)` \| ", PAGE, re.M))
    assert told == raised
