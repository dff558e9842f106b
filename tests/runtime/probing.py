"""The probe contract: scripts against its storage, as one line per promise."""

from typing import Any

from tests.runtime.world import CONTRACTS, World


class Probe:
    """A deployed probe. `do` commits what a script changed and returns its `out`."""

    def __init__(self) -> None:
        self.world = World()
        self.address = self.world.deploy((CONTRACTS / "probe.py").read_text())

    def do(self, *lines: str) -> Any:
        return self.world.ok(self.address, "do", "\n".join(lines))

    def see(self, expression: str) -> Any:
        """What an expression is in a run of its own."""
        return self.do(f"out = {expression}")

    def fails(self, *lines: str) -> str:
        """The last line of the traceback of a script that crashes."""
        text, stderr = self.world.error(self.address, "do", "\n".join(lines))
        assert text == "exit_code 1"
        return stderr.splitlines()[-1]

    def rows(self) -> int:
        return len(self.world.state.rows[self.address])
