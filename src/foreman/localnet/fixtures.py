"""Pytest fixtures for contract tests: `direct_vm`, `direct_deploy` and known accounts, under genlayer-test's names.

Pytest loads this file by its entry point; nothing heavy is imported before a test asks for a fixture. With
`FOREMAN_DIRECT=gltest` genlayer-test's own fixtures of the same names are left to do the work, and tests that need what
its direct mode lacks are skipped with the reason.
"""

import hashlib
import os
import warnings
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from foreman.localnet.direct import DirectVM, Proxy

UPSTREAM = os.environ.get("FOREMAN_DIRECT") == "gltest"
"""Whether genlayer-test runs the direct tests instead."""

LACKING = {
    "needs_rollback": "genlayer-test's direct mode keeps what a failed call has written",
    "needs_balances": "genlayer-test's direct mode moves no value",
    "needs_payable": "genlayer-test's direct mode lets any method take value",
}
"""What only this project's direct mode has, by marker."""


def pytest_configure(config: pytest.Config) -> None:
    """Make the markers known where no configuration file does."""
    for marker, reason in LACKING.items():
        config.addinivalue_line("markers", f"{marker}: {reason}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Under genlayer-test, skip what it cannot do."""
    for item in items if UPSTREAM else []:
        for marker in item.iter_markers():
            if marker.name in LACKING:
                item.add_marker(pytest.mark.skip(reason=LACKING[marker.name]))


def _known(seed: str) -> bytes:
    return hashlib.sha256(seed.encode()).digest()[:20]


if not UPSTREAM:

    @pytest.fixture
    def direct_vm() -> Iterator["DirectVM"]:
        """A chain of its own for this test."""
        from foreman.localnet.direct import DirectVM

        vm = DirectVM()
        yield vm
        if vm.strict_mocks:
            for mock in vm.mocks.unused():
                warnings.warn(f"mock never used: {mock.pattern.pattern}", RuntimeWarning, stacklevel=1)

    @pytest.fixture
    def direct_deploy(direct_vm: "DirectVM") -> Callable[..., "Proxy"]:
        """Deploy a contract file: `direct_deploy("contracts/foreman.py", *args, **kwargs)`."""
        from foreman.localnet.direct import deploy

        def deployed(path: str, *args: Any, sdk_version: str | None = None, **kwargs: Any) -> "Proxy":
            return deploy(direct_vm, path, *args, **kwargs)

        return deployed

    @pytest.fixture
    def direct_alice() -> bytes:
        return _known("alice")

    @pytest.fixture
    def direct_bob() -> bytes:
        return _known("bob")

    @pytest.fixture
    def direct_charlie() -> bytes:
        return _known("charlie")

    @pytest.fixture
    def direct_owner() -> bytes:
        """Who sends when nobody else is named."""
        return _known("default_sender")

    @pytest.fixture
    def direct_accounts() -> list[bytes]:
        return [_known(f"test_address_{number}") for number in range(10)]
