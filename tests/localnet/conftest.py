"""Gives these tests the direct-mode fixtures, also where the package is not installed."""

from foreman.localnet.fixtures import (  # noqa: F401
    direct_accounts,
    direct_alice,
    direct_bob,
    direct_charlie,
    direct_deploy,
    direct_owner,
    direct_vm,
)
