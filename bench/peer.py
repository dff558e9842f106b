"""The simulator that exists, glsim of genlayer-test: the same three calls per order, if it can be had and run here."""


def peer() -> tuple[float | None, str]:
    """Lifecycles per second and a note; None with the reason where it cannot run."""
    return None, "not installed: set FOREMAN_GLSIM to a Python that has genlayer-test"
