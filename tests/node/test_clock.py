"""The network's time: it never goes back, whoever looks at it and whatever the machine's clock does."""

import threading

from hypothesis import given
from hypothesis import strategies as st

from foreman.node.clock import TurnableClock


class Wall:
    """Shows what it is told."""

    def __init__(self) -> None:
        self.at = 0

    def now(self) -> int:
        return self.at


@given(st.lists(st.tuples(st.integers(-10_000, 10_000), st.integers(0, 5_000)), max_size=40))
def test_time_never_goes_back_however_the_wall_clock_jumps(jumps: list[tuple[int, int]]) -> None:
    wall = Wall()
    clock = TurnableClock(wall)
    shown = [clock.now()]
    for jump, turn in jumps:
        wall.at += jump
        clock.turn(turn)
        shown.append(clock.now())
    assert shown == sorted(shown)


def test_a_view_that_looks_while_time_passes_puts_no_older_time_back() -> None:
    """A reading thread has read the wall clock and is held up; the book reads a later time; the wall jumps back."""

    class Held(Wall):
        def __init__(self) -> None:
            super().__init__()
            self.hold = True
            self.inside, self.go = threading.Event(), threading.Event()

        def now(self) -> int:
            at = self.at
            if self.hold:
                self.hold = False
                self.inside.set()
                self.go.wait(0.3)
            return at

    wall = Held()
    clock = TurnableClock(wall)
    wall.at = 100
    view = threading.Thread(target=clock.now)
    view.start()
    assert wall.inside.wait(20)
    wall.at = 200
    later = clock.now()
    wall.go.set()
    view.join(20)
    wall.at = 50
    assert later == 200
    assert clock.now() == 200
