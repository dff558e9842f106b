"""`gl.calldata`: the argument encoding."""

from foreman.calldata import DecodingError, decode, encode

__all__ = ["DecodingError", "decode", "encode"]
