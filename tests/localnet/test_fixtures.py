"""The direct-mode fixtures: genlayer-test's names and meanings, and what they do better."""

import warnings
from pathlib import Path

import pytest

from foreman.address import Address
from foreman.localnet.direct import (
    Crashed,
    DirectVM,
    MockNotFoundError,
    Mocks,
    Reverted,
    create_address,
    deploy,
    spelled,
)

TOY = '''# v0.2.16
# { "Depends": "py-genlayer:1jb45aa8ynh2a9c9xn3b7qqh8sm5q93hwfp7jqmwsfhh8jpz09h6" }
"""A toy that counts, keeps value, asks a page and a judge."""

import datetime

from genlayer import *


@gl.evm.contract_interface
class Wallet:
    class View:
        pass

    class Write:
        pass


class Toy(gl.Contract):
    count: u32
    heard: str

    def __init__(self, start: int = 0) -> None:
        self.count = start

    @gl.public.view
    def get(self) -> int:
        return self.count

    @gl.public.view
    def seen(self) -> dict:
        now = datetime.datetime.now(datetime.timezone.utc).isoformat()
        return {"sender": gl.message.sender_address.as_hex, "origin": gl.message.origin_address.as_hex, "now": now}

    @gl.public.write
    def add(self, n: int) -> int:
        self.count += n
        if n == 13:
            raise gl.vm.UserError("unlucky")
        if n == 14:
            raise ValueError("broken")
        return self.count

    @gl.public.write.payable
    def pay(self, share: int) -> int:
        Wallet(gl.message.sender_address).emit_transfer(value=share)
        return gl.message.value

    @gl.public.write
    def ask(self, url: str) -> str:
        def lead() -> str:
            try:
                page = gl.nondet.web.get(url)
            except gl.nondet.NondetException:
                raise gl.vm.UserError("gone") from None
            return str(page.status) + page.body.decode() + gl.nondet.exec_prompt("judge " + url)

        def agree(leader) -> bool:
            if isinstance(leader, gl.vm.UserError):
                return leader.message == "gone"
            return isinstance(leader, gl.vm.Return) and leader.calldata == lead()

        self.heard = gl.vm.run_nondet_unsafe(lead, agree)
        return self.heard
'''


@pytest.fixture
def toy(tmp_path, direct_deploy):
    path = tmp_path / "toy.py"
    path.write_text(TOY)
    return direct_deploy(str(path), 3)


def test_the_known_accounts_are_those_of_genlayer_test(
    direct_alice, direct_bob, direct_charlie, direct_owner, direct_accounts
):
    assert spelled(direct_alice) == "0x2bd806c97F0e00aF1a1fC3328fA763a9269723C8"
    assert spelled(direct_bob) == "0x81b637d8fCD2C6da6359E6963113a1170de795e4"
    assert spelled(direct_charlie) == "0xb9DD960c1753459a78115D3cB845a57d924b6877"
    assert spelled(direct_owner).lower() == "0xdc18aa3db8bc91a6e390a35e7d0811246ff3ab01"
    assert direct_accounts == [create_address(f"test_address_{number}") for number in range(10)]


def test_a_contract_is_deployed_with_arguments_and_called(toy):
    assert toy.get() == 3
    assert toy.add(2) == 5
    assert toy.get() == 5
    with pytest.raises(AttributeError, match="no public method reset"):
        toy.reset()


def test_constructor_arguments_may_be_named(tmp_path, direct_deploy):
    path = tmp_path / "toy.py"
    path.write_text(TOY)
    assert direct_deploy(path, start=7, sdk_version="v0.2.16").get() == 7


def test_several_contracts_may_stand_side_by_side(tmp_path, direct_deploy, toy):
    other = direct_deploy(str(tmp_path / "toy.py"), 9)
    assert other.address != toy.address
    assert (toy.get(), other.get()) == (3, 9)


def test_relative_paths_are_looked_up_in_the_contract_folders(tmp_path, monkeypatch, direct_deploy):
    (tmp_path / "contracts").mkdir()
    (tmp_path / "contracts" / "toy.py").write_text(TOY)
    monkeypatch.chdir(tmp_path)
    assert direct_deploy("toy.py").get() == 0
    assert direct_deploy(Path("contracts/toy.py")).get() == 0
    with pytest.raises(FileNotFoundError, match=r"no contract file other\.py"):
        direct_deploy("other.py")


def test_a_refusal_and_a_crash_leave_no_trace(toy):
    with pytest.raises(Reverted) as refused:
        toy.add(13)
    assert (refused.value.message, str(refused.value)) == ("unlucky", "UserError(message='unlucky')")
    with pytest.raises(Crashed, match="exit_code 1"):
        toy.add(14)
    assert toy.get() == 3


def test_expect_revert_looks_for_the_text(toy, direct_vm):
    with direct_vm.expect_revert("unlucky"):
        toy.add(13)
    with direct_vm.expect_revert():
        toy.add(14)
    with pytest.raises(AssertionError, match="not with 'lucky number'"), direct_vm.expect_revert("lucky number"):
        toy.add(13)
    with pytest.raises(AssertionError, match="there was none"), direct_vm.expect_revert():
        toy.add(1)


def test_senders_pranks_and_origin(toy, direct_vm, direct_alice, direct_bob, direct_owner):
    assert toy.seen()["sender"] == spelled(direct_owner)
    direct_vm.sender = Address(direct_alice)
    assert toy.seen()["sender"] == toy.seen()["origin"] == spelled(direct_alice)
    with direct_vm.prank(direct_bob):
        assert toy.seen()["sender"] == spelled(direct_bob)
        assert toy.seen()["origin"] == spelled(direct_alice)
    direct_vm.startPrank(direct_bob)
    assert toy.seen()["sender"] == spelled(direct_bob)
    direct_vm.stopPrank()
    assert toy.seen()["sender"] == spelled(direct_alice)
    with pytest.raises(RuntimeError, match="no prank"):
        direct_vm.stopPrank()
    direct_vm.origin = direct_bob
    assert toy.seen()["origin"] == spelled(direct_bob)


def test_warp_sets_the_time(toy, direct_vm):
    for moment in (
        "2027-01-02T03:04:05+00:00",
        "2027-01-02T03:04:05Z",
        "2027-01-02T03:04:05",
        "2027-01-02T05:04:05+02:00",
    ):
        direct_vm.warp(moment)
        assert toy.seen()["now"] == "2027-01-02T03:04:05+00:00"


def test_value_moves_and_only_payable_methods_take_it(toy, direct_vm, direct_alice):
    direct_vm.deal(direct_alice, 100)
    direct_vm.sender = direct_alice
    direct_vm.value = 60
    assert toy.pay(10) == 60
    assert toy.get() == 3  # a read carries no value
    with direct_vm.expect_revert("non-payable"):
        toy.add(1)
    assert (direct_vm.balance_of(direct_alice), direct_vm.balance_of(toy.address)) == (50, 50)
    assert direct_vm.minted == 100
    assert toy.pay(1) == 60  # ten short: made, as Studio makes them
    assert (direct_vm.balance_of(direct_alice), direct_vm.balance_of(toy.address), direct_vm.minted) == (1, 109, 110)


def test_a_contract_cannot_pay_what_it_does_not_hold(toy, direct_vm):
    with direct_vm.expect_revert("inbalance"):
        toy.pay(1)
    assert direct_vm.minted == 0


def test_the_first_mock_that_matches_answers(toy, direct_vm):
    direct_vm.mock_web(r"example\.com/a", {"status": 201, "body": "A"})
    direct_vm.mock_web("example", {"method": "GET", "response": {"status": 202, "headers": {"X": b"y"}, "body": b"B"}})
    direct_vm.mock_web("example", {"method": "POST", "body": "never"})
    direct_vm.mock_llm("judge .*/a", {"n": 1})
    direct_vm.mock_llm("judge", "text")
    assert toy.ask("http://example.com/a") == '201A{"n": 1}'
    assert toy.ask("http://example.com/b") == "202Btext"
    assert [request.url for request in direct_vm.mocks.requests] == ["http://example.com/a", "http://example.com/b"]
    assert direct_vm.mocks.prompts == ["judge http://example.com/a", "judge http://example.com/b"]


def test_what_no_mock_answers_is_named(toy, direct_vm):
    with pytest.raises(MockNotFoundError, match="No web mock for GET http://x"):
        toy.ask("http://x")
    direct_vm.mock_web(".*", {"body": "x"})
    with pytest.raises(MockNotFoundError, match="No LLM mock for prompt: judge http://x"):
        toy.ask("http://x")


def test_a_fetch_may_fail(toy, direct_vm):
    direct_vm.mock_web(".*", {"error": "timeout"})
    with direct_vm.expect_revert("gone"):
        toy.ask("http://x")


def test_validators_are_asked_about_any_proposal(toy, direct_vm):
    with pytest.raises(RuntimeError, match="no block"):
        direct_vm.run_validator()
    direct_vm.mock_web(".*", {"body": "x"})
    direct_vm.mock_llm(".*", "y")
    toy.ask("http://x")
    assert direct_vm.run_validator() is True
    assert direct_vm.run_validator(leader_result="200xy") is True
    assert direct_vm.run_validator(leader_result="other") is False
    assert direct_vm.run_validator(leader_result=None) is False
    assert direct_vm.run_validator(leader_error="gone") is True
    assert direct_vm.run_validator(leader_error=Reverted("gone")) is True
    assert direct_vm.run_validator(leader_error="else") is False
    other = Mocks()
    other.mock_web(".*", {"body": "z"})
    other.mock_llm(".*", "y")
    assert direct_vm.run_validator(io=other) is False
    toy.ask("http://z")
    assert direct_vm.run_validator(leader_result="200xy", index=0) is True
    direct_vm.clear_validators()
    with pytest.raises(RuntimeError):
        direct_vm.run_validator()
    direct_vm.activate()


def test_another_rule_may_decide_a_block(toy, direct_vm):
    from foreman.execution import Outcome

    direct_vm.decide = lambda block: Outcome.returned("decided")
    assert toy.ask("http://x") == "decided"


def test_a_snapshot_brings_everything_back(toy, direct_vm, direct_alice):
    direct_vm.deal(direct_alice, 5)
    direct_vm.warp("2027-01-01T00:00:00Z")
    direct_vm.mock_web(".*", {"body": "x"})
    first = direct_vm.snapshot()
    toy.add(1)
    second = direct_vm.snapshot()
    direct_vm.warp("2028-01-01T00:00:00Z")
    direct_vm.deal(direct_alice, 7)
    direct_vm.sender = direct_alice
    direct_vm.clear_mocks()
    direct_vm.revert(first)
    assert (toy.get(), direct_vm.balance_of(direct_alice)) == (3, 5)
    assert toy.seen()["now"].startswith("2027")
    assert toy.seen()["sender"] == spelled(create_address("default_sender"))
    assert len(direct_vm.mocks.pages) == 1
    with pytest.raises(KeyError):
        direct_vm.revert(second)
    direct_vm.revert(first)  # may be used again


def test_strict_mocks_warn_of_what_nobody_asked():
    vm = DirectVM()
    vm.mock_web("never", {"body": "x"})
    vm.clear_mocks()
    vm.strict_mocks = True
    vm.mock_llm("never", "x")
    with warnings.catch_warnings(), pytest.raises(RuntimeWarning, match="mock never used: never"):
        vm.clear_mocks()


def test_the_fixtures_are_a_plugin_that_imports_nothing_heavy():
    import subprocess
    import sys

    code = "import sys, foreman.localnet.fixtures; print([m for m in sys.modules if m.startswith('foreman.')])"
    run = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={"PYTHONPATH": "src"}
    )
    assert run.stdout.strip() == "['foreman.localnet', 'foreman.localnet.fixtures']"


def test_genlayer_tests_own_fixtures_are_left_alone_when_asked_for(pytester_free_environment):
    names = pytester_free_environment("FOREMAN_DIRECT", "gltest")
    assert "direct_vm" not in names
    assert "pytest_collection_modifyitems" in names


@pytest.fixture
def pytester_free_environment():
    """The names of the plugin, imported in another process under one more variable."""
    import subprocess
    import sys

    def names(variable, value):
        code = "import foreman.localnet.fixtures as f; print(' '.join(vars(f)))"
        run = subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONPATH": "src", variable: value},
        )
        return run.stdout.split()

    return names


def test_deploy_works_without_pytest(tmp_path):
    (tmp_path / "toy.py").write_text(TOY)
    assert deploy(DirectVM(), tmp_path / "toy.py", 4).get() == 4
