"""Keys and signatures: the same bytes as eth-account makes, accepted by the words, and nothing leaks."""

import pytest
from coincurve import PublicKey
from hypothesis import given
from hypothesis import strategies as st

from foreman.address import checksum, keccak256
from foreman.errors import BadInput
from foreman.sdk.account import GAS_LIMIT, Account
from foreman.transaction import MAX_VALUE, read_signed

SECRET = "4646464646464646464646464646464646464646464646464646464646464646"
ADDRESS = "0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F"  # the example of EIP-155


def test_the_address_of_the_example_key_of_eip_155() -> None:
    assert str(Account.from_hex(SECRET)) == ADDRESS


def test_a_signature_is_byte_for_byte_the_one_of_eth_account() -> None:
    from eth_account import Account as Theirs

    fields = {
        "nonce": 9,
        "gasPrice": 0,
        "gas": GAS_LIMIT,
        "to": ADDRESS,
        "value": 10**18,
        "data": b"\x01",
        "chainId": 61127,
    }
    theirs = Theirs.from_key("0x" + SECRET).sign_transaction(fields).raw_transaction
    ours = Account.from_hex(SECRET).sign_transaction(61127, 9, bytes.fromhex(ADDRESS[2:]), 10**18, b"\x01")
    assert ours == bytes(theirs)


@given(
    secret=st.binary(min_size=32, max_size=32).filter(lambda raw: 0 < int.from_bytes(raw, "big") < 2**255),
    nonce=st.integers(0, 2**63 - 1),
    value=st.integers(0, MAX_VALUE),
    data=st.binary(max_size=200),
)
def test_the_door_reads_what_an_account_signs(secret: bytes, nonce: int, value: int, data: bytes) -> None:
    account = Account(secret)
    signed = read_signed(account.sign_transaction(61999, nonce, bytes(19) + b"\x07", value, data), (61999,))
    assert (signed.sender, signed.nonce, signed.value, signed.data) == (account.address, nonce, value, data)


def test_a_signed_digest_names_its_signer() -> None:
    account = Account.from_hex(SECRET)
    digest = keccak256(b"cancel")
    signature = account.sign_digest(digest)
    key = PublicKey.from_signature_and_message(signature[:64] + bytes([signature[64] - 27]), digest, hasher=None)
    assert keccak256(key.format(compressed=False)[1:])[12:] == account.address


@pytest.mark.parametrize(
    "text",
    ["", "0x", SECRET[:-2], SECRET + "00", "zz" * 32, "00" * 32, "ff" * 32],
    ids=["empty", "only 0x", "31 bytes", "33 bytes", "not hex", "zero", "beyond the curve"],
)
def test_what_is_no_key_is_refused_and_never_repeated(text: str) -> None:
    with pytest.raises(BadInput) as problem:
        Account.from_hex(text)
    assert problem.value.code == "bad_key"
    assert len(text) < 8 or text not in str(problem.value)


def test_a_key_never_shows() -> None:
    account = Account.from_hex("0x" + SECRET)
    assert SECRET not in repr(account)
    assert SECRET not in str(account)
    assert account.secret.hex() == SECRET
    assert checksum(account.address) in repr(account)


def test_accounts_are_equal_by_address_and_new_ones_differ() -> None:
    assert Account.from_hex(SECRET) == Account.from_hex(SECRET)
    assert len({Account.create(), Account.create()}) == 2
