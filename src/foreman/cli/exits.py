"""Exit codes of the `foreman` command; docs/cli.md lists the same, and a test compares the two."""

from enum import IntEnum


class Exit(IntEnum):
    """What a script can tell from how the command ended."""

    OK = 0
    """Everything that was asked for has happened."""
    FAILED = 1
    """An expected error, told on stderr as a sentence and a hint."""
    USAGE = 2
    """The command line could not be read."""
    REVERTED = 3
    """The contract refused; nothing changed, the reason is on stderr."""
    UNDETERMINED = 4
    """The validators did not agree; nothing changed."""
    UNREACHABLE = 5
    """The network did not answer, or not in time."""
    INTERRUPTED = 130
    """Ctrl-C."""


BY_CODE = {
    "unknown_command": Exit.USAGE,
    "usage": Exit.USAGE,
    "execution_reverted": Exit.REVERTED,
    "reverted": Exit.REVERTED,
    "undetermined": Exit.UNDETERMINED,
    "unreachable": Exit.UNREACHABLE,
    "not_decided_in_time": Exit.UNREACHABLE,
}
"""Error codes (errors.py) that have an exit code of their own; every other expected error is FAILED."""
