"""Puts the exported web app into the wheel as `foreman/web`, where it has been built; it is never built on the way."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

EXPORT = "frontend/out"
ABSENT = "!! This wheel has NO web app: frontend/out was not built. `make wheel` builds it first."


class WebApp(BuildHookInterface):  # type: ignore[type-arg] # hatchling's own stubs leave the configuration open
    """Runs for every wheel. An editable installation reads the app where it lies, as it does the contracts."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the app to what is packed, or say that it is missing."""
        if version == "editable":
            return
        if (Path(self.root) / EXPORT / "index.html").is_file():
            build_data["force_include"][EXPORT] = "foreman/web"
        else:
            self.app.display_warning(ABSENT)
