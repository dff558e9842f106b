"""VerdictEscrow: where evidence may come from, what a delivery may say, and what the views show of it."""

import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.direct.agreements import CLAIM, CRITERIA, GEN, GROUNDS, NOON, PAGE, REASON, Play, plain

HOSTILE = json.loads((Path(__file__).parents[1] / "cases" / "hostile_urls.json").read_text("utf-8"))["cases"]

DOMAINS = [
    # entry, what is stored, or None for a refusal
    pytest.param("example.com", "example.com", id="two labels"),
    pytest.param(" Example.COM ", "example.com", id="trimmed and folded"),
    pytest.param("docs.example.co.uk", "docs.example.co.uk", id="four labels"),
    pytest.param("example.co.uk", "example.co.uk", id="a name under a public suffix"),
    pytest.param("alice.github.io", "alice.github.io", id="one owner's part of a shared host"),
    pytest.param("com.example.org", "com.example.org", id="com as a third label"),
    pytest.param("company.com", "company.com", id="a name that begins like a suffix"),
    pytest.param("xn--bcher-kva.de", "xn--bcher-kva.de", id="punycode"),
    pytest.param("a-b.example.museum", "a-b.example.museum", id="hyphen, long last label"),
    *[pytest.param(f"{label}.uk", None, id=f"{label}.uk") for label in ("com", "co", "org", "net", "gov", "edu", "ac")],
    pytest.param("github.io", None, id="github.io"),
    pytest.param("vercel.app", None, id="vercel.app"),
    pytest.param("pages.dev", None, id="pages.dev"),
    pytest.param("amazonaws.com", None, id="the first shared host"),
    pytest.param("workers.dev", None, id="the last shared host"),
    pytest.param("com", None, id="one label"),
    pytest.param("localhost", None, id="localhost"),
    pytest.param("", None, id="empty"),
    pytest.param("   ", None, id="blank"),
    pytest.param(".com", None, id="empty label"),
    pytest.param("example..com", None, id="two dots"),
    pytest.param("example.com.", None, id="final dot"),
    pytest.param("*.example.com", None, id="wildcard"),
    pytest.param("https://example.com", None, id="a URL"),
    pytest.param("example.com/path", None, id="a path"),
    pytest.param("example.com:443", None, id="a port"),
    pytest.param("example.com?x", None, id="a query"),
    pytest.param("example.com#x", None, id="a fragment"),
    pytest.param("user@example.com", None, id="a user"),
    pytest.param("exa mple.com", None, id="a space"),
    pytest.param("example.com\nevil.com", None, id="two lines"),
    pytest.param("1.1.1.1", None, id="IPv4"),
    pytest.param("[2606:4700::1]", None, id="IPv6"),
    pytest.param("0x7f.1", None, id="hex address"),
    pytest.param("example.c0m", None, id="digit in the last label"),
    pytest.param("example.xn--p1ai", None, id="last label in punycode"),
    pytest.param("printer.local", None, id="mDNS"),
    pytest.param("db.internal", None, id="internal"),
    pytest.param("метро.com", None, id="other script"),
    pytest.param("-a.example.com", None, id="leading hyphen"),
    pytest.param("a" * 64 + ".com", None, id="label of 64"),
    pytest.param("a" * 63 + ".com", "a" * 63 + ".com", id="label of 63"),
    pytest.param(".".join(["a" * 50] * 5) + ".com", None, id="longer than a name can be"),
    pytest.param(7, None, id="a number"),
    pytest.param(None, None, id="nothing"),
    pytest.param(["example.com"], None, id="a list"),
]


@pytest.mark.parametrize(("entry", "stored"), DOMAINS)
def test_an_allowlist_entry_is_a_public_name_with_one_owner(play: Play, entry: Any, stored: str | None) -> None:
    if stored is None:
        names = plain(play.provider), plain(play.arbiter)
        play.refused(play.payer, "create_agreement", *names, "Report", ["ok.example.org", entry], why="invalid domain")
    else:
        assert play.agreement(play.draft([entry]))["allowed_domains"] == [stored]


@pytest.mark.parametrize(
    ("entries", "good"),
    [
        pytest.param([], False, id="none"),
        pytest.param([f"d{i}.example.com" for i in range(20)], True, id="twenty"),
        pytest.param([f"d{i}.example.com" for i in range(21)], False, id="twenty-one"),
        pytest.param(["example.com", "EXAMPLE.com"], False, id="twice the same"),
        pytest.param("example.com", False, id="text, not a list"),
        pytest.param({"example.com": 1}, False, id="a dict"),
        pytest.param(None, False, id="nothing"),
    ],
)
def test_an_allowlist_has_one_to_twenty_different_entries(play: Play, entries: Any, good: bool) -> None:
    names = plain(play.provider), plain(play.arbiter)
    if good:
        assert play.do(play.payer, "create_agreement", *names, "Report", entries) == 1
    else:
        play.refused(play.payer, "create_agreement", *names, "Report", entries, why="evidence allowlist")


def test_the_allowlist_belongs_to_its_agreement(play: Play) -> None:
    play.draft(["example.com"])
    n = play.draft(["example.org"])
    play.milestone(n)
    play.fund(n)
    play.refused(play.provider, "submit_evidence", n, 0, CLAIM, [PAGE], why="evidence domain not allowlisted")
    play.submit(n, urls=["https://example.org/report"])


URLS = [
    pytest.param("https://example.com/", True, id="the entry itself"),
    pytest.param("https://example.com", True, id="no path"),
    pytest.param("HTTPS://EXAMPLE.COM/A", True, id="upper case"),
    pytest.param(" https://example.com/a ", True, id="spaces around"),
    pytest.param("https://a.b.example.com/x?y=1#z", True, id="below the entry"),
    pytest.param("https://example.com/@evil.com/", True, id="an at sign in the path"),
    pytest.param("https://example.com?u=https://evil.com/", True, id="another URL in the query"),
    pytest.param("http://example.com/", False, id="http"),
    pytest.param("https://example.com:443/", False, id="even the usual port"),
    pytest.param("https://example.com:8443/", False, id="a port"),
    pytest.param("https://badexample.com/", False, id="ends alike"),
    pytest.param("https://example.com.evil.org/", False, id="begins alike"),
    pytest.param("https://example.org/", False, id="another name"),
    pytest.param("https://evil.org/example.com", False, id="name in the path"),
    pytest.param("https://evil.org#.example.com", False, id="name in the fragment"),
    pytest.param("https://evil.org?.example.com", False, id="name in the query"),
    pytest.param("https://evil.org\\.example.com/", False, id="backslash"),
    pytest.param("https://example.com@evil.org/", False, id="name as user"),
    pytest.param("https://user:pw@example.com/", False, id="password"),
    pytest.param("https://evil.org%2f.example.com/", False, id="escaped slash in the host"),
    pytest.param("//example.com/", False, id="no scheme"),
    pytest.param("ftp://example.com/", False, id="ftp"),
    pytest.param("javascript:alert(1)//example.com", False, id="script"),
    pytest.param("", False, id="empty"),
    pytest.param("https://", False, id="no host"),
    pytest.param("https://example.com/" + "p" * 500, False, id="too long"),
    pytest.param(5, False, id="a number"),
    pytest.param(None, False, id="nothing"),
]


@pytest.mark.parametrize(("url", "good"), URLS)
def test_evidence_is_https_on_a_listed_host(play: Play, url: Any, good: bool) -> None:
    n = play.active()
    call = (play.provider, "submit_evidence", n, 0, CLAIM, [url])
    if good:
        play.do(*call)
        assert play.look(n)["evidence"] == [url.strip()]
    else:
        play.refused(*call, why="evidence domain not allowlisted")


def listable(url: str) -> str | None:
    """The host of a URL that evidence could name, were it listed; else None. Python's parser, not ours."""
    try:
        parts = urlsplit(url.strip())
        host = (parts.hostname or "").removesuffix(".")
    except ValueError:
        return None
    last = host.rpartition(".")[2]
    named = "." in host and last.isalpha() and url.isascii()
    return host if named and parts.scheme == "https" and ":" not in parts.netloc else None


@pytest.mark.parametrize("row", HOSTILE, ids=lambda row: f"{row['id']} {row['category']}")
def test_the_shared_rows_of_urls(play: Play, row: dict[str, Any]) -> None:
    """Denied rows are refused whatever is listed; the others pass if they are https, without a port, and listed."""
    host, denied = listable(row["url"]), row["static_expected"] == "deny"
    n = play.draft(["example.com"] if denied or not host else [host])
    play.milestone(n)
    play.fund(n)
    if denied or not host:
        refusal = "evidence domain not allowlisted"
        play.refused(play.provider, "submit_evidence", n, 0, CLAIM, [row["url"]], why=refusal)
    else:
        play.submit(n, urls=[row["url"]])
        assert play.look(n)["evidence"] == [row["url"].strip()]


@pytest.mark.parametrize(
    ("urls", "good"),
    [
        pytest.param([], False, id="none"),
        pytest.param([f"https://example.com/{i}" for i in range(6)], True, id="six"),
        pytest.param([f"https://example.com/{i}" for i in range(7)], False, id="seven"),
        pytest.param([PAGE, PAGE], False, id="twice the same"),
        pytest.param([PAGE, f" {PAGE}"], False, id="twice the same but for a space"),
        pytest.param(PAGE, False, id="text, not a list"),
        pytest.param(None, False, id="nothing"),
    ],
)
def test_one_to_six_different_pages(play: Play, urls: Any, good: bool) -> None:
    n = play.active()
    if good:
        play.submit(n, urls=urls)
        assert play.look(n)["evidence"] == urls
    else:
        play.refused(play.provider, "submit_evidence", n, 0, CLAIM, urls, why="evidence URLs")


ARGUMENTS = [
    pytest.param("x" * 19, False, id="19"),
    pytest.param("x" * 20, True, id="20"),
    pytest.param("  " + "x" * 19 + "  ", False, id="19 after trimming"),
    pytest.param("x" * 2000, True, id="2000"),
    pytest.param("x" * 2001, False, id="2001"),
    pytest.param("first line of it\nsecond line of it", True, id="two lines"),
    pytest.param("x" * 20 + "\u200b", False, id="zero width"),
    pytest.param("x" * 20 + "\U000e0041", False, id="tag character"),
    pytest.param("x" * 20 + "\x1b[2J", False, id="escape sequence"),
    pytest.param(20, False, id="a number"),
    pytest.param(None, False, id="nothing"),
]


@pytest.mark.parametrize(("text", "good"), ARGUMENTS)
def test_claim_and_grounds_are_twenty_to_two_thousand_characters(play: Play, text: Any, good: bool) -> None:
    n = play.active()
    claim = (play.provider, "submit_evidence", n, 0, text, [PAGE])
    appeal = (play.payer, "appeal", play.ruled(), 0, text)
    if good:
        play.do(*claim)
        assert play.look(n)["claim"] == text.strip()
        play.do(*appeal, value=GEN)
        assert play.look(appeal[2])["appeal_grounds"] == text.strip()
    else:
        play.refused(*claim, why="claim must describe the delivery")
        play.refused(*appeal, value=GEN, why="state your grounds")


@pytest.mark.parametrize(("text", "good"), [row for row in ARGUMENTS if row.id not in ("2001",)])
def test_the_arbiter_gives_a_reason(play: Play, text: Any, good: bool) -> None:
    n = play.escalated()
    if good:
        play.do(play.arbiter, "arbiter_ruling", n, 0, True, text)
        assert play.rulings(n)[-1]["rationale"] == text.strip()[:1200]
    else:
        play.refused(play.arbiter, "arbiter_ruling", n, 0, True, text, why="arbiter must record a reason")


def test_a_long_reason_is_cut_to_what_a_ruling_holds(play: Play) -> None:
    n = play.escalated()
    play.do(play.arbiter, "arbiter_ruling", n, 0, False, "  " + "r" * 5000)
    assert play.rulings(n)[-1]["rationale"] == "r" * 1200


@pytest.mark.parametrize("approve", [0, 1, None, "true", "", [True]])
def test_the_arbiter_says_true_or_false(play: Play, approve: Any) -> None:
    n = play.escalated()
    play.refused(play.arbiter, "arbiter_ruling", n, 0, approve, REASON, why="approve must be true or false")


BAD_IDS = [0, -1, 2, 2**32, 2**300, True, "1", None, [1], b"1"]


@pytest.mark.parametrize("n", BAD_IDS)
def test_an_unknown_agreement_is_said_to_be_unknown(play: Play, n: Any) -> None:
    play.active()
    calls: list[tuple[str, tuple[Any, ...]]] = [
        ("get_agreement", ()),
        ("fund_and_activate", ()),
        ("abandon_draft", ()),
        ("add_milestone", ("More", CRITERIA, GEN, NOON + 9)),
        ("submit_evidence", (0, CLAIM, [PAGE])),
        ("appeal", (0, GROUNDS)),
        ("escalate_to_arbiter", (0, GROUNDS)),
        ("arbiter_ruling", (0, True, REASON)),
        *((name, (0,)) for name in ("accept_ruling", "finalize", "cancel_overdue")),
        *((name, (0,)) for name in ("resolve_stalled_review", "resolve_absent_arbiter")),
    ]
    for method, args in calls:
        play.refused(play.payer, method, n, *args, why="unknown agreement")
    for method in ("adjudicate", "get_milestone", "get_rulings"):
        play.refused(play.payer, method, n, 0, why="unknown milestone")


@pytest.mark.parametrize("i", [1, 19, 20, -1, 2**300, False, "0", None])
def test_an_unknown_milestone_is_said_to_be_unknown(play: Play, i: Any) -> None:
    n = play.active()
    play.active()
    for method in ("adjudicate", "finalize", "cancel_overdue", "get_milestone", "get_rulings"):
        play.refused(play.payer, method, n, i, why="unknown milestone")
