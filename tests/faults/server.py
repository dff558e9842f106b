"""A node in a process of its own that can be killed: real contract, real disk, real door; judges and pages scripted.

    python -m tests.faults.server FOLDER JUDGE_SECONDS

Prints where it answers, and runs until it is killed or told to stop.
"""

import signal
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from foreman.fetch.replay import Scripted as Pages  # noqa: E402
from foreman.judges.scripted import Scripted, payout  # noqa: E402
from foreman.localnet.localnet import build  # noqa: E402
from foreman.localnet.serve import Running  # noqa: E402
from foreman.settings import Settings  # noqa: E402

PERCENT = 80


def main(folder: str, seconds: str) -> None:
    judge = Scripted(payout(PERCENT), concurrency=1000, delay=float(seconds))
    settings = Settings(state_dir=Path(folder), port=0)
    with Running(build(settings, judges=[judge], fetchers=[Pages(["the page"])])) as running:
        print(running.url, running.node.contracts()["foreman"], flush=True)
        told = threading.Event()
        signal.signal(signal.SIGTERM, lambda *_: told.set())
        while not told.wait(1.0):
            pass


if __name__ == "__main__":
    main(*sys.argv[1:])
