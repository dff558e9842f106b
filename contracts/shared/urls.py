"""Decides which URLs may be fetched as evidence: public http(s), written so that every parser reads the same host.

One rule for contract, form, command line and agents; `scripts/share.py` copies everything below the imports.
"""

import ipaddress
import re

MAX_URL_CHARS = 500  # bounds what an order stores and what every seat sends

_ALPHABET = re.compile(r"[!#-;=?-\[\]-_a-~]+")  # printable ASCII without space " < > \ and backtick: nothing to re-read
_URL = re.compile(r"(https?)://([^/?#]*)(?:[/?#].*)?", re.IGNORECASE)
_AUTHORITY = re.compile(r"(?:\[([0-9a-f:.]+)\]|([^:\[\]@]+))(?::([0-9]{1,5}))?")
_NAME = re.compile(r"(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.?")
_NUMBER = re.compile(r"0x[0-9a-f]*|[0-9]+")  # a last label like this makes the whole host an IPv4 address
_INTERNAL = re.compile(  # names that lead inside a network, and a public one whose only address is a metadata service
    r".*\.(?:localhost|local|localdomain|internal|intranet|lan|home|corp|private|svc|arpa)|(?:.*\.)?metadata\.goog"
)
_RESERVED = """0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24
192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/3
2001::/23 2001:db8::/32 2002::/16 3fff::/20"""  # IANA special-purpose registries; of IPv6 only 2000::/3 is considered
_SPECIAL = tuple(ipaddress.ip_network(block) for block in _RESERVED.split())


def public_address(text: str) -> bool:
    """Is this the plain spelling of an IP address that belongs to the open internet? Embedded IPv4 never does."""
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    if address.version == 6 and int(address) >> 125 != 1:
        return False
    return not any(address in block for block in _SPECIAL if block.version == address.version)


def public_url(url: object) -> tuple[str, str, int | None]:
    """Read scheme, host (lower case, no final dot) and port of a URL that may be fetched; ValueError says why not."""
    if not isinstance(url, str) or not 0 < len(url) <= MAX_URL_CHARS:
        raise ValueError(f"a URL is text of 1 to {MAX_URL_CHARS} characters")
    if not _ALPHABET.fullmatch(url):
        raise ValueError("a URL is plain ASCII without spaces, quotes, angle brackets or backslashes; encode the rest")
    found = _URL.fullmatch(url)
    if found is None:
        raise ValueError("a URL starts with http:// or https://")
    parts = _AUTHORITY.fullmatch(found[2].lower())
    if parts is None:
        raise ValueError("the host must be plain: no user name, no password, a port in digits")
    literal, name, port = parts.groups()
    if port is not None and not 0 < int(port) < 65536:
        raise ValueError("the port must be 1 to 65535")
    host = literal or name
    if literal or _NUMBER.fullmatch(name.rstrip(".").rpartition(".")[2]):
        if not public_address(host) or (literal and ":" not in literal):
            raise ValueError("the address is not a public one in its plain spelling")
    elif len(host) > 253 or not _NAME.fullmatch(host):
        raise ValueError("the host is not a public domain name; write other scripts in punycode")
    host = host.removesuffix(".")
    if _INTERNAL.fullmatch(host):
        raise ValueError("the host is a private or internal name")
    return found[1].lower(), host, int(port) if port else None
