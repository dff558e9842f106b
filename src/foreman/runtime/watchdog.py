"""The watchdog: ends contract code that runs too long, and nothing else.

When a lapse is over, the interpreter is told (`sys.monitoring`) to call us at every jump and call of that contract's
code objects, and there `TimeIsUp` is raised in the thread whose time is up, again and again until its run has ended. So
it costs nothing before, never strikes in the host's code or in another run, and cannot be swallowed. What it cannot
interrupt is one single long operation in C, such as raising a huge number to a huge power.
"""

import sys
import threading
import time
from types import CodeType

from foreman.runtime.signals import TimeIsUp

TICK_SECONDS = 0.05
"""How late a lapse may be noticed."""

_events = sys.monitoring.events
_STEPS = _events.JUMP | _events.PY_START | _events.PY_RESUME


class Lapse:
    """The time one run may take, in one thread. Time spent waiting for the outside world does not count."""

    __slots__ = ("_codes", "_deadline", "_dog", "_left", "_struck", "_thread", "over")

    def __init__(self, dog: "Watchdog", seconds: float) -> None:
        self._dog = dog
        self._thread = threading.get_ident()
        self._codes: list[CodeType] = []
        self._struck: dict[int, CodeType] = {}
        self._left = seconds
        self._deadline: float | None = time.monotonic() + seconds
        self.over = False

    def watch(self, codes: tuple[CodeType, ...]) -> None:
        """This code takes part in the run."""
        self._codes.extend(codes)
        if self.over:
            self._dog._strike(self, codes)

    def pause(self) -> None:
        """The run begins to wait for the world."""
        if self._deadline is not None:
            self._left = self._deadline - time.monotonic()
            self._deadline = None

    def resume(self) -> None:
        self._deadline = time.monotonic() + self._left

    def check(self) -> None:
        """For loops of the host's own on behalf of a contract."""
        if self.over:
            raise TimeIsUp

    def stop(self) -> None:
        """The run has ended: from here on nothing is raised on its account."""
        self._dog._stop(self)


class Watchdog:
    """One thread that looks after all lapses of the process; it sleeps while there are none."""

    def __init__(self) -> None:
        self._lapses: dict[int, Lapse] = {}
        self._struck: dict[int, int] = {}
        """How many expired lapses hold each code object (by its id; equal ones are different objects)."""
        self._expired: dict[int, Lapse] = {}
        self._lock = threading.Lock()
        self._work = threading.Event()
        self._thread: threading.Thread | None = None
        self._tool: int | None = None

    def start(self, seconds: float) -> Lapse:
        """Begin a lapse for the calling thread."""
        lapse = Lapse(self, seconds)
        with self._lock:
            self._lapses[id(lapse)] = lapse
            if not self._work.is_set():
                self._wake()
        return lapse

    def _wake(self) -> None:
        self._acquire_tool()
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=self._patrol, name="foreman-watchdog", daemon=True)
            self._thread.start()
        self._work.set()

    def _patrol(self) -> None:
        while True:
            self._work.wait()
            time.sleep(TICK_SECONDS)
            now = time.monotonic()
            for lapse in list(self._lapses.values()):
                deadline = lapse._deadline
                if deadline is not None and deadline < now and not lapse.over:
                    self._expire(lapse)
            with self._lock:
                if not self._lapses:
                    self._work.clear()

    def _expire(self, lapse: Lapse) -> None:
        with self._lock:
            if id(lapse) not in self._lapses:
                return
            lapse.over = True
            self._expired[lapse._thread] = lapse
        self._strike(lapse, tuple(lapse._codes))

    def _strike(self, lapse: Lapse, codes: tuple[CodeType, ...]) -> None:
        with self._lock:
            if id(lapse) not in self._lapses:
                return
            tool = self._acquire_tool()
            for code in codes:
                if id(code) in lapse._struck:
                    continue
                lapse._struck[id(code)] = code
                self._struck[id(code)] = self._struck.get(id(code), 0) + 1
                sys.monitoring.set_local_events(tool, code, _STEPS)

    def _stop(self, lapse: Lapse) -> None:
        with self._lock:
            self._lapses.pop(id(lapse), None)
            if not lapse.over:
                return
            self._expired.pop(lapse._thread, None)
            for key, code in lapse._struck.items():
                left = self._struck.pop(key) - 1
                if left:
                    self._struck[key] = left
                else:
                    sys.monitoring.set_local_events(self._acquire_tool(), code, 0)

    def _acquire_tool(self) -> int:
        """A tool number of the interpreter's that nobody else has: 3 and 4 have no purpose of their own. RuntimeError
        when all are taken: without it nothing could be ended.
        """
        if self._tool is None:
            free = [tool for tool in (4, 3, 5, 2, 1, 0) if sys.monitoring.get_tool(tool) is None]
            if not free:
                raise RuntimeError("every sys.monitoring tool of this process is taken, so contracts cannot be watched")
            self._tool = free[0]
            sys.monitoring.use_tool_id(self._tool, "foreman-watchdog")
            for event in (_events.JUMP, _events.PY_START, _events.PY_RESUME):
                sys.monitoring.register_callback(self._tool, event, self._step)
        return self._tool

    def _step(self, *_: object) -> None:
        if threading.get_ident() in self._expired:
            raise TimeIsUp


WATCHDOG = Watchdog()
