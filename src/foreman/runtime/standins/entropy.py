"""`random`, `os`, `secrets` and `uuid` for contracts: a constant seed in deterministic code, real entropy in a block.

On the network the entropy of deterministic code is all zeros (docs/genlayer.md 5.2): every run draws the same numbers.
"""

import os as real_os
import random as real_random
import secrets as real_secrets
import uuid as real_uuid
from typing import Any

from foreman.runtime.current import peek
from foreman.runtime.standins.clock import copied


def urandom(size: int) -> bytes:
    """`size` zero bytes in deterministic code, real entropy in a block."""
    found = peek()
    if found is not None and found.run.io is not None:
        return real_os.urandom(size)
    return bytes(size)


class Random(real_random.Random):
    """`random.Random`; without a seed it takes the run's entropy."""

    def seed(self, a: Any = None, version: int = 2) -> None:
        super().seed(urandom(32) if a is None else a, version)


class SystemRandom(real_random.SystemRandom):
    """`random.SystemRandom` over the run's entropy."""

    def random(self) -> float:
        return (int.from_bytes(urandom(7), "big") >> 3) * 2**-53

    def getrandbits(self, k: int) -> int:
        return int.from_bytes(urandom((k + 7) // 8), "big") >> (-k % 8)

    def randbytes(self, n: int) -> bytes:
        return urandom(n)


def _current() -> real_random.Random:
    """The generator behind `random.random()` and its like: one per frame, so runs do not shift each other's numbers."""
    found = peek()
    return Random() if found is None else found.random()


def _drawn(name: str) -> Any:
    def draw(*args: Any, **kwargs: Any) -> Any:
        return getattr(_current(), name)(*args, **kwargs)

    draw.__name__ = draw.__qualname__ = name
    return draw


def _uuid4() -> real_uuid.UUID:
    return real_uuid.UUID(bytes=urandom(16), version=4)


_DRAWN = [
    name
    for name in real_random.__all__
    if name not in ("Random", "SystemRandom") and callable(getattr(real_random, name, None))
]

random = copied(
    real_random, {**{name: _drawn(name) for name in _DRAWN}, "Random": Random, "SystemRandom": SystemRandom}
)
os = copied(real_os, {"urandom": urandom, "getrandom": lambda size, flags=0: urandom(size)})
secrets = copied(
    real_secrets,
    {
        "SystemRandom": SystemRandom,
        "token_bytes": lambda nbytes=None: urandom(32 if nbytes is None else nbytes),
        "token_hex": lambda nbytes=None: urandom(32 if nbytes is None else nbytes).hex(),
        "randbits": SystemRandom().getrandbits,
        "randbelow": lambda limit: SystemRandom().randrange(limit),
        "choice": SystemRandom().choice,
    },
)
uuid = copied(real_uuid, {"uuid4": _uuid4})
