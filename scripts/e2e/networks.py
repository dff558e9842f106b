"""Where a run plays: a network of its own, one with a name, or one by its address; and what each can do."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from foreman.cli.stage.evidence import Evidence
from foreman.errors import BadInput
from foreman.localnet.localnet import build
from foreman.localnet.serve import Running
from foreman.sdk.client import Client
from foreman.settings import Settings

OWN = "local"
"""Here the name means a network that starts with the run and ends with it, so that nothing has to be running."""


@dataclass(frozen=True, slots=True)
class Place:
    """A network to play on. `evidence` is there when it is our own: then its clock is ours to turn too."""

    name: str
    client: Client
    evidence: Evidence | None = None

    @property
    def own(self) -> bool:
        return self.evidence is not None

    @property
    def live(self) -> bool:
        """Do others use it? Known development keys have no business there, and keys are written down."""
        return self.client.network.live


@contextmanager
def connect(name: str, judges: tuple[str, ...]) -> Iterator[Place]:
    """The network of that name or address; `local` is started here and ends here. Raises `BadInput`."""
    if name == OWN:
        with Evidence() as evidence:
            settings = Settings(port=0, judges=judges, host_map=evidence.mappings)
            with Running(build(settings)) as running, Client(running.url) as client:
                yield Place(OWN, client, evidence)
        return
    with Client(name) as client:
        if client.network.rollup:
            raise BadInput(
                "writes_not_offered",
                f"{client.network.name} is read by this client, but not written to",
                "use a Studio, studionet, or a network of `foreman up`",
            )
        yield Place(client.network.name, client)
