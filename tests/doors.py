"""The doors out of this machine, kept shut while tests run: connections and name look-ups beyond loopback."""

import ipaddress

LOOPBACK_NAMES = frozenset({"", "localhost", "localhost.localdomain", "ip6-localhost"})
LOOK_UPS = frozenset({"socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr", "socket.getnameinfo"})
CONNECTIONS = frozenset({"socket.connect", "socket.sendto", "socket.sendmsg"})


class LiveCallForbidden(ConnectionError):
    """A test reached for the world outside this machine."""


class Doors:
    """An audit hook: CPython reports each connection and look-up before it happens, whatever library asks for it."""

    def __init__(self) -> None:
        self.knocks: list[str] = []

    def hook(self, event: str, arguments: tuple[object, ...]) -> None:
        """Refuse what would leave this machine, and remember it."""
        if event in LOOK_UPS:
            host = arguments[0][0] if isinstance(arguments[0], tuple) else arguments[0]
            allowed = is_loopback_name(host) or _address(host) is not None
        elif event in CONNECTIONS:
            host = arguments[1]
            allowed = not isinstance(host, tuple) or is_loopback_name(host[0])
        else:
            return
        if not allowed:
            self.knocks.append(f"{event} {host!r}")
            raise LiveCallForbidden(f"tests stay on this machine, but {event} was asked for {host!r}")


DOORS = Doors()
"""The one hook of this process; `tests/conftest.py` installs it."""


def is_loopback_name(host: object) -> bool:
    """Is this name or address this machine itself, for a connection? The unspecified address connects to it too."""
    if host is None or _text(host).lower() in LOOPBACK_NAMES:
        return True
    address = _address(host)
    return address is not None and (address.is_loopback or address.is_unspecified)


def _text(host: object) -> str:
    return host.decode("ascii", "replace") if isinstance(host, bytes) else str(host)


def _address(host: object) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(_text(host).split("%")[0])
    except ValueError:
        return None
