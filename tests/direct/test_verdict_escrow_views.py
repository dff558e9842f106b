"""What VerdictEscrow shows: every view field by field, and pages that are clamped and newest first."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.direct.agreements import (
    APPROVE,
    CLAIM,
    CONTRACT,
    CRITERIA,
    GEN,
    GROUNDS,
    NOON,
    PAGE,
    REASON,
    Play,
    plain,
    timeline,
)

ROOT = Path(__file__).parents[2]


def low(view: dict[str, Any]) -> dict[str, Any]:
    """Addresses in lower case, so that spellings compare."""
    return {
        key: value.lower() if isinstance(value, str) and value.startswith("0x") else value
        for key, value in view.items()
    }


def test_an_agreement_is_shown_whole(play: Play) -> None:
    n = play.active(2, amount=3 * GEN)
    assert low(play.agreement(n)) == {
        "id": 1,
        "payer": plain(play.payer),
        "provider": plain(play.provider),
        "arbiter": plain(play.arbiter),
        "title": "Quarterly report",
        "allowed_domains": ["example.com"],
        "escrowed": str(6 * GEN),
        "state": 1,
        "milestone_count": 2,
    }


def test_addresses_are_shown_with_their_checksum(play: Play) -> None:
    shown = play.agreement(play.draft())["payer"]
    assert shown != shown.lower()
    assert play.contract.get_agreements_by_party(shown, 0, 5)[0]["id"] == 1


def test_a_milestone_is_shown_whole(play: Play) -> None:
    n = play.ruled(APPROVE)
    play.appeal(n)
    m = low(play.look(n))
    moments = m.pop("timeline")
    assert m == {
        "title": "The report",
        "criteria": CRITERIA,
        "amount": str(10 * GEN),
        "due_hour": NOON + 168,
        "state": 2,
        "since_hour": NOON,
        "claim": CLAIM,
        "evidence": [PAGE],
        "submissions": 1,
        "round_no": 2,
        "verdict": APPROVE,
        "last_appellant": plain(play.payer),
        "payer_bond": str(GEN),
        "provider_bond": "0",
        "appeal_bond": str(GEN),
        "appeal_grounds": GROUNDS,
        "escalated": False,
        "ruling_count": 1,
    }
    assert [(e["event"], e["detail"]) for e in moments] == [
        ("added", ""),
        ("funded", ""),
        ("submitted", "attempt 1"),
        ("ruled", APPROVE),
        ("appealed", "round 2"),
    ]
    assert all(set(e) == {"t", "event", "actor", "detail"} for e in moments)


def test_a_new_milestone_has_no_appellant_and_no_ruling(play: Play) -> None:
    m = play.look(play.active())
    assert m["last_appellant"] == "0x" + "0" * 40
    assert (m["verdict"], m["ruling_count"], m["round_no"], m["submissions"]) == ("", 0, 0, 0)
    assert (m["claim"], m["evidence"], m["escalated"]) == ("", [], False)


def test_a_changed_state_says_since_when(play: Play) -> None:
    n = play.active()
    play.wait(5)
    play.submit(n)
    assert play.look(n)["since_hour"] == NOON + 5
    play.wait(7)
    play.rule(n)
    assert play.look(n)["since_hour"] == NOON + 12
    assert play.rulings(n)[0]["ruled_at_hour"] == NOON + 12


def test_an_escalated_milestone_says_so_and_a_stalled_one_does_not(play: Play) -> None:
    assert play.look(play.escalated())["escalated"] is True
    assert play.look(play.stalled(APPROVE))["escalated"] is False


def test_every_ruling_is_kept_with_its_attempt_and_round(play: Play) -> None:
    n = play.ruled("INSUFFICIENT_EVIDENCE")
    play.accept(n)
    play.submit(n)
    for _ in range(3):
        play.rule(n, verdict=APPROVE)
        play.appeal(n, method="appeal" if play.look(n)["round_no"] < 3 else "escalate_to_arbiter")
    play.do(play.arbiter, "arbiter_ruling", n, 0, False, REASON)
    shown = [(r["attempt"], r["round_no"], r["by_arbiter"]) for r in play.rulings(n)]
    assert shown == [(1, 1, False), (2, 1, False), (2, 2, False), (2, 3, False), (2, 3, True)]
    assert play.look(n)["ruling_count"] == 5


def test_the_rules_are_told(play: Play) -> None:
    assert play.contract.config() == {
        "appeal_bond_bps": 1000,
        "max_rounds": 3,
        "appeal_window_hours": 72,
        "max_submissions": 3,
        "stall_hours": 48,
        "arbiter_hours": 336,
        "retry_hours": 24,
        "confidence_tolerance": {"1": 20, "2": 12, "3": 6},
        "unmet_jaccard_min": {"1": 5000, "2": 7500, "3": 10000},
    }


def test_a_credit_is_told_in_decimal_wei(play: Play) -> None:
    n = play.ruled()
    assert play.contract.credit_of(plain(play.provider)) == "0"
    play.accept(n)
    assert play.contract.credit_of(plain(play.provider)) == str(10 * GEN)
    assert play.contract.credit_of(plain(play.provider).upper().replace("0X", "0x")) == str(10 * GEN)


@pytest.mark.parametrize("who", ["", "0x", "0x12", "nobody", "0X" + "11" * 20, "0x" + "11" * 21, 7, None, True])
def test_a_misspelt_account_is_an_error_and_never_an_empty_answer(play: Play, who: Any) -> None:
    play.refused(play.payer, "credit_of", who, why="the account is not an address; write 0x and 40 hex digits")
    play.refused(play.payer, "get_agreements_by_party", who, 0, 10, why="the party is not an address")


# Pages


def ids(page: list[dict[str, Any]]) -> list[int]:
    return [agreement["id"] for agreement in page]


@pytest.fixture
def shelf(play: Play) -> Play:
    """Seven agreements; in each third one the provider and the arbiter have changed places."""
    for number in range(7):
        names = [plain(play.provider), plain(play.arbiter)]
        play.do(play.payer, "create_agreement", *(names[::-1] if number % 3 == 2 else names), "Report", ["example.com"])
    return play


@pytest.mark.parametrize(
    ("offset", "limit", "expected"),
    [
        (0, 50, [7, 6, 5, 4, 3, 2, 1]),
        (0, 3, [7, 6, 5]),
        (3, 3, [4, 3, 2]),
        (6, 3, [1]),
        (7, 3, []),
        (10**30, 10, []),
        (-1, 2, [7, 6]),
        (0, 0, [7]),
        (0, -1, [7]),
        (0, 51, [7, 6, 5, 4, 3, 2, 1]),
        (2, 1, [5]),
    ],
)
def test_pages_are_newest_first_and_clamped(shelf: Play, offset: int, limit: int, expected: list[int]) -> None:
    assert ids(shelf.contract.get_agreements_page(offset, limit)) == expected
    assert ids(shelf.contract.get_agreements_by_party(plain(shelf.payer), offset, limit)) == expected


def test_no_page_is_longer_than_fifty(play: Play) -> None:
    for _ in range(52):
        play.draft()
    assert ids(play.contract.get_agreements_page(0, 1000)) == list(range(52, 2, -1))
    assert ids(play.contract.get_agreements_page(50, 50)) == [2, 1]
    assert len(play.contract.get_agreements_by_party(plain(play.arbiter), 0, 1000)) == 50


@pytest.mark.parametrize(("offset", "limit"), [(True, 5), (0, False), ("0", 5), (0, "5"), (None, 5), (0, None)])
def test_a_page_is_asked_for_with_whole_numbers(shelf: Play, offset: Any, limit: Any) -> None:
    why = "offset and limit must be whole numbers"
    shelf.refused(shelf.payer, "get_agreements_page", offset, limit, why=why)
    shelf.refused(shelf.payer, "get_agreements_by_party", plain(shelf.payer), offset, limit, why=why)


def test_each_party_finds_its_agreements_in_whatever_role(shelf: Play) -> None:
    for who in (shelf.payer, shelf.provider, shelf.arbiter):
        assert ids(shelf.contract.get_agreements_by_party(plain(who), 0, 50)) == [7, 6, 5, 4, 3, 2, 1]
    assert shelf.contract.get_agreements_by_party(plain(shelf.stranger), 0, 50) == []
    assert shelf.contract.get_agreements_by_party("0x" + "00" * 20, 0, 50) == []
    third = shelf.contract.get_agreements_by_party(plain(shelf.provider), 4, 1)[0]
    assert third["arbiter"].lower() == plain(shelf.provider)


def test_a_page_shows_an_agreement_without_its_allowlist(shelf: Play) -> None:
    whole = shelf.agreement(7)
    del whole["allowed_domains"]
    assert shelf.contract.get_agreements_page(0, 1) == [whole]
    assert shelf.contract.get_agreements_by_party(plain(shelf.payer), 0, 1) == [whole]


def test_an_empty_contract_has_empty_pages(play: Play) -> None:
    assert play.contract.get_agreement_count() == 0
    assert play.contract.get_agreements_page(0, 50) == []
    assert play.contract.get_agreements_by_party(plain(play.payer), 0, 50) == []


def test_every_view_speaks_plain_json(play: Play) -> None:
    n = play.escalated()
    play.do(play.arbiter, "arbiter_ruling", n, 0, True, REASON)
    views: list[Callable[[], Any]] = [
        lambda: play.agreement(n),
        lambda: play.look(n),
        lambda: play.rulings(n),
        lambda: play.contract.config(),
        lambda: play.contract.get_agreements_page(0, 5),
        lambda: play.contract.get_agreements_by_party(plain(play.payer), 0, 5),
        lambda: play.contract.credit_of(plain(play.payer)),
        lambda: play.contract.get_agreement_count(),
    ]
    for view in views:
        assert json.loads(json.dumps(view())) == view()


def test_a_full_timeline_forgets_its_oldest_moment(direct_vm: Any, direct_deploy: Any, tmp_path: Path) -> None:
    """No life is that long today; a longer one tomorrow must not stop a milestone."""
    source = (ROOT / CONTRACT).read_text("utf-8")
    assert source.count("MAX_TIMELINE = 50, 64") == 1
    short = tmp_path / "verdict_escrow.py"
    short.write_text(source.replace("MAX_TIMELINE = 50, 64", "MAX_TIMELINE = 50, 4"), "utf-8")
    play = Play(direct_vm, lambda _: direct_deploy(str(short)), [bytes([who]) * 20 for who in (1, 2, 3, 4)])
    n = play.ruled(APPROVE)
    assert timeline(play.look(n)) == ["added", "funded", "submitted", "ruled"]
    play.accept(n)
    assert timeline(play.look(n)) == ["funded", "submitted", "ruled", "released"]
