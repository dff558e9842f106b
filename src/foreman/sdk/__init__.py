"""The Python client: speaks JSON-RPC to any GenLayer network, and never imports the node."""

from foreman.sdk.account import Account
from foreman.sdk.foreman import Foreman

__all__ = ["Account", "Foreman"]
