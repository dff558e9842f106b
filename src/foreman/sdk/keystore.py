"""Key files as eth-account, geth and the genlayer CLI write them: one key, encrypted under a password (version 3).

The format is small and its two parts are in packages that are here anyway (hashlib's scrypt, pycryptodome's AES), so
reading a key takes no second of imports. A test exchanges files with eth-account in both directions.
"""

import hashlib
import hmac
import json
import secrets
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from Crypto.Cipher import AES

from foreman.address import keccak256, parse_address
from foreman.errors import BadInput
from foreman.sdk.account import Account

SCRYPT_N, SCRYPT_R, SCRYPT_P = 2**18, 8, 1
"""The cost that eth-account chooses: 256 MiB and about a second."""

MOST_N, MOST_ROUNDS, MOST_BYTES = 2**20, 10_000_000, 100_000
"""What a file may ask for, so that a forged one cannot take the machine down."""


def encrypt(account: Account, password: str) -> dict[str, Any]:
    """A key file as an object for JSON."""
    salt, nonce = secrets.token_bytes(32), secrets.token_bytes(16)
    derived = _scrypt(password, salt, SCRYPT_N, SCRYPT_R, SCRYPT_P)
    sealed = _aes(derived[:16], nonce, account.secret)
    return {
        "address": account.address.hex(),
        "crypto": {
            "cipher": "aes-128-ctr",
            "cipherparams": {"iv": nonce.hex()},
            "ciphertext": sealed.hex(),
            "kdf": "scrypt",
            "kdfparams": {"dklen": 32, "n": SCRYPT_N, "r": SCRYPT_R, "p": SCRYPT_P, "salt": salt.hex()},
            "mac": keccak256(derived[16:32] + sealed).hex(),
        },
        "id": str(uuid.uuid4()),
        "version": 3,
    }


def decrypt(file: Mapping[str, Any], password: str) -> Account:
    """The account in a key file. Raises `BadInput` `wrong_password` or `bad_keystore`."""
    try:
        crypto = {str(name).lower(): value for name, value in file.items()}["crypto"]
        sealed, nonce = bytes.fromhex(crypto["ciphertext"]), bytes.fromhex(crypto["cipherparams"]["iv"])
        if file["version"] != 3 or crypto["cipher"] != "aes-128-ctr" or len(nonce) != 16:
            raise ValueError("another version or cipher")
        derived = _derive(crypto["kdf"], crypto["kdfparams"], password)
        mac = bytes.fromhex(crypto["mac"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise BadInput(
            "bad_keystore", "this is not an encrypted key file of version 3", "make one with `foreman account new`"
        ) from error
    if not hmac.compare_digest(keccak256(derived[16:32] + sealed), mac):
        raise BadInput("wrong_password", "the password does not open this key file", "try again")
    return Account(_aes(derived[:16], nonce, sealed))


def read_file(path: Path) -> Mapping[str, Any]:
    """The object in a key file. Raises `BadInput` when there is none."""
    problem = BadInput("bad_keystore", f"{path} is not a key file", "`foreman account list` shows those there are")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise problem
        found = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise problem from error
    if not isinstance(found, dict):
        raise problem
    return found


def address_in(file: Mapping[str, Any]) -> bytes | None:
    """The address that a key file names without being opened, None where it names none."""
    try:
        return parse_address("0x" + str(file["address"]).removeprefix("0x").lower())
    except (KeyError, BadInput):
        return None


def _derive(kdf: str, params: Mapping[str, Any], password: str) -> bytes:
    salt = bytes.fromhex(params["salt"])
    if params["dklen"] != 32:
        raise ValueError("another key length")
    if kdf == "scrypt":
        return _scrypt(password, salt, params["n"], params["r"], params["p"])
    if kdf == "pbkdf2" and params["prf"] == "hmac-sha256" and 0 < params["c"] <= MOST_ROUNDS:
        return hashlib.pbkdf2_hmac("sha256", password.encode(), salt, params["c"], 32)
    raise ValueError("another key derivation")


def _scrypt(password: str, salt: bytes, n: int, r: int, p: int) -> bytes:
    if not (1 < n <= MOST_N and 0 < r <= 16 and 0 < p <= 16):
        raise ValueError("costs out of range")
    return hashlib.scrypt(password.encode(), salt=salt, n=n, r=r, p=p, dklen=32, maxmem=130 * n * r + 2**22)


def _aes(key: bytes, nonce: bytes, data: bytes) -> bytes:
    return AES.new(key, AES.MODE_CTR, nonce=b"", initial_value=nonce).encrypt(data)
