"""Only public unicast addresses may be connected to, and one bad answer refuses a name."""

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foreman.errors import WebError
from foreman.fetch.guard import check_answers, is_public

REFUSED = {
    "this network": ["0.0.0.0", "0.1.2.3"],
    "private": ["10.0.0.5", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
    "loopback": ["127.0.0.1", "127.255.255.254"],
    "link-local": ["169.254.0.1", "169.254.169.254", "169.254.170.2"],
    "carrier-grade NAT": ["100.64.0.1", "100.100.100.200", "100.127.255.255"],
    "metadata elsewhere": ["168.63.129.16", "192.0.0.192", "fd00:ec2::254"],
    "documentation": ["192.0.2.1", "198.51.100.7", "203.0.113.9", "2001:db8::1", "3fff::1"],
    "benchmark": ["198.18.0.1", "198.19.255.255", "2001:2::1"],
    "multicast": ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"],
    "reserved": ["240.0.0.1", "255.255.255.255"],
    "6to4 relay": ["192.88.99.1"],
    "IPv6 loopback and unspecified": ["::1", "::"],
    "IPv6 private": ["fc00::1", "fd12:3456::1", "fe80::1", "fec0::1"],
    "IPv6 zone": ["fe80::1%eth0", "2606:4700::1%eth0"],
    "mapped": ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:169.254.169.254", "::ffff:8.8.8.8"],
    "compatible": ["::127.0.0.1", "::8.8.8.8"],
    "translated": ["::ffff:0:127.0.0.1"],
    "NAT64": ["64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::a00:1"],
    "6to4": ["2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1"],
    "Teredo": ["2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    "ORCHID": ["2001:10::1", "2001:20::1"],
    "ISATAP": ["2606:4700::5efe:7f00:1", "2606:4700::200:5efe:a00:1"],
    "discard, SRv6": ["100::1", "5f00::1"],
}


@pytest.mark.parametrize(("kind", "address"), [(kind, one) for kind, many in REFUSED.items() for one in many])
def test_an_address_that_is_not_everybodys_is_refused(kind: str, address: str) -> None:
    assert not is_public(ipaddress.ip_address(address)), kind
    with pytest.raises(WebError) as refusal:
        check_answers("name.example.net", [address])
    assert refusal.value.code == "address_refused"
    assert address not in refusal.value.sentence, "a sentence must not tell what a name points to inside"


@pytest.mark.parametrize(
    "address",
    [
        "1.1.1.1",
        "8.8.8.8",
        "93.184.216.34",
        "100.63.255.255",
        "100.128.0.1",
        "172.32.0.1",
        "192.0.1.1",
        "2606:4700::1111",
        "2001:4860:4860::8888",
        "2a00:1450::1",
    ],
)
def test_a_public_address_is_taken(address: str) -> None:
    assert check_answers("name.example.net", [address]) == [address]


@pytest.mark.parametrize(
    "answers", [["93.184.216.34", "10.0.0.5"], ["::1", "93.184.216.34"], ["1.1.1.1", "1.0.0.1", "::"]]
)
def test_one_bad_answer_refuses_the_name(answers: list[str]) -> None:
    with pytest.raises(WebError, match="does not point to a public address"):
        check_answers("mixed.example.net", answers)


@pytest.mark.parametrize("answers", [[], ["not an address"], ["1.2.3"]])
def test_no_answer_is_no_permission(answers: list[str]) -> None:
    with pytest.raises(WebError) as refusal:
        check_answers("nx.example.net", answers)
    assert refusal.value.code == "dns_failed"


@given(st.ip_addresses(v=4))
def test_ipv4_is_never_looser_than_python(address: ipaddress.IPv4Address) -> None:
    if is_public(address):
        assert address.is_global
        assert not any((address.is_multicast, address.is_private, address.is_reserved, address.is_unspecified))


@given(st.integers(0, 2**32 - 1))
def test_no_ipv6_form_carries_an_ipv4_address_through(number: int) -> None:
    forms = [
        number,
        0xFFFF << 32 | number,
        0xFFFF << 48 | number,
        0x64FF9B << 96 | number,
        0x2002 << 112 | number << 80,
    ]
    for form in forms:
        assert not is_public(ipaddress.IPv6Address(form))
