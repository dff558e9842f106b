"""Criteria about text: what is said and what must not be, how it begins and ends, headings, case, and links."""

import re

from foreman.judges.offline.findings import Finding, Predicate, decide, show, unknown, unmet
from foreman.judges.offline.kinds import BE, HAS, Phrasings, Words
from foreman.judges.offline.page import Page
from foreman.judges.offline.phrases import Interval, N, Q, read_number

PHRASINGS = Phrasings()
says = PHRASINGS.says

URL = re.compile(r"https?://[^\s<>\"'`)\]}]+", re.IGNORECASE)
EMAIL = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}")
_PLACEHOLDERS = re.compile(
    r"\b(?:lorem ipsum|todo|tbd|tba|fixme|placeholder|coming soon|to be (?:added|done|defined))\b", re.IGNORECASE
)

MENTIONS = rf"(?:{HAS}|mentions?|says?|states?|quotes?|uses?|reads?|cites?|refers? to|displays?|prints?)"
NOUN = (
    r"(?:(?:the |an? )?(?:exact |literal |following |single |complete )*(?:words?|phrases?|texts?|strings?|"
    r"sentences?|lines?|terms?|"
    r"names?|titles?|tokens?|values?|quotes?|substrings?|characters?):? )?"
)
_TEXTS = rf"(?P<q>{Q}(?:(?:, and |, or |, | and | or | nor |/)(?:{NOUN}){Q})*)"
_WHERE = (
    r"(?: (?:somewhere|anywhere|verbatim|literally|exactly|at all))?(?: (?:on|in) (?:the |its )?(?:page|"
    r"text|document|body))?"
)


def text_of(value: object, page: Page) -> str | None:
    """What can be searched: the honest text of the page, or a text value."""
    if isinstance(value, Page):
        return page.honest
    return value if isinstance(value, str) else None


def mentions(value: object, page: Page, wanted: str) -> bool:
    """Is this text said? In a list, as one of its texts; in an object, as a key or value."""
    text = text_of(value, page)
    if text is not None:
        return wanted in text or wanted.casefold() in text.casefold()
    members = (
        [*value.keys(), *value.values()] if isinstance(value, dict) else value if isinstance(value, list) else [value]
    )
    return any(wanted == member or (isinstance(member, str) and wanted in member) for member in members)


@says(
    "quoted text",
    rf"{MENTIONS} (?:both |all of |at least one of |either |one of )?{NOUN}{_TEXTS}{_WHERE}",
)
def _says(words: Words) -> Predicate:
    wanted = [words.phrase.unquote(token) for token in re.findall(Q, words["q"])]
    spoken = words.match[0].lower()
    any_of = " or " in words["q"] or "one of" in spoken or "either" in spoken

    def predicate(value: object, page: Page) -> Finding:
        missing = [text for text in wanted if not mentions(value, page, text)]
        if any_of:
            return decide(len(missing) < len(wanted), f"{len(wanted) - len(missing)} of {len(wanted)} found")
        return decide(not missing, f"{show(missing[0])} is not there" if missing else f"{show(wanted[0])} is there")

    return predicate


_NOT = r"(?:does|do|may|can|is to) not|never|nowhere"


@says(
    "absence",
    rf"(?:{_NOT}) (?:contains?|includes?|mentions?|uses?|have|has|shows?|says?|states?|holds?|lists?|quotes?|"
    rf"repeats?|refers? to|displays?) (?:any of |either |any )?{NOUN}{_TEXTS}{_WHERE}",
    rf"(?:{BE} free (?:of|from)|{BE} without|lacks?|omits?|avoids?) {NOUN}{_TEXTS}",
    rf"(?:{HAS}) (?:no|neither|none of|zero|no mention of|no occurrences? of)(?: the)? {NOUN}{_TEXTS}{_WHERE}",
)
def _absent(words: Words) -> Predicate:
    banned = [words.phrase.unquote(token) for token in re.findall(Q, words["q"])]

    def predicate(value: object, page: Page) -> Finding:
        # Everything on the page counts here, also what was cut as a directive: it is on the page all the same.
        whole = page.text if isinstance(value, Page) else None
        for text in banned:
            there = text.casefold() in whole.casefold() if whole is not None else mentions(value, page, text)
            if there:
                return unmet(f"{show(text)} is there")
        if isinstance(value, Page) and value.cut:
            return unknown("the page is longer than what is shown")
        return decide(True, f"{show(banned[0])} is not there")

    return predicate


@says(
    "absence",
    rf"(?:{HAS}|{BE}) (?:no|without|free (?:of|from)) (?:any )?(?:placeholder|filler|dummy|"
    rf"lorem ipsum)s?(?: texts?| contents?)?(?: such as .+)?",
    rf"(?:{_NOT}) (?:contain|include|have|use) (?:any )?(?:placeholder|filler|dummy)s?(?: texts?|"
    rf" contents?)?(?: such as .+)?",
)
def _no_placeholders(words: Words) -> Predicate:
    def predicate(value: object, page: Page) -> Finding:
        text = page.text if isinstance(value, Page) else str(value)
        found = _PLACEHOLDERS.search(text)
        return decide(found is None, f"{show(found[0])} is there" if found else "no placeholder is there")

    return predicate


@says("beginning", rf"(?:starts?|begins?|opens?) with {NOUN}(?P<q>{Q})")
def _starts(words: Words) -> Predicate:
    return _edge(words.plain("q"), begin=True)


@says("ending", rf"(?:ends?|finishes|closes?|concludes?) (?:with|in) {NOUN}(?P<q>{Q})")
def _ends(words: Words) -> Predicate:
    return _edge(words.plain("q"), begin=False)


def _edge(wanted: str, begin: bool) -> Predicate:
    def predicate(value: object, page: Page) -> Finding:
        text = text_of(value, page)
        if text is None:
            return unmet(f"{show(value)} is no text")
        text = text.strip()
        found = text[: len(wanted)] if begin else text[-len(wanted) :]
        return decide(found == wanted, f"it {'begins' if begin else 'ends'} with {show(found)}")

    return predicate


_TIMES = {"once": 1, "twice": 2, "thrice": 3}


@says(
    "occurrences",
    rf"{MENTIONS} {NOUN}(?P<q>{Q}) (?P<op>exactly |at least |at most |no more than |more than )?(?P<n>once|"
    rf"twice|thrice|{N}(?= times))(?: times)?",
)
def _occurrences(words: Words) -> Predicate | None:
    number = _TIMES.get(words["n"].lower()) or read_number(words["n"])
    if not isinstance(number, int):
        return None
    op, wanted = words["op"].lower(), words.plain("q")
    bounds = {
        "at least": Interval(number, None),
        "at most": Interval(0, number),
        "no more than": Interval(0, number),
        "more than": Interval(number + 1, None),
    }
    interval = bounds.get(op, Interval(number, number))

    def predicate(value: object, page: Page) -> Finding:
        text = text_of(value, page)
        if text is None or not wanted:
            return unmet(f"{show(value)} is no text")
        found = text.casefold().count(wanted.casefold())
        return decide(interval.holds(found), f"{show(wanted)} occurs {found} times, asked is {interval}")

    return predicate


@says(
    "heading",
    rf"(?:{HAS}) (?:an? |the )?(?:section|heading|headline|title|header|chapter)s? (?:named |called |titled |"
    rf"entitled |labelled |labeled |with the (?:text|title) )?(?P<q>{Q}(?:(?:, and |, | and ){Q})*)",
    rf"(?:{BE} )?(?:titled|entitled|headed) (?P<q>{Q})",
    rf"(?:{HAS}) (?:an? |the )?(?P<q>{Q}) (?:section|heading|headline|chapter)",
)
def _heading(words: Words) -> Predicate:
    wanted = [words.phrase.unquote(token) for token in re.findall(Q, words["q"])]

    def predicate(value: object, page: Page) -> Finding:
        lines = {line.strip(" \t#*_=:").casefold() for line in page.honest.split("\n")}
        missing = [text for text in wanted if text.strip().casefold() not in lines]
        return decide(not missing, f"no heading {show(missing[0])}" if missing else "the headings are there")

    return predicate


@says(
    "letter case",
    rf"{BE} (?:all |entirely |written )?(?:in )?(?P<case>upper-?case|lower-?case|capital letters|"
    rf"all caps)(?: only| letters)?",
)
def _case(words: Words) -> Predicate:
    upper = not words["case"].lower().startswith("lower")

    def predicate(value: object, page: Page) -> Finding:
        text = text_of(value, page)
        if text is None:
            return unmet(f"{show(value)} is no text")
        return decide(text.isupper() if upper else text.islower(), f"it is {show(text)}")

    return predicate


_TARGET = rf"(?P<to>{Q}|https?://\S+|(?:[\w-]+\.)+[a-z]{{2,}}(?:/\S*)?)"


@says(
    "links",
    rf"(?:(?:{HAS}) (?:an? |at least one |the )?(?:working |valid |https? )?(?:links?|urls?|hyperlinks?|"
    rf"references?) (?:to|from|on|at)|links? to|points? to|cites?) (?:the )?(?:domain |site |website |host |"
    rf"page |url )?{_TARGET}",
)
def _links_to(words: Words) -> Predicate:
    wanted = words.plain("to").rstrip("/").lower()

    def predicate(value: object, page: Page) -> Finding:
        text = text_of(value, page)
        links = [found[0].rstrip(".,;") for found in URL.finditer(text or "")]
        holds = any(_leads_to(link.lower(), wanted) for link in links)
        return decide(holds, f"{len(links)} links, {'one' if holds else 'none'} of them to {wanted}")

    return predicate


def _leads_to(link: str, wanted: str) -> bool:
    """By whole host labels and whole path beginnings, so that `evil-example.com` is not `example.com`."""
    if wanted.startswith(("http://", "https://")):
        return link.rstrip("/") == wanted or link.startswith(wanted + "/")
    host, _, path = link.split("://", 1)[1].partition("/")
    wanted_host, _, wanted_path = wanted.partition("/")
    host = host.rpartition("@")[2].partition(":")[0]
    return (host == wanted_host or host.endswith("." + wanted_host)) and path.startswith(wanted_path)


@says(
    "links",
    r"(?:uses?|uses? only|only uses?|is|are|starts? with|begins? with) (?:only )?https(?::// ?|(?: links?|"
    r" urls?))?(?: only)?",
)
def _https(words: Words) -> Predicate:
    def predicate(value: object, page: Page) -> Finding:
        if isinstance(value, Page):
            links = [found[0] for found in URL.finditer(page.text)]
            plain = [link for link in links if not link.lower().startswith("https://")]
            return decide(
                bool(links) and not plain, f"{show(plain[0])} is not https" if plain else f"{len(links)} https links"
            )
        if not isinstance(value, str):
            return unknown(f"{show(value)} is no link")
        return decide(value.lower().startswith("https://"), f"it is {show(value)}")

    return predicate
