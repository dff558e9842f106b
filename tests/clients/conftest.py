"""One running network for all clients of a file; they use accounts of their own and do not disturb each other."""

from collections.abc import Iterator

import pytest

from foreman.localnet.serve import Running
from tests.clients.network import network


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with network() as running:
        yield running
