"""Clocks stand at the transaction's time, entropy is constant in deterministic code, all the rest is the real thing."""

import datetime
import json
import time
from typing import Any

import pytest

from foreman.runtime.standins import clock, entropy
from tests.runtime.world import NOON, World

SOURCE = """
import datetime, time, random, os, secrets, uuid, json
from datetime import datetime as dt, timezone, timedelta, date
from random import Random, randint
from time import time as clock
import os.path
import copy

class C(gl.Contract):
    def __init__(self):
        pass

    @gl.public.view
    def do(self, expression: str) -> typing.Any:
        return eval(expression, globals())
"""


@pytest.fixture(scope="module")
def world() -> tuple[World, bytes]:
    found = World()
    return found, found.deploy(SOURCE)


STAMP = "2024-11-26T06:42:42.424242"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("datetime.datetime.now().isoformat()", STAMP),
        ("dt.now().isoformat()", STAMP),
        ("dt.utcnow().isoformat()", STAMP),
        ("dt.today().isoformat()", STAMP),
        ("dt.now(timezone.utc).isoformat()", STAMP + "+00:00"),
        ("dt.now(datetime.UTC).isoformat()", STAMP + "+00:00"),
        ("dt.now(timezone(timedelta(hours=2))).isoformat()", "2024-11-26T08:42:42.424242+02:00"),
        ("date.today().isoformat()", "2024-11-26"),
        ("str(dt.now())", "2024-11-26 06:42:42.424242"),
        ("repr(dt.now())", "datetime.datetime(2024, 11, 26, 6, 42, 42, 424242)"),
        ("repr(date.today())", "datetime.date(2024, 11, 26)"),
        ("int(dt.now().timestamp() * 10**6)", NOON),
        ("dt.now().timestamp() == dt.now(timezone.utc).timestamp() == time.time()", True),
        ("dt.fromtimestamp(0).isoformat()", "1970-01-01T00:00:00"),
        ("dt.utcfromtimestamp(1).isoformat()", "1970-01-01T00:00:01"),
        ("dt.fromtimestamp(0, timezone.utc).isoformat()", "1970-01-01T00:00:00+00:00"),
        ("date.fromtimestamp(0).isoformat()", "1970-01-01"),
        ("dt.now().astimezone().isoformat()", STAMP + "+00:00"),
        ("dt.now().astimezone(timezone(timedelta(hours=-1))).isoformat()", "2024-11-26T05:42:42.424242-01:00"),
        ("dt.fromisoformat('2020-01-02T03:04:05').year", 2020),
        ("dt.strptime('2020-01-02', '%Y-%m-%d').isoformat()", "2020-01-02T00:00:00"),
        ("type(dt.now() + timedelta(days=1)) is dt", True),
        ("isinstance(dt.now(), dt) and isinstance(dt.now(), date) and issubclass(dt, date)", True),
        ("(dt.now() - dt(2024, 11, 26)).days", 0),
        ("copy.deepcopy(dt.now()) == dt.now() and type(copy.copy(dt.now())) is dt", True),
        ("dt.now().replace(hour=0).hour", 0),
        ("dt.now().date().isoformat()", "2024-11-26"),
        ("dt.combine(date(2020, 1, 1), datetime.time(1)).isoformat()", "2020-01-01T01:00:00"),
        ("int(time.time() * 10**6)", NOON),
        ("clock() == time.monotonic() == time.perf_counter()", True),
        ("time.time_ns()", NOON * 1000),
        ("time.gmtime().tm_year", 2024),
        ("time.localtime().tm_hour", 6),
        ("time.localtime(0).tm_year", 1970),
        ("time.strftime('%Y-%m-%d')", "2024-11-26"),
        ("time.strftime('%Y', time.gmtime(0))", "1970"),
        ("time.ctime()", "Tue Nov 26 06:42:42 2024"),
        ("time.asctime()", "Tue Nov 26 06:42:42 2024"),
        ("int(time.mktime(time.gmtime(86400)))", 86400),
        ("time.sleep(1000)", None),
        ("os.urandom(4)", bytes(4)),
        ("secrets.token_bytes(3)", bytes(3)),
        ("secrets.token_hex(2)", "0000"),
        ("secrets.randbelow(10)", 0),
        ("uuid.uuid4().hex", "00000000000040008000000000000000"),
        ("os.path.join('a', 'b')", "a/b"),
        ("json.dumps({'a': 1})", '{"a": 1}'),
    ],
)
def test_what_contracts_see(world: tuple[World, bytes], expression: str, value: Any) -> None:
    found, contract = world
    assert found.read(contract, "do", expression) == value


@pytest.mark.parametrize(
    "expression",
    [
        "[random.random().hex(), random.randint(1, 10**9), random.choice('abcdef'), randint(1, 10**9)]",
        "[random.shuffle(l := list(range(20))), l]",
        "[Random().random().hex(), random.Random().getrandbits(64)]",
        "[random.SystemRandom().random().hex(), secrets.choice('abc')]",
        "[uuid.uuid4().hex, secrets.token_urlsafe() is not None]",
    ],
)
def test_every_run_draws_the_same(world: tuple[World, bytes], expression: str) -> None:
    found, contract = world
    if "token_urlsafe" in expression:
        expression = expression.replace(", secrets.token_urlsafe() is not None", "")
    assert found.read(contract, "do", expression) == found.read(contract, "do", expression)


def test_a_seeded_generator_is_the_real_one(world: tuple[World, bytes]) -> None:
    import random

    found, contract = world
    assert found.read(contract, "do", "Random(7).random().hex()") == random.Random(7).random().hex()


def test_files_and_keyboards_are_out_of_reach(world: tuple[World, bytes]) -> None:
    found, contract = world
    for expression in ("open('/etc/passwd')", "input()"):
        assert found.error(contract, "do", expression)[1].splitlines()[-1] == "OSError: 5: io"


def test_the_real_modules_are_as_they_were() -> None:
    assert datetime.datetime is not clock.datetime.datetime
    assert abs(time.time() - real_seconds()) < 60
    assert entropy.urandom(4) == bytes(4), "outside of any run there is no entropy either"
    assert json.loads("1") == 1


def real_seconds() -> float:
    return datetime.datetime.now(datetime.UTC).timestamp()
