"""What was signed, by the id its client gave it, so that the same id never pays twice: a retry sends the same bytes.

In memory, and with a folder also on disk, one small file per id, written before the bytes leave. A network knows a
transaction by its bytes, so sending them again gives the same hash. Keys are never written here.
"""

import hashlib
import json
import os
import secrets
import threading
from collections import OrderedDict
from dataclasses import asdict, dataclass
from pathlib import Path

from foreman.errors import BadInput, StateError

REMEMBERED = 100_000
"""Ids kept in memory, the oldest forgotten first: some 40 MB at most. A folder forgets none."""


@dataclass(frozen=True, slots=True)
class Posted:
    """One write: a digest of what it says, its signed bytes, and its hash once the network has told it."""

    what: str
    raw: str
    hash: str = ""


class Outbox:
    """Safe to use from several threads, and with a folder from several processes."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder
        self._posted: OrderedDict[str, Posted] = OrderedDict()
        self._lock = threading.Lock()

    @staticmethod
    def key(place: str, sender: bytes, id: str) -> str:
        """An id belongs to one network and one sender."""
        return hashlib.sha256(f"{place}\n{sender.hex()}\n{id}".encode()).hexdigest()

    def find(self, key: str) -> Posted | None:
        """What was signed for this id, if anything."""
        with self._lock:
            return self._posted.get(key) or self._load(key)

    def keep(self, key: str, posted: Posted) -> Posted:
        """Remember before sending. When another was quicker with the same id, that one is given back."""
        with self._lock:
            if self._folder is not None:
                posted = self._create(self._folder, key, posted)
            self._remember(key, posted)
            return posted

    def taken(self, key: str, posted: Posted, hash: str) -> None:
        """The network has it."""
        done = Posted(posted.what, posted.raw, hash)
        with self._lock:
            self._remember(key, done)
            if self._folder is not None:
                self._write(_draft(self._folder), done).replace(self._folder / key)

    def drop(self, key: str) -> None:
        """The network has refused it for good, so the id is free again."""
        with self._lock:
            self._posted.pop(key, None)
            if self._folder is not None:
                (self._folder / key).unlink(missing_ok=True)

    def _remember(self, key: str, posted: Posted) -> None:
        self._posted[key] = posted
        while len(self._posted) > REMEMBERED:
            self._posted.popitem(last=False)

    def _load(self, key: str) -> Posted | None:
        if self._folder is None or not (self._folder / key).exists():
            return None
        try:
            return Posted(**json.loads((self._folder / key).read_text("utf-8")))
        except (ValueError, TypeError) as error:
            hint = "look the transaction up before removing the file"
            raise StateError("bad_outbox", f"{self._folder / key} is damaged", hint) from error

    def _create(self, folder: Path, key: str, posted: Posted) -> Posted:
        """A link to a complete file appears at once or not at all, and never over another."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self._write(_draft(folder), posted)
        try:
            os.link(draft, folder / key)
        except FileExistsError:
            return self._load(key) or posted
        finally:
            draft.unlink()
        return posted

    @staticmethod
    def _write(path: Path, posted: Posted) -> Path:
        with open(path, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            json.dump(asdict(posted), file)
            file.flush()
            os.fsync(file.fileno())
        return path


def _draft(folder: Path) -> Path:
    """A name nobody else writes to."""
    return folder / f"{secrets.token_hex(8)}.tmp"


def same_write(posted: Posted, what: str, id: str) -> None:
    """Raises `BadInput` when an id is used for something else than before."""
    if posted.what != what:
        sentence = f"the id {id[:80]!r} was used for another write"
        raise BadInput("id_reused", sentence, "one id names one write; choose a new one")
