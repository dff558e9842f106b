"""Puts the demo together: evidence server, network, two new keys, the scenes, the audit, and what is printed."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from foreman.address import parse_address
from foreman.cli import show
from foreman.cli.stage.audit import Audit, audit, balances, report, succeeded
from foreman.cli.stage.board import Board, Lines, Silent
from foreman.cli.stage.evidence import Evidence
from foreman.cli.stage.jobs import JOBS
from foreman.cli.stage.live import LiveBoard, legend, orders_table, proof_table
from foreman.cli.stage.scenes import SCENES
from foreman.cli.stage.stage import Stage
from foreman.errors import ForemanError
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.money import GEN
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.failures import Unreachable
from foreman.settings import Settings

START_WEI = 100 * GEN
"""What the client begins with; the provider begins with nothing."""

MODEL_TOLERANCE = 15
"""Points that verdicts of models may be off: what the contract itself allows two seats to differ by."""


def play(judges: tuple[str, ...], seats: int, pages: Path, json: bool) -> bool:
    """Play and print everything; True when every step did what it should and every wei is accounted for."""
    start = time.perf_counter()
    with ExitStack() as stack:
        evidence = stack.enter_context(Evidence(pages))
        settings = Settings(port=0, seats=seats, judges=judges, host_map=(evidence.mapping,))
        running = Running(build(settings))
        network = stack.enter_context(Client(running.url))
        ear = stack.enter_context(Ear(network))
        stack.enter_context(running)
        if not json:
            show.out().print(
                f"A network at {running.url}, {seats} seats judging with {', '.join(judges)}.", style="bold"
            )
            show.out().print(f"{len(JOBS)} work orders between two agents, each with a key of its own.\n", style="dim")
            if show.out().is_terminal:
                show.out().print(legend(), end="\n\n")
        stage = _set(network, evidence, _board(json, stack, seats), seats, judges)
        ear.listen(stage.hear)
        network.wait(network.call("sim_fundAccount", str(stage.client), START_WEI)).check()
        ear.hears.wait(5)
        before = balances(stage)
        for scene in SCENES:
            _scene(stage, scene)
        found = audit(stage, before)
    seconds = time.perf_counter() - start
    if json:
        show.as_json(report(stage, found, seconds))
    else:
        _closing(stage, found, seconds)
    return succeeded(stage, found)


def _board(json: bool, stack: ExitStack, seats: int) -> Board:
    if json:
        return Silent()
    if show.out().is_terminal:
        return stack.enter_context(LiveBoard(show.out(), seats))
    return Lines(lambda text: show.out().print(text, markup=False, soft_wrap=True))


def _set(network: Client, evidence: Evidence, board: Board, seats: int, judges: tuple[str, ...]) -> Stage:
    """The stage with two new keys."""
    contract = parse_address(network.config["contracts"]["foreman"])
    tolerance = 0 if set(judges) == {"offline"} else MODEL_TOLERANCE
    return Stage(network, contract, Account.create(), Account.create(), evidence, board, seats, tolerance)


class Ear:
    """Follows the network's stream on a thread, until the network stops."""

    def __init__(self, network: Client) -> None:
        self._network = network
        self._thread: threading.Thread | None = None
        self.hears = threading.Event()
        """Set with the first event: from then on nothing is missed."""

    def listen(self, hear: Callable[[dict[str, Any]], None]) -> None:
        self._thread = threading.Thread(target=self._follow, args=(hear,), daemon=True)
        self._thread.start()

    def __enter__(self) -> "Ear":
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            self._thread.join(10)

    def _follow(self, hear: Callable[[dict[str, Any]], None]) -> None:
        try:
            for event in self._network.events(after=0):
                self.hears.set()
                hear(event)
        except Unreachable:
            pass  # the network has stopped: the play is over


def _scene(stage: Stage, scene: Callable[[Stage], None]) -> None:
    """Play one scene; when it breaks off, that is a check that failed, and the next one is played all the same."""
    played = len(stage.rows)
    try:
        scene(stage)
    except ForemanError as problem:
        if len(stage.rows) == played:
            raise
        row = stage.rows[-1]
        stage.expect(row, False, f"the scene breaks off: {show.plain(problem)}")
        stage.close(row)


def _closing(stage: Stage, found: Audit, seconds: float) -> None:
    """The table, the proof, and one sentence."""
    out = show.out()
    out.print()
    out.print(orders_table(stage, found))
    out.print("+ the deposit of an appeal\n", style="dim")
    out.print(proof_table(found))
    out.print()
    for step in stage.steps:
        if not step.ok:
            out.print(f"✗ order {step.order}: {step.sentence}", style="red", markup=False)
    if succeeded(stage, found):
        told = f"All {len(stage.steps)} checks hold, and every wei is accounted for. {seconds:.1f} s."
        out.print(told, style="green")
    elif not found.conserved:
        out.print("The books do not balance.", style="bold red")
