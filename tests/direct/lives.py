"""The lives of `contracts/lifecycle.json`: what the web app shows and the contracts do is one and the same file."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

GEN = 10**18

CONTRACTS = json.loads((Path(__file__).parents[2] / "contracts" / "lifecycle.json").read_text("utf-8"))["contracts"]


def wei(gen: str) -> int:
    """Wei of an amount as the table writes it, in GEN."""
    whole, _, fraction = gen.partition(".")
    return int(whole) * GEN + int(fraction.ljust(18, "0") or 0)


def judged(life: dict[str, Any], method: str) -> bool:
    """Does the table say that the seats are asked?"""
    return next(bool(row["judged"]) for row in life["transitions"] if row["method"] == method)


def follows(life: dict[str, Any], at: str, step: dict[str, Any]) -> bool:
    """Does the table allow this step from this state? A step that decides nothing has to stay where it was."""
    rows = [row for row in life["transitions"] if row["method"] == step["do"] and at in row["from"]]
    if step.get("refused") or step.get("undetermined"):
        return bool(rows) and step["to"] == at
    return any(step["to"] == at if row.get("stays") else step["to"] in row["to"] for row in rows)


@contextmanager
def counted(vm: Any) -> Iterator[list[object]]:
    """The questions that are put to the seats meanwhile."""
    asked: list[object] = []
    decide = vm.decide

    def count(block: Any) -> Any:
        asked.append(block)
        return decide(block)

    vm.decide = count
    try:
        yield asked
    finally:
        vm.decide = decide
