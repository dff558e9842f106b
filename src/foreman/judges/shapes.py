"""The three answers a contract may ask a judge for, as the `answer:` line of its prompt names them."""

import re

PAYOUT = "foreman/payout/1"
RULING = "verdict/ruling/1"
SAME = "verdict/same/1"

_LINE = re.compile(r"^answer: (\S+)[ \t]*$", re.MULTILINE)


def shape_of(task: str) -> str | None:
    """What the task's `answer:` line names, None when there is no such line or more than one."""
    found = set(_LINE.findall(task))
    return found.pop() if len(found) == 1 else None
