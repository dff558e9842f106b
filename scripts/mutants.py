"""Plants one fault at a time in Foreman or a shared block and runs its tests: a fault that no test sees is a survivor.

    python scripts/mutants.py --sample 300 --seed 1      # a random part; without --sample, all
    python scripts/mutants.py --only fence               # one text: contract, payout, urls, fence, answers

Every fault runs in a fork of this process, so nothing is imported twice; survivors are printed as they are found.
"""

import argparse
import ast
import os
import random
import signal
import sys
import tempfile
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]
BLOCKS = ("payout", "urls", "fence", "answers")
DIRECT = "foreman foreman_judgement foreman_limits foreman_cheating foreman_cases_appeals foreman_views "
DIRECT += "foreman_cases foreman_cases_judge foreman_static foreman_adversarial"
SLOW = ("c022", "c072", "500_random", "linear_time", "conserved", "hostile_urls", "honest_urls", "linter", "golden")
QUICK = " and ".join(f"not {name}" for name in SLOW)
"""Left out: what is slow and finds nothing that others do not."""

SECONDS = 40
"""Of computing, about five times what the tests need; a fault that makes them go on for ever counts as found."""

SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult, ast.BitOr: ast.BitAnd,
}  # fmt: skip

Change = Callable[[Any], None]


def faults(tree: ast.AST) -> Iterator[tuple[int, str, int, Change]]:
    """Every fault as (line, what it is, number of the node, change). Docstrings and annotations are left alone."""
    nodes = list(ast.walk(tree))
    spared = {id(node.value) for node in nodes if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)}
    for node in nodes:
        for name in ("annotation", "returns", "decorator_list"):
            value = getattr(node, name, None)
            for top in value if isinstance(value, list) else [value]:
                spared |= {id(note) for note in ast.walk(top)} if isinstance(top, ast.AST) else set()
    for place, node in enumerate(nodes):
        for what, change in changes(node) if id(node) not in spared else ():
            yield getattr(node, "lineno", 0), what, place, change


def changes(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """What can be made wrong about one node."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in SWAPS:
        yield f"compare {type(node.ops[0]).__name__}", lambda n: n.ops.__setitem__(0, SWAPS[type(n.ops[0])]())
    if isinstance(node, ast.BoolOp | ast.BinOp | ast.AugAssign) and type(node.op) in SWAPS:
        yield f"operator {type(node.op).__name__}", lambda n: setattr(n, "op", SWAPS[type(n.op)]())
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "not dropped", lambda n: setattr(n, "op", ast.UAdd())
    if isinstance(node, ast.Constant) and type(node.value) is int:
        yield f"{node.value} + 1", lambda n: setattr(n, "value", n.value + 1)
    if isinstance(node, ast.Constant) and type(node.value) is bool:
        yield f"not {node.value}", lambda n: setattr(n, "value", not n.value)
    if isinstance(node, ast.Constant) and type(node.value) is str and node.value:
        yield f"text {node.value[:20]!r}", lambda n: setattr(n, "value", "XX")
    if isinstance(node, ast.Slice) and node.upper is not None:
        yield "slice without end", lambda n: setattr(n, "upper", None)
    if isinstance(node, ast.Return) and node.value is not None:
        yield "return nothing", lambda n: setattr(n, "value", ast.Constant(None))
    yield from drops(node)


def drops(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """Statements of a function that can be left out."""
    for name in ("body", "orelse") if not isinstance(node, ast.Module | ast.ClassDef | ast.Lambda | ast.IfExp) else ():
        for at, step in enumerate(getattr(node, name, [])):
            called = isinstance(step, ast.Expr) and isinstance(step.value, ast.Call)
            if called or isinstance(step, ast.AugAssign | ast.Assign | ast.Delete):
                dropped = without(name, at)
                yield f"dropped: {ast.unparse(step)[:50]}", dropped


def without(name: str, at: int) -> Change:
    """Put `pass` in the place of a statement."""

    def change(node: Any) -> None:
        getattr(node, name)[at] = ast.Pass()

    return change


def seen(name: str, source: str, place: int, change: Change, folder: Path) -> bool:
    """Run the tests on a mutated text in a fork. True when they saw the fault."""
    mutant = ast.parse(source)
    change(list(ast.walk(mutant))[place])
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(1, 2)
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        os._exit(trial(name, source, ast.unparse(ast.fix_missing_locations(mutant)), folder))
    return os.waitpid(child, 0)[1] != 0


def trial(name: str, source: str, text: str, folder: Path) -> int:
    """Put the mutated text where the tests look for it, and run them."""
    import pytest

    from tests.direct import orders

    contract = (ROOT / "contracts" / "foreman.py").read_text("utf-8")
    files = files_of()
    if name == "contract":
        own, rest = split(contract)
        contract = "\n".join([*own.splitlines()[:2], text, rest])
    else:
        contract = contract.replace(body(source), body(text))
        if name != "payout":
            files.insert(0, f"tests/shared/test_{name}.py")
            module = types.ModuleType(f"contracts.shared.{name}")
            exec(compile(text, name, "exec"), module.__dict__)
            sys.modules[module.__name__] = module
            setattr(sys.modules["contracts.shared"], name, module)
            sys.modules.pop(f"tests.shared.test_{name}")  # it holds the names of the honest block
    path = folder / f"foreman_{os.getpid()}.py"
    path.write_text(contract, "utf-8")
    orders.CONTRACT = str(path)
    # File by file, so that a fault the first one sees does not wait for the others to be collected.
    return int(any(pytest.main(["-x", "-q", "-p", "no:cacheprovider", "-k", QUICK, file]) for file in files))


def files_of() -> list[str]:
    return [f"tests/direct/test_{part}.py" for part in DIRECT.split()]


def body(block: str) -> str:
    """A block as it stands in a contract: what is below its imports."""
    found = [node for node in ast.parse(block).body if isinstance(node, ast.Import | ast.ImportFrom)]
    return "\n".join(block.splitlines()[max(node.end_lineno or 0 for node in found) :]).strip("\n")


def split(contract: str) -> tuple[str, str]:
    """The contract's own text, and its blocks."""
    first, last = contract.index("# <shared payout>"), contract.index("# <shared urls>")
    end = contract.index("# </shared>", first)
    return contract[:first] + contract[end:last], contract[first:end] + contract[last:]


def planted(only: str | None) -> list[tuple[str, str, int, str, int, Change]]:
    """Every fault in every text: (text, its source, line, what, node, change)."""
    found = []
    for name in (only,) if only else ("contract", *BLOCKS):
        path = ROOT / "contracts" / ("foreman.py" if name == "contract" else f"shared/{name}.py")
        source = path.read_text("utf-8")
        source = split(source)[0] if name == "contract" else source
        found += [(name, source, *fault) for fault in faults(ast.parse(source))]
    return found


def main() -> int:
    """Plant, run, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", choices=("contract", *BLOCKS))
    options = parser.parse_args()
    os.chdir(ROOT)
    import pytest

    # What every fork needs is imported once, here.
    pytest.main(["-q", "--collect-only", "-p", "no:cacheprovider", "--no-header", "-qq", "tests/shared", *files_of()])

    chosen = planted(options.only)
    if options.sample:
        chosen = random.Random(options.seed).sample(chosen, min(options.sample, len(chosen)))
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (name, source, line, what, place, change) in enumerate(chosen, 1):
            count += (found := seen(name, source, place, change, Path(folder)))
            if not found:
                print(f"SURVIVED {name}:{line} {what}", flush=True)
            if number % 25 == 0:
                print(f"{number}/{len(chosen)}: {count} found", flush=True)
    print(f"{count} of {len(chosen)} faults were found ({100 * count / max(1, len(chosen)):.1f} %)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
