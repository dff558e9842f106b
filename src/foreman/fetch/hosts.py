"""The host map: names that are served from an address of one's choice, over plain http, past the guard.

It is how sample pages and tests are reached under public-looking names. Entries are exact, are given by whoever runs
the node (`--resolve`), never by a contract, and what went through one is shown as mapped.
"""

import ipaddress
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from foreman.errors import BadInput
from foreman.fetch.target import Target

_ENTRY = re.compile(r"([^:\[\]\s]+):([0-9]{1,5}):(\[[0-9a-fA-F:.]+\]|[0-9.]+):([0-9]{1,5})")
_HINT = "write host:port:address:port, for example demo.foreman.example:443:127.0.0.1:8080"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a mapped name is served."""

    address: str
    port: int

    def __str__(self) -> str:
        return f"[{self.address}]:{self.port}" if ":" in self.address else f"{self.address}:{self.port}"


@dataclass(frozen=True, slots=True)
class HostMap:
    """Exact (host, port) pairs and where they are served. Immutable, so seats can share it."""

    places: dict[tuple[str, int], Place] = field(default_factory=dict)

    @classmethod
    def parse(cls, entries: Iterable[str]) -> "HostMap":
        """Read `--resolve` entries. Raises `BadInput` for a wrong shape and for one name given twice."""
        places: dict[tuple[str, int], Place] = {}
        for entry in entries:
            key, place = _read(entry)
            if places.get(key, place) != place:
                raise BadInput("bad_host_map", f"{key[0]}:{key[1]} is mapped twice", "keep one of the two entries")
            places[key] = place
        return cls(places)

    def find(self, target: Target) -> Place | None:
        """Looked up anew on every hop."""
        return self.places.get((target.host, target.port))


def _read(entry: str) -> tuple[tuple[str, int], Place]:
    found = _ENTRY.fullmatch(entry.strip())
    if found is None:
        raise BadInput("bad_host_map", f"{entry[:200]!r} is not a host map entry", _HINT)
    host, port, address, place_port = found.groups()
    try:
        place = str(ipaddress.ip_address(address.strip("[]")))
    except ValueError:
        raise BadInput("bad_host_map", f"{address!r} is not an IP address", _HINT) from None
    ports = (int(port), int(place_port))
    if not all(1 <= number <= 65535 for number in ports):
        raise BadInput("bad_host_map", f"{entry[:200]!r} has a port outside 1 to 65535", _HINT)
    return (host.lower().removesuffix("."), ports[0]), Place(place, ports[1])
