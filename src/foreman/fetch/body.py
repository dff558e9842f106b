"""A response body, decompressed as it arrives and never beyond the byte limit, whatever it claims to be."""

import zlib

from foreman.errors import WebError

ENCODINGS = "gzip, deflate"
"""What is asked for. Brotli and zstd would each need a library, and each is one more bomb to defuse."""

_GZIP = ("gzip", "x-gzip")
_STEP = 65536
"""Decompressed bytes taken at a time, so that a bomb is noticed before it is in memory."""


class Body:
    """Takes wire bytes, keeps at most `limit` decompressed ones. `full` says that the page was longer."""

    def __init__(self, encoding: str, limit: int) -> None:
        """Raises `WebError`, code `encoding_refused`, for anything but identity, gzip and deflate."""
        self._limit = limit
        self._kept = bytearray()
        self._coding = _coding(encoding)
        self._inflater: _Inflater | None = None
        self._wire_left = 2 * limit + _STEP
        self.full = False

    def feed(self, data: bytes | bytearray) -> None:
        """Raises `WebError`, code `bad_response`, for data that is not what it was announced as."""
        if self.full or not data:
            return
        if not self._coding:
            self._keep(data)
            return
        self._wire_left -= len(data)
        if self._wire_left < 0:
            # Compression that makes a page longer: empty blocks and empty members can go on for ever.
            raise WebError("bad_response", "the compressed page is larger than its content")
        if self._inflater is None:
            self._inflater = _Inflater(self._coding, data)
        pending = bytes(data)
        while pending and not self.full:
            piece, pending = self._inflater.step(pending)
            self._keep(piece)

    def finish(self) -> bytes:
        """The whole body. Raises `WebError`, code `bad_response`, when compressed data ends in the middle."""
        if self._inflater is not None and not self.full and not self._inflater.complete:
            raise WebError("bad_response", "the compressed page ends in the middle")
        return bytes(self._kept)

    def _keep(self, piece: bytes | bytearray) -> None:
        room = self._limit - len(self._kept)
        self._kept += piece[:room]
        if len(piece) > room:
            self.full = True


class _Inflater:
    """gzip with any number of members, and deflate with or without its zlib wrapper (servers send both)."""

    def __init__(self, coding: str, first: bytes | bytearray) -> None:
        self._window = zlib.MAX_WBITS | 16 if coding in _GZIP else _deflate_window(first)
        self._members = coding in _GZIP
        self._stream = zlib.decompressobj(self._window)
        self._done = False

    @property
    def complete(self) -> bool:
        return self._done or self._stream.eof

    def step(self, data: bytes) -> tuple[bytes, bytes]:
        """Some decompressed bytes, and what of the data is still to be fed. Raises `WebError`."""
        if self._done:
            return b"", b""
        if self._stream.eof:
            self._stream = zlib.decompressobj(self._window)
        try:
            piece = self._stream.decompress(data, _STEP)
        except zlib.error:
            raise WebError("bad_response", "the compressed page is damaged") from None
        if not self._stream.eof:
            return piece, self._stream.unconsumed_tail
        rest = self._stream.unused_data
        # After the last member come padding or garbage, which every browser ignores.
        self._done = not self._members or (bool(rest) and rest[:1] != b"\x1f")
        return piece, b"" if self._done else rest


def _coding(header: str) -> str:
    codings = [word for word in header.lower().replace(",", " ").split() if word != "identity"]
    if not codings:
        return ""
    if len(codings) > 1 or codings[0] not in (*_GZIP, "deflate"):
        raise WebError(
            "encoding_refused",
            "the page came in an encoding that was not asked for",
            "serve it plain, or as gzip",
        )
    return codings[0]


def _deflate_window(first: bytes | bytearray) -> int:
    """`deflate` means zlib (RFC 9110), and some servers send it bare; the first two bytes tell (RFC 1950, 2.2)."""
    head = first[:2]
    wrapped = len(head) == 2 and head[0] & 0x0F == 8 and int.from_bytes(head) % 31 == 0
    return zlib.MAX_WBITS if wrapped or (len(head) == 1 and head[0] & 0x0F == 8) else -zlib.MAX_WBITS
