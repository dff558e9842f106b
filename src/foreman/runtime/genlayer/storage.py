"""`gl.storage`: records and maps in memory, and the root of an upgradable contract (docs/genlayer.md 3.10)."""

import typing
from typing import Any

from foreman.runtime.genlayer.root import Root
from foreman.runtime.plans import plan_of
from foreman.runtime.rows import MemorySpace
from foreman.runtime.views.arrays import Array, DynArray
from foreman.runtime.views.records import KIND_READER, allow_storage, concrete_class, copy_record, is_record
from foreman.runtime.views.treemap import TreeMap

__all__ = ["Root", "allow_storage", "copy_to_memory", "inmem_allocate"]


def inmem_allocate(kind: Any, *args: Any, **kwargs: Any) -> Any:
    """A record (generic ones too), a TreeMap or a string in memory. TypeError for what the network refuses here."""
    concrete = concrete_class(kind)
    if concrete is not None:
        return concrete(*args, **kwargs)
    if kind is str:
        return str(*args)
    if typing.get_origin(kind) is TreeMap and not args and not kwargs:
        return plan_of(KIND_READER.read(kind)).view(MemorySpace(), b"", None)
    raise TypeError(f"{kind!r} cannot be allocated in memory on its own")


def copy_to_memory(view: Any) -> Any:
    """A copy of a record or TreeMap that a block may read. KeyError for anything else, as on the network (v0.1.8)."""
    if is_record(view):
        return copy_record(view)
    if isinstance(view, TreeMap):
        return view._plan.detach(view)
    if isinstance(view, DynArray | Array):
        raise KeyError("copy_to_memory() of an array fails on the network (v0.1.8): use list(...)")
    raise KeyError(f"copy_to_memory() takes a record or a TreeMap, not {type(view).__name__}")
