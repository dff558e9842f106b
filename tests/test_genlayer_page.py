"""`docs/genlayer.md` is true: its tables are computed anew, and every test it names is there."""

import hashlib
import re
from collections.abc import Callable
from pathlib import Path

import genlayer_py.types as official  # type: ignore[import-untyped]  # the package ships no types
import pytest
import rlp  # type: ignore[import-untyped]  # the package ships no types

from foreman import calldata, receipt
from foreman.address import Address, checksum, keccak256
from foreman.execution import Code
from foreman.rpc.evm import NEW_TRANSACTION
from foreman.rpc.transactions import _RESULT_NAMES, TYPES
from foreman.runtime.header import ACTIONS
from foreman.sdk.networks import NETWORKS
from foreman.sdk.result import DECIDED
from foreman.transaction import ADD_TRANSACTION_V5, ADD_TRANSACTION_V6, SUBMIT_APPEAL, Kind

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "genlayer.md").read_text("utf-8")


def section(number: str) -> str:
    """The text of one numbered section, its subsections not included."""
    found = re.search(rf"^##+ {re.escape(number)}\.? .*$\n((?:(?!^##).*\n?)*)", PAGE, re.MULTILINE)
    assert found, f"there is no section {number}"
    return found[1]


def rows(number: str, columns: int) -> list[list[str]]:
    """The rows of the tables with so many columns in a section, heads left out, without their backticks."""
    cells = [line.strip("|").split(" | ") for line in section(number).splitlines() if line.startswith("| ")]
    found = [[cell.strip().strip("`") for cell in row] for row in cells if len(row) == columns]
    assert len(found) > 1, f"section {number} has no such table"
    return found[1:]


def test_every_test_and_every_file_that_is_named_is_there() -> None:
    defined = {
        name for path in (ROOT / "tests").rglob("test_*.py") for name in re.findall(r"def (test_\w+)", path.read_text())
    }
    named = set(re.findall(r"`(test_\w+)`", PAGE))
    assert len(named) > 100
    assert named - defined == set()
    files = set(re.findall(r"`((?:\w+/)*\w+\.py)`", PAGE))
    assert len(files) > 5
    assert {name for name in files if not {*ROOT.glob(name), *ROOT.glob(f"src/foreman/{name}")}} == set()


def test_every_section_names_a_test_that_holds_it() -> None:
    found = re.findall(r"^### (\d+\.\d+) ", PAGE, re.MULTILINE)
    assert {number for number in found if not re.search(r"^Held\b", section(number), re.MULTILINE)} == set()
    assert found == sorted(found, key=lambda number: [int(part) for part in number.split(".")])


@pytest.mark.parametrize(("value", "raw"), rows("1.2", 2))
def test_the_examples_of_calldata_are_right(value: str, raw: str) -> None:
    meant = eval(value, {"Address": Address})
    assert calldata.encode(meant).hex() == raw
    assert calldata.decode(bytes.fromhex(raw)) == meant


def test_the_envelopes_are_those_of_both_clients() -> None:
    parts = [[calldata.encode_call("ping", [1])], [b"# x\n", calldata.encode_call(None, [1])]]
    told = [row[1:] for row in rows("1.7", 3)]
    assert told == [[rlp.encode([*part, mode]).hex() for mode in (b"", b"\0")] for part in parts]


def test_the_codes_of_results_are_ours() -> None:
    assert [int(row[0]) for row in rows("1.8", 4)] == list(map(int, Code))


def test_the_known_actions_are_ours() -> None:
    line = next(line for line in section("2.1").splitlines() if line.startswith("Known actions"))
    assert set(re.findall(r"`(\w+)`", line)) == ACTIONS


def test_event_topics_and_selectors_follow_from_their_signatures() -> None:
    for signature, topic in rows("5.7", 2):
        assert keccak256(signature.encode()).hex() == topic
    told = rows("8.2", 2)
    for signature, start in told:
        assert keccak256(signature.encode()).hex().startswith(start)
    ours = [ADD_TRANSACTION_V5, ADD_TRANSACTION_V6, SUBMIT_APPEAL, NEW_TRANSACTION]
    assert [bytes.fromhex(start) for _, start in told] == ours


def numbers(name: str) -> dict[str, int]:
    """A table of genlayer-py: name to number."""
    return {key.value: int(number) for key, number in getattr(official, name).items()}


@pytest.mark.parametrize(
    ("number", "table", "ours"),
    [
        pytest.param("7.2", "TRANSACTION_STATUS_NAME_TO_NUMBER", lambda: {s.name: int(s) for s in receipt.Status}),
        pytest.param("7.3", "TRANSACTION_RESULT_NAME_TO_NUMBER", lambda: {n: r for r, n in _RESULT_NAMES.items()}),
    ],
)
def test_numbers_are_those_of_genlayer_py_and_ours_are_told(
    number: str, table: str, ours: Callable[[], dict[str, int]]
) -> None:
    told = rows(number, 3)
    assert {name: int(value) for value, name, _ in told} == numbers(table)
    used = {name: int(value) for value, name, here in told if here.strip("| ")}
    assert used == ours()


def test_decided_is_what_genlayer_py_calls_decided() -> None:
    assert {status.value for status in official.DECIDED_STATES} == DECIDED
    line = next(line for line in section("7.2").splitlines() if line.startswith("Clients take"))
    assert set(re.findall(r"[A-Z]{4,}", line)) | {"VALIDATORS_TIMEOUT", "LEADER_TIMEOUT"} == DECIDED


def test_votes_are_told_as_they_are_sent() -> None:
    assert {str(vote) for vote in receipt.Vote} <= set(re.findall(r"`(\w+)`", section("7.3")))


def test_networks_are_those_of_the_client() -> None:
    told = {name: (int(chain), contract) for name, chain, contract in rows("8.1", 3)}
    assert told == {
        network.name: (network.chain_id, checksum(network.consensus_main)) for network in NETWORKS if network.chain_id
    }


def test_types_of_transactions_are_told() -> None:
    (told,) = re.findall(r"^\| `type` \| (.+) \|$", section("8.6"), re.MULTILINE)
    names = {Kind.TRANSFER: "transfer", Kind.DEPLOY: "deployment", Kind.CALL: "call"}
    assert {f"{number} {names[kind]}" for kind, number in TYPES.items()} <= set(told.replace(" (", ", ").split(", "))


def test_known_accounts_are_the_hash_of_their_seed() -> None:
    for seed, address in rows("9.1", 2):
        assert checksum(hashlib.sha256(seed.encode()).digest()[:20]) == address
