"""A whole network with the exported app at /, for the browser tests: `python network.py PORT [--finality SECONDS] [--judge NAME]`.

The same parts as `foreman up`: the sample pages, the offline judge, a temporary state. Prints one line when it is ready.
"""

import argparse
import signal
import sys
import threading
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(REPOSITORY / "src"))

from foreman.cli.stage.evidence import Evidence  # noqa: E402
from foreman.localnet.localnet import build  # noqa: E402
from foreman.localnet.serve import Running  # noqa: E402
from foreman.settings import Settings  # noqa: E402


def main() -> None:
    """Serve until told to stop."""
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--finality", type=float, default=0.0)
    parser.add_argument("--judge", action="append", default=None)
    given = parser.parse_args()
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    with Evidence() as evidence:
        settings = Settings(
            port=given.port,
            judges=tuple(given.judge or ("offline",)),
            finality_window=given.finality,
            host_map=evidence.mappings,
        )
        with Running(build(settings), REPOSITORY / "frontend" / "out") as running:
            print(running.origin, flush=True)
            stop.wait()


if __name__ == "__main__":
    main()
