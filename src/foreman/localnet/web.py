"""The built web app: in the wheel, or in a checkout where `make up` has built it."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parents[1]
_PLACES = (_PACKAGE / "web", _PACKAGE.parents[1] / "frontend" / "out")


def web_app() -> Path | None:
    """The folder of the exported app, None when it was never built here."""
    return next((place for place in _PLACES if (place / "index.html").is_file()), None)
