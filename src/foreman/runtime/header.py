"""The head of a contract file: its version and what it depends on (docs/genlayer.md 2.1), and the hash of its text."""

import hashlib
import json
import re
from dataclasses import dataclass

MARKERS = ("#", "//", "--")
_VERSION = re.compile(r"v(\d+)\.(\d+)\.(\d+)")
NEWEST = (0, 3, 0)
"""Files from this version on are written for another SDK, with another way to import it and to call methods."""

ACTIONS = frozenset(["Depends", "Seq", "MapFile", "AddEnv", "SetArgs", "LinkWasm", "StartWasm", "When", "With"])


class InvalidContract(Exception):
    """This source cannot run. `code` is the VM error, the text is for its author."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


@dataclass(frozen=True, slots=True)
class Header:
    """`depends` are the runner ids in order, for example `py-genlayer:test`."""

    version: tuple[int, int, int]
    depends: tuple[str, ...]


def normalise(code: bytes) -> bytes:
    """The source with line ends as LF, so that one release has one hash on every system."""
    return code.replace(b"\r\n", b"\n").replace(b"\r", b"\n")


def code_hash(code: bytes) -> bytes:
    """SHA-256 of a source, line ends normalised: 32 bytes."""
    return hashlib.sha256(normalise(code)).digest()


def read_source(code: bytes) -> tuple[str, Header]:
    """The text of a source and its header. Raises `InvalidContract`."""
    if code.startswith((b"PK", b"\x00asm")):
        raise InvalidContract("invalid_contract malformed_runner", "ZIP and WASM contracts do not run here, only text")
    if not code.startswith(tuple(marker.encode() for marker in MARKERS)):
        raise InvalidContract("invalid_contract absent_runner_comment", "the file does not begin with a comment")
    try:
        text = normalise(code).decode()
    except UnicodeDecodeError as error:
        raise InvalidContract("invalid_contract not_utf8_text", str(error)) from error
    return text, _read_header(text)


def _read_header(text: str) -> Header:
    lines = []
    for line in text.split("\n"):
        marker = next((marker for marker in MARKERS if line.startswith(marker)), None)
        if marker is None:
            break
        lines.append(line[len(marker) :].strip())
    version = (0, 1, 0)
    if lines and lines[0].startswith("v"):
        found = _VERSION.match(lines[0])
        if found is None:
            raise InvalidContract("invalid_contract absent_runner_comment", f"{lines[0]!r} is not a version")
        version = (int(found[1]), int(found[2]), int(found[3]))
        lines = lines[1:]
    if version >= NEWEST:
        raise InvalidContract("version_too_big", f"contracts of v{'.'.join(map(str, version))} do not run here")
    return Header(version, tuple(_depends(_read_action("".join(lines)))))


def _read_action(text: str) -> object:
    if not text:
        raise InvalidContract("invalid_contract absent_runner_comment", "the header names no runner")
    try:
        # A comment in prose may follow the action, so only the first JSON value counts.
        return json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError) as error:
        raise InvalidContract("runner_actions", f"the header is not JSON: {error}") from error


def _depends(action: object) -> list[str]:
    if not isinstance(action, dict) or not action or not ACTIONS.issuperset(action):
        raise InvalidContract("runner_actions", f"unknown runner action {str(action)[:80]}")
    found: list[str] = []
    if isinstance(action.get("Depends"), str):
        found.append(action["Depends"])
    for part in action["Seq"] if isinstance(action.get("Seq"), list) else []:
        found += _depends(part)
    return found
