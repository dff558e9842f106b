"""A URL is taken apart in one way only; what two parsers could read differently is refused."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from foreman.errors import WebError
from foreman.fetch.target import MAX_URL_CHARS, Target, follow, parse

READ = [
    pytest.param("https://example.com", ("https", "example.com", 443, "/"), id="bare"),
    pytest.param("HTTP://EXAMPLE.com/A?b#c", ("http", "example.com", 80, "/A?b"), id="case and fragment"),
    pytest.param("https://example.com?q=1", ("https", "example.com", 443, "/?q=1"), id="query without path"),
    pytest.param("https://example.com#top", ("https", "example.com", 443, "/"), id="only a fragment"),
    pytest.param("https://example.com./", ("https", "example.com", 443, "/"), id="final dot"),
    pytest.param("https://example.com:443/", ("https", "example.com", 443, "/"), id="own port"),
    pytest.param("https://example.com:/", ("https", "example.com", 443, "/"), id="empty port"),
    pytest.param("http://example.com:8080/x", ("http", "example.com", 8080, "/x"), id="odd port, for the host map"),
    pytest.param("https://bücher.example/", ("https", "xn--bcher-kva.example", 443, "/"), id="IDN"),
    pytest.param(
        "https://my_bucket.s3.example.com/o", ("https", "my_bucket.s3.example.com", 443, "/o"), id="underscore"
    ),
    pytest.param("https://example.com/a/user@host:1", ("https", "example.com", 443, "/a/user@host:1"), id="@ in path"),
    pytest.param("https://example.com/ä?ö=ü", ("https", "example.com", 443, "/%C3%A4?%C3%B6=%C3%BC"), id="UTF-8 path"),
    pytest.param("https://example.com/%2e%2e/%5C", ("https", "example.com", 443, "/%2e%2e/%5C"), id="escapes stay"),
    pytest.param("https://[2606:4700::1111]/", ("https", "2606:4700::1111", 443, "/"), id="IPv6"),
    pytest.param("http://8.8.8.8/", ("http", "8.8.8.8", 80, "/"), id="IPv4"),
    pytest.param("https://fda.gov/", ("https", "fda.gov", 443, "/"), id="C113 a name that starts like fd00::"),
    pytest.param("https://fcm.googleapis.com/", ("https", "fcm.googleapis.com", 443, "/"), id="C113 fc"),
    pytest.param("https://localhost.com/", ("https", "localhost.com", 443, "/"), id="C117 localhost.com"),
]

REFUSED = [
    *("", "example.com", "//example.com/", "/etc/passwd", "https://", "https:///x", "https://?q", "http://:80/"),
    *("ftp://example.com/", "file:///etc/passwd", "gopher://example.com/", "data:text/html,x", "javascript:alert(1)"),
    *("httpx://example.com/", "http+unix://%2Fvar/", "ws://example.com/", "view-source:https://example.com/"),
    *("http:/example.com/", "http:example.com", "https:\\\\example.com\\x", "http://127.0.0.1:6666\\@1.1.1.1/"),
    *("https://user@example.com/", "https://user:pw@example.com/", "https://:pw@example.com/", "https://@example.com/"),
    *(
        "https://example.com/a b",
        "https://example.com/\n",
        "https://exa\tmple.com/",
        " https://example.com/",
        "https://a.b/\x00",
    ),
    *(
        "https://example..com/",
        "https://.example.com/",
        "https://example.com../",
        "https://-a.example.com/",
        "https://a-.com/",
    ),
    *(
        "https://exa<mple.com/",
        "https://exa%6dple.com/",
        "https://" + "a" * 64 + ".com/",
        "https://" + "a." * 130 + "com/",
    ),
    *("http://[example.com]/", "http://::1/", "http://[::1]example.com/", "http://[::1", "http://[fe80::1%25eth0]/"),
    *("http://[::ffff:127.0.0.1.1]/", "http://[1:2]/"),
    *("http://example.com:80a/", "http://example.com:-1/", "http://example.com:123456/", "http://a:1:2/"),
    *("http://2130706433/", "http://0x7f000001/", "http://0x7f.1/", "http://0177.0.0.1/", "http://127.1/", "http://1/"),
    *(
        "http://127.0.0.1.0/",
        "http://example.123/",
        "http://256.1.1.1/",
        "http://0x/",
        "http://6425673729/",
        "http://1.2.3/",
    ),
    *("http://①⑥⑨.254.169.254/", "http://127。0。0。1/", "http://１２７.1/", "http://١٢٧.٠.٠.١/"),
    "https://example.com/" + "a" * MAX_URL_CHARS,
]


@pytest.mark.parametrize(("url", "parts"), READ)
def test_a_url_is_read_in_one_way(url: str, parts: tuple[str, str, int, str]) -> None:
    assert parse(url) == Target(*parts)


@pytest.mark.parametrize("url", REFUSED)
def test_a_doubtful_url_is_refused(url: str) -> None:
    with pytest.raises(WebError) as refusal:
        parse(url)
    assert refusal.value.code == "url_refused"


@given(st.text(max_size=60).map(lambda text: "https://" + text) | st.text(max_size=40))
@example("https://[::]:[")
def test_no_text_makes_it_crash_and_what_it_reads_it_reads_again(text: str) -> None:
    try:
        target = parse(text)
    except WebError:
        return
    assert parse(target.url) == target
    assert target.host.isascii()
    assert target.path.startswith("/")


FOLLOWED = [
    ("/final", "https://example.com/final"),
    ("next?x=1", "https://example.com/dir/next?x=1"),
    ("?only=query", "https://example.com/dir/page?only=query"),
    ("//other.example.org/x", "https://other.example.org/x"),
    ("https://other.example.org", "https://other.example.org/"),
    ("../up#frag", "https://example.com/up"),
]


@pytest.mark.parametrize(("location", "lands"), FOLLOWED)
def test_a_redirect_is_followed_from_where_it_was_met(location: str, lands: str) -> None:
    assert follow(parse("https://example.com/dir/page"), location).url == lands


@pytest.mark.parametrize(
    "location",
    [
        "http://example.com/",
        "http://[",
        "gopher://x.y/",
        "https://u:p@x.example/",
        "/a b",
        "/\r\nSet-Cookie: a=b",
        "https:\\\\evil.example",
        "/" + "a" * MAX_URL_CHARS,
    ],
)
def test_a_redirect_to_a_doubtful_or_less_safe_place_is_refused(location: str) -> None:
    with pytest.raises(WebError) as refusal:
        follow(parse("https://example.com/dir/page"), location)
    assert refusal.value.code == "url_refused"
