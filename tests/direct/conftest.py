"""The contracts on stage: a fresh deployment with its cast, for every test that asks for one."""

from typing import Any

import pytest

from tests.direct.agreements import Play


@pytest.fixture
def play(direct_vm: Any, direct_deploy: Any, direct_alice: Any, direct_bob: Any, direct_charlie: Any) -> Play:
    """VerdictEscrow with a payer (alice), a provider (bob), an arbiter (charlie) and a stranger."""
    stranger = bytes.fromhex("57" * 20)
    return Play(direct_vm, direct_deploy, (direct_alice, direct_bob, direct_charlie, stranger))
