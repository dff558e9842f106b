"""Puts the demo together: evidence server, network, two new keys, the scenes, the audit, and what is printed."""

import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

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
        running = stack.enter_context(Running(build(settings)))
        network = stack.enter_context(Client(running.url))
        if not json:
            show.out().print(
                f"A network at {running.url}, {seats} seats judging with {', '.join(judges)}.", style="bold"
            )
            show.out().print(f"{len(JOBS)} work orders between two agents, each with a key of its own.\n", style="dim")
            if show.out().is_terminal:
                show.out().print(legend(), end="\n\n")
        stage = _set(network, evidence, _board(json, stack, seats), seats, judges)
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
    """Two new keys, money for the client, and an ear on the network's stream."""
    contract = parse_address(network.config["contracts"]["foreman"])
    tolerance = 0 if set(judges) == {"offline"} else MODEL_TOLERANCE
    stage = Stage(network, contract, Account.create(), Account.create(), evidence, board, seats, tolerance)
    connected = threading.Event()
    threading.Thread(target=_follow, args=(network, stage.hear, connected), daemon=True).start()
    network.wait(network.call("sim_fundAccount", str(stage.client), START_WEI)).check()
    connected.wait(5)
    return stage


def _follow(network: Client, hear: Callable[[dict[str, object]], None], connected: threading.Event) -> None:
    """Read the stream until the network stops; from the beginning, so that the first event tells that it flows."""
    try:
        for event in network.events(after=0):
            connected.set()
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
