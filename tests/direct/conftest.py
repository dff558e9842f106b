"""Gives the contract tests their fixtures, also where the package is not installed and its pytest plugin not loaded."""

from typing import Any

import pytest

from foreman.localnet import fixtures
from tests.direct.agreements import Play
from tests.direct.orders import Desk

if not fixtures.UPSTREAM:
    from foreman.localnet.fixtures import (  # noqa: F401
        direct_accounts,
        direct_alice,
        direct_bob,
        direct_charlie,
        direct_deploy,
        direct_owner,
        direct_vm,
    )
else:
    from foreman.localnet.fixtures import pytest_collection_modifyitems  # noqa: F401


@pytest.fixture
def play(direct_vm: Any, direct_deploy: Any, direct_alice: Any, direct_bob: Any, direct_charlie: Any) -> Play:
    """VerdictEscrow with a payer (alice), a provider (bob), an arbiter (charlie) and a stranger."""
    return Play(direct_vm, direct_deploy, (direct_alice, direct_bob, direct_charlie, bytes.fromhex("57" * 20)))


@pytest.fixture
def desk(direct_vm: Any, direct_deploy: Any, direct_alice: Any, direct_bob: Any, direct_charlie: Any) -> Desk:
    """Foreman with a client (alice), a provider (bob) and a stranger (charlie)."""
    return Desk(direct_vm, direct_deploy, (direct_alice, direct_bob, direct_charlie))
