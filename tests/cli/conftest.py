"""A command line as people type it, against a real network, with a home of its own."""

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from foreman.cli import main as command
from foreman.cli import show
from foreman.cli.stage.evidence import Evidence
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.settings import Settings


class Ended(NamedTuple):
    """How a command line ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """What a program reads: exactly one document on stdout."""
        return json.loads(self.out)


Cli = Callable[..., Ended]


def amounts_read(value: Any, amount: bool = False) -> Any:
    """A document as a program reads it: amounts, which must be decimal strings, as whole wei."""
    if isinstance(value, dict):
        return {name: amounts_read(item, amount or is_amount(name)) for name, item in value.items()}
    if isinstance(value, list):
        return [amounts_read(item, amount) for item in value]
    if amount:
        assert isinstance(value, str), value
        return int(value)
    assert not isinstance(value, int) or value < 2**53, value
    return value


def is_amount(name: str) -> bool:
    return name.endswith("_wei") or name in ("balances_before", "balances_after")


@pytest.fixture(scope="module")
def evidence() -> Iterator[Evidence]:
    with Evidence() as pages:
        yield pages


@pytest.fixture(scope="module")
def running(evidence: Evidence) -> Iterator[Running]:
    """One network per module; tests share it and open orders of their own."""
    with Running(build(Settings(port=0, host_map=evidence.mappings))) as network:
        yield network


@pytest.fixture
def alone(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> Cli:
    """Run a command line in a home of its own, with no network named."""
    for name in ("FOREMAN_ACCOUNT", "FOREMAN_PASSWORD_FILE", "FOREMAN_NETWORK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("FOREMAN_HOME", str(tmp_path_factory.mktemp("home")))
    monkeypatch.setenv("COLUMNS", "160")

    def call(*arguments: object) -> Ended:
        show.out.cache_clear()
        show.err.cache_clear()
        code = command.main([str(argument) for argument in arguments])
        return Ended(code, *capsys.readouterr())

    return call


@pytest.fixture
def cli(alone: Cli, running: Running, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The same, with the module's network as the default."""
    monkeypatch.setenv("FOREMAN_NETWORK", running.url)
    return alone
