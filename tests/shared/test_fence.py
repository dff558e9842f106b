"""What a judge is shown: decoding, cleaning, visible text, and fences that nothing gets out of."""

import hashlib
import re
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contracts.shared import fence
from contracts.shared.fence import clean, fenced, one_break, page_text, short_text, visible_text

# -- cleaning


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param(
            "a\r\nb\rc\x0bd\x0ce\x1cf\x1dg\x1eh\x85i\u2028j\u2029k", "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk", id="breaks"
        ),
        pytest.param("a\n\r\nb", "a\n\nb", id="a break is one break"),
        pytest.param("tab\tstays", "tab\tstays", id="tab"),
        pytest.param("\x00\x01\x08\x0e\x1b\x1f\x7f\x80\x9f", "", id="controls"),
        pytest.param("a\u00adb\u034fc\u061cd\u115fe\u1160f\u17b4g\u17b5h", "abcdefgh", id="fillers"),
        pytest.param("a\u180bb\u180ec\u180fd", "abcd", id="mongolian selectors"),
        pytest.param("a\u200bb\u200ec\u200fd\u202ae\u202ef", "abcdef", id="zero width and bidi"),
        pytest.param(
            "a\u2060b\u2064c\u2066d\u2069e\u206ff\u2800g\u3164h\ufeffi\uffa0j", "abcdefghij", id="more invisible"
        ),
        pytest.param("a\ufff0b\ufff9c\ufffbd", "abcd", id="interlinear"),
        pytest.param("a\ud800b\udfffc", "abc", id="lone surrogates"),
        pytest.param("a\U0001bca0b\U0001bca3c\U0001d173d\U0001d17ae", "abcde", id="shorthand and music"),
        pytest.param("a\U000e0001b\U000e0020c\U000e007fd\U000e0100e\U000e01eff\U000e0fffg", "abcdefg", id="tags"),
        pytest.param("S\u200de\u200ct", "Set", id="joiners in latin"),
        pytest.param("نامه\u200cای", "نامه\u200cای", id="joiner in persian"),
        pytest.param("क्\u200dष", "क्\u200dष", id="joiner in hindi"),
        pytest.param("نامه\u200c next", "نامه next", id="joiner at the end of a word"),
        pytest.param("\u200dنامه", "نامه", id="joiner at the start"),
        pytest.param("👨\u200d💻", "👨\u200d💻", id="emoji sequence"),
        pytest.param("❤\ufe0f\u200d🔥", "❤\ufe0f\u200d🔥", id="styled emoji sequence"),
        pytest.param("1\ufe0f\u20e3 ©\ufe0f", "1\ufe0f\u20e3 ©\ufe0f", id="keycap and sign"),
        pytest.param("a\ufe0fb\ufe0e", "ab", id="selectors without a base"),
        pytest.param("❤\ufe0f\ufe0f\ufe0f", "❤\ufe0f", id="a run of selectors"),
        pytest.param("x\ufe00\ufe01\ufe0dy", "xy", id="other selectors"),
        pytest.param("\ufffd é 日本 ع", "\ufffd é 日本 ع", id="what is seen stays"),
    ],
)
def test_what_a_reader_cannot_see_is_dropped(text, found):
    assert clean(text) == found


@given(st.text())
def test_clean_text_has_nothing_hidden_but_joiners_and_selectors(text):
    for char in clean(text):
        assert char in "\n\t\u200c\u200d\ufe0e\ufe0f" or unicodedata.category(char) not in ("Cc", "Cs")
        assert not 0xE0000 <= ord(char) <= 0xE0FFF


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp", "Mn", "Lo", "So", "Cn"])))
def test_text_without_hidden_characters_is_not_changed(text):
    assert clean(text) == text


@given(st.text(), st.integers(0, 50))
def test_short_text_done_twice_is_done_once(text, cap):
    once = short_text(text, cap)
    assert len(once) <= cap
    assert short_text(once, cap) == once == once.strip()


@pytest.mark.parametrize("value", [None, 7, True, [], {}, b"x"])
def test_what_is_no_text_is_empty(value):
    assert short_text(value, 10) == ""


def test_short_text_cuts_at_the_cap():
    assert short_text("  abcdef  ", 3) == "abc"
    assert short_text("ab cdef", 3) == "ab"


def test_one_break_changes_nothing_else():
    assert one_break("a\u200b \x00b") == "a\u200b \x00b"


# -- pages


@pytest.mark.parametrize(
    ("page", "text"),
    [
        pytest.param("<p>One</p><p>Two</p>", "One\nTwo", id="a line per block"),
        pytest.param("a<b>b</b>c <span>d</span>", "abc d", id="inline elements"),
        pytest.param("<script>x</script>a<style>y</style>b<template>z<p>q</p></template>c", "a\nb\nc", id="unshown"),
        pytest.param("a<!-- <p>b</p> -->c", "ac", id="comment"),
        pytest.param('<img alt="x"><a href="javascript:y" title="z">link</a>', "link", id="attributes"),
        pytest.param("a &lt;b&gt; &amp; &#233;", "a <b> & é", id="entities"),
        pytest.param("<ul>\n  <li>a\n  <li>b\n</ul>", "a\nb", id="white space"),
        pytest.param("<pre>  a\n    b  \n</pre>", "  a\n    b", id="preformatted"),
        pytest.param("<pre>a  b</pre><p>c  d", "a  b\nc d", id="after what is preformatted"),
        pytest.param("<pre>a<pre>b  c</pre>d  e</pre>f  g", "a\nb  c\nd  e\nf g", id="nested preformatted"),
        pytest.param("<td>1</td><td>2</td>", "1\n2", id="cells"),
        pytest.param("a<br>b<br/>c<hr/>d", "a\nb\nc\nd", id="void elements"),
        pytest.param("a<i/>b", "ab", id="an empty inline element"),
        pytest.param("a<script/>b", "a\nb", id="a script that closes itself"),
        pytest.param("</template></pre>a  b", "a b", id="stray ends"),
        pytest.param("a<template><template>b</template>c</template>d", "a\nd", id="nested templates"),
        pytest.param("<noscript>seen</noscript>", "seen", id="no script"),
        pytest.param("a<script>b", "a", id="never closed"),
        pytest.param("text <b", "text", id="cut tag"),
        pytest.param("a<![x]b", "a", id="a malformed declaration ends the page"),
        pytest.param("", "", id="empty"),
    ],
)
def test_an_html_page_is_its_visible_text(page, text):
    assert visible_text(page) == text


HOSTILE = [
    "<!--",
    "<",
    "<a",
    "<a ",
    "<a b='",
    "<![",
    "<?",
    "</",
    "&",
    "&#",
    "<script>",
    "<pre>" + " " * 20,
    "</a ",
    "\n",
    "<p>",
]


@pytest.mark.parametrize("end", ["", ">", "'>", "-->", "</script>"])
@pytest.mark.parametrize("start", ["", "<script>", "<pre>", "<!--"])
@pytest.mark.parametrize("piece", HOSTILE, ids=repr)
def test_no_markup_takes_more_than_linear_time(piece, start, end):
    began = time.process_time()
    visible_text(start + piece * (100_000 // len(piece)) + end)
    assert time.process_time() - began < 2  # quadratic markup takes a minute


def test_a_page_is_parsed_to_its_cap_and_no_further():
    page = "<p>a</p>" + " " * (fence.MAX_HTML_CHARS - 9) + "b" + "c"
    assert visible_text(page) == "a\n b"


@pytest.mark.parametrize(
    ("body", "headers", "text"),
    [
        pytest.param("é ✓".encode(), {}, "é ✓", id="utf-8 unless told"),
        pytest.param("é".encode("cp1252"), {"Content-Type": "text/plain; charset=windows-1252"}, "é", id="named"),
        pytest.param(
            "é".encode("latin-1"), {"content-type": b'text/plain; charset="iso-8859-1"'}, "é", id="bytes, quoted"
        ),
        pytest.param(
            "日本".encode("shift_jis"), {"CONTENT-TYPE": "text/plain;charset=Shift_JIS"}, "日本", id="japanese"
        ),
        pytest.param("日本".encode("utf-16"), {"content-type": "text/plain; charset=utf-8"}, "日本", id="a mark wins"),
        pytest.param(b"\xfe\xff\x00a", {}, "a", id="big-endian mark"),
        pytest.param(b"\xef\xbb\xbfa", {}, "a", id="utf-8 mark"),
        pytest.param(b"a", {"content-type": "text/plain; charset=unicode_escape"}, "a", id="an encoding that is none"),
        pytest.param(b"a", {"content-type": "text/plain; charset=punycode"}, "a", id="a slow encoding"),
        pytest.param(b"<p>a</p>", {"content-type": "text/html"}, "a", id="html by type"),
        pytest.param(b"<p>a</p>", {"content-type": "application/XHTML+xml"}, "a", id="xhtml"),
        pytest.param(b" \n<!DOCTYPE  HTML><p>a</p>", {}, "a", id="doctype without a type"),
        pytest.param(b"<HTML lang=x><p>a", {"x": "y"}, "a", id="html tag without a type"),
        pytest.param(b"<html><p>a", {"content-type": "text/plain"}, "<html><p>a", id="plain by type"),
        pytest.param(b"<htmlx>", {}, "<htmlx>", id="not html"),
        pytest.param(b"<p>a</p>", {}, "<p>a</p>", id="a fragment without a type"),
        pytest.param(b" a\x00b \n", {}, "ab", id="cleaned and trimmed"),
        pytest.param(b"<p>a&#8203;b</p>", {"content-type": "text/html"}, "ab", id="hidden in an entity"),
        pytest.param(b"", {}, "", id="empty"),
        pytest.param(b"a\xffb", {}, "a\ufffdb", id="a broken byte"),
    ],
)
def test_a_body_is_read_as_text(body, headers, text):
    assert page_text(body, headers) == text


MAGIC = [
    b"%PDF-1",
    b"\x89PNG",
    b"GIF89a",
    b"\xff\xd8\xff",
    b"PK\x03\x04",
    b"\x1f\x8b",
    b"\x7fELF",
    b"RIFFxxxxWEBP",
    b"\x00asm",
]


@pytest.mark.parametrize("magic", MAGIC, ids=repr)
def test_a_file_with_a_known_signature_is_binary(magic):
    with pytest.raises(ValueError, match="the page is a binary file, not text"):
        page_text(magic + b" all readable text", {})


@pytest.mark.parametrize(
    ("odd", "length", "binary"),
    [
        pytest.param(10, 50, False, id="ten odd characters of fifty"),
        pytest.param(11, 50, True, id="eleven of fifty"),
        pytest.param(50, 1000, False, id="a twentieth"),
        pytest.param(51, 1000, True, id="more than a twentieth"),
        pytest.param(204, 4096, False, id="a twentieth of a window"),
        pytest.param(205, 4096, True, id="more of it"),
    ],
)
def test_garbage_beyond_a_twentieth_is_binary(odd, length, binary):
    for char in (b"\x01", b"\x0e", b"\x1f", b"\x7f", b"\xff"):
        body = char * odd + b"a" * (length - odd)
        try:
            page_text(body, {})
        except ValueError:
            assert binary
        else:
            assert not binary


def test_only_the_beginning_decides_whether_a_page_is_text():
    assert page_text(b"a" * 4096 + b"\x01" * 4096, {}) == "a" * 4096
    assert page_text(b"\x1b[1m\t\r\n\x0c" * 100, {})  # terminals and line breaks are text


# -- fences

NAMES = ("title", "evidence 0")
BLOCK = re.compile(r"BEGIN (.+) ([0-9a-f]{24})\n((?:\| .*\n)+)END \1 \2(?:\n|$)")


def test_a_fence_looks_like_this():
    prompt = fenced({"title": "One", "note": "two\n\nlines"})
    tag = prompt.split("\n")[0].split()[-1]
    assert prompt == (
        f"BEGIN title {tag}\n| One\nEND title {tag}\nBEGIN note {tag}\n| two\n| \n| lines\nEND note {tag}"
    )
    assert tag == hashlib.sha256(b"0\ntitle 3\nOne\nnote 10\ntwo\n\nlines\n").hexdigest()[:24]


@given(st.dictionaries(st.sampled_from(NAMES), st.text().map(clean), min_size=1))
def test_every_text_comes_back_out_of_its_own_fence(blocks):
    prompt = fenced(blocks)
    assert len(BLOCK.findall(prompt)) == len(blocks)
    assert BLOCK.sub("", prompt) == ""
    found = {name: "\n".join(line[2:] for line in data[:-1].split("\n")) for name, _, data in BLOCK.findall(prompt)}
    assert found == blocks
    assert len({tag for _, tag, _ in BLOCK.findall(prompt)}) == 1


@given(st.text(max_size=30).map(clean), st.text(max_size=30).map(clean))
def test_texts_cannot_trade_places(one, two):
    """Name and length are in the tag, so no text can be cut otherwise under the same one."""
    tags = {
        fenced(blocks).split("\n")[0]
        for blocks in ({"a": one, "b": two}, {"a": two, "b": one}, {"a": one + two, "b": ""})
    }
    assert len(tags) == len({(one, two), (two, one), (one + two, "")})


SPELLINGS = [
    pytest.param(lambda tag: tag, id="as it is"),
    pytest.param(str.upper, id="upper case"),
    pytest.param(lambda tag: " ".join(tag), id="spaced"),
    pytest.param(lambda tag: "-".join(tag), id="with dashes"),
    pytest.param(lambda tag: "_".join(tag), id="with underscores"),
    pytest.param(lambda tag: "\n".join(tag), id="over lines"),
    pytest.param(lambda tag: "\u200d".join(tag), id="with joiners"),
    pytest.param(lambda tag: "".join(chr(ord(char) + 0xFEE0) for char in tag), id="full width"),
    pytest.param(lambda tag: f"é {tag}", id="beside other script"),
]


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_a_tag_that_a_text_holds_in_any_spelling_is_not_used(monkeypatch, spelling):
    """Nobody can write the hash of a text into that text, so the hash is bent: the first two tags are foreseen."""
    tags = ["a1" * 12, "b2" * 12, "c3" * 12]

    class Bent:
        def __init__(self, raw):
            self.count = int(raw.split(b"\n")[0])

        def hexdigest(self):
            return tags[self.count] + "0" * 40

    monkeypatch.setattr(fence.hashlib, "sha256", Bent)
    text = f"x {spelling(tags[0])} y"
    assert fenced({"note": text}).startswith(f"BEGIN note {tags[1]}\n")
    assert fenced({"a": "x", "note": text + " " + spelling(tags[1])}).startswith(f"BEGIN a {tags[2]}\n")
    assert fenced({"note": "x"}).startswith(f"BEGIN note {tags[0]}\n")


def test_a_full_prompt_is_fenced_in_well_under_a_millisecond_and_a_half():
    blocks = {"spec": "word " * 800, "criteria": "line\n" * 400, "evidence": "{}" * 7500}
    best = min(_timed(blocks) for _ in range(20))
    assert best < 0.02  # measured 0.0004; the bound is for slow machines


def _timed(blocks):
    began = time.perf_counter()
    fenced(blocks)
    return time.perf_counter() - began
