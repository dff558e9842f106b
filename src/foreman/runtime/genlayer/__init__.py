"""What `from genlayer import *` gives a contract: exactly the names of docs/genlayer.md section 3.

Contracts find this package under the name `genlayer`; the import hook in imports.py sees to that.
"""

from foreman.address import Address
from foreman.runtime.genlayer import gl
from foreman.runtime.genlayer.keccak import Keccak256
from foreman.runtime.views.arrays import Array, DynArray
from foreman.runtime.views.ints import INT_TYPES
from foreman.runtime.views.records import allow_storage
from foreman.runtime.views.treemap import TreeMap

globals().update(INT_TYPES)

__all__ = ["Address", "Array", "DynArray", "Keccak256", "TreeMap", "allow_storage", "gl", *INT_TYPES]
