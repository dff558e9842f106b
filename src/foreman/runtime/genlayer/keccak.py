"""`Keccak256` with hashlib's shape: `Keccak256(data).digest()`."""

from foreman.address import keccak256


class Keccak256:
    """Keccak-256 as Ethereum uses it."""

    name = "keccak256"
    digest_size = 32

    def __init__(self, data: bytes = b"") -> None:
        self._data = bytes(data)

    def update(self, data: bytes) -> "Keccak256":
        self._data += bytes(data)
        return self

    def digest(self) -> bytes:
        return keccak256(self._data)

    def hexdigest(self) -> str:
        return self.digest().hex()

    def copy(self) -> "Keccak256":
        return Keccak256(self._data)
