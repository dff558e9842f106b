"""Wei and GEN: read exactly, printed exactly, never a float."""

import re

from foreman.errors import BadInput

GEN = 10**18
"""Wei in one GEN, as ether has it (docs/genlayer.md 8.1: the chain is an EVM)."""

MAX_WEI = 2**256 - 1

_MOST_DIGITS = len(str(MAX_WEI // GEN))
"""Before the point. Python refuses to read numbers of thousands of digits with an error of its own."""

_AMOUNT = re.compile(r"(\d+)(?:\.(\d{1,18}))?", re.ASCII)


def parse_gen(text: str) -> int:
    """Read an amount in GEN, for example `1.2`, as wei. Signs, exponents, separators and 19 decimals are refused."""
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise BadInput(
            "bad_amount",
            f"{text[:80]!r} is not an amount of GEN",
            "write digits with at most 18 decimals, for example 1.25",
        )
    whole, fraction = found.groups()
    whole = whole.lstrip("0")
    wei = int(whole or 0) * GEN + int((fraction or "").ljust(18, "0")) if len(whole) <= _MOST_DIGITS else MAX_WEI + 1
    if wei > MAX_WEI:
        raise BadInput("bad_amount", f"{text[:80]!r} is more GEN than 256 bits can hold", "use a smaller amount")
    return wei


def format_gen(wei: int) -> str:
    """Print wei as GEN with every digit that matters and no more: 1500000000000000000 is `1.5`."""
    sign = "-" if wei < 0 else ""
    whole, fraction = divmod(abs(wei), GEN)
    digits = f"{fraction:018d}".rstrip("0")
    return f"{sign}{whole}.{digits}" if digits else f"{sign}{whole}"
