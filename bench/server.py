"""A node in a process of its own, as the benchmarks need it: scripted judges and web, and the door on any free port.

    python -m bench.server '{"seats": 5, "delay": 0.0, "state": "folder"}'

Prints one line of JSON (`url` and the addresses of the contracts) when it answers, and ends when its standard input
does.
"""

import json
import sys
import threading
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from foreman.fetch.replay import Scripted as Pages  # noqa: E402
from foreman.judges.scripted import Scripted, payout, ruling  # noqa: E402
from foreman.localnet.localnet import build  # noqa: E402
from foreman.localnet.serve import Running, settle  # noqa: E402
from foreman.node.node import Node  # noqa: E402
from foreman.ports import Clock  # noqa: E402
from foreman.settings import Settings  # noqa: E402

PAGE = "<html><body><h1>Report</h1><p>" + "Water levels of the gauge, hour by hour. " * 40 + "</p></body></html>"
HOST = "deliverables.example"
PERCENT = 80
"""What every scripted judge pays, so that every order moves money both ways."""


class Forgetful(Pages):
    """Pages that are not kept in a list for ever."""

    def fetch(self, request: Any) -> Any:
        page = super().fetch(request)
        self.requests.clear()
        return page


def scripted_node(
    state: str | None = None,
    seats: int = 5,
    delay: float = 0.0,
    port: int = 0,
    clock: Clock | None = None,
    pages: int | None = None,
    rulings: bool = False,
) -> Node:
    """A node whose judges answer after `delay` seconds, all the same. Evidence is scripted, or fetched over sockets
    from loopback port `pages`; judges pay, or with `rulings` rule on milestones.
    """
    answer = payout(PERCENT, "As asked, but for the units.", criteria_results=[{"criterion": "hourly", "met": True}])
    judges = [Scripted(ruling("APPROVE") if rulings else answer, concurrency=10_000, delay=delay)]
    settings = Settings(
        state_dir=None if state is None else Path(state),
        port=port,
        seats=seats,
        host_map=() if pages is None else (f"{HOST}:443:127.0.0.1:{pages}",),
    )
    return build(settings, judges=judges, fetchers=[Forgetful([PAGE])] if pages is None else None, clock=clock)


def main() -> None:
    asked = json.loads(sys.argv[1]) if len(sys.argv) > 1 else {}
    with Running(scripted_node(**asked)) as running:
        settle()
        contracts = running.node.contracts()
        told = {"url": running.url, "contract": contracts["foreman"], "agreements": contracts["verdict_escrow"]}
        print(json.dumps(told), flush=True)
        ended = threading.Event()

        def read() -> None:
            sys.stdin.read()
            ended.set()

        threading.Thread(target=read, daemon=True).start()
        ended.wait()


if __name__ == "__main__":
    main()
