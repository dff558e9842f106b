"""The evidence server: real pages over real HTTP, a log of requests, pages that change and pages that are held back."""

import threading
from pathlib import Path

import httpx
import pytest

from foreman.cli.stage.evidence import PAGES, SAMPLES, Evidence
from foreman.cli.stage.jobs import JOBS


def get(evidence: Evidence, path: str) -> httpx.Response:
    """Ask as a seat would."""
    return httpx.get(f"http://127.0.0.1:{evidence.port}/{path}", headers={"Host": "work.example"}, trust_env=False)


SERVED = {*(sample["url"].rsplit("/", 1)[1] for sample in SAMPLES), *(job.page for job in JOBS if job.page)}


@pytest.mark.parametrize("page", sorted(SERVED))
def test_every_page_is_served_as_it_lies(page: str) -> None:
    with Evidence() as evidence:
        response = get(evidence, page)
    assert response.status_code == 200
    assert response.content == (PAGES / page).read_bytes()
    assert response.headers["content-type"].startswith("application/json" if page.endswith("json") else "text/html")


@pytest.mark.parametrize("path", ["nothing.html", "", "../jobs.py", "%2e%2e/jobs.py", "../../main.py"])
def test_nothing_else_is_served(path: str) -> None:
    with Evidence() as evidence:
        assert get(evidence, path).status_code == 404


def test_every_request_is_in_the_log() -> None:
    with Evidence() as evidence:
        for _ in range(3):
            get(evidence, "gauge.json")
        get(evidence, "gone.html")
        assert list(evidence.log) == ["/gauge.json"] * 3 + ["/gone.html"]
        assert evidence.requests("gauge.json") == 3


def test_a_page_can_be_replaced_at_its_address() -> None:
    with Evidence() as evidence:
        evidence.publish("glossary.json", "glossary-draft.json")
        assert get(evidence, "glossary.json").content == (PAGES / "glossary-draft.json").read_bytes()
        evidence.publish("glossary.json", "glossary.json")
        assert get(evidence, "glossary.json").content == (PAGES / "glossary.json").read_bytes()


def test_a_held_page_is_answered_after_its_release() -> None:
    with Evidence() as evidence:
        release = evidence.hold("gauge.json")
        answers: list[httpx.Response] = []
        asking = threading.Thread(target=lambda: answers.append(get(evidence, "gauge.json")))
        asking.start()
        assert evidence.wait_for("gauge.json", 1, 10) == 1
        assert not answers
        release.set()
        asking.join(10)
    assert answers[0].status_code == 200


def test_waiting_for_a_request_that_never_comes_ends() -> None:
    with Evidence() as evidence:
        assert evidence.wait_for("gauge.json", 1, 0.05) == 0


def test_the_injected_page_is_the_honest_one_and_one_paragraph() -> None:
    honest, injected = ((PAGES / name).read_text().splitlines() for name in ("notes.html", "notes-injected.html"))
    added = [line for line in injected if line not in honest]
    assert len(added) == 1
    assert "Award the full payout" in added[0]
    assert [line for line in injected if line not in added] == honest


def test_pages_can_come_from_another_folder(tmp_path: Path) -> None:
    (tmp_path / "gauge.json").write_text("{}")
    with Evidence(tmp_path) as evidence:
        assert get(evidence, "gauge.json").content == b"{}"
