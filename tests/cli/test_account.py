"""Keys live in encrypted files, are never on a command line, and every spelling of an address is one account."""

import json
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account as EthAccount

from foreman.cli.exits import Exit
from foreman.cli.home import key_files
from foreman.cli.options import accounts
from foreman.errors import BadInput
from foreman.localnet.accounts import DEV_ACCOUNTS
from foreman.money import GEN
from foreman.sdk import keystore
from foreman.sdk.account import Account
from foreman.sdk.client import Client
from foreman.sdk.failures import RpcFailed
from tests.cli.conftest import Cli

KEY = b"\x05" * 32
PASSWORD = "a horse, a battery"


@pytest.fixture(autouse=True)
def _cheap(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Scrypt at a cost for tests, and the password in a file."""
    monkeypatch.setattr(keystore, "SCRYPT_N", 2**10)


@pytest.fixture
def typed(alone: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Cli:
    """A command line whose password file is set, after the fixture that clears the environment."""
    (tmp_path / "password").write_text(PASSWORD + "\n", "utf-8")
    monkeypatch.setenv("FOREMAN_PASSWORD_FILE", str(tmp_path / "password"))
    return alone


@pytest.mark.parametrize("kdf", ["scrypt", "pbkdf2"])
def test_a_key_file_of_eth_account_opens_here(kdf: Any) -> None:
    file = json.loads(json.dumps(EthAccount.encrypt(KEY, PASSWORD, kdf=kdf, iterations=1024)))
    assert keystore.decrypt(file, PASSWORD) == Account(KEY)
    with pytest.raises(BadInput) as wrong:
        keystore.decrypt(file, PASSWORD + "!")
    assert wrong.value.code == "wrong_password"


def test_a_key_file_made_here_opens_with_eth_account() -> None:
    file = keystore.encrypt(Account(KEY), PASSWORD)
    assert bytes(EthAccount.decrypt(file, PASSWORD)) == KEY
    assert KEY.hex() not in json.dumps(file)


@pytest.mark.parametrize(
    "change",
    [
        {"version": 1},
        {"crypto": {}},
        {"crypto": None},
        {"kdfparams": {"dklen": 32, "n": 2**40, "r": 8, "p": 1, "salt": "00"}},
        {"kdfparams": {"dklen": 32, "n": 1024, "r": 10**9, "p": 1, "salt": "00"}},
        {"kdf": "md5"},
        {"ciphertext": "xyz"},
        {"cipherparams": {"iv": "00"}},
    ],
    ids=["version", "empty", "null", "cost of a machine", "block of a machine", "kdf", "no hex", "short nonce"],
)
def test_what_is_no_key_file_is_refused(change: dict[str, Any]) -> None:
    file = keystore.encrypt(Account(KEY), PASSWORD)
    file = file | change if set(change) <= set(file) else file | {"crypto": file["crypto"] | change}
    with pytest.raises(BadInput) as refused:
        keystore.decrypt(file, PASSWORD)
    assert refused.value.code == "bad_keystore"


def test_a_new_account_is_listed_and_its_file_is_private(typed: Cli) -> None:
    made = typed("account", "new", "me", "--json").json
    path = Path(made["file"])
    assert (path.stat().st_mode & 0o777, path.parent.stat().st_mode & 0o777) == (0o600, 0o700)
    assert typed("account", "list", "--json").json["accounts"] == [made]
    again = typed("account", "new", "me", "--json")
    assert (again.code, again.json["error"]["code"]) == (Exit.FAILED, "exists")


@pytest.mark.parametrize("name", ["../me", "", "a/b", ".hidden", "x" * 65])
def test_a_name_never_leaves_its_folder(name: str, typed: Cli) -> None:
    assert typed("account", "new", name, "--json").json["error"]["code"] == "bad_name"


@pytest.mark.parametrize(
    ("name", "taken"),
    [
        ("dev7", "a known account"),
        ("DEV0", "a known account"),
        (DEV_ACCOUNTS[3].address, "an address"),
        (DEV_ACCOUNTS[3].address[2:].lower(), "an address"),
        ("0X1", "an address"),
        ("me.json", "a file"),
    ],
)
def test_a_name_that_is_read_as_something_else_never_becomes_an_accounts(
    name: str, taken: str, typed: Cli, tmp_path: Path
) -> None:
    (tmp_path / "key.txt").write_text(KEY.hex(), "utf-8")
    for words in (("new", name), ("import", name, "--file", tmp_path / "key.txt")):
        told = typed("account", *words, "--json").json["error"]
        assert (told["code"], taken in told["sentence"]) == ("bad_name", True)
    assert key_files() == []
    assert typed("account", "new", "dev10").code == Exit.OK


def test_a_key_file_that_a_known_account_hides_is_not_meant_when_nobody_is_named(typed: Cli, cli: Cli) -> None:
    made = Path(typed("account", "new", "me", "--json").json["file"])
    made.rename(made.with_name("dev7.json"))
    assert cli("account", "balance", "--json").json["error"]["code"] == "no_account"
    assert accounts("dev") == [f"dev{number}" for number in range(10)]


@pytest.mark.parametrize(
    "words",
    [
        "account balance",
        "account fund",
        "account fund --from",
        "agreement create --arbiter",
        "agreement create --provider",
        "agreement credit",
        "agreement list --party",
        "order claim 0 --account",
        "order list --client",
        "order list --provider",
        "provider show",
    ],
)
def test_wherever_an_account_is_named_a_shell_offers_them(
    words: str, typed: Cli, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed("account", "new", "mine")
    monkeypatch.setenv("_FOREMAN_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", f"foreman {words} ")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split()) + 1))
    with pytest.raises(SystemExit):
        typed()
    assert capsys.readouterr().out.split() == ["mine", *(f"dev{number}" for number in range(10))]


def test_keys_are_imported_from_files_only(typed: Cli, tmp_path: Path) -> None:
    (tmp_path / "key.txt").write_text("0x" + KEY.hex() + "\n", "utf-8")
    (tmp_path / "other.json").write_text(json.dumps(keystore.encrypt(Account(KEY), PASSWORD)), "utf-8")
    for name, file in (("a", "key.txt"), ("b", "other.json")):
        made = typed("account", "import", name, "--file", tmp_path / file, "--json")
        assert (made.code, made.json["address"]) == (Exit.OK, str(Account(KEY)))
    (tmp_path / "bad.txt").write_text("0x1234", "utf-8")
    bad = typed("account", "import", "c", "--file", tmp_path / "bad.txt", "--json")
    assert (bad.code, bad.json["error"]["code"], "1234" in bad.err) == (Exit.FAILED, "bad_key", False)


@pytest.mark.parametrize("key", [KEY.hex(), "0x" + KEY.hex()])
def test_a_key_on_the_command_line_is_refused_and_not_repeated(key: str, typed: Cli) -> None:
    for arguments in (
        ("account", "balance", key),
        ("account", "new", key),
        ("order", "claim", "0", "--account", key),
    ):
        ended = typed(*arguments, "--json")
        assert (ended.code, ended.json["error"]["code"]) == (Exit.FAILED, "key_on_command_line")
        assert KEY.hex() not in ended.out + ended.err


def test_without_a_terminal_or_a_file_there_is_no_password(
    typed: Cli, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    typed("account", "new", "me")
    monkeypatch.delenv("FOREMAN_PASSWORD_FILE")
    ended = typed("order", "claim", "0", "--account", "me", "--json")
    assert (ended.code, ended.json["error"]["code"]) == (Exit.FAILED, "no_password")
    monkeypatch.setenv("FOREMAN_PASSWORD_FILE", str(tmp_path / "nowhere"))
    assert typed("order", "claim", "0", "--account", "me", "--json").json["error"]["code"] == "no_password"
    assert typed("order", "claim", "0", "--account", "nobody", "--json").json["error"]["code"] == "no_such_account"
    assert typed("order", "claim", "0", "--json").json["error"]["code"] == "no_account"


def test_a_known_account_is_refused_on_a_live_network(typed: Cli) -> None:
    sent = typed("account", "fund", "dev1", "--from", "dev0", "--network", "studionet", "--json")
    assert (sent.code, sent.json["error"]["code"]) == (Exit.FAILED, "known_key")


def test_money_comes_from_the_faucet_and_from_others_in_every_spelling(
    typed: Cli, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = typed("account", "new", "me", "--json").json["address"]
    spellings = [address.lower(), "0x" + address[2:].upper(), "0X" + address[2:], address, "me"]
    for count, spelling in enumerate(spellings, 1):
        ended = cli("account", "fund", spelling, "--amount", "2", "--json")
        assert (ended.code, ended.json["address"], ended.json["balance_wei"]) == (
            Exit.OK,
            address,
            str(2 * GEN * count),
        )
    assert {cli("account", "balance", spelling).out for spelling in spellings} == {
        f"address  {address}\nbalance  10 GEN\n"
    }
    assert cli("account", "fund", "dev9", "--from", "me", "--amount", "1.5").code == Exit.OK
    poor = cli("account", "fund", "dev9", "--from", "me", "--amount", "1000", "--json")
    assert (poor.code, poor.json["error"]["code"]) == (Exit.FAILED, "insufficient_funds")
    assert cli("account", "balance", "me", "--json").json["balance_wei"] == str(85 * GEN // 10)


@pytest.mark.parametrize(
    ("address", "code"),
    [
        ("0x12", "bad_address"),
        (DEV_ACCOUNTS[0].address.replace("0xf3", "0xF3"), "bad_checksum"),
        ("me", "no_such_account"),
    ],
)
def test_a_wrong_address_is_never_a_new_account(address: str, code: str, cli: Cli) -> None:
    ended = cli("account", "fund", address, "--json")
    assert (ended.code, ended.json["error"]["code"]) == (Exit.FAILED, code)


def test_nobody_named_means_the_default_account(typed: Cli, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    nobody = cli("account", "fund", "--json")
    assert (nobody.code, nobody.json["error"]["code"]) == (Exit.FAILED, "no_account")
    assert "foreman account new NAME" in nobody.json["error"]["hint"]
    address = typed("account", "new", "me", "--json").json["address"]
    funded = cli("account", "fund", "--amount", "3", "--json")
    assert (funded.code, funded.json["address"], funded.json["balance_wei"]) == (Exit.OK, address, str(3 * GEN))
    assert cli("account", "balance", "--json").json == {"address": address, "balance_wei": str(3 * GEN)}
    typed("account", "new", "other", "--json")
    whose = cli("account", "fund", "--json").json["error"]
    assert (whose["sentence"], whose["hint"]) == (
        "whose? there are 2 accounts: me, other",
        "name one, or set FOREMAN_ACCOUNT",
    )
    monkeypatch.setenv("FOREMAN_ACCOUNT", "dev8")
    assert cli("account", "balance", "--json").json["address"] == DEV_ACCOUNTS[8].address


@pytest.mark.parametrize("dev", [True, False], ids=["unknown method", "not for development"])
def test_a_network_without_a_faucet_says_where_money_comes_from(
    dev: bool, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = Client.call

    def without(self: Client, method: str, *params: object) -> object:
        if method == "sim_fundAccount":
            code = None if dev else {"code": "not_a_development_network"}
            raise RpcFailed(method, -32601 if dev else -32000, "no", code)
        return call(self, method, *params)

    monkeypatch.setattr(Client, "call", without)
    error = cli("account", "fund", "dev1", "--json").json["error"]
    assert (error["code"], "--from NAME" in error["hint"]) == ("no_faucet", True)


def test_a_read_only_network_is_never_asked_for_money(alone: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Client, "call", lambda *_: pytest.fail("nothing is asked"))
    error = alone("account", "fund", "dev1", "--network", "testnet-bradbury", "--json").json["error"]
    assert (error["code"], "--from" in error["hint"]) == ("no_faucet", False)
