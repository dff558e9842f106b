"""What goes wrong outside, as contracts see it, and the image that a screenshot is."""

from typing import Any


class NondetException(Exception):
    """Something outside failed. `causes` are stable codes, `ctx` tells more, `fatal` is for the host."""

    def __init__(self, causes: list[str], ctx: dict[str, Any], fatal: bool = False) -> None:
        super().__init__({"causes": causes, "ctx": ctx, "fatal": fatal})
        self.causes = causes
        self.ctx = ctx
        self.fatal = fatal

    def __reduce__(self) -> tuple[Any, ...]:
        return (NondetException, (self.causes, self.ctx, self.fatal))


class Image:
    """Bytes of an image."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
