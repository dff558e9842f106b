"""What is asked, signed, and who signed it: Ethereum transactions read, checked and turned into GenLayer ones.

The wire format is docs/genlayer.md 1.7 and 8.2: an ordinary Ethereum transaction to the consensus contract
whose data is `addTransaction(...)`, in one of two encodings. A transaction with no data is a plain transfer of GEN.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from coincurve import PrivateKey, PublicKey

from foreman.address import checksum, keccak256
from foreman.errors import Refused

CONSENSUS_MAIN = bytes.fromhex("b7278A61aa25c888815aFC32Ad3cC52fF24fE575")
"""Where the clients of localnet and Studionet send (docs/genlayer.md 8.1)."""

CLIENT_CHAIN_IDS = (61999, 61127)
"""What genlayer-py and genlayer-js sign with on localnet (docs/genlayer.md 8.1); a node takes its own id besides."""

CLIENT_JURY = (5, 3)
"""Validators and rotations that clients ask for unless their user names others (docs/genlayer.md 8.2)."""

ADD_TRANSACTION_V5 = bytes.fromhex("27241a99")
ADD_TRANSACTION_V6 = bytes.fromhex("e71d5196")
SUBMIT_APPEAL = bytes.fromhex("8b5de1bc")

MAX_VALUE = 2**256 - 1
MAX_NONCE = 2**63 - 1
"""What the database holds; EIP-2681 allows one more."""

_CURVE_ORDER = 0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141
_ZERO = bytes(20)


class Kind(StrEnum):
    """What a transaction does."""

    TRANSFER = "transfer"
    CALL = "call"
    DEPLOY = "deploy"


@dataclass(frozen=True, slots=True)
class Signed:
    """A signed Ethereum transaction: what was signed, and by whom. `to` is empty for a contract creation."""

    hash: bytes
    sender: bytes
    chain_id: int
    nonce: int
    to: bytes
    value: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Transaction:
    """One transaction of this network, from an account or (`parent` set) from a contract. Addresses are 20 bytes.

    `target` is the account or contract it acts on; for a deployment, the address of the new contract. `value` is wei.
    """

    hash: bytes
    kind: Kind
    sender: bytes
    origin: bytes
    nonce: int
    target: bytes
    value: int
    calldata: bytes
    code: bytes | None = None
    leader_only: bool = False
    parent: bytes | None = None
    errored: bool = False
    """It tells `sender`'s own contract that a message it sent has failed (docs/genlayer.md 5.3)."""
    depth: int = 0
    """How many contract messages led here; at most 32."""

    @property
    def size(self) -> int:
        """Bytes of what it carries."""
        return len(self.calldata) + len(self.code or b"")


def read_signed(raw: bytes, chain_ids: tuple[int, ...]) -> Signed:
    """Read a raw transaction (legacy, EIP-2930 or EIP-1559) and recover its sender. Raises `Refused`."""
    if not raw:
        raise _malformed("it is empty")
    if raw[0] in (1, 2):
        return _typed(raw, chain_ids)
    if raw[0] >= 0xC0:
        return _legacy(raw, chain_ids)
    raise Refused(
        "bad_transaction", f"transaction type {raw[0]} is not known here", "send a legacy, type 1 or type 2 one"
    )


def read_transaction(signed: Signed, jury: tuple[int, int] = CLIENT_JURY) -> Transaction:
    """Turn a signed Ethereum transaction into what it asks of this network, whose juries have so many seats and
    rotations. Raises `Refused`.
    """
    if signed.to != CONSENSUS_MAIN:
        return _plain_transfer(signed)
    selector = signed.data[:4]
    if selector == SUBMIT_APPEAL:
        raise Refused(
            "no_network_appeals",
            "this network offers no appeals of its own transactions",
            "a contract's own appeal method works: appeal_delivery on an order, appeal on a milestone",
        )
    if selector not in (ADD_TRANSACTION_V5, ADD_TRANSACTION_V6):
        raise Refused(
            "unknown_consensus_call",
            f"the consensus contract has no method with selector 0x{selector.hex()}",
            "call addTransaction",
        )
    words = 5 if selector == ADD_TRANSACTION_V5 else 6
    sender, recipient, payload, asked = _add_transaction(signed.data[4:], words)
    if sender != signed.sender:
        raise Refused(
            "sender_mismatch",
            f"addTransaction names {checksum(sender)} as sender, but {checksum(signed.sender)} signed",
            "sign with the account that sends",
        )
    found = _from_payload(signed, recipient, payload)
    known = zip(jury, CLIENT_JURY, strict=True)
    if asked != CLIENT_JURY and any(number not in pair for number, pair in zip(asked, known, strict=True)):
        raise Refused(
            "jury_not_chosen",
            f"{asked[0]} validators and {asked[1]} rotations are asked for; here every jury is {jury[0]} and {jury[1]}",
            "leave the client's numbers of validators and rotations as they are",
        )
    return found


def signer_of(key: bytes) -> bytes:
    """The address of a private key of 32 bytes. Raises ValueError for a key out of range."""
    return _address_of(PrivateKey(key).public_key)


def deployed_address(sender: bytes, nonce: int) -> bytes:
    """Where a contract deployed by an account stands: Ethereum's CREATE rule, the last 20 bytes of keccak(rlp)."""
    return keccak256(rlp_list([sender, nonce]))[12:]


def message_hash(parent: bytes, attempt: int, index: int) -> bytes:
    """The id of the transaction a contract sent: keccak(parent, attempt, index), so a repeated commit repeats it."""
    return keccak256(parent + attempt.to_bytes(4, "big") + index.to_bytes(4, "big"))


def rlp_list(fields: Sequence[int | bytes]) -> bytes:
    """The RLP list of byte strings and of numbers from 0 on. (The package for it takes a tenth of a second to load.)"""
    return _list([_string(field) for field in fields])


def _malformed(why: str) -> Refused:
    return Refused("bad_transaction", f"this is not a signed transaction: {why}", "send the raw bytes as hex")


def _legacy(raw: bytes, chain_ids: tuple[int, ...]) -> Signed:
    items = _items(raw, "it")
    fields = _fields(items, 9)
    v = _integer(fields[6])
    if v in (27, 28):
        raise Refused(
            "no_replay_protection",
            "the signature names no chain, so it could be replayed elsewhere",
            "sign with a chain id (EIP-155)",
        )
    if v < 35:
        raise _malformed(f"v is {v}")
    chain_id = (v - 35) // 2
    signing = _list([*(encoded for encoded, _ in items[:6]), _string(chain_id), b"\x80\x80"])
    nonce, _, _, to, value, data = fields[:6]
    return _signed(raw, signing, chain_id, chain_ids, (v - 35) % 2, fields[7:9], nonce, to, value, data)


def _typed(raw: bytes, chain_ids: tuple[int, ...]) -> Signed:
    count = 12 if raw[0] == 2 else 11
    items = _items(raw[1:], "it")
    fields = _fields(items, count, access_list=count - 4)
    signing = raw[:1] + _list([encoded for encoded, _ in items[:-3]])
    parity = _integer(fields[-3])
    if parity > 1:
        raise _malformed(f"the signature's parity is {parity}")
    nonce, (to, value, data) = fields[1], fields[-7:-4]
    return _signed(raw, signing, _integer(fields[0]), chain_ids, parity, fields[-2:], nonce, to, value, data)


Item = tuple[bytes, bytes | None]
"""One item of an RLP list: its bytes as they were sent, and what it holds; None for a list, which nobody looks into."""


def _items(data: bytes, what: str) -> list[Item]:
    """The items of one RLP list in its only right spelling. Never looks into lists inside, so depth costs nothing."""
    content, end, is_list = _bounds(data, 0, what)
    if not is_list or end != len(data):
        raise _malformed(f"{what} is not one RLP list")
    found: list[Item] = []
    at = content
    while at < end:
        content, after, is_list = _bounds(data, at, what)
        found.append((data[at:after], None if is_list else data[content:after]))
        at = after
    return found


def _bounds(data: bytes, at: int, what: str) -> tuple[int, int, bool]:
    """Where the content of the RLP item at `at` begins and ends, and whether it is a list."""
    head = data[at] if at < len(data) else 0x80
    if head < 0x80:
        return at, at + 1, False
    is_list = head >= 0xC0
    size = head - (0xC0 if is_list else 0x80)
    begin = at + 1
    if size > 55:
        begin += size - 55
        length = data[at + 1 : begin]
        size = int.from_bytes(length, "big")
        if length[:1] in (b"", b"\0") or size < 56:
            raise _malformed(f"{what} is not RLP: a length has a second spelling")
    end = begin + size
    if end > len(data) or at >= len(data):
        raise _malformed(f"{what} is not RLP: it is cut short")
    if size == 1 and not is_list and data[begin] < 0x80:
        raise _malformed(f"{what} is not RLP: a byte has a second spelling")
    return begin, end, is_list


def _list(encoded: list[bytes]) -> bytes:
    """The RLP list of items that are encoded already."""
    content = b"".join(encoded)
    return _head(0xC0, len(content)) + content


def _string(field: int | bytes) -> bytes:
    raw = field if isinstance(field, bytes) else _big_endian(field)
    return raw if len(raw) == 1 and raw[0] < 0x80 else _head(0x80, len(raw)) + raw


def _head(kind: int, size: int) -> bytes:
    if size < 56:
        return bytes([kind + size])
    length = _big_endian(size)
    return bytes([kind + 55 + len(length)]) + length


def _big_endian(number: int) -> bytes:
    return number.to_bytes((number.bit_length() + 7) // 8, "big")


def _fields(items: list[Item], count: int, access_list: int | None = None) -> list[bytes]:
    """What the items hold. Only the access list may be a list; nobody reads it, it is only signed."""
    if len(items) != count:
        raise _malformed(f"it does not have {count} fields")
    for place, (_, held) in enumerate(items):
        if (held is None) is not (place == access_list):
            raise _malformed(f"field {place} is {'a list' if held is None else 'not a list'}")
    return [held or b"" for _, held in items]


def _integer(field: bytes) -> int:
    if len(field) > 32 or field[:1] == b"\0":
        raise _malformed("a number is too long or starts with a zero byte")
    return int.from_bytes(field, "big")


def _signed(
    raw: bytes,
    signing: bytes,
    chain_id: int,
    chain_ids: tuple[int, ...],
    parity: int,
    signature: list[bytes],
    nonce: bytes,
    to: bytes,
    value: bytes,
    data: bytes,
) -> Signed:
    if chain_id not in chain_ids:
        accepted = ", ".join(map(str, chain_ids))
        raise Refused(
            "wrong_chain", f"signed for chain {chain_id}, this network is chain {accepted}", "switch the network"
        )
    if len(to) not in (0, 20):
        raise _malformed(f"the recipient has {len(to)} bytes")
    if _integer(nonce) > MAX_NONCE:
        raise _malformed("the nonce does not fit 63 bits")
    return Signed(
        keccak256(raw), _recover(signing, parity, signature), chain_id, _integer(nonce), to, _integer(value), data
    )


def _recover(signing: bytes, parity: int, signature: list[bytes]) -> bytes:
    r, s = _integer(signature[0]), _integer(signature[1])
    if not 0 < r < _CURVE_ORDER or not 0 < s < _CURVE_ORDER:
        raise Refused("bad_signature", "the signature is out of range", "sign again")
    if s > _CURVE_ORDER // 2:
        raise Refused(
            "malleable_signature", "the signature has a high s, so a second one would be valid too", "sign again"
        )
    packed = r.to_bytes(32, "big") + s.to_bytes(32, "big") + bytes([parity])
    try:
        key = PublicKey.from_signature_and_message(packed, keccak256(signing), hasher=None)
    except Exception as error:  # coincurve raises bare Exception for a point off the curve
        raise Refused("bad_signature", "the signature belongs to no key", "sign again") from error
    return _address_of(key)


def _address_of(key: PublicKey) -> bytes:
    """The last 20 bytes of the hash of the point, without its format byte: Ethereum's rule."""
    return keccak256(key.format(compressed=False)[1:])[12:]


def _plain_transfer(signed: Signed) -> Transaction:
    if len(signed.to) != 20:
        raise Refused(
            "no_evm", "this network runs no EVM code", "deploy an Intelligent Contract through addTransaction instead"
        )
    if signed.data:
        raise Refused(
            "unknown_recipient",
            f"a transaction with data goes to {checksum(CONSENSUS_MAIN)}, not to {checksum(signed.to)}",
            "call contracts with a GenLayer client; a plain transfer has no data",
        )
    return Transaction(
        signed.hash, Kind.TRANSFER, signed.sender, signed.sender, signed.nonce, signed.to, signed.value, b"\x06"
    )


def _add_transaction(data: bytes, words: int) -> tuple[bytes, bytes, bytes, tuple[int, int]]:
    """The sender, recipient and payload of an ABI-encoded addTransaction, and the seats and rotations it asks for."""
    head = [data[at : at + 32] for at in range(0, words * 32, 32)]
    if len(data) < (words + 1) * 32 or any(word[:12] != bytes(12) for word in head[:2]):
        raise _malformed("its addTransaction arguments are cut short or not addresses")
    offset = int.from_bytes(head[4], "big")
    if offset > len(data) - 32:
        raise _malformed("its addTransaction payload lies outside the data")
    length = int.from_bytes(data[offset : offset + 32], "big")
    if length > len(data) - offset - 32:
        raise _malformed("its addTransaction payload lies outside the data")
    asked = int.from_bytes(head[2], "big"), int.from_bytes(head[3], "big")
    return head[0][12:], head[1][12:], data[offset + 32 : offset + 32 + length], asked


def _from_payload(signed: Signed, recipient: bytes, payload: bytes) -> Transaction:
    parts = read_envelope(payload)
    leader_only = parts[-1] not in (b"", b"\0")
    if len(parts) == 2:
        kind, target, code = Kind.CALL, recipient, None
        if recipient == _ZERO:
            raise Refused("no_recipient", "a call names no contract", "pass the contract's address")
    else:
        kind, target, code = Kind.DEPLOY, deployed_address(signed.sender, signed.nonce), parts[0]
        if recipient != _ZERO:
            raise Refused("deploy_recipient", "a deployment names a recipient", "deploy to the zero address")
    return Transaction(
        signed.hash,
        kind,
        signed.sender,
        signed.sender,
        signed.nonce,
        target,
        signed.value,
        parts[-2],
        code,
        leader_only,
    )


def read_envelope(payload: bytes) -> list[bytes]:
    """Read `[calldata, mode]` or `[code, calldata, mode]` (docs/genlayer.md 1.7). Raises `Refused`."""
    items = _items(payload, "its payload")
    parts = [held for _, held in items if held is not None]
    if len(parts) not in (2, 3) or len(parts) != len(items):
        raise _malformed("its payload is neither a call nor a deployment")
    return parts
