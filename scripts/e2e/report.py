"""The report of a run, for people (Markdown) and for programs (JSON); text from elsewhere is marked as data."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from foreman.address import checksum
from scripts.e2e.accounts import Accounts, Line
from scripts.e2e.run import Run, Scene, Step

NAMES = ("e2e-report.md", "e2e-report.json")


@dataclass(frozen=True, slots=True)
class Outcome:
    """Everything a run ends with. `started` is UTC, as ISO 8601; `sources` the SHA-256 of what was deployed."""

    run: Run
    scenes: Sequence[Scene]
    accounts: Accounts
    started: str
    seconds: float
    chain_id: int
    sources: dict[str, str]
    funding: dict[str, str]
    keeps_failed_value: bool

    @property
    def conserved(self) -> bool:
        return self.accounts.hold(self.keeps_failed_value)

    @property
    def ok(self) -> bool:
        return self.conserved and all(scene.ok for scene in self.scenes)


def as_json(outcome: Outcome) -> dict[str, Any]:
    """Stable names; amounts are whole wei."""
    accounts, run = outcome.accounts, outcome.run
    return {
        "ok": outcome.ok,
        "conserved": outcome.conserved,
        "network": run.place.name,
        "chain_id": outcome.chain_id,
        "started": outcome.started,
        "seconds": round(outcome.seconds, 3),
        "contracts": {"foreman": checksum(run.foreman), "verdict_escrow": checksum(run.court)},
        "sources_sha256": outcome.sources,
        "funding": outcome.funding,
        "evidence": {name: role.url for name, role in run.roles.items()},
        "scenes": [_scene_json(scene) for scene in outcome.scenes],
        "accounts": [_line_json(line) for line in accounts.lines],
        "attached_to_failed_wei": accounts.attached,
        "stranded_wei": accounts.stranded,
        "lost_wei": accounts.lost,
        "unsettled_transactions": accounts.unsettled,
        "statistics_agree": accounts.statistics_agree,
        "stats": dict(accounts.stats),
    }


def _scene_json(scene: Scene) -> dict[str, Any]:
    steps = [asdict(step) for step in scene.steps]
    return {"name": scene.name, "shows": scene.shows, "ok": scene.ok, "skipped": scene.skipped, "steps": steps}


def _line_json(line: Line) -> dict[str, Any]:
    return {
        "name": line.name,
        "address": line.address,
        "before_wei": line.before,
        "expected_wei": line.expected,
        "after_wei": line.after,
        "difference_wei": line.difference,
    }


def write(outcome: Outcome, folder: Path) -> list[Path]:
    """Both files, whole or not at all; where they are."""
    folder.mkdir(parents=True, exist_ok=True)
    texts = (as_markdown(outcome), json.dumps(as_json(outcome), indent=2, ensure_ascii=False) + "\n")
    paths = [folder / name for name in NAMES]
    for path, text in zip(paths, texts, strict=True):
        new = path.with_suffix(path.suffix + ".new")
        new.write_text(text, encoding="utf-8")
        new.replace(path)
    return paths


def as_markdown(outcome: Outcome) -> str:
    """A page that says first whether it went well, then what was played, then where the money is."""
    run = outcome.run
    lines = [
        "# Live run of Foreman",
        "",
        f"**{'Everything went as it should.' if outcome.ok else 'Something went wrong; look for FAILED.'}**",
        "",
        f"- Network: `{run.place.name}` (chain {outcome.chain_id}), {outcome.started}, {outcome.seconds:.1f} s",
        f"- Foreman: `{checksum(run.foreman)}`",
        f"- VerdictEscrow: `{checksum(run.court)}`",
        *(f"- Money of the {who}: {source}" for who, source in outcome.funding.items()),
        *(f"- Evidence `{name}`: {_data(role.url)}" for name, role in run.roles.items()),
        "",
    ]
    for scene in outcome.scenes:
        lines += _scene(scene)
    return "\n".join([*lines, *_accounts(outcome)]) + "\n"


def _scene(scene: Scene) -> list[str]:
    word = "skipped" if scene.skipped else "ok" if scene.ok else "FAILED"
    lines = [f"## {scene.shows[:1].upper()}{scene.shows[1:]}: {word}", ""]
    if scene.skipped:
        return [*lines, f"Not played: it {scene.skipped}.", ""]
    return [*lines, "| step | | transaction | votes |", "|---|---|---|---|", *map(_step, scene.steps), ""]


def _step(step: Step) -> str:
    how = f"{step.status.lower()} in {step.seconds:.2f} s `{step.hash[:12]}…`" if step.hash else ""
    agreed = sum(vote == "agree" for vote in step.votes)
    votes = f"{agreed} of {len(step.votes)} agree" if step.votes else ""
    detail = f": {_data(step.detail)}" if step.detail else ""
    return f"| {_cell(step.what)}{detail} | {'ok' if step.ok else 'FAILED'} | {how} | {votes} |"


def _accounts(outcome: Outcome) -> list[str]:
    accounts = outcome.accounts
    word = "ok" if outcome.conserved else "FAILED"
    rows = [
        f"| {line.name} | `{line.address}` | {line.before} | {line.expected} | {line.after} | {line.difference} |"
        for line in accounts.lines
    ]
    stranded = f"| stranded value | | | | {accounts.stranded} | of {accounts.attached} attached to failed calls |"
    said = [f"{accounts.unsettled} transactions are not final yet, so the money is still settling."]
    return [
        f"## Funds accounting, in wei: {word}",
        "",
        "| who | address | before | expected | after | difference |",
        "|---|---|---:|---:|---:|---:|",
        *rows,
        stranded,
        "",
        *(said if accounts.unsettled else []),
        f"The contract's own statistics {'agree' if accounts.statistics_agree else 'DISAGREE: FAILED'}.",
    ]


def _data(text: str) -> str:
    """Text of a contract or a model, as it may stand in a cell: one line of code, no way out of it."""
    return f"`{_cell(text)[:300].replace('`', "'")}`"


def _cell(text: str) -> str:
    printable = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(printable.split()).replace("|", "/")
