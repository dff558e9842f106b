"""What the judge was shown of a page, computed again: the contracts' own reading of bytes, and its fingerprint.

text = page_text(body, headers)[:15_000]
fingerprint = hashlib.sha256(text.encode()).hexdigest()[:16]
assert fingerprint == order["evidence_fingerprint"]
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from html.parser import HTMLParser

MAX_EVIDENCE_CHARS = 15_000
"""Of a page's text, what the judge reads (contracts/foreman.py; a test compares)."""


class Seen(StrEnum):
    """What became of a page since it was judged."""

    SAME = "same"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class Recomputed:
    """A page now. `fingerprint` and `chars` are empty when it is gone, `reason` says why."""

    seen: Seen
    fingerprint: str = ""
    chars: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a judge would be shown of a page; `truncated` when the page goes on behind `MAX_EVIDENCE_CHARS`."""

    text: str
    truncated: bool

    @property
    def chars(self) -> int:
        return len(self.text)

    @property
    def fingerprint(self) -> str:
        """The first 16 hex digits of SHA-256 over the text in UTF-8."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def shown(status: int, headers: Mapping[str, str | bytes], body: bytes) -> Shown:
    """A response as the judge would read it. Raises ValueError with the reason when the contract would not."""
    if not 200 <= status < 300:
        raise ValueError(f"the page answers with HTTP {status}")
    text = page_text(body, headers)
    if not text:
        raise ValueError("the page is empty")
    return Shown(text[:MAX_EVIDENCE_CHARS], len(text) > MAX_EVIDENCE_CHARS)


def compare(expected: str, status: int, headers: Mapping[str, str | bytes], body: bytes) -> Recomputed:
    """A response against the fingerprint that an order carries. What the contract would refuse to read is gone."""
    try:
        now = shown(status, headers, body)
    except ValueError as reason:
        return Recomputed(Seen.GONE, reason=str(reason))
    return Recomputed(Seen.SAME if now.fingerprint == expected else Seen.CHANGED, now.fingerprint, now.chars)


# <shared fence>
MAX_HTML_CHARS = 400_000  # a page is parsed this far; a shell with more markup than this shows no readable text anyway

_BREAK = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_JOINED = (
    "\u0590-\u061b\u061d-\u109f\u1780-\u17b3\u17b6-\u180a\u1810-\u18af\u2190-\u2bff\ufb1d-\ufdff\ufe0f\ufe70-\ufefc"
)
_JOINED += "\U0001f000-\U0001faff"  # scripts whose spelling needs joiners, and emoji
_STYLED = "#*0-9\u00a9\u00ae\u203c\u2049\u2122\u2139\u2190-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"  # emoji
_UNSEEN = re.compile(  # controls, format characters, fillers, lone surrogates; joiners and selectors out of their place
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u2028-\u202e"
    "\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0000-\U000e0fff]"
    f"|(?<![{_JOINED}])[\u200c\u200d]|[\u200c\u200d](?![{_JOINED}])|(?<![{_STYLED}])[\ufe0e\ufe0f]"
)
_CHARSET = re.compile(  # only what is a text encoding, and decodes in linear time
    r"charset=[\"']?(utf-?8|utf-?16(?:le|be)?|us-ascii|iso-8859-\d{1,2}|windows-\d{3,4}|shift_jis|euc-(?:jp|kr)|"
    r"gb2312|gbk|gb18030|big5|koi8-[ru])\b",
    re.IGNORECASE,
)
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_BINARY = (b"%PDF-", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"\x1f\x8b", b"\x7fELF", b"RIFF", b"\x00asm")
_GARBAGE = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")
_HTML = re.compile(r"\s*<(?:!doctype\s+html|html)\b", re.IGNORECASE)
_UNSHOWN = frozenset({"script", "style", "template"})
_INLINE = re.compile("a|abbr|b|bdi|bdo|cite|code|data|em|i|kbd|mark|q|s|samp|small|span|strong|su[bp]|time|u|var")
_GAP = re.compile(r"[ \t\n]+")
_WIDE = re.compile(r"[\t\n]|  ")
_NOT_ALNUM = re.compile(r"[\W_]+")
_PLAIN = re.compile("[\t\n -~]*")  # what most pages are made of: nothing in it is ever dropped
_ASCII_REST = bytes(code for code in range(128) if not chr(code).isalnum())


def one_break(text: str) -> str:
    """Every kind of line break becomes a newline."""
    return _BREAK.sub("\n", text)


def clean(text: str) -> str:
    """Drop what a reader cannot see: controls, bidi marks, zero-width and tag characters. Joiners in words stay."""
    return text if _PLAIN.fullmatch(text) else _UNSEEN.sub("", one_break(text))


def short_text(value: object, cap: int) -> str:
    """Text of a model or a party, clean, trimmed and cut to `cap`, so that doing it again changes nothing."""
    text, before = value if isinstance(value, str) else "", None
    while text != before:
        before, text = text, clean(text).strip()[:cap]
    return text


class _Visible(HTMLParser):
    """Collects the text a page shows; attributes, comments, scripts, styles and templates are dropped."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.text: list[str] = []
        self.hidden = 0
        self.kept = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.hidden += tag in _UNSHOWN
        self.kept += tag == "pre"
        self.text.append("" if _INLINE.fullmatch(tag) else "\n")

    def handle_endtag(self, tag: str) -> None:
        self.hidden = max(0, self.hidden - (tag in _UNSHOWN))
        self.kept = max(0, self.kept - (tag == "pre"))
        self.text.append("" if _INLINE.fullmatch(tag) else "\n")

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.text.append(data if self.kept or not _WIDE.search(data) else _GAP.sub(" ", data))


def visible_text(page: str) -> str:
    """The text that an HTML page shows, one line per block."""
    reader = _Visible()
    try:
        reader.feed(page[:MAX_HTML_CHARS] + "<p>")  # flushes text; close() would be quadratic on unfinished markup
    except AssertionError:
        pass  # the parser gives up at a malformed "<!["; what the page showed before it stays
    return "\n".join(line.rstrip() for line in "".join(reader.text).split("\n") if line.strip())


def page_text(body: bytes, headers: Mapping[str, str | bytes]) -> str:
    """Decode a response body to clean text, HTML as its visible text. Raises ValueError when it is not text at all."""
    kind = ""
    for name, value in headers.items():
        if name.lower() == "content-type":
            kind = value.decode("latin-1") if isinstance(value, bytes) else value
    named = _CHARSET.search(kind)
    marked = [charset for mark, charset in _BOMS if body.startswith(mark)]
    text = body.decode(marked[0] if marked else named[1] if named else "utf-8", "replace")
    if body.startswith(_BINARY) or len(_GARBAGE.findall(text[:4096])) > max(10, len(text[:4096]) // 20):
        raise ValueError("the page is a binary file, not text")
    if "html" in kind.lower() or (not kind and _HTML.match(text)):
        text = visible_text(text)
    return clean(text).strip()


def fenced(blocks: Mapping[str, str]) -> str:
    """Wrap named, clean texts under one tag that occurs in none of them: no text can leave its own lines."""
    written = "".join(f"{name} {len(text)}\n{text}\n" for name, text in blocks.items())
    raw, count = written.encode("utf-8", "replace"), 0
    if written.isascii():
        seen = raw.lower().translate(None, _ASCII_REST).decode()  # the same, ten times as fast
    else:
        folded = unicodedata.normalize("NFKC", written).casefold()
        seen = _NOT_ALNUM.sub("", unicodedata.normalize("NFKC", folded))
    while (tag := hashlib.sha256(b"%d\n" % count + raw).hexdigest()[:24]) in seen:
        count += 1
    return "\n".join(
        f"BEGIN {name} {tag}\n| " + text.replace("\n", "\n| ") + f"\nEND {name} {tag}" for name, text in blocks.items()
    )


# </shared>
