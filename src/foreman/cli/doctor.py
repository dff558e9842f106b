"""`foreman doctor`: what works on this machine and what does not, each with what to do about it."""

import os
import platform
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from foreman.cli import show
from foreman.cli.exits import Exit
from foreman.cli.finding import Finding, Machine, State
from foreman.cli.reach import reach
from foreman.cli.spoken import command
from foreman.cli.up import judges_of_environment
from foreman.errors import ForemanError

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
NODE_AT_LEAST = 20
"""The Node.js that the web app is built with."""


def python(machine: Machine) -> Finding:
    """Which Python runs this; an older one than 3.12 would not have come this far."""
    return Finding("python", State.WORKS, f"Python {platform.python_version()}")


def network_starts(machine: Machine) -> Finding:
    """The real thing: database, runtime, contracts and door, in a temporary folder on any port."""
    from foreman.localnet.localnet import build
    from foreman.localnet.serve import Running
    from foreman.sdk.client import Client
    from foreman.settings import Settings

    with Running(build(Settings(port=0))) as running, Client(running.url) as client:
        names = ", ".join(client.config["contracts"])
        return Finding("network", State.WORKS, f"a network starts here and has {names}")


def port(machine: Machine) -> Finding:
    """Is the door's port free, or does a network answer there already?"""
    from foreman.localnet.serve import listen
    from foreman.sdk.client import Client

    try:
        listen("127.0.0.1", machine.port).close()
    except ForemanError as taken:
        try:
            with Client(f"http://127.0.0.1:{machine.port}/api") as client:
                return Finding("port", State.WORKS, f"a network runs on port {machine.port} (chain {client.chain_id})")
        except ForemanError:
            return Finding("port", State.BROKEN, taken.sentence, "stop what listens there, or `foreman up --port N`")
    return Finding("port", State.WORKS, f"port {machine.port} is free")


def state_folder(machine: Machine) -> Finding:
    """Can a database be written where `foreman up` keeps it?"""
    place = machine.state.absolute()
    existing = next(folder for folder in (place, *place.parents) if folder.exists())
    if existing.is_dir() and os.access(existing, os.W_OK | os.X_OK):
        free = shutil.disk_usage(existing).free // 2**20
        return Finding("state", State.WORKS, f"{machine.state} can be written, {free:,} MiB free")
    return Finding("state", State.BROKEN, f"{machine.state} cannot be written", "name another folder with --state")


def judges(machine: Machine) -> Finding:
    """Can the judges that are named be set up? None is asked anything."""
    from foreman.judges import make_judge

    made = [make_judge(name).name for name in machine.judges]
    return Finding("judges", State.WORKS, f"{', '.join(made)} set up (not asked)")


def browser(machine: Machine) -> Finding:
    found = find_browser()
    if found is None:
        hint = "install Chromium, or set FOREMAN_BROWSER; only browser tests need it"
        return Finding("browser", State.MISSING, "no Chromium", hint)
    return Finding("browser", State.WORKS, found)


def node(machine: Machine) -> Finding:
    hint = f"install Node.js {NODE_AT_LEAST} or later; only the web app's development needs it"
    found = shutil.which("node")
    if found is None:
        return Finding("node", State.MISSING, "no Node.js", hint)
    told = subprocess.run([found, "--version"], capture_output=True, text=True, check=False, timeout=20).stdout.strip()
    major = told.removeprefix("v").split(".")[0]
    old = not major.isdigit() or int(major) < NODE_AT_LEAST
    return Finding(
        "node", State.MISSING if old else State.WORKS, f"Node.js {told.removeprefix('v')}", hint if old else ""
    )


CHECKS: tuple[Callable[[Machine], Finding], ...] = (python, network_starts, port, state_folder, judges, browser, node)
"""In the order they are told."""


def find_browser() -> str | None:
    """The path of a Chromium: FOREMAN_BROWSER, or the first that is installed."""
    return os.environ.get("FOREMAN_BROWSER") or next((path for name in BROWSERS if (path := shutil.which(name))), None)


def examine(machine: Machine) -> Iterator[Finding]:
    """Every check, and with a network every check of it; one that fails with an expected error is a finding, too."""
    for check in CHECKS:
        try:
            yield check(machine)
        except ForemanError as problem:
            yield Finding(check.__name__.replace("_", " "), State.BROKEN, problem.sentence, problem.hint)
    if machine.network:
        yield from reach(machine.network)


HELP = """Tell what works on this machine and what does not.

  foreman doctor                                     what `foreman up` would find
  foreman doctor --judge openai:gpt-5-mini           is this judge set up
  foreman doctor --network studionet                 what works there; also by URL

Exit code 0 when everything needed works; what only a part needs may be missing.
"""

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else")]
Port = Annotated[int, typer.Option("--port", metavar="N", help="The port to look at")]
StateDir = Annotated[Path, typer.Option("--state", metavar="FOLDER", help="The folder to look at")]
Judges = Annotated[list[str] | None, typer.Option("--judge", metavar="NAME", help="Judges to set up; repeatable")]
Network = Annotated[str, typer.Option("--network", metavar="NAME|URL", help="A network to ask", show_default=False)]
MARKS = {State.WORKS: ("✓", "green"), State.MISSING: ("–", "yellow"), State.BROKEN: ("✗", "red")}


def doctor(
    port: Port = 4000, state: StateDir = Path(".state"), judge: Judges = None, network: Network = "", json: Json = False
) -> None:
    """Examine this machine."""
    findings = []
    for finding in examine(Machine(port, state, tuple(judge or judges_of_environment()), network)):
        findings.append(finding)
        if not json:
            mark, colour = MARKS[finding.state]
            show.out().print(f"[{colour}]{mark}[/] {finding.name:<10}", end="")
            show.out().print(show.plain(finding.sentence), markup=False, soft_wrap=True)
            if finding.hint:
                show.out().print(f"  {'':<10}{finding.hint}", style="dim", markup=False, soft_wrap=True)
    broken = any(finding.state is State.BROKEN for finding in findings)
    if json:
        show.as_json({"ok": not broken, "findings": [asdict(finding) for finding in findings]})
    if broken:
        raise typer.Exit(Exit.FAILED)


app = command(doctor, HELP)
