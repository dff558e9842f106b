#!/usr/bin/env python3
"""Plays the whole life of orders and agreements on any network with fresh contracts, and writes a report.

python scripts/e2e_live.py                        a network of its own, offline
python scripts/e2e_live.py --network studionet    through live consensus; see docs/E2E.md
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "src"), str(ROOT)]  # works in an environment that holds only requirements.txt
    from scripts.e2e.main import main

    sys.exit(main(sys.argv[1:]))
