"""Dates in the few spellings that mean one day only."""

import datetime
import re

_NAMES = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
_MONTHS = {"sept": 9} | {form: at + 1 for at, name in enumerate(_NAMES) for form in (name, name[:3])}
_MONTH = rf"(?:{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"

DATE = (
    r"(?:\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{4}/\d{2}/\d{2}|"
    rf"\d{{1,2}}\.\d{{1,2}}\.\d{{4}}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}|\d{{1,2}}(?:st|nd|rd|"
    rf"th)? {_MONTH},? \d{{4}})"
)
"""Pattern of a date. 01/02/2024 is not one: it is two."""

_DATE = re.compile(DATE, re.IGNORECASE)
_ISO = re.compile(
    r"(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?"
)
_NAMED = re.compile(
    rf"({_MONTH}) (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})|(\d{{1,2}})(?:st|nd|rd|th)? ({_MONTH}),? (\d{{4}})"
)


def read_date(text: str) -> datetime.date | None:
    """The day a text names, None when it names none (30 February is none)."""
    word = text.strip().lower().replace("t", "T") if text[:4].isdigit() else text.strip().lower()
    try:
        if found := _ISO.fullmatch(word.replace("z", "Z")):
            if found[4] and (int(found[4]) > 24 or int(found[5]) > 59 or int(found[6] or 0) > 60):
                return None
            return datetime.date(int(found[1]), int(found[2]), int(found[3]))
        if found := re.fullmatch(r"(\d{1,2})\.(\d{1,2})\.(\d{4})", word):
            return datetime.date(int(found[3]), int(found[2]), int(found[1]))
        if found := _NAMED.fullmatch(word):
            month, day, year = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
            return datetime.date(int(year), _MONTHS[month.rstrip(".")], int(day))
    except ValueError:
        return None
    return None


def date_of(value: object) -> datetime.date | None:
    """A value as a day."""
    if isinstance(value, datetime.date):
        return value
    return read_date(value) if isinstance(value, str) and len(value) < 64 else None


def dates_in(text: str) -> list[datetime.date]:
    """Every valid date that a text mentions."""
    return [day for found in _DATE.finditer(text) for day in [read_date(found[0])] if day is not None]
