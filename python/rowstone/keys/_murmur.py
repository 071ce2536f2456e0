"""MurmurHash3, 32 bits.

Source: HBase's ``org.apache.hadoop.hbase.util.MurmurHash3``, which is ``MurmurHash3_x86_32``.
"""

from __future__ import annotations

_MASK = 0xFFFFFFFF


def _rotated(number: int, bits: int) -> int:
    return ((number << bits) | (number >> (32 - bits))) & _MASK


def _mixed(block: int) -> int:
    return _rotated(block * 0xCC9E2D51 & _MASK, 15) * 0x1B873593 & _MASK


def murmur3(data: bytes, seed: int = 0) -> int:
    """Return the hash, from 0 to 2**32 - 1. HBase uses the same 32 bits as a signed number.

    >>> murmur3(b"hello")
    613153351
    """
    state = seed & _MASK
    whole = len(data) & ~3
    for place in range(0, whole, 4):
        state ^= _mixed(int.from_bytes(data[place : place + 4], "little"))
        state = (_rotated(state, 13) * 5 + 0xE6546B64) & _MASK
    if len(data) > whole:
        state ^= _mixed(int.from_bytes(data[whole:], "little"))
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & _MASK
    state = (state ^ state >> 13) * 0xC2B2AE35 & _MASK
    return state ^ state >> 16
