"""One network on the toy runtime and a caller at its door, for every test of the room."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.node.network import Network
from tests.rpc.caller import Caller


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    with Network(tmp_path / "state") as running:
        yield running


@pytest.fixture
def caller(network: Network) -> Iterator[Caller]:
    with Caller(network) as asking:
        yield asking
