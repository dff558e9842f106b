"""Arguments that do not fit a method are told beside those that it takes, so that a caller can mend the call."""

from typing import Any

import pytest

from tests.runtime.world import World

SOURCE = """
class C(gl.Contract):
    n: u32

    def __init__(self):
        pass

    @gl.public.write
    def add(self, by: int, /, *, twice: bool = False) -> int:
        self.n += by * (2 if twice else 1)
        return self.n

    @gl.public.view
    def any(self, *rest: typing.Any, **more: typing.Any) -> None:
        raise TypeError("not me")
"""


@pytest.fixture(scope="module")
def world() -> tuple[World, bytes]:
    found = World()
    return found, found.deploy(SOURCE)


@pytest.mark.parametrize(
    ("args", "kwargs", "given"),
    [
        pytest.param([], {}, "()", id="nothing"),
        pytest.param([1, 2], {}, "(2 values)", id="too many"),
        pytest.param([], {"by": 1}, "(by=)", id="a name for what has its place"),
        pytest.param([1], {"twice": True, "often": 3}, "(1 value, often=, twice=)", id="an unknown name"),
    ],
)
def test_c019_arguments_that_do_not_fit_are_told_beside_those_that_would(
    world: tuple[World, bytes], args: list[Any], kwargs: dict[str, Any], given: str
) -> None:
    found, contract = world
    text, why = found.error(contract, "add", *args, kwargs=kwargs)
    assert text == "exit_code 1"
    assert why == f"TypeError: `add` takes the arguments (by, *, twice=), this call gives {given}"


def test_c019_value_that_a_method_does_not_take_is_told_beside_the_method(world: tuple[World, bytes]) -> None:
    found, contract = world
    text, why = found.error(contract, "add", 1, value=7)
    assert text == "exit_code 1"
    assert why.splitlines()[-1] == "ValueError: `add` is non-payable: it takes no value, this call sends 7 wei"


def test_c019_a_type_error_inside_a_method_is_told_as_it_is(world: tuple[World, bytes]) -> None:
    found, contract = world
    _, why = found.error(contract, "add", "one")
    assert "takes" not in why
    assert why.splitlines()[0] == "Traceback of the contract (last call at the end):"


def test_a_method_that_takes_everything_is_called(world: tuple[World, bytes]) -> None:
    found, contract = world
    assert found.error(contract, "any", 1, kwargs={"x": 2})[1].endswith("TypeError: not me")
