"""A page is read again through the node: as a judge would be shown it, within limits, never from inside a network."""

import hashlib
import itertools
import threading
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import pytest

from foreman.cli.stage.evidence import Evidence
from foreman.errors import WebError
from foreman.fetch.replay import Page, Scripted, page
from foreman.localnet.localnet import build
from foreman.localnet.look import evidence_reader
from foreman.localnet.serve import Running
from foreman.rpc.door import LOOKS_WAITING
from foreman.rpc.front import Front
from foreman.sdk.client import Client
from foreman.settings import Limits, Settings
from tests.node.network import Network
from tests.rpc.caller import Caller
from tests.rpc.listening import Listening


@pytest.fixture
def network(tmp_path: Path) -> Iterator[Network]:
    with Network(tmp_path) as network:
        yield network


def print_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


URL = "https://levels.example/may"


def read(answer: Page) -> Mapping[str, Any]:
    return evidence_reader(Scripted({URL: answer}))(URL)


def test_a_page_is_told_as_a_judge_would_read_it() -> None:
    told = read(page("<p>Levels of <b>May</b></p><script>x</script>", content_type="text/html"))
    assert told == {
        "url": URL, "text": "Levels of May", "chars": 13, "fingerprint": print_of("Levels of May"),
        "truncated": False, "mapped": "",
    }  # fmt: skip


def test_a_long_page_is_cut_where_the_judge_stops() -> None:
    told = read("a" * 15_001)
    assert (told["chars"], told["truncated"], told["fingerprint"]) == (15_000, True, print_of("a" * 15_000))


GONE: list[tuple[str, Page, str]] = [
    ("missing", page("", 404), "HTTP 404"),
    ("empty", page("  "), "empty"),
    ("an image", page(b"\x89PNG\r\n\x1a\n"), "binary"),
    ("unreachable", WebError("connect_failed", "nobody answers there"), "nobody answers"),
]


@pytest.mark.parametrize(("answer", "words"), [row[1:] for row in GONE], ids=[row[0] for row in GONE])
def test_a_page_that_is_gone_has_a_reason(answer: Page, words: str) -> None:
    told = read(answer)
    assert set(told) == {"url", "reason"}
    assert words in told["reason"]


REFUSED = [("http://127.0.0.1:4000/health", "bad_url"), ("http://169.254.169.254/", "bad_url"),
           ("file:///etc/passwd", "bad_url"), (7, "bad_text"), (None, "bad_text")]  # fmt: skip


@pytest.mark.parametrize(("url", "code"), REFUSED, ids=[str(url) for url, _ in REFUSED])
def test_what_no_evidence_may_be_is_refused(network: Network, url: object, code: str) -> None:
    fetched = Scripted({})
    with Caller(network, front=Front(read_evidence=evidence_reader(fetched))) as caller:
        assert caller.error("foreman_readEvidence", url)["data"]["code"] == code
    assert fetched.count == 0


def test_a_door_without_a_reader_says_so(network: Network) -> None:
    with Caller(network) as caller:
        assert caller.error("foreman_readEvidence", URL)["data"]["code"] == "not_offered"


def test_it_can_be_switched_off(tmp_path: Path) -> None:
    front = Front(read_evidence=evidence_reader(Scripted(["the page"])))
    with Network(tmp_path, limits=Limits(evidence_reads_at_once=0)) as network, Caller(network, front=front) as caller:
        assert caller.error("foreman_readEvidence", URL)["data"]["code"] == "not_offered"


def test_slow_pages_hold_up_no_read_and_their_line_has_an_end(tmp_path: Path) -> None:
    release = threading.Event()

    def slow(url: str) -> Mapping[str, Any]:
        return {"url": url, "reason": "slow" if release.wait(20) else "never released"}

    limits = Limits(evidence_reads_at_once=1)
    with (
        Network(tmp_path, limits=limits) as network,
        Listening(network, Front(read_evidence=slow)) as door,
        ThreadPoolExecutor(LOOKS_WAITING * 2) as people,
    ):
        asked = [people.submit(door.reply, "foreman_readEvidence", URL) for _ in range(LOOKS_WAITING * 2)]
        turned_away = list(itertools.islice(as_completed(asked, timeout=20), LOOKS_WAITING))
        assert {future.result()["error"]["data"]["code"] for future in turned_away} == {"busy"}
        assert door.call("foreman_getBooks")["conserved"], "a read, while pages are waited for"
        release.set()
        served = [future.result()["result"]["reason"] for future in asked if future not in turned_away]
        assert served == ["slow"] * LOOKS_WAITING


def test_a_running_network_reads_its_sample_pages_and_tells_where_they_are_mapped() -> None:
    with (
        Evidence() as evidence,
        Running(build(Settings(port=0, host_map=evidence.mappings))) as running,
        Client(running.url) as network,
    ):
        told = network.call("foreman_readEvidence", evidence.url("gauge.json"))
        assert "Old Mill Bridge" in told["text"]
        assert told["mapped"] == f"127.0.0.1:{evidence.port}"
