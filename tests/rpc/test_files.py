"""The built web app as the door serves it: packed, kept as long as it may be, and nothing beside it."""

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest

from foreman.rpc import files
from foreman.rpc.app import make_app
from foreman.rpc.front import Front
from tests.node.network import Network
from tests.rpc.caller import ORIGIN, Caller
from tests.rpc.test_http import CHAIN_ID

SCRIPT = "/_next/static/chunks/0a1b.js"
CODE = "export const lines = [" + "'the same again', " * 400 + "];"
HASHED, PLAIN = "public, max-age=31536000, immutable", "no-cache"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What the build of a small app leaves."""
    web = tmp_path / "web"
    (web / "orders" / "detail").mkdir(parents=True)
    (web / "_next" / "static" / "chunks").mkdir(parents=True)
    (web / "index.html").write_text("<h1>home</h1>" + "<p>welcome</p>" * 200)
    (web / "orders" / "index.html").write_text("<h1>orders</h1>")
    (web / "orders" / "detail" / "index.html").write_text("<h1>order</h1>")
    (web / "404.html").write_text("<h1>lost</h1>" + "<p>nothing here</p>" * 200)
    (web / SCRIPT[1:]).write_text(CODE)
    (web / "font.woff2").write_bytes(b"\0" * 5_000)
    (tmp_path / "secret.txt").write_text("secret")
    return web


@pytest.fixture
def app(network: Network, folder: Path) -> Iterator[Caller]:
    """A caller at a door that serves it."""
    with Caller(network) as caller:
        caller.mount(make_app(network.node, Front(folder)))
        yield caller


def test_the_built_web_app_is_served_beside_the_door(app: Caller) -> None:
    assert app.request("GET", "/").text.startswith("<h1>home</h1>")
    assert app.request("GET", "/orders/").text == "<h1>orders</h1>"
    assert app.request("GET", "/health").json()["status"] == "ok"
    assert app.post(CHAIN_ID, path="/").json()["result"] == "0xeec7"
    assert "frame-ancestors 'none'" in app.request("GET", "/").headers["content-security-policy"]


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_an_unknown_page_is_the_apps_own_404(app: Caller, encoding: str) -> None:
    lost = app.request("GET", "/nowhere", {"accept-encoding": encoding})
    assert lost.status_code == 404
    assert lost.text.startswith("<h1>lost</h1>")


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "//etc/passwd", "/%00"])
def test_nothing_outside_the_web_apps_folder_is_served(app: Caller, path: str) -> None:
    response = app.request("GET", ORIGIN + path)
    assert response.status_code == 404
    assert "secret" not in response.text


TAKES = [("gzip, deflate, br, zstd", True), ("br;q=1.0, gzip;q=0.5", True), ("GZIP", True), ("*", True), ("", False),
         ("br", False), ("gzip;q=0", False), ("gzip; q=0.000, br", False), ("x-gzipped", False)]  # fmt: skip


@pytest.mark.parametrize(("accepted", "packed"), TAKES, ids=[repr(accepted) for accepted, _ in TAKES])
def test_who_takes_gzip_gets_it(app: Caller, accepted: str, packed: bool) -> None:
    response = app.request("GET", SCRIPT, {"accept-encoding": accepted})
    assert response.text == CODE
    assert (response.headers.get("content-encoding") == "gzip") is packed
    assert response.headers["vary"] == "accept-encoding"
    assert response.headers["content-type"].startswith("text/javascript")
    if packed:
        assert int(response.headers["content-length"]) < len(CODE) / 10


@pytest.mark.parametrize("path", ["/font.woff2", "/orders/"], ids=["packed already", "too small"])
def test_what_would_not_get_smaller_stays_as_it_is(app: Caller, path: str) -> None:
    assert "content-encoding" not in app.request("GET", path, {"accept-encoding": "gzip"}).headers


def test_a_part_of_a_file_is_a_part_of_the_file_as_it_is(app: Caller) -> None:
    response = app.request("GET", SCRIPT, {"accept-encoding": "gzip", "range": "bytes=0-9"})
    assert (response.status_code, response.text) == (206, CODE[:10])


@pytest.mark.parametrize(("path", "kept"), [(SCRIPT, HASHED), ("/", PLAIN), ("/nowhere", PLAIN)])
def test_only_what_carries_its_hash_in_its_name_is_kept(app: Caller, path: str, kept: str) -> None:
    for encoding in ("gzip", "identity"):
        assert app.request("GET", path, {"accept-encoding": encoding}).headers["cache-control"] == kept


def test_a_missing_chunk_is_never_kept(app: Caller) -> None:
    assert app.request("GET", "/_next/static/gone.js").headers["cache-control"] == PLAIN


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
def test_a_file_that_is_known_is_not_sent_again(app: Caller, encoding: str) -> None:
    first = app.request("GET", "/", {"accept-encoding": encoding})
    again = app.request("GET", "/", {"accept-encoding": encoding, "if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_file_is_packed_once_and_again_when_it_changes(app: Caller, folder: Path) -> None:
    files._pack.cache_clear()
    asked = {"accept-encoding": "gzip"}
    bodies = [app.request("GET", SCRIPT, asked).text for _ in range(3)]
    assert (set(bodies), files._pack.cache_info().misses) == ({CODE}, 1)
    (folder / SCRIPT[1:]).write_text(CODE + "// new")
    assert app.request("GET", SCRIPT, asked).text == CODE + "// new"


def test_head_tells_the_same_length_without_the_body(app: Caller) -> None:
    asked = {"accept-encoding": "gzip"}
    head, whole = app.request("HEAD", SCRIPT, asked), app.request("GET", SCRIPT, asked)
    assert head.content == b""
    assert (
        head.headers["content-length"] == whole.headers["content-length"] == str(len(gzip.compress(CODE.encode(), 9)))
    )


MOVED = [("/orders", "/orders/"), ("/orders/detail?id=7", "/orders/detail/?id=7"), ("//orders", "/orders/")]


@pytest.mark.parametrize(("path", "target"), MOVED, ids=[path for path, _ in MOVED])
def test_a_page_without_its_slash_is_found_on_the_same_host_and_scheme(app: Caller, path: str, target: str) -> None:
    response = app.request("GET", ORIGIN + path, {"x-forwarded-proto": "https"})
    if response.status_code != 404:
        assert (response.status_code, response.headers["location"]) == (307, target)
    assert path.startswith("//") or response.status_code == 307
