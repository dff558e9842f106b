"""`gl.Lazy`: a value that is worked out when it is first asked for."""

from collections.abc import Callable
from typing import Any


class Lazy[T]:
    """Ask with `.get()`; the work is done once, and an error it raised is raised again."""

    def __init__(self, work: Callable[[], T]) -> None:
        self._work: Callable[[], T] | None = work
        self._value: Any = None
        self._error: Exception | None = None

    def get(self) -> T:
        if self._work is not None:
            work, self._work = self._work, None
            try:
                self._value = work()
            except Exception as error:  # noqa: BLE001 # kept, and raised when the value is asked for
                self._error = error
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[no-any-return] # what the work returned


class WithLazy[**P, T]:
    """A function that also has `.lazy(...)`."""

    __foreman_frozen__ = True

    def __init__(self, function: Callable[P, T]) -> None:
        self._function = function
        self.__name__ = self.__qualname__ = function.__name__
        self.__doc__ = function.__doc__

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> T:
        return self._function(*args, **kwargs)

    def lazy(self, *args: P.args, **kwargs: P.kwargs) -> Lazy[T]:
        return Lazy(lambda: self._function(*args, **kwargs))

    def __reduce__(self) -> str:
        return self.__qualname__


def lazily[**P, T](function: Callable[P, T]) -> WithLazy[P, T]:
    """Give a function its `.lazy(...)`."""
    return WithLazy(function)
