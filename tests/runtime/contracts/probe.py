# v0.2.16
# { "Depends": "py-genlayer:test" }
"""A contract that runs the script it is given against its own storage; `out` is what comes back."""

import copy
import dataclasses
import itertools
import typing
from dataclasses import dataclass, field

from genlayer import *

T = typing.TypeVar("T")
TOOLS = (copy, dataclasses, itertools)  # for scripts


@allow_storage
@dataclass
class Leaf:
    n: u8
    text: str = "leaf"
    tags: DynArray[str] = field(default_factory=list)


@allow_storage
@dataclass
class Branch:
    name: str
    leaf: Leaf
    leaves: DynArray[Leaf]
    by_name: TreeMap[str, Leaf]


@allow_storage
@dataclass
class Gen(typing.Generic[T]):
    value: T
    more: DynArray[T]


@allow_storage
@dataclass(order=True)
class Place:
    row: i8
    name: str


@allow_storage
class Plain:
    n: u8

    def double(self) -> int:
        return self.n * 2


@allow_storage
@dataclass(frozen=True)
class Fixed:
    n: u8


class Probe(gl.Contract):
    number: u8
    leaf: Leaf
    branch: Branch
    plain: Plain
    text: Gen[str]
    numbers: DynArray[u8]
    words: DynArray[str]
    leaves: DynArray[Leaf]
    grid: DynArray[DynArray[u8]]
    fixed: Array[u8, typing.Literal[4]]
    fixed_leaves: Array[Leaf, typing.Literal[2]]
    ages: TreeMap[str, u8]
    other_ages: TreeMap[str, u8]
    by_number: TreeMap[i16, str]
    by_address: TreeMap[Address, u8]
    by_place: TreeMap[Place, u8]
    leaf_by_name: TreeMap[str, Leaf]
    branch_by_name: TreeMap[str, Branch]
    nested: TreeMap[str, TreeMap[str, u8]]
    lists: TreeMap[str, DynArray[u8]]
    big: TreeMap[bigint, u8]

    def __init__(self):
        pass

    @gl.public.write
    def do(self, script: str) -> typing.Any:
        names = {"self": self, "out": None}
        exec(script, {**globals()}, names)
        return names["out"]
