"""The URL rule, row by row: contract block and Python word are one text, and both refuse what the table says."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.shared import urls as block
from foreman import urls as word
from foreman.errors import BadInput

CASES = json.loads((Path(__file__).parents[1] / "cases" / "hostile_urls.json").read_text("utf-8"))["cases"]
STATIC = [case for case in CASES if case["layer"] == "static"]

ASKS_FOR_PUNYCODE = {"U275", "U297"}
"""Wanted or left open by the table; refused here: plain ASCII is the one spelling that all parsers read alike."""

POLICY = {
    "U285": False,  # surrounding spaces: refused, a URL is taken as it is written
    "U287": False,  # empty port
    "U288": False,  # port 0
    "U290": False,  # an IPv6 address that embeds an IPv4 one is refused whatever it embeds
    "U291": False,
    "U293": False,  # .svc
    "U294": False,  # home.arpa
    "U296": False,  # digits of another script
    "U297": False,
}
"""What this project chose where the table leaves it open."""


def verdict(url: str) -> bool:
    try:
        block.public_url(url)
    except ValueError:
        return False
    return True


def expected(case: dict[str, str]) -> bool:
    if case["id"] in POLICY:
        return POLICY[case["id"]]
    return case["static_expected"] == "allow" and case["id"] not in ASKS_FOR_PUNYCODE


@pytest.mark.parametrize("case", STATIC, ids=[case["id"] for case in STATIC])
def test_the_rule_answers_as_the_table_says(case):
    assert case["strength"] != "must" or case["id"] not in ASKS_FOR_PUNYCODE
    assert verdict(case["url"]) is expected(case), case["reason"]


@pytest.mark.parametrize("case", STATIC, ids=[case["id"] for case in STATIC])
def test_the_word_gives_the_same_answer_with_a_hint(case):
    if expected(case):
        assert word.check_evidence_url(case["url"]) == case["url"]
        return
    with pytest.raises(BadInput) as refused:
        word.check_evidence_url(case["url"])
    assert refused.value.code == "bad_url"
    assert refused.value.hint


def test_every_open_row_has_a_choice():
    assert {case["id"] for case in STATIC if case["strength"] == "policy"} == set(POLICY)


@pytest.mark.parametrize(
    ("url", "read"),
    [
        pytest.param("https://Example.COM./a?b#c", ("https", "example.com", None), id="host folded, final dot gone"),
        pytest.param("HTTP://a.example.org:8080", ("http", "a.example.org", 8080), id="port"),
        pytest.param("http://8.8.8.8/x", ("http", "8.8.8.8", None), id="public IPv4"),
        pytest.param("https://[2606:4700::1111]:443/", ("https", "2606:4700::1111", 443), id="public IPv6"),
        pytest.param("https://a.example.org:65535/", ("https", "a.example.org", 65535), id="highest port"),
        pytest.param("https://a.example.org:1/", ("https", "a.example.org", 1), id="lowest port"),
    ],
)
def test_the_parts_are_read(url, read):
    assert block.public_url(url) == read


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        pytest.param(None, "a URL is text of 1 to 500 characters", id="no text"),
        pytest.param(b"https://example.com/", "a URL is text of 1 to 500 characters", id="bytes"),
        pytest.param("", "a URL is text of 1 to 500 characters", id="empty"),
        pytest.param("https://example.com/" + "p" * 481, "a URL is text of 1 to 500 characters", id="501 characters"),
        pytest.param("https://example.com/ü", "plain ASCII", id="not ASCII"),
        pytest.param('https://example.com/"', "plain ASCII", id="quote"),
        pytest.param("https://example.com/<", "plain ASCII", id="less than"),
        pytest.param("https://example.com/>", "plain ASCII", id="greater than"),
        pytest.param("https://example.com/\\", "plain ASCII", id="backslash"),
        pytest.param("https://example.com/`", "plain ASCII", id="backtick"),
        pytest.param("https://example.com/\x7f", "plain ASCII", id="delete"),
        pytest.param("https://example.com/ ", "plain ASCII", id="final space"),
        pytest.param("https://example.com/\n", "plain ASCII", id="final newline"),
        pytest.param("file:///etc/passwd", "http:// or https://", id="scheme"),
        pytest.param("https://user@example.com", "no user name", id="user"),
        pytest.param("https://example.com:999999/", "port in digits", id="six digits"),
        pytest.param("https://example.com:65536/", "1 to 65535", id="port too high"),
        pytest.param("https://example.com:0/", "1 to 65535", id="port zero"),
        pytest.param("https://10.0.0.1/", "not a public one", id="private"),
        pytest.param("https://example.0x1/", "not a public one", id="hex last label"),
        pytest.param("https://[::ffff:8.8.8.8]/", "not a public one", id="embedded"),
        pytest.param("https://[8.8.8.8]/", "not a public one", id="IPv4 in brackets"),
        pytest.param("https://one/", "public domain name", id="single label"),
        pytest.param("https://a-.example.com/", "public domain name", id="label ends in a dash"),
        pytest.param("https://-a.example.com/", "public domain name", id="label starts with a dash"),
        pytest.param("https://" + "a." * 125 + "info/", "public domain name", id="254 characters"),
        pytest.param("https://printer.local./", "private or internal", id="internal with a dot"),
        pytest.param("https://metadata.goog/", "private or internal", id="metadata"),
        pytest.param("https://x.metadata.goog/", "private or internal", id="below metadata"),
    ],
)
def test_a_refusal_says_why(url, reason):
    with pytest.raises(ValueError, match=reason):
        block.public_url(url)


def test_253_characters_of_host_are_allowed():
    assert verdict("https://" + "a." * 125 + "com/")


@pytest.mark.parametrize(
    ("low", "high"),
    [
        pytest.param("0.0.0.0", "0.255.255.255", id="this network"),
        pytest.param("10.0.0.0", "10.255.255.255", id="private 10"),
        pytest.param("100.64.0.0", "100.127.255.255", id="carrier NAT"),
        pytest.param("127.0.0.0", "127.255.255.255", id="loopback"),
        pytest.param("169.254.0.0", "169.254.255.255", id="link local"),
        pytest.param("172.16.0.0", "172.31.255.255", id="private 172"),
        pytest.param("192.0.0.0", "192.0.0.255", id="protocol assignments"),
        pytest.param("192.0.2.0", "192.0.2.255", id="documentation 1"),
        pytest.param("192.88.99.0", "192.88.99.255", id="6to4 relay"),
        pytest.param("192.168.0.0", "192.168.255.255", id="private 192"),
        pytest.param("198.18.0.0", "198.19.255.255", id="benchmarks"),
        pytest.param("198.51.100.0", "198.51.100.255", id="documentation 2"),
        pytest.param("203.0.113.0", "203.0.113.255", id="documentation 3"),
        pytest.param("224.0.0.0", "255.255.255.255", id="multicast and reserved"),
        pytest.param("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", id="IETF assignments with Teredo"),
        pytest.param("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", id="documentation 6"),
        pytest.param("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", id="6to4"),
        pytest.param("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", id="documentation 7"),
        pytest.param("::", "1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", id="below global unicast"),
        pytest.param("4000::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", id="above global unicast"),
    ],
)
def test_a_special_range_is_refused_to_its_last_address_and_no_further(low, high):
    assert not block.public_address(low)
    assert not block.public_address(high)
    for address, step in ((low, -1), (high, 1)):
        neighbour = block.ipaddress.ip_address(address)
        try:
            neighbour += step
        except ValueError:
            continue  # the range ends where the addresses end
        outside = neighbour.version == 6 and int(neighbour) >> 125 != 1  # of IPv6 only 2000::/3 is public at all
        assert block.public_address(str(neighbour)) is not outside


@pytest.mark.parametrize("text", ["8.8.8", "08.8.8.8", "8.8.8.8.", "0x8.8.8.8", "", "a", "8.8.8.8/32", "fe80::1%eth0"])
def test_only_the_plain_spelling_of_an_address_counts(text):
    assert not block.public_address(text)


@given(st.text(st.characters(codec="ascii"), max_size=60))
def test_no_path_opens_an_internal_host(text):
    assert not verdict("http://127.0.0.1/" + text)
    assert not verdict("http://db.internal/" + text)
    assert not verdict("http://[::1]/" + text)


@given(st.text())
def test_any_text_is_answered(text):
    assert verdict(text) in (True, False)
