"""A node in a process of its own, as the benchmarks need it: scripted judges and web, and the door on any free port.

    python -m bench.server '{"seats": 5, "delay": 0.0, "state": "folder"}'

Prints one line of JSON (`url`, `contract`) when it answers, and ends when its standard input does. With `profile` it
writes a profile of the door's thread there.
"""

import json
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from foreman.fetch.replay import Scripted as Pages  # noqa: E402
from foreman.judges.scripted import Scripted, payout  # noqa: E402
from foreman.localnet.localnet import build  # noqa: E402
from foreman.localnet.serve import Running  # noqa: E402
from foreman.node.node import Node  # noqa: E402
from foreman.ports import Clock  # noqa: E402
from foreman.settings import Settings  # noqa: E402

PAGE = "<html><body><h1>Report</h1><p>" + "Water levels of the gauge, hour by hour. " * 40 + "</p></body></html>"
PERCENT = 80
"""What every scripted judge pays, so that every order moves money both ways."""


class Forgetful(Pages):
    """Pages that are not kept in a list for ever."""

    def fetch(self, request: Any) -> Any:
        page = super().fetch(request)
        self.requests.clear()
        return page


def scripted_node(
    state: str | None = None, seats: int = 5, delay: float = 0.0, port: int = 0, clock: Clock | None = None
) -> Node:
    """A node whose judges answer after `delay` seconds, all the same."""
    answer = payout(PERCENT, "As asked, but for the units.", criteria_results=[{"criterion": "hourly", "met": True}])
    judges = [Scripted(answer, concurrency=10_000, delay=delay)]
    settings = Settings(state_dir=None if state is None else Path(state), port=port, seats=seats)
    return build(settings, judges=judges, fetchers=[Forgetful([PAGE])], clock=clock)


def main() -> None:
    asked = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    with Running(scripted_node(**asked)) as running:
        print(json.dumps({"url": running.url, "contract": running.node.contracts()["foreman"]}), flush=True)
        ended = threading.Event()

        def read() -> None:
            sys.stdin.read()
            ended.set()

        threading.Thread(target=read, daemon=True).start()
        ended.wait()


if __name__ == "__main__":
    main()
