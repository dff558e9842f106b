"""`foreman up`: a network on this machine until Ctrl-C, with the contracts deployed and known accounts to play with."""

import logging
import os
import signal
import threading
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from foreman import __version__
from foreman.cli import show
from foreman.cli.spoken import command
from foreman.errors import BadInput, ForemanError
from foreman.money import format_gen
from foreman.settings import Limits, Settings

if TYPE_CHECKING:
    from foreman.localnet.serve import Running

JUDGES_VARIABLE = "FOREMAN_JUDGES"
"""Judge names separated by commas, used when no --judge is given."""

DEFAULTS = Settings()

_log = logging.getLogger("foreman.up")

HELP = """Run a GenLayer network on this machine, with the Foreman contracts deployed.

  foreman up                                       no keys, no internet; state in ./.state
  foreman up --temporary --port 0                  forget everything at the end, any free port
  foreman up --judge ollama:qwen3 --judge openai:gpt-5-mini
  foreman up --resolve shop.example:80:127.0.0.1:8080
  foreman up --no-dev --host 0.0.0.0 --allow-host foreman.example

The official clients (genlayer-js, genlayer-py, the genlayer CLI) work on it. Ctrl-C finishes the commit under way
and stops; the next start resumes what was pending.
"""

Port = Annotated[
    int, typer.Option("--port", metavar="N", help="Where the door is; 0 takes any free one", min=0, max=65535)
]
Host = Annotated[str, typer.Option("--host", metavar="ADDRESS", help="Where to listen; beyond loopback needs --no-dev")]
State = Annotated[Path, typer.Option("--state", metavar="FOLDER", help="Where the database lives")]
Temporary = Annotated[
    bool, typer.Option("--temporary", help="Keep the state in a folder that goes when the network stops")
]
Judges = Annotated[
    list[str] | None,
    typer.Option(
        "--judge", metavar="NAME", help=f"Who judges; dealt to the seats in turn [{JUDGES_VARIABLE}, else offline]"
    ),
]
Seats = Annotated[int, typer.Option("--seats", metavar="N", help="Validators per verdict", min=1, max=101)]
Rotations = Annotated[
    int, typer.Option("--rotations", metavar="N", help="Further seats that may propose", min=0, max=100)
]
Resolve = Annotated[
    list[str] | None,
    typer.Option("--resolve", metavar="HOST:PORT:ADDRESS:PORT", help="Serve a name from another address; repeatable"),
]
AllowHost = Annotated[
    list[str] | None, typer.Option("--allow-host", metavar="HOST", help="A further Host header the door answers to")
]
AllowOrigin = Annotated[
    list[str] | None, typer.Option("--allow-origin", metavar="URL", help="A further web origin that may use the door")
]
AllowContracts = Annotated[
    bool, typer.Option("--allow-contracts", help="Run any contract; it runs as this process may")
]
NoDev = Annotated[bool, typer.Option("--no-dev", help="No faucet, time travel, snapshots or known accounts")]
NoSamples = Annotated[bool, typer.Option("--no-samples", help="Do not serve the sample deliverables")]
Finality = Annotated[float, typer.Option("--finality-window", metavar="SECONDS", help="From accepted to final", min=0)]
ChainId = Annotated[int, typer.Option("--chain-id", metavar="N", help="Accepted besides those of the official clients")]
Doubles = Annotated[
    bool, typer.Option("--test-doubles", help="Take the mocks and leader_only that genlayer-test sends")
]

Genesis = Annotated[
    list[str] | None,
    typer.Option("--genesis", metavar="ADDRESS:GEN", help="Money that a new chain begins with; repeatable"),
]
JudgeCalls = Annotated[
    int,
    typer.Option("--judge-calls-per-hour", metavar="N", help="Questions to judges, all together; 0 is no limit", min=0),
]
NoMetrics = Annotated[bool, typer.Option("--no-metrics", help="Do not answer GET /metrics")]
LogFormat = Annotated[
    str, typer.Option("--log-format", metavar="FORMAT", help="text, or json: one document a line, no banner")
]
LogLevel = Annotated[
    str,
    typer.Option(
        "--log-level",
        metavar="LEVEL",
        help="debug, info, warning or error [warning, for json info]",
        show_default=False,
    ),
]


def up(
    context: typer.Context,
    port: Port = DEFAULTS.port,
    host: Host = DEFAULTS.host,
    state: State = Path(".state"),
    temporary: Temporary = False,
    judge: Judges = None,
    seats: Seats = DEFAULTS.seats,
    rotations: Rotations = DEFAULTS.rotations,
    resolve: Resolve = None,
    allow_host: AllowHost = None,
    allow_origin: AllowOrigin = None,
    allow_contracts: AllowContracts = False,
    no_dev: NoDev = False,
    no_samples: NoSamples = False,
    finality_window: Finality = DEFAULTS.finality_window,
    chain_id: ChainId = DEFAULTS.chain_id,
    test_doubles: Doubles = False,
    genesis: Genesis = None,
    judge_calls_per_hour: JudgeCalls = DEFAULTS.limits.judge_calls_per_hour,
    no_metrics: NoMetrics = False,
    log_format: LogFormat = DEFAULTS.log_format,
    log_level: LogLevel = DEFAULTS.log_level,
) -> None:
    """Run a network with these settings."""
    lists = {"allow_hosts": allow_host, "allow_origins": allow_origin, "host_map": resolve, "genesis": genesis}
    settings = Settings(
        state_dir=_state_of(context, state, temporary),
        host=host,
        port=port,
        judges=tuple(judge or judges_of_environment()),
        dev=not no_dev,
        test_doubles=test_doubles,
        allow_contracts=allow_contracts,
        limits=Limits(judge_calls_per_hour=judge_calls_per_hour),
        **{name: tuple(given or ()) for name, given in lists.items()},  # type: ignore[arg-type]  # all four are tuples
    )
    settings = replace(settings, seats=seats, rotations=rotations, chain_id=chain_id, finality_window=finality_window)
    settings = replace(settings, metrics=not no_metrics, log_format=log_format, log_level=log_level)
    run(settings, samples=not no_dev and not no_samples)


def _state_of(context: typer.Context, state: Path, temporary: bool) -> Path | None:
    """The state directory, None for one that goes. Raises `BadInput` when both were asked for."""
    source = context.get_parameter_source("state")
    if temporary and source is not None and source.name == "COMMANDLINE":
        raise BadInput("usage", "--temporary keeps its state in a folder of its own", "give --temporary or --state")
    return None if temporary else state


def judges_of_environment() -> list[str]:
    """The judges that FOREMAN_JUDGES names, the offline one without it."""
    return [name.strip() for name in os.environ.get(JUDGES_VARIABLE, "").split(",") if name.strip()] or ["offline"]


def run(settings: Settings, samples: bool) -> None:
    """Start everything, print where it is, and wait for a signal."""
    from foreman.cli.banner import print_banner
    from foreman.cli.stage.evidence import SAMPLES, Evidence
    from foreman.localnet.localnet import build
    from foreman.localnet.logs import logging_to
    from foreman.localnet.serve import Running, settle
    from foreman.localnet.web import web_app

    quiet = settings.log_format == "json"
    with logging_to(format=settings.log_format, level=settings.log_level):
        with ExitStack() as stack:
            if samples:
                evidence = stack.enter_context(Evidence())
                settings = replace(settings, host_map=(*settings.host_map, *evidence.mappings))
            running = stack.enter_context(Running(build(settings), web_app(), SAMPLES if samples else ()))
            if not quiet:
                print_banner(running)
            _warn_of_known_money(running)
            settle()
            _log.info("listening", extra={"fields": _where(running)})
            _wait(running)
        _log.info("stopped")
    if not quiet:
        show.out().print("\nStopped; everything acknowledged is on disk.", style="dim")


def _warn_of_known_money(running: "Running") -> None:
    """A state that began as a development network holds money whose keys everybody knows."""
    from foreman.localnet.accounts import DEV_ACCOUNTS

    node = running.node
    if not node.settings.dev:
        wei = sum(node.balance(bytes.fromhex(known.address[2:])) for known in DEV_ACCOUNTS)
        if wei:
            fields = {"gen": format_gen(wei)}
            _log.warning("accounts whose keys are public hold money here; begin a new chain", extra={"fields": fields})


def _where(running: "Running") -> dict[str, object]:
    """What the banner says, for a log."""
    settings = running.node.settings
    return {
        "rpc": running.url,
        "chain_id": settings.chain_id,
        "state": settings.state_dir or "temporary",
        "dev": settings.dev,
        "judges": ",".join(settings.judges),
        "height": running.node.height(),
        "release": __version__,
        **running.node.contracts(),
    }


def _wait(running: "Running") -> None:
    """Sleep until Ctrl-C or SIGTERM. Raises `ForemanError` when the network stops by itself.

    The first signal ends the wait and is gone; from then on a second one ends the process at once, which loses nothing
    that was acknowledged.
    """
    stop = threading.Event()
    told: list[int] = []

    def hear(number: int, _: object) -> None:
        told.append(number)
        stop.set()

    before = {number: signal.signal(number, hear) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        while not stop.wait(1.0):
            if running.node.health()["status"] == "stopped":
                raise ForemanError("network_stopped", "the network has stopped by itself", "its log above says why")
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    _log.info("stopping", extra={"fields": {"signal": signal.Signals(told[0]).name}})


app = command(up, HELP)
