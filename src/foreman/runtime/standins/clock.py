"""`datetime` and `time` for contracts: every clock stands at the time of the transaction (facts sheet 5.2).

The classes are subclasses of the real ones and call every real instance their own, so a value from elsewhere fits.
"""

import datetime as real_datetime
import time as real_time
from types import ModuleType
from typing import Any

from foreman.runtime.current import microseconds

_EPOCH = real_datetime.datetime(1970, 1, 1)


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


class ClockDatetime(real_datetime.datetime, metaclass=_AsReal):
    """`datetime.datetime`, now being the transaction's time: naive UTC, or aware when asked for a zone."""

    @classmethod
    def now(cls, tz: real_datetime.tzinfo | None = None) -> "ClockDatetime":
        moment = cls._from(_moment())
        return moment if tz is None else moment.replace(tzinfo=real_datetime.UTC).astimezone(tz)

    @classmethod
    def utcnow(cls) -> "ClockDatetime":
        return cls._from(_moment())

    @classmethod
    def today(cls) -> "ClockDatetime":
        return cls._from(_moment())

    @classmethod
    def _from(cls, moment: real_datetime.datetime) -> "ClockDatetime":
        return cls(moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second, moment.microsecond)


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


def _copy(module: ModuleType, changed: dict[str, Any]) -> ModuleType:
    copy = ModuleType(module.__name__, module.__doc__)
    copy.__dict__.update({name: value for name, value in vars(module).items() if not name.startswith("__")})
    copy.__dict__.update(changed)
    return copy


def _strftime(layout: str, moment: Any = None) -> str:
    return real_time.strftime(layout, real_time.gmtime(_seconds()) if moment is None else moment)


datetime = _copy(real_datetime, {"datetime": ClockDatetime, "date": ClockDate})

time = _copy(
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
        "strftime": _strftime,
        "sleep": lambda seconds: None,  # clocks stand still, so waiting is over at once
        "timezone": 0,
        "altzone": 0,
        "daylight": 0,
        "tzname": ("UTC", "UTC"),
    },
)
