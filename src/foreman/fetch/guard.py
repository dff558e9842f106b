"""Which addresses may be connected to: public unicast ones, and nothing that can hide a private one inside.

`ipaddress.is_global` is not enough: it says yes to multicast, to `::ffff:` and `::` forms of private IPv4 addresses,
and its table changes between Python releases. The table here is IANA's special-purpose registries (IPv4 and IPv6),
and an IPv6 address has to lie inside 2000::/3, the only block that is handed out.
"""

import ipaddress
from collections.abc import Sequence

from foreman.errors import WebError

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

_IPV4_REFUSED = tuple(
    ipaddress.IPv4Network(block)
    for block in (
        "0.0.0.0/8",  # this network; Linux connects 0.0.0.0 to itself
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT; 100.100.100.200 is a cloud's metadata service
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a public number that is a cloud's host agent (Azure WireServer) on its machines
        "169.254.0.0/16",  # link-local; 169.254.169.254 is most clouds' metadata service
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocol assignments; 192.0.0.192 is a cloud's metadata service
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, and broadcast
    )
)

_IPV6_HANDED_OUT = ipaddress.IPv6Network("2000::/3")
"""Everything else is special: loopback, mapped and compatible IPv4, NAT64, unique-local, link-local, multicast."""

_IPV6_REFUSED = tuple(
    ipaddress.IPv6Network(block)
    for block in (
        "2001::/23",  # protocol assignments; Teredo, which carries an IPv4 address, is in here
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4, which carries an IPv4 address
        "3fff::/20",  # documentation
    )
)

_ISATAP = (0x0000_5EFE, 0x0200_5EFE)
"""Upper half of an interface identifier whose lower half is an IPv4 address (RFC 5214)."""


def is_public(address: Address) -> bool:
    """May this address be connected to? Nothing local, special, or able to hide a local address."""
    if isinstance(address, ipaddress.IPv4Address):
        return address.is_global and not any(address in block for block in _IPV4_REFUSED)
    if address not in _IPV6_HANDED_OUT or address.scope_id is not None or not address.is_global:
        return False
    if any(address in block for block in _IPV6_REFUSED):
        return False
    return int(address) >> 32 & 0xFFFF_FFFF not in _ISATAP


def check_answers(host: str, answers: Sequence[str]) -> list[str]:
    """The addresses of a name, when every single one is public. One bad answer refuses all: a name that has both is
    a name that changes its mind. Raises `WebError`: `dns_failed` without an answer, `address_refused`.
    """
    if not answers:
        raise WebError("dns_failed", f"{host} has no address", "check the spelling of the host name")
    checked: list[str] = []
    for answer in answers:
        try:
            address = ipaddress.ip_address(answer)
        except ValueError:
            raise WebError("dns_failed", f"{host} resolves to something that is no address") from None
        if not is_public(address):
            raise WebError(
                "address_refused",
                f"{host} does not point to a public address",
                "evidence has to be reachable by everybody on the public internet",
            )
        checked.append(str(address))
    return list(dict.fromkeys(checked))
