"""Back up a state directory while its node runs, and make a state directory of a backup; nothing is taken on trust."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from foreman.errors import StateError
from foreman.localnet.shipped import fingerprint, shipped
from foreman.node.sums import sums
from foreman.state import backup
from foreman.state.database import DATABASE, LOCK, lock_directory, migrations

Progress = backup.Progress


@dataclass(frozen=True, slots=True)
class Content:
    """What a backup holds, as it was found in the file itself."""

    schema: int
    height: int
    """Commits: the block number."""
    journal: int
    """The cursor of the last change."""
    minted_wei: int
    bytes: int = 0
    seconds: float = 0.0
    """From the first page to the last check."""
    kept: str = ""
    """Where the state that was replaced lies now, empty when there was none."""


def _quiet(done: int, whole: int) -> None:
    pass


def back_up(state: Path, file: Path, *, force: bool = False, progress: Progress = _quiet) -> Content:
    """Copy the database of a state directory into one file, while a node writes to it or not.

    The file gets its name when it is whole, checked and on disk. Raises `StateError`; then nothing has changed.
    """
    begun = time.monotonic()
    source = state / DATABASE
    if not source.is_file():
        raise StateError("no_state", f"there is no database in {state}", "name the node's folder with --state")
    if file.absolute().parent.resolve() == state.resolve():
        raise StateError("backup_in_state", f"{file} lies in the state directory", "keep it on another disk")
    if file.exists() and not force:
        raise _exists(file)
    unfinished = _beside(file)
    try:
        backup.copy(source, unfinished, progress)
        content = _verified(unfinished, file.name)
        backup.seal(unfinished)
        backup.put(unfinished, file, replace=force)
    except FileExistsError as error:
        raise _exists(file) from error
    except OSError as error:
        raise StateError("copy_failed", f"{file} cannot be written: {error.strerror}", "name another file") from error
    finally:
        backup.discard(unfinished)
    return replace(content, bytes=file.stat().st_size, seconds=_since(begun))


def restore(
    file: Path, state: Path, *, force: bool = False, allow_contracts: bool = False, progress: Progress = _quiet
) -> Content:
    """Make `state` a state directory with what a backup holds. With `force` a state that is there is kept beside.

    Contracts that are not the shipped ones are refused unless `allow_contracts`: a node runs what its state directory
    has accepted, with its own rights. Raises `StateError`; then the state directory is as it was.
    """
    begun = time.monotonic()
    if not file.is_file():
        raise StateError("no_backup", f"there is no file {file}", "name a file that `foreman backup` has written")
    _refuse(file, state, force)
    made = [folder for folder in (state, *state.parents) if not folder.exists()]
    fresh = not (state / LOCK).exists()
    with _undone(made, Path.rmdir), closing(lock_directory(state)), _undone([state / LOCK] * fresh, Path.unlink):
        content, kept = _put_in_place(file, state, force, allow_contracts, progress)
    size = (state / DATABASE).stat().st_size
    return replace(content, bytes=size, seconds=_since(begun), kept=kept)


def _put_in_place(
    file: Path, state: Path, force: bool, allow_contracts: bool, progress: Progress
) -> tuple[Content, str]:
    """In a directory that is locked. Until the last step the old state stands, whole."""
    unfinished, target = state / "restoring.sqlite", state / DATABASE
    _refuse(file, state, force)  # once more: now nobody else writes there
    try:
        backup.discard(unfinished)
        backup.copy(file, unfinished, progress)
        content = _verified(unfinished, file.name)
        if not allow_contracts:
            _check_code(unfinished)
        backup.upgrade(unfinished)
        kept = str(backup.keep_beside(state)) if target.exists() else ""
        backup.put(unfinished, target, replace=True)
    except OSError as error:
        raise StateError("copy_failed", f"{state} cannot be written: {error.strerror}", "make room there") from error
    finally:
        backup.discard(unfinished)
    return content, kept


def _refuse(file: Path, state: Path, force: bool) -> None:
    """What can be told without touching anything. Raises `StateError`."""
    if (state / DATABASE).exists() and not force:
        raise StateError(
            "state_exists", f"{state} holds a database already", "choose another with --state, or --force keeps it"
        )
    try:
        backup.check_seal(file, file.name)
    except OSError as error:
        raise StateError("copy_failed", f"{file} cannot be read: {error.strerror}", "name another file") from error


@contextmanager
def _undone(made: list[Path], undo: Callable[[Path], None]) -> Iterator[None]:
    """When anything fails in here, what was made for it goes again; unless somebody else uses it by now."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            for each in made:
                undo(each)
        raise


def _verified(path: Path, name: str) -> Content:
    """What a copy holds, once it is found whole and its books balance. An older schema is tried on a second copy."""
    number = backup.examine(path, name)
    if number == len(migrations()):
        return _read(path, name, number)
    trial = path.with_name(path.name + ".upgraded")
    try:
        backup.copy(path, trial)
        backup.upgrade(trial)
        return _read(trial, name, number)
    finally:
        backup.discard(trial)


def _read(path: Path, name: str, number: int) -> Content:
    try:
        with backup.opened(path) as view:
            books = sums(view)
            content = Content(number, view.height(), view.last_change(), books["minted_wei"])
    except (ValueError, TypeError, KeyError, IndexError) as error:
        raise backup.damaged(name, "a transaction in it cannot be read") from error
    if not books["conserved"]:
        raise backup.damaged(name, "its books do not balance")
    return content


def _check_code(path: Path) -> None:
    with backup.opened(path) as view:
        foreign = _foreign(view.sources())
    if foreign:
        raise StateError(
            "foreign_code",
            f"the backup brings code that this release does not ship: {', '.join(foreign[:3])}",
            "use the release that wrote it, or --allow-contracts: that code then runs with the rights of the node",
        )


def _foreign(sources: Iterable[bytes]) -> list[str]:
    trusted = {fingerprint(source) for source in shipped().values()}
    return [sha256(source).hexdigest() for source in sources if fingerprint(source) not in trusted]


def _beside(file: Path) -> Path:
    """A name in the folder of the file that nobody else uses, made so that only its owner reads it."""
    unfinished = file.absolute().with_name(f".{file.name}.{time.time_ns():x}.unfinished")
    try:
        unfinished.touch(mode=0o600, exist_ok=False)
    except OSError as error:
        raise StateError("copy_failed", f"{file} cannot be written: {error.strerror}", "name another file") from error
    return unfinished


def _exists(file: Path) -> StateError:
    return StateError("backup_exists", f"{file} exists already", "name another file, or replace it with --force")


def _since(begun: float) -> float:
    return round(time.monotonic() - begun, 3)
