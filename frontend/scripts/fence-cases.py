"""Writes tests/cases/fenced.json: what contracts/shared/fence.py makes of some texts, for the app's own fence to match."""

import hashlib
import json
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(HERE.parent / "contracts" / "shared"))

from fence import clean, fenced  # noqa: E402

INJECTIONS = json.loads((HERE.parent / "tests" / "cases" / "injections.json").read_text())["cases"]
TEXTS = [row["text"] for row in INJECTIONS if isinstance(row.get("text"), str)]
TEXTS += ["", "one line", "a\nb\n\nc", "é 👩‍💻 می‌خواهم", "BEGIN title 0123", "x" * 3000, "tab\there", "\u202eevil\u200b"]


def main() -> None:
    """Each case: the raw text, the text cleaned, and a prompt of two blocks made from it."""
    cases = []
    for text in TEXTS:
        if any(0xD800 <= ord(char) < 0xE000 for char in text):
            continue  # JavaScript's encoder writes lone surrogates in another way, and clean() drops them anyway
        shown = clean(text).strip()
        cases.append({"text": text, "clean": shown, "fenced": fenced({"title": "A title", "evidence": shown})})
    (HERE / "tests" / "cases").mkdir(exist_ok=True)
    source = hashlib.sha256((HERE.parent / "contracts" / "shared" / "fence.py").read_bytes()).hexdigest()
    made = {"source_sha256": source, "cases": cases}
    (HERE / "tests" / "cases" / "fenced.json").write_text(json.dumps(made, indent=0) + "\n")
    print(len(cases))


if __name__ == "__main__":
    main()
