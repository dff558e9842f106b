"""Criteria about dates: before, after, between, in a year."""

import datetime

from foreman.judges.offline.dates import DATE, date_of, dates_in, read_date
from foreman.judges.offline.findings import Finding, Predicate, decide, show, unmet
from foreman.judges.offline.kinds import BE, HAS, Phrasings, Words
from foreman.judges.offline.page import Page

PHRASINGS = Phrasings()
says = PHRASINGS.says

_SUBJECT = (
    rf"(?:(?:{BE}|falls|lies|{HAS}|mentions?|is dated|dated|was published|is published)(?: a|"
    rf" the)?(?: date| day)?(?: that is| of| which is)? ?)?"
)
_BEFORE = r"before|earlier than|prior to"
_BY = r"on or before|no later than|not later than|not after|by|until|up to"
_AFTER = r"after|later than"
_FROM = r"on or after|no earlier than|not earlier than|not before|since|from"


def _day_of(value: object, page: Page) -> datetime.date | None:
    """The day that is meant: the value's, or the only one that the page mentions."""
    if not isinstance(value, Page):
        return date_of(value)
    days = set(dates_in(page.honest))
    return days.pop() if len(days) == 1 else None


def _bounded(low: datetime.date | None, high: datetime.date | None) -> Predicate:
    def predicate(value: object, page: Page) -> Finding:
        if isinstance(value, Page):
            days = dates_in(page.honest)
            holds = any((low is None or day >= low) and (high is None or day <= high) for day in days)
            return decide(holds, f"{len(days)} dates on the page")
        day = _day_of(value, page)
        if day is None:
            return unmet(f"{show(value)} is no date")
        return decide((low is None or day >= low) and (high is None or day <= high), f"it is {day.isoformat()}")

    return predicate


@says("dates", rf"{_SUBJECT}(?P<op>{_BY}|{_FROM}|{_BEFORE}|{_AFTER}) (?P<a>{DATE})")
def _compared(words: Words) -> Predicate | None:
    day = read_date(words["a"])
    if day is None:
        return None
    op, one = words["op"].lower(), datetime.timedelta(days=1)
    if op in _BY.split("|"):
        return _bounded(None, day)
    if op in _FROM.split("|"):
        return _bounded(day, None)
    if op in _BEFORE.split("|"):
        return _bounded(None, day - one) if day > datetime.date.min else None
    return _bounded(day + one, None) if day < datetime.date.max else None


@says(
    "dates", rf"{_SUBJECT}(?:between|from|in the range) (?P<a>{DATE}) (?:and|to|until|-|–) (?P<b>{DATE})(?: inclusive)?"
)
def _between(words: Words) -> Predicate | None:
    low, high = read_date(words["a"]), read_date(words["b"])
    return _bounded(low, high) if low and high and low <= high else None


@says(
    "dates",
    rf"{_SUBJECT}(?:in|within|from) (?:the year )(?P<y>\d{{4}})",
    rf"(?:is dated|dated|{BE} a date|falls|mentions a date|{HAS} a date) (?:in|within) (?P<y>\d{{4}})",
)
def _year(words: Words) -> Predicate | None:
    year = int(words["y"])
    return _bounded(datetime.date(year, 1, 1), datetime.date(year, 12, 31)) if 1 <= year <= 9999 else None


@says(
    "dates",
    rf"(?:is dated|dated|{HAS} (?:a |the )?date(?: of)?|mentions (?:the )?date|bears the date|"
    rf"{BE} (?:the )?date) (?P<a>{DATE})",
    rf"mentions? (?P<a>{DATE})",
)
def _exact(words: Words) -> Predicate | None:
    day = read_date(words["a"])
    return _bounded(day, day) if day else None
