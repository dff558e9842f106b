"""`datetime` and `time` for contracts: every clock stands at the time of the transaction, and local time is UTC.

As docs/genlayer.md 5.2 has it. The classes are subclasses of the real ones and call every real instance their own, so a
value from elsewhere fits.
"""

import calendar
import datetime as real_datetime
import time as real_time
from types import ModuleType
from typing import Any, SupportsIndex

from foreman.runtime.current import microseconds

_EPOCH = real_datetime.datetime(1970, 1, 1)
_UTC = real_datetime.UTC


class _AsReal(type):
    """`isinstance(x, datetime)` asks about the real class."""

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, cls.__mro__[1])

    def __subclasscheck__(cls, subclass: Any) -> bool:
        return issubclass(subclass, cls.__mro__[1])


class ClockDate(real_datetime.date, metaclass=_AsReal):
    """`datetime.date`, today being the transaction's day (UTC)."""

    @classmethod
    def today(cls) -> "ClockDate":
        moment = _moment()
        return cls(moment.year, moment.month, moment.day)

    @classmethod
    def fromtimestamp(cls, timestamp: float, /) -> "ClockDate":
        moment = real_datetime.datetime.fromtimestamp(timestamp, _UTC)
        return cls(moment.year, moment.month, moment.day)

    def __repr__(self) -> str:
        return "datetime." + super().__repr__()


class ClockDatetime(real_datetime.datetime, metaclass=_AsReal):
    """`datetime.datetime`, now being the transaction's time: naive UTC, or aware when asked for a zone."""

    @classmethod
    def now(cls, tz: real_datetime.tzinfo | None = None) -> "ClockDatetime":
        moment = cls._from(_moment())
        return moment if tz is None else moment.astimezone(tz)

    @classmethod
    def utcnow(cls) -> "ClockDatetime":
        return cls._from(_moment())

    @classmethod
    def today(cls) -> "ClockDatetime":
        return cls._from(_moment())

    @classmethod
    def fromtimestamp(cls, timestamp: float, tz: real_datetime.tzinfo | None = None) -> "ClockDatetime":
        moment = cls._from(real_datetime.datetime.fromtimestamp(timestamp, _UTC))
        return moment if tz is None else moment.astimezone(tz)

    @classmethod
    def utcfromtimestamp(cls, timestamp: float, /) -> "ClockDatetime":
        return cls.fromtimestamp(timestamp)

    @classmethod
    def _from(cls, moment: real_datetime.datetime) -> "ClockDatetime":
        """The same wall time without a zone."""
        return cls(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond)

    def timestamp(self) -> float:
        aware = self if self.tzinfo is not None else self.replace(tzinfo=_UTC)
        return super(ClockDatetime, aware).timestamp()

    def astimezone(self, tz: real_datetime.tzinfo | None = None) -> "ClockDatetime":
        aware = self if self.tzinfo is not None else self.replace(tzinfo=_UTC)
        return super(ClockDatetime, aware).astimezone(_UTC if tz is None else tz)

    def __repr__(self) -> str:
        return "datetime." + super().__repr__()

    def __reduce_ex__(self, protocol: SupportsIndex) -> Any:
        return (ClockDatetime, super().__reduce_ex__(protocol)[1])


# Their own names are those that a contract knows; `repr` shows them.
ClockDate.__name__ = ClockDate.__qualname__ = "date"
ClockDatetime.__name__ = ClockDatetime.__qualname__ = "datetime"
ClockTimezone = real_datetime.timezone


def _moment() -> real_datetime.datetime:
    return _EPOCH + real_datetime.timedelta(microseconds=microseconds())


def _seconds(*_: Any) -> float:
    return microseconds() / 1_000_000


def _nanoseconds(*_: Any) -> int:
    return microseconds() * 1000


def _default_now(function: Any) -> Any:
    """`time.gmtime()` and its like read the clock when they are given no time."""

    def wrapped(seconds: float | None = None) -> Any:
        return function(_seconds() if seconds is None else seconds)

    wrapped.__name__ = wrapped.__qualname__ = function.__name__
    return wrapped


def _strftime(layout: str, moment: Any = None) -> str:
    return real_time.strftime(layout, real_time.gmtime(_seconds()) if moment is None else moment)


def _asctime(moment: Any = None) -> str:
    return real_time.asctime(real_time.gmtime(_seconds()) if moment is None else moment)


def copied(module: ModuleType, changed: dict[str, Any]) -> ModuleType:
    """A module with the names of another, some of them changed."""
    copy = ModuleType(module.__name__, module.__doc__)
    copy.__dict__.update({name: value for name, value in vars(module).items() if not name.startswith("__")})
    copy.__dict__.update(changed)
    return copy


datetime = copied(real_datetime, {"datetime": ClockDatetime, "date": ClockDate})

time = copied(
    real_time,
    {
        **dict.fromkeys(
            ["time", "monotonic", "perf_counter", "process_time", "thread_time", "clock_gettime"], _seconds
        ),
        **dict.fromkeys(
            ["time_ns", "monotonic_ns", "perf_counter_ns", "process_time_ns", "thread_time_ns", "clock_gettime_ns"],
            _nanoseconds,
        ),
        "gmtime": _default_now(real_time.gmtime),
        "localtime": _default_now(real_time.gmtime),
        "ctime": _default_now(lambda seconds: real_time.asctime(real_time.gmtime(seconds))),
        "asctime": _asctime,
        "strftime": _strftime,
        "mktime": lambda moment: float(calendar.timegm(moment)),
        "sleep": lambda seconds: None,  # clocks stand still, so waiting is over at once
        "timezone": 0,
        "altzone": 0,
        "daylight": 0,
        "tzname": ("UTC", "UTC"),
    },
)
